"""The surroundings of a location."""

from __future__ import annotations

from typing import Any

import pytest

from dyverse.animation.asked import Refused
from dyverse.animation.describing.around import MOST, around
from dyverse.animation.parts import Parts, parts_of
from dyverse.automaton.interface import HybridAutomaton
from dyverse.generation.model import parse_model
from dyverse.generation.skeleton.location import Modes, Node
from tests.animation.plays import example
from tests.animation.test_stage import staged


def of(name: str) -> tuple[HybridAutomaton, Parts]:
    automaton = example(name).model.automaton()
    return automaton, parts_of(automaton)


def told(found: dict[str, Any]) -> tuple[list[str], set[tuple[str, str, str]]]:
    edges = {(edge["source"], edge["target"], edge["label"]) for edge in found["edges"]}
    return [node["id"] for node in found["nodes"]], edges


def test_from_free_flight_impacts_lead_to_every_mode_and_back() -> None:
    automaton, parts = of("bouncing-ball")
    nodes, edges = told(around(parts, "bodies", None, automaton.start().location))
    assert nodes[0] == "{}"
    assert set(nodes[1:]) == {f"{{ball-floor: {mode}}}" for mode in ("stick", "slip", "trans")}
    assert edges == {("{}", target, "impact{ball-floor}") for target in nodes[1:]}


def test_each_neighbour_can_be_reached_by_the_edges_of_the_automaton() -> None:
    """The other road: breadth first over all edges, through nodes."""
    automaton, parts = of("three-balls")
    here = Modes((("ball1-ball2", "stick"),))
    nodes, _ = told(around(parts, "bodies", str(here), automaton.start().location))
    seen, front = set[str](), [edge.target for edge in automaton.outgoing(here)]
    while front:
        place = front.pop()
        if isinstance(place, Node) and str(place) not in seen:
            front += [edge.target for edge in automaton.outgoing(place)]
        seen.add(str(place))
    assert nodes[0] == str(here)
    assert set(nodes[1:]) <= seen
    assert nodes[1:]


def test_of_a_large_automaton_only_what_is_near_is_told() -> None:
    automaton, parts = of("billiard-break")
    nodes, _ = told(around(parts, "bodies", None, automaton.start().location))
    assert len(nodes) <= MOST + 1


def test_of_an_automaton_those_before_and_after() -> None:
    places = "\n".join(f"location l{i} {{ x' = 1 }}" for i in range(300))
    edges = "\n".join(f"edge l{i} -> l{i + 1} {{ when x > {i} }}" for i in range(299))
    model = parse_model(f"automaton chain {{ real x = 0\ninitial l0\n{places}\n{edges} }}")
    parts = parts_of(model.automaton())
    nodes, links = told(around(parts, "chain", "l7", "l0"))
    assert nodes == ["l7", "l8", "l6"]
    assert {(a, b) for a, b, _ in links} == {("l6", "l7"), ("l7", "l8")}


@pytest.mark.parametrize(
    "asked",
    [
        ("nobody", None),
        ("bodies", "{ball-floor: fly}"),
        ("bodies", "{a-b: stick}"),
        ("bodies", "x"),
    ],
)
def test_what_there_is_not_is_refused(asked: tuple[str, str | None]) -> None:
    automaton, parts = of("bouncing-ball")
    with pytest.raises(Refused):
        around(parts, *asked, automaton.start().location)


def test_a_page_asks_for_the_surroundings() -> None:
    _, page, _ = staged()
    answer = page.ask("around", component="bodies", location="{}")
    assert answer["current"] == "{}"
    assert len(answer["nodes"]) > 1
