"""The contact combination graph: which vertices, which edges, and that it is lazy."""

from __future__ import annotations

from itertools import combinations, islice

import pytest

from dyverse.contact.geometry import Ball, Geometry
from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph, remembered

THREE = ("a-b", "a-c", "b-c")
BALLS = tuple(f"ball{i}" for i in range(1, 21))
MANY = tuple(f"{a}-{b}" for a, b in combinations(BALLS, 2))


def equal_balls(number: int) -> tuple[tuple[str, ...], Geometry]:
    names = BALLS[:number]
    contacts = tuple(f"{a}-{b}" for a, b in combinations(names, 2))
    return contacts, Geometry(tuple((name, Ball(1.0)) for name in names))


@pytest.mark.parametrize("graph", [CompleteGraph(THREE), FeasibleGraph(THREE)])
def test_vertices_are_all_subsets_small_ones_first(graph: ContactGraph) -> None:
    vertices = list(graph.vertices())
    assert vertices[0] == ()
    assert vertices[-1] == THREE
    assert len(set(vertices)) == 8
    assert [len(v) for v in vertices] == sorted(len(v) for v in vertices)


@pytest.mark.parametrize("graph", [CompleteGraph(THREE), FeasibleGraph(THREE)])
def test_larger_and_smaller_are_the_joined_vertices(graph: ContactGraph) -> None:
    for k in graph.vertices():
        joined = [j for j in graph.vertices() if graph.joined(k, j)]
        assert sorted(graph.larger(k)) == sorted(j for j in joined if len(j) > len(k))
        assert sorted(graph.smaller(k)) == sorted(j for j in joined if len(j) < len(k))


def test_complete_graph_joins_every_two_vertices() -> None:
    graph = CompleteGraph(THREE)
    pairs = list(combinations(graph.vertices(), 2))
    assert all(graph.joined(k, j) and graph.joined(j, k) for k, j in pairs)
    assert not graph.joined(("a-b",), ("a-b",))


def test_feasible_graph_joins_only_nested_vertices() -> None:
    graph = FeasibleGraph(THREE)
    assert graph.joined(("a-b",), ("a-b", "b-c"))
    assert not graph.joined(("a-b",), ("a-c", "b-c"))


def test_vertices_keep_the_order_of_the_contact_list() -> None:
    graph = CompleteGraph(THREE)
    assert graph.has(("a-b", "b-c"))
    assert not graph.has(("b-c", "a-b"))
    assert not graph.has(("a-b", "a-b"))
    assert not graph.has(("a-d",))


def test_four_equal_balls_can_all_touch_but_five_cannot() -> None:
    four, five = equal_balls(4), equal_balls(5)
    assert FeasibleGraph(*four).has(four[0])
    assert not FeasibleGraph(*five).has(five[0])


def test_pruned_graph_leaves_out_exactly_what_contains_the_impossible_set() -> None:
    contacts, geometry = equal_balls(5)
    graph = FeasibleGraph(contacts, geometry)
    vertices = list(graph.vertices())
    assert len(vertices) == 2**10 - 1  # all ten contacts at once is the one thing impossible
    assert contacts not in set(graph.larger(contacts[:8]))


def test_remembered_graph_answers_the_same() -> None:
    graph = FeasibleGraph(THREE)
    copy = remembered(graph)
    for k in graph.vertices():
        assert list(copy.larger(k)) == list(graph.larger(k))
        assert list(copy.smaller(k)) == list(graph.smaller(k))
        assert copy.joined(k, ()) == graph.joined(k, ()) == copy.joined(k, ())
        assert copy.has(k)
    assert list(copy.vertices()) == list(graph.vertices())
    assert copy.contacts == THREE


@pytest.mark.parametrize("kind", [CompleteGraph, FeasibleGraph])
def test_graph_of_twenty_balls_answers_without_listing(
    kind: type[CompleteGraph] | type[FeasibleGraph],
) -> None:
    graph: ContactGraph = kind(MANY)
    k = MANY[:100]
    assert len(list(islice(graph.vertices(), 500))) == 500
    assert len(list(islice(graph.larger(k), 100))) == 100
    assert len(list(islice(graph.smaller(k), 100))) == 100
    assert graph.joined(k, MANY[:3])


def test_twenty_balls_cannot_all_touch_one_another() -> None:
    geometry = Geometry(tuple((name, Ball(1.0, certain=False)) for name in BALLS))
    assert not FeasibleGraph(MANY, geometry).has(MANY)
    assert FeasibleGraph(MANY, geometry).has(MANY[:19])
