"""Event-driven simulation of any hybrid automaton.

In comes an automaton and a time; out goes a run. The loop knows nothing of rigid bodies: it
takes enabled edges and passes through computation nodes until nothing more happens in this
instant, then lets time pass to the next event. All knowledge is behind `HybridAutomaton`. For
rigid bodies the same loop also exists as compiled C: the solver ``native``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from dyverse.automaton.interface import Event, HybridAutomaton, State, Visit
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Arc, Run, Stop
from dyverse.errors import SolverError, did_you_mean
from dyverse.flow.events import Graze
from dyverse.flow.follow import Followed, follow
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.solver import SOLVERS, solver
from dyverse.flow.step import IntegrationError, Solver
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.native.engine import Options as NativeOptions
from dyverse.native.engine import simulate_native
from dyverse.native.errors import NativeError

Progress = Callable[[float, int], bool]  # (time reached, events so far) -> whether to go on


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to simulate; ``max_jumps`` bounds the jumps of one instant, ``max_events`` of a run."""

    solver: str = "reference"
    follow: FollowOptions = field(default_factory=FollowOptions)
    max_events: int = 100_000
    max_jumps: int = 200
    progress: Progress | None = None


DEFAULTS = Options()
NATIVE = "native"
FORCES = ("normal_force", "friction_reserve", "slip_speed")  # near zero, these are no near misses
IDLE = 50  # arcs without time before a run is taken to be stuck
INTERRUPTED = "interrupted; what was computed is kept"


def simulate(
    automaton: HybridAutomaton,
    start: State | None = None,
    *,
    until: float,
    options: Options = DEFAULTS,
) -> Run:
    """Follow one run from ``start`` to time ``until``, or say why it ended earlier.

    The solver ``native`` runs rigid bodies as compiled C; other automata, and machines without a
    compiler, get the reference solver, in the second case with a warning.
    """
    if options.solver == NATIVE:
        return _simulate_native(automaton, start, until, options)
    recorder = _Recorder(automaton, options)
    integrator = solver(options.solver)
    state = start or automaton.start()
    try:
        while True:
            state = recorder.settle(state)
            if state.time >= until:
                return recorder.run(Stop.HORIZON)
            state = recorder.flow(state, integrator, until)
    except _Ended as end:
        return recorder.run(end.stop, end.message)
    except KeyboardInterrupt:
        return recorder.run(Stop.INTERRUPTED, INTERRUPTED)


def check_solver(name: str) -> None:
    """Refuse a solver that is not known, with the names that are."""
    if name not in (NATIVE, *SOLVERS):
        known = ", ".join((NATIVE, *SOLVERS))
        hint = did_you_mean(name, (NATIVE, *SOLVERS))
        raise SolverError(f"unknown solver {name!r}{hint} (known: {known})")


def _simulate_native(
    automaton: HybridAutomaton, start: State | None, until: float, options: Options
) -> Run:
    reference = replace(options, solver="reference")
    if not isinstance(automaton, RigidBodyAutomaton):
        return simulate(automaton, start, until=until, options=reference)
    try:
        return simulate_native(automaton, start, until=until, options=_native_options(options))
    except NativeError as error:
        message = f"{error}; the reference engine runs instead"
        warnings.warn(NoNativeEngineWarning(message), stacklevel=3)
        return simulate(automaton, start, until=until, options=reference)


def _native_options(options: Options) -> NativeOptions:
    accuracy = options.follow.accuracy
    return NativeOptions(
        relative=accuracy.relative,
        absolute=accuracy.absolute,
        longest_step=accuracy.longest_step,
        max_events=options.max_events,
        max_jumps=options.max_jumps,
        progress=options.progress,
    )


class NoNativeEngineWarning(UserWarning):
    """The native engine was asked for, but cannot be used on this machine."""


class _Ended(Exception):  # noqa: N818 - an ending, not an error
    """A run that ends before its time."""

    def __init__(self, stop: Stop, message: str) -> None:
        self.stop, self.message = stop, message
        super().__init__(message)


