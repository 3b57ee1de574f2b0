import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import HybridAutomaton, State
from dyverse.automaton.node import NodePlace
from dyverse.automaton.run import Stop
from dyverse.automaton.written.writing import automaton, edge, location
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.expr.formula import FALSE
from dyverse.expr.printing import formula_text
from dyverse.expr.value import holds
from dyverse.simulation.simulate import simulate
from tests.catalogue import (
    CATALOGUE,
    Case,
    bounces,
    bouncing_ball,
    square_root,
    thermostat,
)

every_case = pytest.mark.parametrize("case", CATALOGUE.values(), ids=CATALOGUE)


@every_case
def test_runs_meet_their_known_facts(case: Case) -> None:
    run = simulate(case.make(), until=case.until)
    assert run.stop == case.stop
    for kind, times in case.events.items():
        assert run.times(kind) == pytest.approx(times, rel=1e-8)
    for name, number in case.final.items():
        assert run.final[name] == pytest.approx(number, abs=1e-8)


@every_case
def test_automata_are_values(case: Case) -> None:
    made: HybridAutomaton = case.make()
    made.flow(made.start())  # compiles
    copy = pickle.loads(pickle.dumps(made))
    assert copy == made == case.make()
    assert hash(copy) == hash(made)


@every_case
def test_signals_are_positive_where_no_guard_holds_and_the_invariant_does(case: Case) -> None:
    made = case.make()
    for state in simulate(made, until=case.until / 2).states():
        names = made.watched(state.location)
        seen = made.observe(state)
        out = [edge for edge in made.outgoing(state.location) if holds(edge.guard, seen)]
        inside = holds(made.domain(state.location), seen)
        least = min(seen[name] for name in names) if names else 1.0
        assert (least > 0) <= (not out and inside)
        assert (least < 0) <= (bool(out) or not inside)


@settings(max_examples=25, deadline=None)
@given(height=st.floats(0.1, 100), e=st.floats(0.1, 0.95))
def test_bounces_come_at_their_closed_form(height: float, e: float) -> None:
    expected = bounces(6, height=height, e=e)
    run = simulate(bouncing_ball(height=height, e=e), until=expected[-1] * (1 + 1e-6))
    assert run.times("bounce")[:6] == pytest.approx(expected, rel=1e-9)


def test_a_signal_and_its_rate_come_from_the_guard() -> None:
    ball = bouncing_ball()
    flow = ball.flow(ball.start())
    sample = flow.sample(np.array([0.0, 0.0]), np.array([[3.0, -2.0], [1.0, 4.0]]))
    assert ball.watched("fall") == ("guard[fall,fall]",)
    assert sample.values[:, 0] == pytest.approx([3.0, 4.0])
    assert sample.rates[:, 0] == pytest.approx([-2.0, -9.81])


def test_a_guard_that_holds_with_equality_rests_until_it_is_left() -> None:
    ball = bouncing_ball(guard="y <= 0")
    up, down = (State(0.0, "fall", np.array([0.0, v])) for v in (1.0, -1.0))
    assert ball.enabled(up) == ()
    assert ball.flow(up).resting.tolist() == [True]
    assert [e.action for e in ball.enabled(down)] == ["bounce"]
    assert ball.flow(down).resting.tolist() == [False]


def test_an_equality_is_reached_from_either_side() -> None:
    for rate in (-1, 1):
        made = automaton(
            variables="x",
            locations=[location("go", {"x": rate}), location("there")],
            edges=[edge("go", "there", "x == 2", action="there")],
            initial=("go", {"x": 2 - 3 * rate}),
        )
        assert simulate(made, until=5.0).times("there") == pytest.approx([3.0])


def test_an_equality_passed_while_the_rest_fails_is_not_taken() -> None:
    made = automaton(
        variables="x",
        locations=[location("go", {"x": "cos(t)"}), location("there")],
        edges=[edge("go", "there", "x == 0.5 and t >= 1", action="there")],
        initial=("go", {}),
    )
    assert simulate(made, until=9.0).times("there") == pytest.approx([5 * np.pi / 6])


def test_the_first_of_several_enabled_edges_is_taken() -> None:
    made = automaton(
        variables="x",
        locations=[location("a", {"x": 1}), location("b"), location("c")],
        edges=[edge("a", "b", "x >= 1"), edge("a", "c", "x >= 1")],
        initial=("a", {}),
    )
    run = simulate(made, until=2.0)
    assert run.end.location == "b"
    assert [event.kind for event in run.events] == ["jump"]
    assert made.watched("a") == ("guard[a,b]", "guard[a,c]")


