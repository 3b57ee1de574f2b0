import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pytest

from dyverse.automaton.interface import State
from dyverse.automaton.network.component import Channel, Component, Fault, Place, Variable
from dyverse.automaton.network.moves import Move, Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.writing import component, edge, network, place
from dyverse.automaton.run import Stop
from dyverse.errors import ModelError
from dyverse.expr.formula import FALSE, TRUE
from dyverse.simulation.choice import Ask, Seeded
from dyverse.simulation.simulate import Options, simulate

X, Y = Variable("x", start=1.0), Variable("y", start=2.0)
C = Variable("c", "clock")


def test_a_handshake_needs_both_guards_and_makes_both_jumps() -> None:
    made = network(
        component("left", "a b", edge("a", "b", "c >= 2", {"x": "y"}, sync="go!")),
        component("right", "p q", edge("p", "q", "c >= 3", {"y": "x"}, sync="go?")),
        shared=(X, Y, C),
    )
    (event,) = simulate(made, until=5.0).events
    assert event.time == pytest.approx(3.0)
    assert event.kind == "go"
    assert (event.source, event.target) == (("a", "p"), ("b", "q"))
    assert event.remark == "left to right"


def test_assignments_on_both_sides_happen_at_once() -> None:
    made = network(
        component("left", "a b", edge("a", "b", "true", {"x": "y"}, sync="go!")),
        component("right", "p q", edge("p", "q", "true", {"y": "x"}, sync="go?")),
        shared=(X, Y),
    )
    assert simulate(made, until=1.0).final == {"x": 2.0, "y": 1.0}
    sequence = replace(made, assignments="sequential")
    assert simulate(sequence, until=1.0).final == {"x": 2.0, "y": 2.0}


def test_a_handshake_does_not_depend_on_the_order_of_the_components() -> None:
    left = component("left", "a b", edge("a", "b", "c >= 1", {"x": "x + 1"}, sync="go!"))
    right = component("right", "p q", edge("p", "q", "c >= 2", {"y": "x"}, sync="go?"))
    one, two = (
        simulate(network(*both, shared=(X, Y, C)), until=3.0)
        for both in ((left, right), (right, left))
    )
    assert one.final == two.final
    assert [(e.time, e.kind, e.remark) for e in one.events] == [
        (e.time, e.kind, e.remark) for e in two.events
    ]


def test_nobody_shakes_hands_with_itself() -> None:
    both = component("alone", "a b", edge("a", "b", sync="go!"), edge("a", "b", sync="go?"))
    made = network(both)
    assert made.enabled(made.start()) == ()
    assert simulate(made, until=1.0).stop == Stop.HORIZON


def test_a_broadcast_takes_along_whoever_is_ready() -> None:
    made = network(
        component("sender", "a b", edge("a", "b", sync="go!")),
        component("ready", "p q", edge("p", "q", sync="go?")),
        component("late", "p q", edge("p", "q", "c >= 1", sync="go?")),
        component("twice", "p q r", edge("p", "q", sync="go?"), edge("p", "r", sync="go?")),
        shared=(C,),
        channels=(Channel("go", broadcast=True),),
    )
    first, second = made.enabled(made.start())
    assert first.target == ("b", "q", "p", "q")
    assert second.target == ("b", "q", "p", "r")
    assert len(list(made.outgoing(made.start().location))) == 2 * 2 * 3


def test_a_broadcast_does_not_wait() -> None:
    made = network(
        component("sender", "a b", edge("a", "b", "c >= 1", sync="go!")),
        shared=(C,),
        channels=(Channel("go", broadcast=True),),
    )
    assert simulate(made, until=2.0).times("go") == pytest.approx([1.0])


def test_in_a_committed_place_no_time_passes_and_others_wait() -> None:
    made = network(
        component("a", [place("x", committed=True), place("y")], edge("x", "y", action="mine")),
        component("b", "x y", edge("x", "y", action="theirs")),
    )
    assert made.domain(made.start().location) == FALSE
    assert [event.kind for event in simulate(made, until=1.0).events] == ["mine", "theirs"]


