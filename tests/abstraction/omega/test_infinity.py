from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings

from dyverse.abstraction.omega.infinity import infinity_sets, simple_cycles, tour
from dyverse.abstraction.omega.lts import Lts, infinity_set, lts
from dyverse.errors import SolverError
from tests.abstraction.strategies import systems


def by_definition(system: Lts) -> set[frozenset[str]]:
    """Sets that are reached, strongly connected, and have a step inside."""
    graph = nx.DiGraph([(step.source, step.target) for step in system.steps])
    subsets = (
        frozenset(chosen)
        for size in range(1, len(graph) + 1)
        for chosen in combinations(graph.nodes, size)
    )
    return {
        chosen
        for chosen in subsets
        if chosen <= system.reachable
        and nx.is_strongly_connected(graph.subgraph(chosen))
        and graph.subgraph(chosen).number_of_edges()
    }


@settings(deadline=None)
@given(systems())
def test_infinity_sets_are_the_strongly_connected_sets(system: Lts) -> None:
    assert set(infinity_sets(system)) == by_definition(system)


@settings(deadline=None)
@given(systems())
def test_simple_cycles_are_those_of_networkx(system: Lts) -> None:
    graph = nx.DiGraph([(step.source, step.target) for step in system.steps])
    found = sorted(map(sorted, simple_cycles(system)))
    assert found == sorted(map(sorted, nx.simple_cycles(graph)))


@settings(deadline=None)
@given(systems(deterministic=True))
def test_a_tour_visits_just_the_set_for_ever(system: Lts) -> None:
    for states in infinity_sets(system):
        assert infinity_set(system, tour(system, states)) == states


def test_too_many_sets_are_refused() -> None:
    steps = ", ".join(f"q{a} a q{b}" for a in range(8) for b in range(8))
    with pytest.raises(SolverError, match="more than 100 cycles or infinity sets"):
        infinity_sets(lts(steps, initial="q0"), limit=100)
