"""One run as it is made: jumps of an instant, then time to the next event, and what ends it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dyverse.automaton import endings
from dyverse.automaton.guard.waiting import Delay, HoldsBack, arrived, keeps_invariant, margin_of
from dyverse.automaton.instant import Instant
from dyverse.automaton.interface import Event, Flow, HybridAutomaton, Jump, State, Visit
from dyverse.automaton.jump import jump
from dyverse.automaton.memory import Memory, Stretch, Ticks
from dyverse.automaton.network.component import Fault
from dyverse.automaton.offering import offers
from dyverse.automaton.run import Arc, EndsExactly, Moment, Part, Run, Stop
from dyverse.automaton.sides import UndecidedError
from dyverse.automaton.switched import (
    ACCUMULATES,
    ENDLESS,
    MANY,
    NO_SIDE,
    NOT_LINEAR,
    Piling,
    Switches,
    switching_message,
)
from dyverse.expr.switching import Switch
from dyverse.flow.events import Graze
from dyverse.flow.follow import Followed
from dyverse.flow.step import CrawlingError, IntegrationError, Solver
from dyverse.generation.coupled.jumps import finds_contacts
from dyverse.generation.parts import is_weighted, most_jumps, parts_of
from dyverse.simulation.choice import Chooser
from dyverse.simulation.options import Options
from dyverse.simulation.patience import Patience, watching
from dyverse.simulation.pausing import stretch_of
from dyverse.simulation.ticking import is_locked, pass_time

FORCES = ("normal_force", "friction_reserve", "slip_speed")  # near zero, these are no near misses
IDLE = 50  # arcs without time before a run is taken to be stuck
LATE = 1e-9  # the share of a tick by which it may be after the end, or before
INTERRUPTED = "interrupted; what was computed is kept"


class Ended(Exception):  # noqa: N818 - an ending, not an error
    """A run that ends before its time."""

    def __init__(self, stop: Stop, message: str) -> None:
        self.stop, self.message = stop, message
        super().__init__(message)


class Recorder:
    """The run so far; each step returns the next state, or ends the run."""

    def __init__(self, automaton: HybridAutomaton, start: State, options: Options) -> None:
        self.automaton, self.options = automaton, options
        self.parts: list[Part] = []
        self.events: list[Event] = []
        memory = start.memory or Memory(settled=False)
        self.choose = Chooser(options.choice, memory, weighted=is_weighted(automaton))
        self._most = most_jumps(automaton, options.max_jumps)
        self.patience = Patience(automaton, options)
        self.waiting = memory.waiting  # whether enabled edges are left alone
        self.idle = 0  # arcs in a row that took no time
        self.piling = Piling()
        self.switched = self.turns = 0  # switches of the field, and those in a row at one time
        self.ticks = ticks_of(options.tick, memory, start.time)
        self.start = self.now = start  # where it began, and from where it can go on
        self._instant = Instant(start)
        self.whole = 0  # parts up to there

    def run(self, stop: Stop, message: str = "") -> Run:
        """What has been recorded; a run that might go on ends where it can."""
        if stop.goes_on or not self.parts:
            self._end_now()
        else:
            self.events.extend(self._told_midway())
        return Run(
            automaton=self.automaton,
            parts=tuple(self.parts),
            events=tuple(self.events),
            stop=stop,
            message=message,
            solver=self.options.solver,
        )

    def _told_midway(self) -> tuple[Event, ...]:
        """Events of an instant that has no end; bodies alone tell of whole ones only."""
        bodies = parts_of(self.automaton).only_bodies
        if bodies is not None or endings.piled(endings.recent(self.start, self.events)):
            return ()
        return self._instant.so_far(self.automaton)

    def _end_now(self) -> None:
        """End with the present state and what is remembered there; leave out what came after it."""
        del self.parts[self.whole :]
        if (memory := self.now.memory) is not None:
            memory = replace(memory, recent=endings.recent(self.start, self.events))
            self.now = replace(self.now, memory=memory)
        last = self.parts[-1] if self.parts else None
        if isinstance(last, Arc) and _is_at(last.end, self.now):
            self.parts[-1] = replace(last, last=self.now)
        else:
            self.parts.append(Arc.still(self.now))

    def _remember(self, state: State, *, settled: bool, stretch: Stretch | None = None) -> State:
        """The same state, from which the run can go on."""
        memory = Memory(
            settled=settled,
            waiting=self.waiting,
            stretch=stretch,
            ticks=self.ticks,
            draw=self.choose.drawn(),
        )
        self.now, self.whole = replace(state, memory=memory), len(self.parts)
        return self.now

    def settle(self, state: State) -> State:
        """Take all jumps of this instant, until time may pass again."""
        if state.memory is not None and state.memory.settled:
            return state
        instant = self._instant = Instant(state)
        self.waiting = False
        for _ in range(self._most):
            if not self.automaton.is_dynamical(state.location):
                instant.visits.append(self._visit(state))
                state = instant.visits[-1].after
            taken = self._jump(state)
            if taken is None:
                return self._settled(state)
            self._leave(taken, first=not instant.jumps)
            instant.jumps.append(taken)
            state = taken.after
        if self.automaton.is_dynamical(state.location):
            self._rest(state)
        times = endings.recent(self.start, self.events)
        raise Ended(Stop.LIVELOCK, endings.endless(times, state, most=self._most))

    def _leave(self, taken: Jump, *, first: bool) -> None:
        """Keep a state that no arc ends in: between two jumps, or at the start of the run.

        Bodies start in free flight; the jumps that find their contacts do not leave a state.
        """
        begins = not self.parts and self.start.memory is None and not finds_contacts(taken.edge)
        if self.automaton.is_dynamical(taken.before.location) and (begins or not first):
            self.parts.append(Moment(taken.before))

    def _jump(self, state: State) -> Jump | None:
        """Take one of the enabled edges, if there is one and it is not left alone."""
        try:
            edges = self.automaton.enabled(state)
            if not edges:
                self.waiting = offers(self.automaton, HoldsBack) and self.automaton.held_back(state)
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
        tick = None if self.ticks is None else self.ticks.after(state.time).ahead
        return self.patience.delay(state, tick)

    def _visit(self, state: State) -> Visit:
        visit = self.automaton.visit(state)
        self.parts.append(visit)
        if visit.failure is not None:
            inconsistent = visit.method == "inconsistent"
            stop = Stop.INCONSISTENT if inconsistent else Stop.NOT_CONVERGED
            raise Ended(stop, endings.unanswered(state, visit.failure))
        return visit

    def _settled(self, state: State) -> State:
        if not self.automaton.is_dynamical(state.location):
            raise Ended(Stop.DEADLOCK, endings.no_way_out(state))
        events, self._instant = self._instant.events(self.automaton, state), Instant(state)
        if any(event.kind == "impact" for event in events):
            self.piling.forget()
        self.events.extend(events)
        state = self._remember(replace(state, reached=frozenset(), sides=()), settled=True)
        if len(self.events) >= self.options.max_events:
            raise Ended(Stop.MAX_EVENTS, endings.enough(self.events, state))
        return state

    def _rest(self, state: State) -> None:
        """Keep ``state`` as the last one, in an arc without length."""
        self.parts.append(Arc.still(state))

    def ahead(self, state: State, until: float) -> float:
        """How far time may pass before the next look: to the end, or to the next tick before it."""
        if self.ticks is None:
            return until
        self.ticks = self.ticks.after(state.time)
        end = self.ticks.ahead
        return end if end <= until + _rounding(until, self.ticks) else until

    def is_over(self, state: State, until: float) -> bool:
        """Whether the end is reached, perhaps by a tick that rounding puts a little before it."""
        tick = self.ticks is not None and state.time >= self.ticks.ahead
        slack = _rounding(until, self.ticks) if tick and self.ticks is not None else 0.0
        return state.time >= until - slack

    def flow(self, state: State, integrator: Solver, until: float) -> State:
        """Let time pass in the location of ``state`` to its next event."""
        flow, watched = self._watching(state)
        if state.stretch is None:
            self._check_end(state)
            values = flow.settle(state.time, state.values)
            state = State(state.time, state.location, values, state.held)
        if offers(flow, Switches):
            state = replace(state, sides=flow.sides)
        if not self._on_step(state.time, state.values):
            raise Ended(Stop.INTERRUPTED, INTERRUPTED)
        try:
            followed = pass_time(
                flow,
                watched,
                integrator,
                state,
                until=until,
                margin=margin_of(self.automaton),
                options=self.options,
                on_step=self._on_step,
            )
        except IntegrationError as error:
            if isinstance(error.followed, Followed):
                self._pause(self._ended(state, error.followed)[0], flow, error.followed)
            stop = Stop.CRAWLING if isinstance(error, CrawlingError) else Stop.SOLVER
            raise Ended(stop, str(error)) from error
        return self._record(state, flow, followed, watched)

    def _watching(self, state: State) -> tuple[Flow, tuple[str, ...]]:
        """The flow from ``state`` on, and what is watched."""
        try:
            if self.waiting and self.options.tick is None:
                return self.patience.watching(state)
            flow = watching(self.automaton, state, self.options)
        except UndecidedError as error:
            raise self._undecided(error) from error
        return flow, self.automaton.watched(state.location)

    def _record(
        self, state: State, flow: Flow, followed: Followed, watched: tuple[str, ...]
    ) -> State:
        arc, is_event = self._ended(state, followed)
        self.events.extend(
            _graze(graze, watched, state)
            for graze in followed.grazes
            if not self.waiting and not watched[graze.signal].startswith(FORCES)
        )
        if not is_event:
            self._pause(arc, flow, followed)
            self._switch(arc, flow, followed)
            if followed.stopped:
                raise Ended(Stop.INTERRUPTED, INTERRUPTED)
            self._check_end(self.now)
            return self.now
        end = arrived(self.automaton, arc)
        self.parts.append(replace(arc, last=end))
        end = self._remember(end, settled=False)
        self._check_progress(arc, end, followed, watched)
        self._check_end(arc.end)
        return end

    def _ended(self, state: State, followed: Followed) -> tuple[Arc, bool]:
        """The arc, and whether something happens at its end, or may because that is a tick."""
        arc = self._exact(Arc(start=state, times=followed.times, states=followed.states))
        tick = self.ticks is not None and float(arc.times[-1]) >= self.ticks.ahead
        if followed.due is not None and (tick or self._jumps_between_ticks):
            states = np.vstack([arc.states[:-1], followed.due.values])
            due = self._exact(replace(arc, states=states))
            if self._can_jump(arrived(self.automaton, due)):
                return due, True
        crossed = followed.crossing is not None and bool(followed.crossing.signals)
        return arc, not followed.stopped and (crossed or tick)

    def _exact(self, arc: Arc) -> Arc:
        return self.automaton.ended(arc) if offers(self.automaton, EndsExactly) else arc

    def _can_jump(self, state: State) -> bool:
        """Whether an edge is enabled, or a function that should know fails."""
        try:
            return bool(self.automaton.enabled(state))
        except Fault:
            return True

    @property
    def _jumps_between_ticks(self) -> bool:
        """Whether jumps may come at any time: there are no ticks, or there are bodies."""
        return self.ticks is None or parts_of(self.automaton).bodies is not None

    def _can_jump_now(self, state: State) -> bool:
        """Whether an edge may be taken between two ticks.

        Automata hear bodies at any time, and invariants that begin then end at any time.
        """
        return parts_of(self.automaton).is_coupled and self._can_jump(state)

    def _pause(self, arc: Arc, flow: Flow, followed: Followed) -> None:
        """The time asked for is over in the middle of a stretch."""
        stretch = stretch_of(self.automaton, arc, flow, followed, waiting=self.waiting)
        self.parts.append(arc)
        state = self._remember(arc.end, settled=True, stretch=stretch)
        self.parts[-1] = replace(arc, last=state)

    def _switch(self, arc: Arc, flow: Flow, followed: Followed) -> None:
        """Go on on other sides where functions of the field switch; it is no event."""
        crossing = followed.crossing
        if crossing is None or not offers(flow, Switches):
            return
        self.switched += 1
        self.turns = self.turns + 1 if arc.times[-1] == arc.times[0] else 0
        found = [flow.switches[i] for i in crossing.switched]
        if self.turns > IDLE:
            raise self._chatters(ENDLESS, found)
        if (end := self.piling.note(crossing.time, found)) is not None:
            raise self._chatters(ACCUMULATES, found, end)
        if self.switched + len(self.events) > self.options.max_events:
            told = switching_message(MANY, found, math.nan, self.now)
            raise Ended(Stop.MAX_EVENTS, told)
        try:
            sides = flow.beyond(crossing.time, crossing.values, crossing.switched)
        except UndecidedError as error:
            raise self._undecided(error) from error
        self.now = replace(self.now, sides=sides)

    def _undecided(self, error: UndecidedError) -> Ended:
        return self._chatters(NO_SIDE if error.linear else NOT_LINEAR, error.switches)

    def _chatters(self, why: int, switches: Sequence[Switch], end: float = math.nan) -> Ended:
        return Ended(Stop.CHATTERING, switching_message(why, switches, end, self.now))

    def _check_end(self, state: State) -> None:
        """End a run whose invariant does not hold where time starts or stops to pass."""
        ends = self.options.invariant == "endpoints"
        if ends and not keeps_invariant(self.automaton, state):
            self._end_now()
            raise Ended(Stop.TIMELOCK, endings.outside(state))

    def _check_progress(
        self, arc: Arc, end: State, followed: Followed, watched: tuple[str, ...]
    ) -> None:
        """End a run in which no time passes: with a jump that does not help, or with none."""
        begun = arc.times[0] if arc.start.stretch is None else arc.start.stretch.since
        self.idle = self.idle + 1 if arc.times[-1] == begun else 0
        names = [watched[j] for j in followed.crossing.signals] if followed.crossing else []
        locked = is_locked(followed, watched)
        if self.ticks is not None and locked and not self._can_jump_now(end):
            raise Ended(Stop.TIMELOCK, endings.within_tick(end, names))
        if self.idle > IDLE:
            raise Ended(Stop.LIVELOCK, endings.idle(end))
        if self.idle > 1 and names and not self.automaton.enabled(end):
            stop = Stop.TIMELOCK if locked else Stop.DEADLOCK
            raise Ended(stop, endings.locked(end, names))

    def _on_step(self, time: float, values: object) -> bool:
        progress = self.options.progress
        return progress is None or progress(time, len(self.events))


def ticks_of(length: float | None, memory: Memory, time: float) -> Ticks | None:
    """The ticks of a run from ``time`` on, those that it remembers if they are as long."""
    if length is None or (memory.ticks is not None and memory.ticks.length == length):
        return None if length is None else memory.ticks
    return Ticks(time, length)


def _rounding(until: float, ticks: Ticks) -> float:
    """How far from the end a tick is one at the end (s)."""
    return LATE * ticks.length + 4 * math.ulp(until)


def _is_at(one: State, other: State) -> bool:
    same = one.time == other.time and one.location == other.location
    return same and np.array_equal(one.values, other.values)


def _graze(graze: Graze, watched: tuple[str, ...], state: State) -> Event:
    return Event(
        time=graze.time,
        kind="graze",
        source=state.location,
        target=state.location,
        remark=f"{watched[graze.signal]} came down to {graze.value:.1e}",
    )