class _Recorder:
    """The run so far; each step returns the next state, or ends the run."""

    def __init__(self, automaton: HybridAutomaton, options: Options) -> None:
        self.automaton, self.options = automaton, options
        self.parts: list[Arc | Visit] = []
        self.events: list[Event] = []
        self.idle = 0  # arcs in a row that took no time

    def run(self, stop: Stop, message: str = "") -> Run:
        """What has been recorded."""
        return Run(
            automaton=self.automaton,
            parts=tuple(self.parts),
            events=tuple(self.events),
            stop=stop,
            message=message,
        )

    def settle(self, state: State) -> State:
        """Take all jumps of this instant, until time may pass again."""
        before, visits = state, []
        for _ in range(self.options.max_jumps):
            if not self.automaton.is_dynamical(state.location):
                visits.append(self._visit(state))
                state = visits[-1].after
            edges = self.automaton.enabled(state)
            if not edges:
                return self._settled(before, tuple(visits), state)
            state = jump(self.automaton, edges[0], state)
        raise _Ended(Stop.LIVELOCK, f"over {self.options.max_jumps} jumps at {state.time} s")

    def _visit(self, state: State) -> Visit:
        visit = self.automaton.visit(state)
        self.parts.append(visit)
        if visit.failure is not None:
            inconsistent = visit.method == "inconsistent"
            stop = Stop.INCONSISTENT if inconsistent else Stop.NOT_CONVERGED
            raise _Ended(stop, f"at {state.time:.9g} s: {visit.failure}")
        return visit

    def _settled(self, before: State, visits: tuple[Visit, ...], state: State) -> State:
        if not self.automaton.is_dynamical(state.location):
            raise _Ended(Stop.DEADLOCK, f"no edge leaves {state.location} at {state.time} s")
        self.events.extend(self.automaton.events(before, visits, state))
        if len(self.events) >= self.options.max_events:
            self._rest(state)
            raise _Ended(Stop.MAX_EVENTS, f"{len(self.events)} events by {state.time} s")
        return state

    def _rest(self, state: State) -> None:
        """Keep ``state`` as the last one, in an arc without length."""
        self.parts.append(
            Arc(start=state, times=np.array([state.time]), states=state.values[None, :])
        )

    def flow(self, state: State, integrator: Solver, until: float) -> State:
        """Let time pass in the location of ``state`` to its next event."""
        flow = self.automaton.flow(state)
        values = flow.settle(state.time, state.values)
        state = State(state.time, state.location, values, state.held)
        if not self._on_step(state.time, values):
            self._rest(state)
            raise _Ended(Stop.INTERRUPTED, INTERRUPTED)
        try:
            followed = follow(
                flow,
                integrator,
                state.time,
                values,
                until=until,
                resting=flow.resting,
                options=self.options.follow,
                on_step=self._on_step,
            )
        except IntegrationError as error:
            raise _Ended(Stop.SOLVER, str(error)) from error
        return self._record(state, followed)

    def _record(self, state: State, followed: Followed) -> State:
        arc = Arc(start=state, times=followed.times, states=followed.states)
        self.parts.append(arc)
        watched = self.automaton.watched(state.location)
        self.events.extend(
            _graze(graze, watched, state)
            for graze in followed.grazes
            if not watched[graze.signal].startswith(FORCES)
        )
        if followed.stopped:
            raise _Ended(Stop.INTERRUPTED, INTERRUPTED)
        self._check_progress(arc, followed, watched)
        return arc.end

    def _check_progress(self, arc: Arc, followed: Followed, watched: tuple[str, ...]) -> None:
        """End a run in which no time passes: with a jump that does not help, or with none."""
        self.idle = self.idle + 1 if arc.times[-1] == arc.times[0] else 0
        where = f"{arc.location} at {arc.start.time} s"
        if self.idle > IDLE:
            raise _Ended(Stop.LIVELOCK, f"no time passes in {where}")
        if self.idle > 1 and followed.crossing and not self.automaton.enabled(arc.end):
            names = ", ".join(watched[j] for j in followed.crossing.signals)
            raise _Ended(Stop.DEADLOCK, f"no edge is enabled in {where}, but time ends: {names}")

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
