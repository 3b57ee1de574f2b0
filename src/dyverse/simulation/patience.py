"""Waiting: whether time may pass while edges are enabled, and what is watched meanwhile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dyverse.automaton.guard.waiting import (
    Delay,
    Waiting,
    Waits,
    arrived,
    keeps_invariant,
    margin_of,
)
from dyverse.automaton.interface import Array, Flow, HybridAutomaton, State
from dyverse.automaton.memory import Memory
from dyverse.automaton.offering import offers
from dyverse.automaton.run import Arc
from dyverse.automaton.switched import Switches
from dyverse.flow.follow import Followed
from dyverse.flow.solver import solver
from dyverse.simulation.masked import GUARDS, INVARIANTS, Flags, masked, patient
from dyverse.simulation.options import Options
from dyverse.simulation.pausing import stretch_of
from dyverse.simulation.ticking import pass_time


def watching(automaton: HybridAutomaton, state: State, options: Options) -> Flow:
    """The flow without the signals that are not looked at while time passes."""
    left_out: tuple[str, ...] = GUARDS if options.tick is not None else ()
    left_out = (*left_out, *INVARIANTS) if options.invariant == "endpoints" else left_out
    flow = automaton.flow(state)
    return masked(flow, automaton.watched(state.location), left_out) if left_out else flow


class Patience:
    """Who may wait in one run, and for what."""

    def __init__(self, automaton: HybridAutomaton, options: Options) -> None:
        self._automaton, self._options = automaton, options

    def watching(self, state: State) -> tuple[Flow, tuple[str, ...]]:
        """The flow from ``state`` on while enabled edges are left alone, and what is watched."""
        assert offers(self._automaton, Waits)
        waiting = self._automaton.waiting(state)
        out = self._left_out(waiting)
        return patient(waiting, state.time, state.values, out, state.stretch), waiting.names

    def delay(self, state: State, tick: float | None) -> Delay:
        """Whether time may pass in ``state``; with ticks, until the next, at time ``tick``."""
        if not offers(self._automaton, Waits):
            return Delay.NEVER
        waiting = self._automaton.waiting(state)
        if waiting.hurried or self._is_locked(waiting, state.time, state.values):
            return Delay.NEVER
        if tick is not None:
            return self._ahead(state, tick)
        return Delay.FREE if waiting.lasting else Delay.LAST

    def _is_locked(self, waiting: Waiting, time: float, values: Array) -> bool:
        """Whether an invariant ends here, or a place is urgent."""
        start = waiting.flow.sample(np.array([time]), values[None, :]).values[0]
        late = (start <= 0) & ~waiting.flow.resting & ~waiting.guards
        return bool((late & ~self._left_out(waiting)).any())

    def _left_out(self, waiting: Waiting) -> Flags:
        skipped = INVARIANTS if self._options.invariant == "endpoints" else ()
        return np.array([name.startswith(skipped) for name in waiting.names], dtype=bool)

    def _try(self, state: State, tick: float) -> tuple[Arc, Followed]:
        """Let time pass to an event or a tick, across switches of the field."""
        flow = watching(self._automaton, state, self._options)
        followed = pass_time(
            flow,
            self._automaton.watched(state.location),
            solver(self._options.solver),
            state,
            until=tick,
            margin=margin_of(self._automaton),
            options=self._options,
        )
        arc = Arc(start=state, times=followed.times, states=followed.states)
        crossing = followed.crossing
        if crossing is None or crossing.signals:
            return arc, followed
        stretch = stretch_of(self._automaton, arc, flow, followed, waiting=False)
        assert offers(flow, Switches)  # or what has crossed would be a signal
        sides = flow.beyond(crossing.time, crossing.values, crossing.switched)
        beyond = replace(arc.end, memory=Memory(stretch=stretch), sides=sides)
        return self._try(beyond, tick)

    def _ahead(self, state: State, tick: float) -> Delay:
        """Try what happens until the next tick."""
        arc, followed = self._try(state, tick)
        ends = self._options.invariant == "endpoints"
        if followed.crossing or (ends and not keeps_invariant(self._automaton, arc.end)):
            return Delay.NEVER
        return Delay.FREE if self._automaton.enabled(arrived(self._automaton, arc)) else Delay.LAST
