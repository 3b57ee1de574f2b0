"""The symbolic automaton: what it answers, what it refuses, and that it stays lazy."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice

import pytest

from dyverse.automaton.interface import Edge
from dyverse.contact.graph import CompleteGraph, FeasibleGraph, Vertex
from dyverse.errors import ModelError
from dyverse.expr.formula import And, formula_symbols
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes, Node
from dyverse.generation.skeleton.skeleton import Skeleton

THREE = ("a-b", "a-c", "b-c")
MANY = tuple(f"ball{a}-ball{b}" for a, b in combinations(range(1, 21), 2))


@dataclass(frozen=True)
class CountedGraph:
    """A graph that counts the vertices it has been asked for."""

    contacts: tuple[str, ...]
    steps: list[Vertex] = field(default_factory=list, compare=False)

    def _noted(self, vertices: Iterator[Vertex]) -> Iterator[Vertex]:
        for vertex in vertices:
            self.steps.append(vertex)
            yield vertex

    def has(self, vertex: Vertex) -> bool:
        return CompleteGraph(self.contacts).has(vertex)

    def vertices(self) -> Iterator[Vertex]:
        return self._noted(CompleteGraph(self.contacts).vertices())

    def joined(self, k: Vertex, j: Vertex) -> bool:
        return CompleteGraph(self.contacts).joined(k, j)

    def larger(self, k: Vertex) -> Iterator[Vertex]:
        return self._noted(CompleteGraph(self.contacts).larger(k))

    def smaller(self, k: Vertex) -> Iterator[Vertex]:
        return self._noted(CompleteGraph(self.contacts).smaller(k))


def test_nothing_is_listed_that_was_not_asked_for() -> None:
    graph = CountedGraph(MANY)
    skeleton = Skeleton(MANY, graph)
    list(islice(skeleton.outgoing(FREE_FLIGHT), 5))
    assert len(graph.steps) == 5
    list(islice(skeleton.locations(), 4))
    assert len(graph.steps) == 7  # free flight, one contact
    list(islice(skeleton.nodes(), 2))
    skeleton.domain(FREE_FLIGHT)
    skeleton.edge(FREE_FLIGHT, Node("impact", MANY[:3], "en"))
    assert len(graph.steps) == 9


def test_one_location_of_twenty_balls() -> None:
    skeleton = Skeleton(MANY, FeasibleGraph(MANY))
    location = Modes(tuple((contact, "slip") for contact in MANY[:30]))
    domain = skeleton.domain(location)
    assert isinstance(domain, And)
    assert len(domain.parts) == 30 + 160 + 30
    for edge in islice(skeleton.outgoing(location), 20):
        assert formula_symbols(edge.guard)
    exit_edges = skeleton.outgoing(Node("contact", MANY[:30], "ex"))
    assert len(list(islice(exit_edges, 10))) == 10
    assert next(skeleton.outgoing(Node("impact", MANY[:30], "120"))).rule == "tangential_inside"


def test_edges_satisfy_the_interface_and_are_values() -> None:
    skeleton = Skeleton(THREE, CompleteGraph(THREE))
    edge: Edge = next(skeleton.outgoing(FREE_FLIGHT))
    assert edge == next(skeleton.outgoing(FREE_FLIGHT))
    assert hash(edge) == hash(next(skeleton.outgoing(FREE_FLIGHT)))
    assert pickle.loads(pickle.dumps(edge)) == edge
    assert edge.reset == ()
    assert next(skeleton.outgoing(FREE_FLIGHT)).action == "impact"


def test_variables_are_those_of_the_paper() -> None:
    """x = (q, q̇, λ_N, λ_T) has 12 M + 3 P entries."""
    assert len(Skeleton(THREE, CompleteGraph(THREE)).variables) == 12 * 3 + 3 * 3
    alone = Skeleton((), CompleteGraph(()), moving=("ball1",))
    assert len(alone.variables) == 12
    assert alone.moving == ("ball1",)


def test_one_ball_has_one_location_and_nothing_else() -> None:
    skeleton = Skeleton((), CompleteGraph(()))
    assert list(skeleton.locations()) == [FREE_FLIGHT]
    assert not list(skeleton.edges())
    assert not list(skeleton.nodes())


def test_time_passes_only_in_dynamical_locations() -> None:
    skeleton = Skeleton(THREE, CompleteGraph(THREE))
    node = Node("impact", THREE[:1], "en")
    assert skeleton.is_dynamical(FREE_FLIGHT)
    assert not skeleton.is_dynamical(node)
    with pytest.raises(ModelError, match="no time passes in impact"):
        skeleton.domain(node)


@pytest.mark.parametrize(
    "location",
    [
        "S0",
        Modes((("a-d", "slip"),)),
        Node("impact", (), "en"),
        Node("impact", ("b-a",), "en"),
        Node("impact", ("a-b",), "6"),
        Node("impact", ("a-b",), "in"),
    ],
)
def test_unknown_locations_are_refused(location: object) -> None:
    with pytest.raises(ModelError, match="unknown location"):
        Skeleton(THREE, CompleteGraph(THREE)).outgoing(location)


def test_the_graph_must_be_made_for_the_contacts() -> None:
    with pytest.raises(ModelError, match="another contact list"):
        Skeleton(THREE, CompleteGraph(THREE[:2]))
