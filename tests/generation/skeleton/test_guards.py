"""Guards: the printed formulas, and that the complete ones leave no gap and no choice."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.contact.graph import CompleteGraph, FeasibleGraph
from dyverse.expr.formula import FALSE, Formula, formula_symbols
from dyverse.expr.printing import formula_text
from dyverse.expr.value import holds
from dyverse.generation.skeleton.location import FREE_FLIGHT, Mode, Modes, Node, words
from dyverse.generation.skeleton.names import SIGNALS, signal_name
from dyverse.generation.skeleton.rules import RuleSet
from dyverse.generation.skeleton.skeleton import RigidEdge, Skeleton

CONTACTS = ("a-b", "a-c", "b-c")
COMPLETE = Skeleton(CONTACTS, FeasibleGraph(CONTACTS), "complete")
PAPER = Skeleton(CONTACTS, CompleteGraph(CONTACTS), "paper")
State = dict[str, float]


def text(skeleton: Skeleton, source: Modes | Node, target: Modes | Node) -> str:
    return formula_text(skeleton.edge(source, target).guard)


# The printed guards, [navarro2018] §3.5


def test_impact_guard_of_the_paper() -> None:
    assert text(PAPER, FREE_FLIGHT, Node("impact", ("a-b",), "en")) == (
        "gap[a,b] <= 0 and normal_speed[a,b] <= 0"
        " and (gap[a,c] > 0 or normal_speed[a,c] > 0)"
        " and (gap[b,c] > 0 or normal_speed[b,c] > 0)"
    )


def test_guards_after_an_impact() -> None:
    source = Node("impact", ("a-b", "b-c"), "ex")
    assert text(PAPER, source, Node("contact", ("b-c",), "en")) == (
        "normal_speed[b,c] == 0 and normal_speed[a,b] > 0"
    )
    assert text(PAPER, source, Node("contact", ("a-b", "b-c"), "en")) == (
        "normal_speed[a,b] == 0 and normal_speed[b,c] == 0"
    )
    assert text(PAPER, source, FREE_FLIGHT) == "normal_speed[a,b] > 0 and normal_speed[b,c] > 0"


def test_guard_after_a_contact_node_spells_the_word() -> None:
    target = Modes((("a-b", "stick"), ("a-c", "trans"), ("b-c", "slip")))
    assert text(PAPER, Node("contact", CONTACTS, "ex"), target) == (
        "slip_speed[a,b] == 0 and slip_acceleration[a,b] == 0"
        " and slip_speed[a,c] == 0 and slip_acceleration[a,c] > 0"
        " and slip_speed[b,c] > 0"
    )


def test_force_update_guard() -> None:
    source = Modes((("a-b", "stick"), ("a-c", "slip")))
    assert text(PAPER, source, Node("contact", ("a-b", "a-c"), "en")) == (
        "normal_force[a,b] >= 0 and normal_force[a,c] >= 0"
        " and (gap[b,c] > 0 or normal_speed[b,c] > 0)"
        " and (friction_limit[a,b] < friction_force[a,b] or slip_speed[a,c] == 0)"
    )


def test_start_of_slip_guard() -> None:
    source = Modes((("a-b", "trans"), ("a-c", "stick"), ("b-c", "trans")))
    target = Modes((("a-b", "slip"), ("a-c", "stick"), ("b-c", "slip")))
    assert text(PAPER, source, target) == (
        "slip_speed[a,b] > 0 and slip_speed[b,c] > 0 and normal_force[a,b] >= 0"
        " and normal_force[a,c] >= 0 and normal_force[b,c] >= 0"
    )


def test_guards_of_losing_contacts() -> None:
    source = Modes((("a-b", "stick"), ("a-c", "slip")))
    assert text(PAPER, source, Node("contact", ("a-c",), "en")) == (
        "normal_force[a,c] >= 0 and normal_force[a,b] < 0"
    )
    assert text(PAPER, source, FREE_FLIGHT) == "normal_force[a,b] < 0 and normal_force[a,c] < 0"


def test_impact_guard_of_the_complete_rules_reads_touching_lexicographically() -> None:
    assert text(COMPLETE, Modes((("a-b", "slip"),)), Node("impact", ("a-b", "a-c"), "en")) == (
        "(normal_speed[a,c] < 0 or normal_speed[a,c] == 0 and normal_acceleration[a,c] <= 0)"
        " and gap[a,b] <= 0 and normal_speed[a,b] <= 0"
        " and gap[a,c] <= 0 and normal_speed[a,c] <= 0"
        " and (gap[b,c] > 0 or normal_speed[b,c] > 0)"
    )


# Determinism of the complete rules

signs = st.sampled_from([-1.0, 0.0, 1.0])
sizes = st.sampled_from([0.0, 1.0])


def open_signals(draw: st.DrawFn, contact: str) -> State:
    values = {"gap": draw(sizes), "normal_speed": draw(signs), "normal_acceleration": draw(signs)}
    return {signal_name(name, contact): value for name, value in values.items()}


def closed_signals(draw: st.DrawFn, contact: str, mode: Mode) -> State:
    values = {
        "gap": 0.0,
        "normal_speed": 0.0,
        "normal_force": draw(signs),
        "slip_speed": 0.0 if mode == "stick" else draw(sizes),
        "slip_acceleration": draw(sizes),
        "friction_force": draw(sizes),
        "friction_limit": draw(sizes),
    }
    return {signal_name(name, contact): value for name, value in values.items()}


@st.composite
def situations(draw: st.DrawFn) -> tuple[Modes, State]:
    """A location without trans, and signals that its flow and the laws allow."""
    modes: list[Mode] = ["stick", "slip"]
    word: dict[str, Mode] = {c: draw(st.sampled_from(modes)) for c in CONTACTS if draw(sizes)}
    state: State = {}
    for contact in CONTACTS:
        if contact in word:
            state |= closed_signals(draw, contact, word[contact])
        else:
            state |= open_signals(draw, contact)
    return Modes(tuple(word.items())), state


def enabled(
    skeleton: Skeleton, source: Modes | Node, state: Mapping[str, float]
) -> list[RigidEdge]:
    return [edge for edge in skeleton.outgoing(source) if holds(edge.guard, state)]


@settings(max_examples=400, deadline=None)
@given(situations())
def test_time_passes_or_exactly_one_edge_is_enabled(situation: tuple[Modes, State]) -> None:
    location, state = situation
    stays = holds(COMPLETE.domain(location), state)
    assert len(enabled(COMPLETE, location, state)) == (0 if stays else 1)


@pytest.mark.parametrize("speeds", list(product([0.0, 1.0], repeat=3)))
def test_exactly_one_edge_leaves_an_impact(speeds: tuple[float, ...]) -> None:
    state = {signal_name("normal_speed", c): v for c, v in zip(CONTACTS, speeds, strict=True)}
    (edge,) = enabled(COMPLETE, Node("impact", CONTACTS, "ex"), state)
    stay = tuple(c for c, v in zip(CONTACTS, speeds, strict=True) if v == 0)
    assert edge.target == (Node("contact", stay, "en") if stay else FREE_FLIGHT)


@pytest.mark.parametrize("word", list(words(CONTACTS[:2])), ids=str)
def test_exactly_one_edge_leaves_a_contact_node_but_not_in_the_paper(word: Modes) -> None:
    state: State = {}
    for contact, mode in word.closed:
        state[signal_name("slip_speed", contact)] = float(mode == "slip")
        state[signal_name("slip_acceleration", contact)] = float(mode == "trans")
    source = Node("contact", CONTACTS[:2], "ex")
    assert [edge.target for edge in enabled(COMPLETE, source, state)] == [word]
    hole = len(word.having("slip")) == 2
    assert [edge.target for edge in enabled(PAPER, source, state)] == ([] if hole else [word])


# Edges that the feasible graph leaves out


def test_feasible_graph_leaves_out_exactly_the_edges_that_are_never_enabled() -> None:
    everything = Skeleton(CONTACTS, CompleteGraph(CONTACTS), "complete")
    kept = {(e.source, e.target) for e in COMPLETE.edges()}
    never = {(e.source, e.target) for e in everything.edges() if e.guard == FALSE}
    assert {(e.source, e.target) for e in everything.edges()} - kept == never
    assert len(never) == 524 - 485


@settings(max_examples=100, deadline=None)
@given(situations())
def test_printed_impact_guards_between_sets_that_are_not_nested_never_hold(
    situation: tuple[Modes, State],
) -> None:
    location, state = situation
    for edge in PAPER.outgoing(location):
        nested = set(location.contacts) <= set(edge.target.contacts)
        if edge.rule == "collide" and not nested:
            assert not holds(edge.guard, state)


@pytest.mark.parametrize("rules", ["paper", "complete"])
def test_guards_speak_only_of_contact_signals(rules: RuleSet) -> None:
    skeleton = Skeleton(CONTACTS, CompleteGraph(CONTACTS), rules)
    known = {signal_name(name, contact) for name in SIGNALS for contact in CONTACTS}
    formulas: list[Formula] = [edge.guard for edge in skeleton.edges()]
    formulas += [skeleton.domain(location) for location in skeleton.locations()]
    assert {s.name for formula in formulas for s in formula_symbols(formula)} <= known
