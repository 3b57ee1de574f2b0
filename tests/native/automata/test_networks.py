"""Networks in the native engine: the rules of jumps, and random networks by two other roads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import Edge, State
from dyverse.automaton.network.component import Channel, Component, NetworkEdge, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Stop
from dyverse.native.automata.sheet import is_supported, sheet
from dyverse.native.automata.tables import tables
from dyverse.simulation.choice import Ask, Choice, Priority, Seeded
from dyverse.simulation.simulate import Options, simulate
from dyverse.uppaal.loading.load import load_uppaal
from tests.automaton.network.test_network import with_procedure
from tests.automaton.networks import MOST_JUMPS, Naive
from tests.automaton.test_network_random import COUNTERS, MOST, UNTIL, built, rules
from tests.native.automata.comparing import check_agreement, story

X, Y, N = Variable("x", start=1.0), Variable("y", start=2.0), Variable("n", "int", 1, 0, 3)
C = Variable("c", "clock")
MODELS = Path(__file__).parents[2] / "uppaal" / "models"


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_random_networks_do_what_their_components_say(data: st.DataObject) -> None:
    """Against the reference engine, and against the interpreter that knows no terms."""
    number = data.draw(st.integers(2, COUNTERS))
    parts = data.draw(rules(number))
    pairs = st.lists(st.integers(0, 2), min_size=2, max_size=2)
    rates = data.draw(st.lists(pairs, min_size=number, max_size=number))
    counters = data.draw(st.lists(st.integers(0, 2), min_size=COUNTERS, max_size=COUNTERS))
    expected = list(Naive(parts, rates, {"all"}, list(counters)).run(UNTIL, MOST))
    options = Options(solver="native", max_events=MOST, max_jumps=MOST_JUMPS)
    run, _ = check_agreement(built(parts, rates, counters), float(UNTIL), options)
    for event, (when, name, there) in zip(run.events, expected, strict=False):
        assert abs(event.time - when) < 1e-8
        assert (event.kind, tuple(map(int, str(event.target).split(", ")))) == (name, there)


def swap() -> Network:
    return network(
        component("left", "a b", edge("a", "b", "c >= 1", {"x": "y"}, sync="go!")),
        component("right", "p q", edge("p", "q", "c >= 2", {"y": "x"}, sync="go?")),
        shared=(X, Y, C),
    )


def test_assignments_of_a_handshake_happen_at_once_or_in_sequence() -> None:
    assert check_agreement(swap(), 3.0)[0].final == pytest.approx({"x": 2, "y": 1, "c": 3})
    sequence = replace(swap(), assignments="sequential")
    assert check_agreement(sequence, 3.0)[0].final == pytest.approx({"x": 2, "y": 2, "c": 3})


def test_a_broadcast_takes_along_whoever_is_ready() -> None:
    ears = [
        component(f"ear{i}", "p q", edge("p", "q", f"c >= {i}", {f"h{i}": 1}, sync="call?"))
        for i in range(4)
    ]
    shared = (C, *(Variable(f"h{i}", "bool") for i in range(4)))
    made = network(
        component("mouth", "a b", edge("a", "b", "c >= 2", sync="call!")),
        *ears,
        shared=shared,
        channels=(Channel("call", broadcast=True),),
    )
    ours, _ = check_agreement(made, 4.0)
    assert [ours.final[f"h{i}"] for i in range(4)] == [1, 1, 1, 0]


def shouting(*places: str, priority: int = 0) -> Component:
    first, *others = places
    edges = [edge(first, other, "c >= 1", action=other) for other in others]
    return component(first, " ".join(places), *edges, priority=priority)


def test_priorities_and_order_choose_among_jumps_and_the_choice_is_told() -> None:
    made = network(shouting("a", "b", "d"), shouting("p", "q", priority=2), shared=(C,))
    ours, _ = check_agreement(made, 2.0)
    assert [(e.kind, e.remark) for e in ours.events] == [("q", "p"), ("b", "a; 1 of 2 by order")]


def test_in_a_committed_place_others_wait_and_in_an_urgent_one_no_time_passes() -> None:
    hurry = component(
        "hurry",
        [place("a"), place("b", committed=True), place("d", urgent=True), place("e")],
        edge("a", "b", "c >= 1", action="in"),
        edge("b", "d", action="through"),
        edge("d", "e", "n >= 2", action="out"),
    )
    other = component("other", "p q", edge("p", "q", "c >= 1", {"n": "n + 1"}, action="step"))
    ours, _ = check_agreement(network(hurry, other, shared=(C, N)), 3.0)
    assert [e.kind for e in ours.events] == ["in", "through", "step", "out"]
    stuck = network(hurry, shared=(C, N))
    assert check_agreement(stuck, 3.0)[0].stop is Stop.TIMELOCK


@pytest.mark.parametrize("reset", [{"n": "n + 9"}, {"n": "n + 0.5"}, {"x": "sqrt(-1)"}])
def test_an_assignment_that_cannot_be_is_a_fault(reset: dict[str, str]) -> None:
    made = network(component("one", "a b", edge("a", "b", "c >= 1", reset)), shared=(C, N, X))
    ours, theirs = check_agreement(made, 2.0)
    assert ours.stop is Stop.FAULT
    assert ours.message == theirs.message


def test_rates_depend_on_the_places_of_others() -> None:
    """A guard of one component on the variable of another, with its second rate: v' = -g there."""
    ball = component(
        "ball",
        [place("fly", {"x": "y", "y": "-9.81"})],
        edge("fly", "fly", "x <= 0", {"y": "-0.5*y"}, action="bounce"),
    )
    eye = component("eye", "a b", edge("a", "b", "x <= 0 and y <= -4", action="seen"))
    ours, _ = check_agreement(network(ball, eye, shared=(X, Y)), 1.2)
    assert [e.kind for e in ours.events][:2] == ["bounce", "bounce"]