@pytest.mark.parametrize("stuck", [place("x", urgent=True), place("x", committed=True)])
def test_a_place_where_no_time_passes_and_no_edge_leaves_is_a_time_lock(stuck: Place) -> None:
    made = network(component("a", [stuck]), shared=(C,))
    run = simulate(made, until=1.0)
    assert (run.stop, run.end.time) == (Stop.TIMELOCK, 0.0)
    assert "urgent[a,x]" in run.message
    assert run.end.location == ("x",)


def test_an_invariant_ends_time_and_the_state_is_told() -> None:
    made = network(component("a", [place("x", invariant="c <= 2")]), shared=(C,))
    run = simulate(made, until=5.0)
    assert run.stop == Stop.TIMELOCK
    assert run.final["c"] == pytest.approx(2.0)
    assert "invariant[a,x]" in run.message


def chosen(*edges: object, channels: tuple[Channel, ...] = ()) -> list[str]:
    made = network(
        component("one", "a b", *edges),  # type: ignore[arg-type]
        component("two", "p", edge("p", "p", sync="low?"), edge("p", "p", sync="high?")),
        channels=channels,
    )
    return [event.target[0] for event in simulate(made, until=1.0).events if event.target]  # type: ignore[index]


def test_priorities_leave_only_the_highest() -> None:
    made = network(
        component(
            "one", "a b c", edge("a", "b", priority=1), edge("a", "c", priority=2), edge("a", "a")
        )
    )
    assert [move.target for move in made.enabled(made.start())] == [("c",)]
    ranked = (Channel("low"), Channel("high", priority=1))
    edges = (edge("a", "a", sync="low!"), edge("a", "b", sync="high!"))
    assert chosen(*edges, channels=ranked) == ["b"]


def test_a_component_can_come_first() -> None:
    second = replace(component("b", "x y", edge("x", "y")), priority=1)
    made = network(component("a", "x y", edge("x", "y")), second)
    assert [move.components for move in made.enabled(made.start())] == [(1,)]


FORK = network(
    component("one", "a b c", edge("a", "b"), edge("a", "c"), edge("b", "a"), edge("c", "a"))
)


def test_who_chooses_is_declared_and_told() -> None:
    options = Options(max_events=20, max_jumps=4)
    run = simulate(FORK, until=1.0, options=options)
    assert run.stop == Stop.LIVELOCK

    made = network(component("one", "a b c", edge("a", "b"), edge("a", "c")))
    (first,) = simulate(made, until=1.0).events
    assert (first.target, first.remark) == (("b",), "one; 1 of 2 by order")
    asked: list[tuple[State, int]] = []

    def ask(state: State, edges: tuple[object, ...]) -> int:
        asked.append((state, len(edges)))
        return 1

    (second,) = simulate(made, until=1.0, options=Options(choice=Ask(ask))).events
    assert (second.target, second.remark) == (("c",), "one; 2 of 2 as asked")
    assert [number for _, number in asked] == [2]


def test_a_draw_is_the_same_for_the_same_seed_and_fair_over_seeds() -> None:
    made = network(component("one", "a b c", edge("a", "b"), edge("a", "c")))
    ends = [
        simulate(made, until=1.0, options=Options(choice=Seeded(seed))).end.location
        for seed in [*range(40), *range(40)]
    ]
    assert ends[:40] == ends[40:]
    assert 10 < ends[:40].count(Places(("b",))) < 30


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        (Variable("n", "int", 3, 0, 10), "n + 8", "n := 11 leaves its range [0, 10]"),
        (Variable("n", "int", 3), "n/2", "n := 1.5 is not a whole number"),
        (Variable("n", "bool"), "2", "n := 2 leaves its range [0, 1]"),
        (Variable("n", "real", 1, 0, 5), "1/0", "n := nan leaves its range [0, 5]"),
    ],
)
def test_a_value_out_of_range_is_an_outcome(variable: Variable, value: str, message: str) -> None:
    made = network(
        component("one", "a b", edge("a", "b", "c >= 1", {"n": value})), shared=(variable, C)
    )
    run = simulate(made, until=2.0)
    assert run.stop == Stop.FAULT
    assert message in run.message
    assert run.end.time == pytest.approx(1.0)
    assert run.final["n"] == variable.start
    assert run.end.location == ("a",)


