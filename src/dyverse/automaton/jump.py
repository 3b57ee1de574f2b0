"""Taking an edge: the reset map R applied to a state."""

from __future__ import annotations

from dyverse.automaton.interface import Edge, HybridAutomaton, State
from dyverse.expr.value import value


def jump(automaton: HybridAutomaton, edge: Edge, state: State) -> State:
    """The state after ``edge``; all assignments happen at once, from the values before."""
    if not edge.reset:
        return State(state.time, edge.target, state.values, state.held)
    known = automaton.observe(state)
    values = state.values.copy()
    for assignment in edge.reset:
        values[automaton.variables.index(assignment.target)] = value(assignment.value, known)
    return State(state.time, edge.target, values, state.held)
