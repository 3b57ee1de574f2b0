"""What would happen next: when each watched signal comes to zero, if nothing else happened before.

The flow of the present location is followed ahead, as far as is asked, with the same integrator and
the same search for events as a run by the reference solver. A signal that has come to zero is left
out from there on, and the others are followed further; so the first of all is the event that will
happen, and each of the others is when it would be its turn. Behind the end of a contact force or of
a slip there is nothing to follow: the laws of contact do not go on there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dyverse.automaton.interface import Flow, HybridAutomaton, State
from dyverse.automaton.memory import Memory, Ticks
from dyverse.automaton.run import Arc
from dyverse.automaton.switched import Switches
from dyverse.flow.events import Crossing
from dyverse.flow.follow import Followed, follow
from dyverse.flow.solver import solver
from dyverse.flow.step import IntegrationError
from dyverse.simulation.masked import GUARDS, Flags, MaskedFlow
from dyverse.simulation.options import Options
from dyverse.simulation.patience import Patience
from dyverse.simulation.pausing import stretch_of
from dyverse.simulation.recorder import FORCES

MOST = 64  # crossings that are looked for
INTEGRATOR = "reference"


@dataclass(frozen=True, slots=True)
class Ahead:
    """A watched signal, and when it comes to zero (s)."""

    signal: str
    time: float


def ahead(
    automaton: HybridAutomaton, state: State, until: float, options: Options, *, most: int
) -> Iterator[Ahead]:
    """The crossings from ``state`` to time ``until``, in the order of time."""
    path = _Path(automaton, state, options)
    for _ in range(most):
        crossing = path.next(until)
        if crossing is None:
            return
        for signal in crossing.signals:
            yield Ahead(
                path.names[signal], _told(path.names[signal], crossing.time, state, options)
            )


def _told(name: str, time: float, state: State, options: Options) -> float:
    """When an edge would be taken: if time is sampled, at the next tick; bodies keep their time."""
    if options.tick is None or not name.startswith(GUARDS):
        return time
    ticks = state.memory.ticks if state.memory is not None else None
    ticks = ticks or Ticks(state.time, options.tick)
    count = math.ceil((time - ticks.begin) / options.tick - 1e-9)
    return ticks.begin + count * options.tick


class _Path:
    """The flow of one location, followed across what it would come to."""

    def __init__(self, automaton: HybridAutomaton, state: State, options: Options) -> None:
        self._automaton, self._options, self._state = automaton, options, state
        self._waits = state.memory is not None and state.memory.waiting and options.tick is None
        flow, self.names = self._watching(state)
        self._flow = flow
        stretch = state.stretch
        self._resting: Flags = np.array(flow.resting if stretch is None else stretch.resting)
        self._out = np.zeros(len(self.names), dtype=bool)
        self._is_over = False

    def _watching(self, state: State) -> tuple[Flow, tuple[str, ...]]:
        if self._waits:
            return Patience(self._automaton, self._options).watching(state)
        return self._automaton.flow(state), self._automaton.watched(state.location)

    def next(self, until: float) -> Crossing | None:
        """The next crossing of a watched signal, if there is one."""
        while self._state.time < until and not self._is_over:
            followed = self._follow(until)
            crossing = None if followed is None else followed.crossing
            if followed is None or crossing is None:
                return None
            self._go_on(followed, crossing)
            if crossing.signals:
                return crossing
        return None

    def _follow(self, until: float) -> Followed | None:
        none = np.zeros(len(self._out), dtype=bool)
        masked = MaskedFlow(self._flow, self._out, none, self._resting & ~self._out)
        state, integrator = self._state, solver(INTEGRATOR)
        progress = self._options.progress
        try:
            return follow(
                masked,
                integrator,
                state.time,
                state.values,
                until=until,
                options=self._options.follow,
                on_step=None if progress is None else lambda time, _: progress(time, 0),
            )
        except IntegrationError:
            return None  # nothing is known of what comes behind

    def _go_on(self, followed: Followed, crossing: Crossing) -> None:
        """From the crossing on without the signals that have come to zero."""
        self._out[list(crossing.signals)] = True
        names = (self.names[signal] for signal in crossing.signals)
        self._is_over = any(name.startswith(FORCES) for name in names)
        arc = Arc(start=self._state, times=followed.times, states=followed.states)
        stretch = stretch_of(self._automaton, arc, self._flow, followed, waiting=self._waits)
        beyond = replace(arc.end, memory=Memory(stretch=stretch, waiting=self._waits))
        if crossing.switched and isinstance(self._flow, Switches):
            sides = self._flow.beyond(crossing.time, crossing.values, crossing.switched)
            beyond = replace(beyond, sides=sides)
            self._flow, _ = self._watching(beyond)
        self._state, self._resting = beyond, followed.resting
