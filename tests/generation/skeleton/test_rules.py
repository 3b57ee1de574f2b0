"""The edge rules against their definition in the paper, written down as set comprehensions."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph
from dyverse.errors import ModelError
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes, Node, RigidLocation, words
from dyverse.generation.skeleton.rules import RULES, RuleSet
from dyverse.generation.skeleton.skeleton import Skeleton

ALL = ("ball1-ball2", "ball1-ball3", "ball2-ball3")
Pair = tuple[RigidLocation, RigidLocation]


def defined(skeleton: Skeleton) -> set[Pair]:
    """E of [navarro2018] §3.5, by brute force over all pairs of vertices and words."""
    joined, contacts = skeleton.graph.joined, skeleton.contacts
    sizes = range(len(contacts) + 1)
    V = list(chain.from_iterable(combinations(contacts, n) for n in sizes))
    S = {k: list(words(k)) for k in V}
    I_en = {k: Node("impact", k, "en") for k in V}
    I_ex = {k: Node("impact", k, "ex") for k in V}
    C_en = {k: Node("contact", k, "en") for k in V}
    C_ex = {k: Node("contact", k, "ex") for k in V}
    closed = [k for k in V if k]
    pairs = [(k, j) for k, j in product(V, V) if joined(k, j)]
    edges: set[Pair] = {(I_ex[k], C_en[k]) for k in closed}
    edges |= {(I_ex[k], C_en[j]) for k, j in pairs if len(k) > len(j) > 0}
    edges |= {(s, C_en[k]) for k in closed for s in S[k] if not s.having("trans")}
    edges |= {
        (C_ex[k], s)
        for k in closed
        for s in S[k]
        if s.having("stick") or s.having("trans") or skeleton.rules == "complete"
    }
    edges |= {
        (s, r)
        for k in closed
        for s, r in product(S[k], S[k])
        if s.having("trans")
        and not r.having("trans")
        and set(s.having("trans")) | set(s.having("slip")) == set(r.having("slip"))
    }
    edges |= {(s, I_en[j]) for k, j in pairs if 0 < len(k) < len(j) for s in S[k]}
    edges |= {(s, C_en[j]) for k, j in pairs if len(k) > len(j) > 0 for s in S[k]}
    free = [k for k in V if joined(k, ())]
    edges |= {(I_ex[k], FREE_FLIGHT) for k in free} | {(FREE_FLIGHT, I_en[k]) for k in free}
    edges |= {(s, FREE_FLIGHT) for k in free for s in S[k]}
    return edges


@st.composite
def skeletons(draw: st.DrawFn) -> Skeleton:
    contacts = tuple(c for c in ALL if draw(st.booleans()))
    kind = draw(st.sampled_from([CompleteGraph, FeasibleGraph]))
    graph: ContactGraph = kind(contacts)
    rules: RuleSet = draw(st.sampled_from(["paper", "complete"]))
    return Skeleton(contacts, graph, rules)


def boundary(skeleton: Skeleton) -> list[RigidLocation]:
    """Every dynamical location, entrance and exit."""
    places = [node.at(place) for node in skeleton.nodes() for place in ("en", "ex")]
    return [*skeleton.locations(), *places]


@settings(max_examples=40, deadline=None)
@given(skeletons())
def test_outgoing_is_the_definition_of_the_paper(skeleton: Skeleton) -> None:
    expected = defined(skeleton)
    for source in boundary(skeleton):
        if isinstance(source, Node) and source.place == "en":
            continue
        found = [(edge.source, edge.target) for edge in skeleton.outgoing(source)]
        assert len(found) == len(set(found))
        assert set(found) == {pair for pair in expected if pair[0] == source}
    assert {(edge.source, edge.target) for edge in skeleton.edges()} == expected


@settings(max_examples=10, deadline=None)
@given(skeletons())
def test_an_edge_is_found_by_its_ends_without_listing(skeleton: Skeleton) -> None:
    listed = {(edge.source, edge.target): edge for edge in skeleton.edges()}
    for source, target in product(boundary(skeleton), repeat=2):
        assert skeleton.has_edge(source, target) == ((source, target) in listed)
    for (source, target), edge in listed.items():
        assert skeleton.edge(source, target) == edge


def test_the_printed_rules_have_a_hole() -> None:
    """No edge leads to the word in which all closed contacts slip after a contact node."""
    slides = Modes(((ALL[0], "slip"),))
    source = Node("contact", ALL[:1], "ex")
    assert slides not in {
        e.target for e in Skeleton(ALL, CompleteGraph(ALL), "paper").outgoing(source)
    }
    assert slides in {e.target for e in Skeleton(ALL, CompleteGraph(ALL)).outgoing(source)}
    with pytest.raises(ModelError, match="'paper' have no edge from contact"):
        Skeleton(ALL, CompleteGraph(ALL), "paper").edge(source, slides)


def test_every_rule_has_an_action_and_its_place_in_the_paper() -> None:
    assert len(RULES) == 10
    assert all(rule.action and rule.paper.startswith("(") for rule in RULES.values())