def test_several_jumps_of_one_instant_are_several_events() -> None:
    made = automaton(
        variables="x",
        locations=[location("a", {"x": 1}), location("b"), location("c")],
        edges=[edge("a", "b", "x >= 1", {"x": 5}, action="one"), edge("b", "c", "x > 4", {"x": 0})],
        initial=("a", {}),
    )
    events = simulate(made, until=2.0).events
    assert [(e.kind, e.source, e.target) for e in events] == [("one", "a", "b"), ("jump", "b", "c")]


def test_an_invariant_without_an_edge_is_the_end_of_time() -> None:
    made = automaton(
        variables="x",
        locations=[location("a", {"x": 1}, invariant="x <= 1")],
        initial=("a", {}),
    )
    at_end = State(1.0, "a", np.array([1.0]))
    assert made.enabled(at_end) == ()
    assert made.flow(at_end).resting.tolist() == [False]
    assert made.observe(at_end)["invariant[a]"] == 0
    backwards = replace(made, locations=(location("a", {"x": -1}, invariant="x <= 1"),))
    assert backwards.flow(at_end).resting.tolist() == [True]


@pytest.mark.parametrize(("invariant", "end"), [("x <= 1", 1.0), ("x < 1", 1.0), ("false", 0.0)])
def test_an_invariant_that_no_edge_leaves_is_a_time_lock(invariant: str, end: float) -> None:
    made = automaton(
        variables="x", locations=[location("a", {"x": 1}, invariant=invariant)], initial=("a", {})
    )
    run = simulate(made, until=2.0)
    assert run.stop == Stop.TIMELOCK
    assert run.end.time == pytest.approx(end)


def test_opposite_flows_towards_a_border_jump_without_end() -> None:
    made = automaton(
        variables="x",
        locations=[location("a", {"x": -1}), location("b", {"x": 1})],
        edges=[edge("a", "b", "x < 0"), edge("b", "a", "x >= 0")],
        initial=("a", {"x": 1}),
    )
    run = simulate(made, until=2.0)
    assert run.stop == Stop.LIVELOCK
    assert run.end.time == pytest.approx(1.0)


def test_a_guard_that_is_true_is_taken_at_once_and_one_that_is_false_never() -> None:
    made = automaton(
        variables="x",
        locations=[location("a", {"x": 1}), location("b", {"x": 1})],
        edges=[edge("a", "a", "false"), edge("a", "b"), edge("b", "a", "x > 5 and false")],
        initial=("a", {}),
    )
    run = simulate(made, until=9.0)
    assert [(event.time, event.target) for event in run.events] == [(0.0, "b")]


def test_a_node_is_made_of_locations_with_edges() -> None:
    made = square_root()
    entrance = NodePlace("heron", "en")
    (entering,) = made.outgoing("wait")
    assert entering.target == entrance
    assert [str(e.target) for e in made.outgoing(entrance)] == ["heron.1"]
    test = list(made.outgoing(NodePlace("heron", "2")))
    assert [str(e.target) for e in test] == ["heron.1", "heron.ex"]
    assert formula_text(test[1].guard) == "abs(r * r - a) <= 1e-12 * a"
    assert [e.target for e in made.outgoing(NodePlace("heron", "ex"))] == ["done"]
    assert not made.is_dynamical(entrance)
    assert made.domain(entrance) == FALSE


def test_a_run_passes_through_the_node_and_says_so() -> None:
    run = simulate(square_root(), until=2.0)
    (visit,) = run.visits
    assert (visit.method, visit.sweeps) == ("heron", 5)
    (event,) = run.events
    assert (event.source, event.target) == ("wait", "done")
    assert event.remark == "heron: 5 sweeps"


def test_a_node_that_does_not_converge_ends_the_run() -> None:
    run = simulate(square_root(a=1e6, max_sweeps=3), until=2.0)
    assert run.stop == Stop.NOT_CONVERGED
    assert "node 'heron' did not converge in 3 sweeps" in run.message


def test_time_and_parameters_have_names() -> None:
    seen = thermostat().observe(State(2.0, "on", np.array([19.0])))
    assert seen["t"] == 2.0
    assert seen["k"] == 0.1
    assert seen["guard[on,off]"] == pytest.approx(3.0)
    assert seen["invariant[on]"] == pytest.approx(3.0)


def test_an_automaton_needs_no_variables() -> None:
    made = WrittenAutomaton(
        variables=(),
        locations=(location("a"), location("b")),
        edges=(edge("a", "b", "t >= 2", action="go"),),
        initial=automaton(variables="", locations=[location("a")], initial=("a", {})).initial,
    )
    assert simulate(made, until=3.0).times("go") == pytest.approx([2.0])