@dataclass(frozen=True)
class Doubling:
    """Doubles ``n`` until it is over 100; allowed while it is odd."""

    reads: tuple[str, ...] = ("n",)
    writes: tuple[str, ...] = ("n",)
    asks: bool = True

    def condition(self, known: Mapping[str, float]) -> bool:
        return known["n"] % 2 == 1

    def apply(self, known: Mapping[str, float]) -> Mapping[str, float]:
        n = known["n"]
        while n <= 100:
            n *= 2
        if n > 1000:
            raise Fault("n grew too large")
        return {"n": n}


def with_procedure(start: float) -> Network:
    n = Variable("n", "int", start)
    return network(component("one", "a b", edge("a", "b", procedure=Doubling())), shared=(n,))


def test_a_procedure_decides_and_computes() -> None:
    assert simulate(with_procedure(3), until=1.0).final["n"] == 192
    assert simulate(with_procedure(4), until=1.0).events == ()
    run = simulate(with_procedure(2001), until=1.0)
    assert (run.stop, run.message.partition(": ")[2]) == (Stop.FAULT, "n grew too large")


def test_a_network_is_a_value() -> None:
    made = with_procedure(3)
    simulate(made, until=1.0)
    copy = pickle.loads(pickle.dumps(made))
    assert copy == made
    assert hash(copy) == hash(made)


def test_places_are_signals_and_names_are_told() -> None:
    made = network(
        component(
            "one", [place("a", {"x": 1}, invariant="x <= 5"), place("b")], edge("a", "b", "x >= 4")
        ),
        component("two", "p", edge("p", "p", "c >= 1", {"c": 0}, sync="go!")),
        component("three", "q", edge("q", "q", sync="go?")),
        shared=(X, C),
    )
    start = made.start()
    assert made.watched(start.location) == (
        "guard[one,a,b]",
        "sync[go,two,p,p]",
        "invariant[one,a]",
    )
    seen = made.observe(start)
    assert (seen["one.a"], seen["one.b"], seen["x"], seen["t"]) == (1.0, 0.0, 1.0, 0.0)
    sample = made.flow(start).sample(np.array([0.0]), start.values[None, :])
    assert sample.values[0] == pytest.approx([3.0, 1.0, 4.0])
    assert sample.rates[0] == pytest.approx([-1.0, -1.0, -1.0])


def test_rates_of_places_that_are_not_present_do_not_spoil_those_that_are() -> None:
    made = network(
        component("one", [place("a", {"x": 1}), place("b", {"x": "sqrt(-1 - x*x)"})]), shared=(X,)
    )
    assert simulate(made, until=2.0).final["x"] == pytest.approx(3.0)


def test_a_guard_at_rest_on_one_border_is_met_exactly_at_the_other() -> None:
    made = network(
        component("one", [place("a", {"x": 0}), place("b")], edge("a", "b", "x >= 1 and c >= 1")),
        shared=(X, C),
    )
    (event,) = simulate(made, until=7.0).events
    assert event.time == pytest.approx(1.0, abs=1e-9)


def test_a_clock_runs_and_may_be_stopped() -> None:
    made = network(
        component("one", [place("a"), place("b", {"c": 0})], edge("a", "b", "c >= 2")), shared=(C,)
    )
    assert simulate(made, until=9.0).final["c"] == pytest.approx(2.0)


ONE = component("one", "a")


