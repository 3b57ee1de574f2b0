"""Taking an edge: the reset map R applied to a state."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from dyverse.automaton.interface import Edge, HybridAutomaton, State
from dyverse.automaton.offering import offers
from dyverse.expr.value import value


@runtime_checkable
class TakesEdges(Protocol):
    """An automaton whose edges do more than their assignments say."""

    def take(self, edge: Edge, state: State) -> State:
        """The state after ``edge``."""


def jump(automaton: HybridAutomaton, edge: Edge, state: State) -> State:
    """The state after ``edge``; all assignments happen at once, from the values before."""
    if offers(automaton, TakesEdges):
        return automaton.take(edge, state)
    if not edge.reset:
        return State(state.time, edge.target, state.values, state.held)
    known = automaton.observe(state)
    values = state.values.copy()
    for assignment in edge.reset:
        values[automaton.variables.index(assignment.target)] = value(assignment.value, known)
    return State(state.time, edge.target, values, state.held)
