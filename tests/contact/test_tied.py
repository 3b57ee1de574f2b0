"""Contacts that are closed together: the graph, and what is counted of it."""

from __future__ import annotations

import pytest

from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import scene
from dyverse.contact.graph import CompleteGraph, FeasibleGraph
from dyverse.contact.tied import TiedGraph, tied
from dyverse.generation.skeleton.counts import GraphName, counted
from dyverse.generation.skeleton.rules import RuleSet
from dyverse.generation.skeleton.solids import skeleton_of

LEADER = {"a-b": "a-b", "a.rolling-b": "a-b", "b-c": "b-c"}
GRAPHS = pytest.mark.parametrize("graph", ["complete", "feasible"])
TEXT = """\
body a { sphere radius 1  mass 1  position (0, 5, 0) }
body b { sphere radius 1  mass 1  position (3, 5, 0) }
body floor { plane normal (0, 1, 0) }
contact a b { rolling 0.1 }
contact a floor { rolling 0.1  spinning 0.2 }
"""


def test_who_follows_is_closed_with_its_leader_or_not_at_all() -> None:
    graph = tied(CompleteGraph(("a-b", "b-c")), LEADER)
    assert list(graph.vertices()) == [(), ("a-b", "a.rolling-b"), ("b-c",), tuple(LEADER)]
    assert not graph.has(("a-b",))
    assert not graph.has(("a.rolling-b",))
    assert graph.joined(("b-c",), ("a-b", "a.rolling-b"))
    assert list(graph.larger(("b-c",))) == [("a-b", "a.rolling-b"), tuple(LEADER)]
    assert list(graph.smaller(("a-b", "a.rolling-b"))) == [("b-c",), ()]


def test_of_nested_combinations_one_contains_the_other() -> None:
    graph = TiedGraph(tuple(LEADER), tuple(LEADER.values()), FeasibleGraph(("a-b", "b-c")))
    assert list(graph.larger(("b-c",))) == [tuple(LEADER)]
    assert not graph.joined(("b-c",), ("a-b", "a.rolling-b"))


def test_without_followers_the_graph_is_as_it_was() -> None:
    graph = CompleteGraph(("a-b", "b-c"))
    assert tied(graph, {"a-b": "a-b", "b-c": "b-c"}) is graph


@GRAPHS
@pytest.mark.parametrize("rules", ["complete", "paper"])
def test_counts_are_those_of_listing_everything(graph: GraphName, rules: RuleSet) -> None:
    world = parse_world(TEXT)
    skeleton = skeleton_of(world, scene(world), rules=rules, graph=graph)
    found = counted(skeleton)
    edges = list(skeleton.edges())
    assert found.dynamical_locations == len(list(skeleton.locations()))
    assert found.contact_nodes + found.impact_nodes == len(list(skeleton.nodes()))
    assert found.edges == len(edges)
    for rule, count in found.per_rule.items():
        assert count == sum(edge.rule == rule for edge in edges), rule