@pytest.mark.parametrize(
    ("parts", "shared", "message"),
    [
        ([ONE, ONE], (), "component 'one' is used twice"),
        ([ONE], (X, X), "name 'x' is used twice"),
        ([replace(ONE, initial="b")], (), "unknown initial location 'b'"),
        ([component("one", "a", edge("a", "b"))], (), "unknown location 'b'"),
        ([component("one", "a", edge("a", "a", "z > 1"))], (), "unknown name 'z'"),
        ([component("one", "a", edge("a", "a", reset={"z": 1}))], (X,), "unknown variable 'z'"),
        ([component("one", [place("a", {"n": 1})])], (Variable("n", "int"),), "has no rate"),
        ([ONE], (Variable("n", "int", 7, 0, 5),), "starts at 7, outside its range [0, 5]"),
        (
            [ONE],
            (Variable("n", "int", 7, 5, 0),),
            "[5, 0] of variable 'n' is upside down; write [0, 5]",
        ),
        ([ONE], (Variable("n", "int", 0.5),), "not a whole number"),
        (
            [component("one", [place("a", {"x": 1})]), component("two", [place("a", {"x": 2})])],
            (X,),
            "the rate of 'x' is given by both 'one' and 'two'",
        ),
        (
            [
                component("one", "a", edge("a", "a", reset={"x": 1}, sync="go!")),
                component("two", "a", edge("a", "a", reset={"x": 2}, sync="go?")),
            ],
            (X,),
            "'one' (1) and 'two' (2) both assign 'x' when they meet on 'go'",
        ),
    ],
)
def test_what_is_wrong_is_said(
    parts: list[Component], shared: tuple[Variable, ...], message: str
) -> None:
    with pytest.raises(ModelError) as caught:
        network(*parts, shared=shared)
    assert message in str(caught.value)


def test_both_sides_may_write_the_same() -> None:
    made = network(
        component("one", "a b", edge("a", "b", reset={"x": "y + 1"}, sync="go!")),
        component("two", "a b", edge("a", "b", reset={"x": "y + 1"}, sync="go?")),
        shared=(X, Y),
    )
    assert simulate(made, until=1.0).final["x"] == 3.0


def test_receivers_of_a_broadcast_must_not_write_one_variable_either() -> None:
    with pytest.raises(ModelError, match="both assign 'x' when they meet on 'go'"):
        network(
            component("one", "a", edge("a", "a", sync="go!")),
            component("two", "a", edge("a", "a", reset={"x": 1}, sync="go?")),
            component("three", "a", edge("a", "a", reset={"x": 2}, sync="go?")),
            shared=(X,),
            channels=(Channel("go", broadcast=True),),
        )


def test_a_hundred_components_are_not_multiplied() -> None:
    """A token goes round: 2^100 locations, of which a run sees a few."""
    number = 100
    clocks = tuple(Variable(f"c{i}", "clock") for i in range(number))
    places = [Place(name="has"), Place(name="waits")]
    parts = [
        Component(
            name=f"p{i}",
            places=tuple(places),
            initial="waits" if i else "has",
            edges=(
                edge("has", "waits", f"c{i} >= 1", sync=f"to{(i + 1) % number}!"),
                edge("waits", "has", reset={f"c{i}": 0}, sync=f"to{i}?"),
            ),
        )
        for i in range(number)
    ]
    run = simulate(network(*parts, shared=clocks), until=12.5)
    assert [event.kind for event in run.events] == [f"to{i}" for i in range(1, 13)]
    assert [event.time for event in run.events] == pytest.approx(range(1, 13))
    assert run.end.location[12] == "has"  # type: ignore[index]


def test_an_empty_domain_is_true() -> None:
    made = network(ONE)
    assert made.domain(made.start().location) == TRUE


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_events_have_the_edges_that_were_taken(solver: str) -> None:
    ask, answer = edge("a", "b", "c >= 1", sync="call!"), edge("p", "q", sync="call?")
    made = network(component("one", "a b", ask), component("two", "p q", answer), shared=(C,))
    (event,) = simulate(made, until=2.0, options=Options(solver=solver)).events
    (move,) = event.edges
    assert isinstance(move, Move)
    assert [(half.component, half.edge) for half in move.halves] == [(0, ask), (1, answer)]
