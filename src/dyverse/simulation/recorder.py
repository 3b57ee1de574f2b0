"""One run as it is made: jumps of an instant, then time to the next event, and what ends it."""

from __future__ import annotations

import numpy as np

from dyverse.automaton import endings
from dyverse.automaton.component import Fault
from dyverse.automaton.interface import Event, HybridAutomaton, Jump, State, Visit
from dyverse.automaton.jump import jump
from dyverse.automaton.network import most_jumps
from dyverse.automaton.run import Arc, EndsExactly, Moment, Part, Run, Stop
from dyverse.automaton.waiting import Delay, HoldsBack, arrived, keeps_invariant
from dyverse.flow.events import Graze
from dyverse.flow.follow import Followed, follow
from dyverse.flow.step import IntegrationError, Solver
from dyverse.generation.joint import finds_contacts
from dyverse.simulation.choice import Chooser, is_weighted
from dyverse.simulation.options import Options
from dyverse.simulation.patience import Patience, watching

FORCES = ("normal_force", "friction_reserve", "slip_speed")  # near zero, these are no near misses
IDLE = 50  # arcs without time before a run is taken to be stuck
LOCKS = ("invariant[", "urgent[")  # watched signals that forbid time to pass
BEYOND = 1e-9  # the share by which the last tick may be after the end
INTERRUPTED = "interrupted; what was computed is kept"


class Ended(Exception):  # noqa: N818 - an ending, not an error
    """A run that ends before its time."""

    def __init__(self, stop: Stop, message: str) -> None:
        self.stop, self.message = stop, message
        super().__init__(message)