def test_choices_by_draw_are_the_same_draws() -> None:
    made = network(shouting("a", "b", "d"), shouting("p", "q", "r"), shared=(C,))
    drawn = {
        story(check_agreement(made, 2.0, Options(solver="native", choice=Seeded(seed)))[0])[0][0]
        for seed in range(20)
    }
    assert drawn == {"b", "d", "q", "r"}


def test_a_network_without_variables_runs() -> None:
    made = network(component("one", "a b", edge("a", "b", action="go")))
    assert [e.kind for e in check_agreement(made, 1.0)[0].events] == ["go"]


def test_like_components_are_one_piece_of_code() -> None:
    def lamps(count: int) -> Network:
        return network(*(lamp(i) for i in range(count)), shared=clocks(count))

    few, many = (tables(sheet(lamps(count))) for count in (2, 30))
    assert few.recipes == many.recipes
    assert many.counts["edges"] == 60
    ours, _ = check_agreement(lamps(6), 3.0)
    assert len(ours.events) > 10


def lamp(number: int) -> Component:
    def swap(to: str) -> NetworkEdge:
        other = "off" if to == "on" else "on"
        return edge(other, to, f"c{number} >= 1", {f"c{number}": f"0.1*{number % 2}"}, action=to)

    return component(f"lamp{number}", "off on", swap("on"), swap("off"))


def clocks(count: int) -> tuple[Variable, ...]:
    return tuple(Variable(f"c{i}", "clock", 0.07 * i) for i in range(count))


@pytest.mark.parametrize("start", [3, 4, 2001])
def test_python_on_edges_is_called_back(start: int) -> None:
    """It computes 192 from 3, does not allow the edge at 4, and fails at 2001."""
    assert not is_supported(with_procedure(start))
    ours, theirs = check_agreement(with_procedure(start), 1.0)
    assert ours.message == theirs.message


def test_what_goes_wrong_in_python_is_raised() -> None:
    def wrong(state: State, edges: tuple[Edge, ...]) -> int:
        raise ZeroDivisionError("no such luck")

    made = network(shouting("a", "b", "d"), shared=(C,))
    with pytest.raises(ZeroDivisionError, match="no such luck"):
        simulate(made, until=2.0, options=Options(solver="native", choice=Ask(wrong)))


@pytest.mark.parametrize("name", ["functions.xta", "matrix.xml", "struct.xml", "train_gate.xml"])
@pytest.mark.parametrize("choice", [Priority(), Seeded(3), Seeded(5, wait=0.5)], ids=str)
def test_functions_of_uppaal_run_natively(name: str, choice: Choice) -> None:
    made = load_uppaal(MODELS / name).network
    assert not is_supported(made)
    ours, theirs = check_agreement(made, 19.703125, Options(solver="native", choice=choice))
    assert ours.message == theirs.message
