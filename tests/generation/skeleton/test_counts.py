"""Closed counts against enumeration and against the published table."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from dyverse.contact.geometry import Ball, Geometry, Plane
from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph
from dyverse.generation.skeleton.counts import Counts, GraphName, counted, counts
from dyverse.generation.skeleton.rules import RULES, RuleSet
from dyverse.generation.skeleton.skeleton import Skeleton


def balls(number: int) -> tuple[str, ...]:
    return tuple(f"ball{a}-ball{b}" for a, b in combinations(range(1, number + 1), 2))


def enumerated(skeleton: Skeleton) -> Counts:
    per_rule = Counter(edge.rule for edge in skeleton.edges())
    kinds = Counter(node.kind for node in skeleton.nodes())
    return Counts(
        contacts=len(skeleton.contacts),
        dynamical_locations=sum(1 for _ in skeleton.locations()),
        contact_nodes=kinds["contact"],
        impact_nodes=kinds["impact"],
        edges=per_rule.total(),
        per_rule={name: per_rule[name] for name in RULES},
    )


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["complete", "feasible"])
@pytest.mark.parametrize("rules", ["paper", "complete"])
def test_formulas_agree_with_enumeration(number: int, name: GraphName, rules: RuleSet) -> None:
    contacts = balls(number)
    graph: ContactGraph = (CompleteGraph if name == "complete" else FeasibleGraph)(contacts)
    skeleton = Skeleton(contacts, graph, rules)
    assert counts(len(contacts), name, rules) == enumerated(skeleton) == counted(skeleton)


@pytest.mark.parametrize(
    ("number", "locations", "nodes", "edges"),
    [(1, 1, 0, 0), (2, 4, 1, 11), (3, 64, 7, 524), (4, 4096, 63, 231_284)],
)
def test_table_2_of_the_paper(number: int, locations: int, nodes: int, edges: int) -> None:
    """[navarro2018] Table 2, exactly."""
    found = counts(comb(number, 2), "complete", "paper")
    assert (found.dynamical_locations, found.edges) == (locations, edges)
    assert (found.contact_nodes, found.impact_nodes) == (nodes, nodes)


def test_per_rule_counts_of_the_design_page() -> None:
    order = "keep_contacts keep_some_contacts update_forces resume start_slipping collide"
    order += " lose_contacts rebound collide_from_free lift_off"
    expected = {
        3: [7, 15, 26, 56, 37, 63, 243, 7, 7, 63],
        6: [63, 1523, 728, 4032, 3367, 28539, 188811, 63, 63, 4095],
    }
    for contacts, numbers in expected.items():
        per_rule = counts(contacts, "complete", "paper").per_rule
        assert [per_rule[name] for name in order.split()] == numbers


@pytest.mark.parametrize(("contacts", "edges"), [(1, 12), (3, 531), (6, 231_347)])
def test_complete_rules_have_one_edge_more_per_vertex(contacts: int, edges: int) -> None:
    assert counts(contacts, "complete", "complete").edges == edges


@pytest.mark.parametrize(("contacts", "edges"), [(1, 11), (3, 485), (6, 133_937)])
def test_nested_vertices_only(contacts: int, edges: int) -> None:
    assert counts(contacts, "feasible", "paper").edges == edges


@pytest.mark.parametrize("P", [0, 1, 3, 6, 190])
def test_closed_forms_of_the_theory_page(P: int) -> None:
    nested, whole = counts(P, "feasible").per_rule, counts(P, "complete").per_rule
    assert counts(P).dynamical_locations == 4**P
    assert nested["update_forces"] == 3**P - 1
    assert nested["start_slipping"] == 4**P - 3**P
    assert nested["keep_some_contacts"] == 3**P - 2 ** (P + 1) + 1
    assert nested["collide"] == 5**P - 4**P - 2**P + 1
    assert nested["lose_contacts"] == 7**P - 2 * 4**P + 1
    assert whole["keep_some_contacts"] == (4**P - 2 ** (P + 1) - comb(2 * P, P) + 2) // 2


def test_counts_of_what_geometry_leaves() -> None:
    """Four equal balls on a floor: not all four can touch one another and the floor at once."""
    names = [f"ball{i}" for i in range(1, 5)]
    contacts = (*balls(4), *(f"{name}-floor" for name in names))
    floor = Plane((0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    geometry = Geometry((*((name, Ball(0.5)) for name in names), ("floor", floor)))
    found = counted(Skeleton(contacts, FeasibleGraph(contacts, geometry)))
    assert found.exact
    assert found.contact_nodes == 2**10 - 2
    assert found.dynamical_locations == 4**10 - 3**10


def test_pruned_counts_agree_with_enumeration() -> None:
    contacts = ("ball-floor", "ball-left", "ball-right")
    left = Plane((1.0, 0.0, 0.0), (-5.0, 0.0, 0.0))
    right = Plane((-1.0, 0.0, 0.0), (5.0, 0.0, 0.0))
    floor = Plane((0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
    solids = (("ball", Ball(1.0)), ("floor", floor), ("left", left), ("right", right))
    skeleton = Skeleton(contacts, FeasibleGraph(contacts, Geometry(solids)))
    assert counted(skeleton) == enumerated(skeleton)
    assert counted(skeleton).contact_nodes == 5


def test_counts_of_a_large_pruned_graph_are_bounds() -> None:
    contacts = balls(20)
    geometry = Geometry(tuple((f"ball{i}", Ball(1.0)) for i in range(1, 21)))
    found = counted(Skeleton(contacts, FeasibleGraph(contacts, geometry)))
    assert not found.exact
    assert found.dynamical_locations == 4**190