class Recorder:
    """The run so far; each step returns the next state, or ends the run."""

    def __init__(self, automaton: HybridAutomaton, options: Options) -> None:
        self.automaton, self.options = automaton, options
        self.parts: list[Part] = []
        self.events: list[Event] = []
        self.choose = Chooser(options.choice, weighted=is_weighted(automaton))
        self.patience = Patience(automaton, options)
        self.waiting = False  # whether enabled edges are left alone
        self.idle = 0  # arcs in a row that took no time
        self.ticks: tuple[float, int] | None = None  # when they began, and how many there were

    def run(self, stop: Stop, message: str = "") -> Run:
        """What has been recorded."""
        return Run(
            automaton=self.automaton,
            parts=tuple(self.parts),
            events=tuple(self.events),
            stop=stop,
            message=message,
            solver=self.options.solver,
        )

    def settle(self, state: State) -> State:
        """Take all jumps of this instant, until time may pass again."""
        before, visits = state, []
        jumps: list[Jump] = []
        self.waiting = False
        most = most_jumps(self.automaton, self.options.max_jumps)
        for _ in range(most):
            if not self.automaton.is_dynamical(state.location):
                visits.append(self._visit(state))
                state = visits[-1].after
            taken = self._jump(state)
            if taken is None:
                return self._settled(before, tuple(visits), state, tuple(jumps))
            self._leave(taken, first=not jumps)
            jumps.append(taken)
            state = taken.after
        if self.automaton.is_dynamical(state.location):
            self._rest(state)
        raise Ended(Stop.LIVELOCK, endings.endless(self.events, state, most=most))

    def _leave(self, taken: Jump, *, first: bool) -> None:
        """Keep a state that no arc ends in: between two jumps, or at the start of the run.

        Bodies start in free flight; the jumps that find their contacts do not leave a state.
        """
        begins = not self.parts and not finds_contacts(taken.edge)
        if self.automaton.is_dynamical(taken.before.location) and (begins or not first):
            self.parts.append(Moment(taken.before))

    def _jump(self, state: State) -> Jump | None:
        """Take one of the enabled edges, if there is one and it is not left alone."""
        try:
            edges = self.automaton.enabled(state)
            if not edges:
                self.waiting = isinstance(self.automaton, HoldsBack) and self.automaton.held_back(
                    state
                )
                return None
            edge, chosen = self.choose(state, edges, self._delay(state))
            if edge is None:
                self.waiting = True
                return None
            return Jump(edge, state, jump(self.automaton, edge, state), chosen)
        except Fault as fault:
            self._rest(state)
            raise Ended(Stop.FAULT, endings.faulty(state, fault)) from None

    def _delay(self, state: State) -> Delay:
        """Whether time may pass, if that makes a difference to who chooses."""
        if not self.choose.waits or not self.automaton.is_dynamical(state.location):
            return Delay.NEVER
        tick = self.options.tick
        return self.patience.delay(state, None if tick is None else self._tick(state, tick)[0])

    def _visit(self, state: State) -> Visit:
        visit = self.automaton.visit(state)
        self.parts.append(visit)
        if visit.failure is not None:
            inconsistent = visit.method == "inconsistent"
            stop = Stop.INCONSISTENT if inconsistent else Stop.NOT_CONVERGED
            raise Ended(stop, endings.unanswered(state, visit.failure))
        return visit

    def _settled(
        self, before: State, visits: tuple[Visit, ...], state: State, jumps: tuple[Jump, ...]
    ) -> State:
        if not self.automaton.is_dynamical(state.location):
            raise Ended(Stop.DEADLOCK, endings.no_way_out(state))
        self.events.extend(self.automaton.events(before, visits, state, jumps))
        if len(self.events) >= self.options.max_events:
            self._rest(state)
            raise Ended(Stop.MAX_EVENTS, endings.enough(self.events, state))
        return state

    def _rest(self, state: State) -> None:
        """Keep ``state`` as the last one, in an arc without length."""
        self.parts.append(
            Arc(start=state, times=np.array([state.time]), states=state.values[None, :])
        )

    def ahead(self, state: State, until: float) -> float:
        """How far time may pass before the next look: to the end, or to the next full tick."""
        tick = self.options.tick
        if tick is None:
            return until
        end, self.ticks = self._tick(state, tick)
        return end if end <= until * (1 + BEYOND) else state.time

    def _tick(self, state: State, tick: float) -> tuple[float, tuple[float, int]]:
        """When the next tick is, and when ticks began and how many there will have been."""
        begin, count = self.ticks or (state.time, 0)
        reached = state.time >= begin + count * tick  # an impact may end a stretch before its tick
        return begin + (count + reached) * tick, (begin, count + reached)

    def flow(self, state: State, integrator: Solver, until: float) -> State:
        """Let time pass in the location of ``state`` to its next event."""
        if self.waiting and self.options.tick is None:
            flow, watched = self.patience.watching(state)
        else:
            flow = watching(self.automaton, state, self.options)
            watched = self.automaton.watched(state.location)
        values = flow.settle(state.time, state.values)
        state = State(state.time, state.location, values, state.held)
        if not self._on_step(state.time, values):
            self._rest(state)
            raise Ended(Stop.INTERRUPTED, INTERRUPTED)
        try:
            followed = follow(
                flow,
                integrator,
                state.time,
                values,
                until=until,
                options=self.options.follow,
                on_step=self._on_step,
            )
        except IntegrationError as error:
            raise Ended(Stop.SOLVER, str(error)) from error
        return self._record(state, followed, watched)

    def _record(self, state: State, followed: Followed, watched: tuple[str, ...]) -> State:
        arc = Arc(start=state, times=followed.times, states=followed.states)
        if isinstance(self.automaton, EndsExactly):
            arc = self.automaton.ended(arc)
        self.parts.append(arc)
        self.events.extend(
            _graze(graze, watched, state)
            for graze in followed.grazes
            if not self.waiting and not watched[graze.signal].startswith(FORCES)
        )
        if followed.stopped:
            raise Ended(Stop.INTERRUPTED, INTERRUPTED)
        end = arrived(self.automaton, arc)
        self._check_progress(arc, end, followed, watched)
        if self.options.invariant == "endpoints":
            self._check_ends(arc)
        return end

    def _check_ends(self, arc: Arc) -> None:
        """End a run whose invariant does not hold where time started or stopped to pass."""
        for state in (arc.state(0), arc.end):
            if not keeps_invariant(self.automaton, state):
                raise Ended(Stop.TIMELOCK, endings.outside(state))

    def _check_progress(
        self, arc: Arc, end: State, followed: Followed, watched: tuple[str, ...]
    ) -> None:
        """End a run in which no time passes: with a jump that does not help, or with none."""
        self.idle = self.idle + 1 if arc.times[-1] == arc.times[0] else 0
        names = [watched[j] for j in followed.crossing.signals] if followed.crossing else []
        locked = bool(names) and all(name.startswith(LOCKS) for name in names)
        if self.options.tick is not None and locked:
            raise Ended(Stop.TIMELOCK, endings.within_tick(end, names))
        if self.idle > IDLE:
            raise Ended(Stop.LIVELOCK, endings.idle(end))
        if self.idle > 1 and names and not self.automaton.enabled(end):
            stop = Stop.TIMELOCK if locked else Stop.DEADLOCK
            raise Ended(stop, endings.locked(end, names))

    def _on_step(self, time: float, values: object) -> bool:
        progress = self.options.progress
        return progress is None or progress(time, len(self.events))


def _graze(graze: Graze, watched: tuple[str, ...], state: State) -> Event:
    return Event(
        time=graze.time,
        kind="graze",
        source=state.location,
        target=state.location,
        remark=f"{watched[graze.signal]} came down to {graze.value:.1e}",
    )
