"""The native engine against the reference engine: the same events, times, states and endings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dyverse.automaton.interface import State
from dyverse.automaton.node import NodePlace, Step
from dyverse.automaton.run import Stop
from dyverse.automaton.written.writing import automaton, edge, location, node
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.errors import SolverError
from dyverse.native.automata.sheet import is_supported
from dyverse.simulation.simulate import Options, simulate
from tests.catalogue import bouncing_ball, square_root, thermostat
from tests.native.automata.comparing import NATIVE, check_agreement, story
from tests.native.automata.models import models, neurons


@pytest.mark.parametrize("name", models())
def test_both_engines_tell_the_same_story(name: str) -> None:
    ours, theirs = check_agreement(*models()[name])
    assert ours.message == theirs.message


def test_nodes_are_passed_in_the_same_way() -> None:
    ours, theirs = check_agreement(neurons(), 0.1)
    assert ours.visits
    assert len(ours.visits) == len(theirs.visits)
    for one, other in zip(ours.visits, theirs.visits, strict=True):
        assert (one.sweeps, one.before.location) == (other.sweeps, other.before.location)
        assert one.after.values == pytest.approx(other.after.values, abs=1e-9)
        assert {k: float(x) for k, x in one.result.items()} == pytest.approx(
            {k: float(x) for k, x in other.result.items()}, abs=1e-9
        )


def test_arcs_are_sampled_as_often_and_as_well() -> None:
    """Both take the same steps, up to the rounding in estimated errors."""
    ours, theirs = check_agreement(thermostat(), 60.0)
    for one, other in zip(ours.arcs, theirs.arcs, strict=True):
        assert one.times == pytest.approx(other.times, abs=1e-3)
        hot = 30.0 if one.location == "on" else 10.0
        decay = np.exp(-0.1 * (one.times - one.times[0]))
        assert one.states[:, 0] == pytest.approx(hot + (one.states[0, 0] - hot) * decay, abs=1e-8)


def test_a_run_goes_on_from_where_another_ended() -> None:
    ball = bouncing_ball()
    first = simulate(ball, until=2.5, options=NATIVE)
    second = simulate(ball, first.end, until=6.0, options=NATIVE)
    whole = simulate(ball, until=6.0)
    assert second.final == pytest.approx(whole.final, abs=1e-9)
    assert [e.time for e in first.events + second.events] == pytest.approx(whole.times("bounce"))


def test_another_start_may_be_in_another_location_at_another_time() -> None:
    start = State(3.0, "off", np.array([21.0]))
    ours = simulate(thermostat(), start, until=9.0, options=NATIVE)
    theirs = simulate(thermostat(), start, until=9.0)
    assert story(ours) == story(theirs)
    assert ours.final == pytest.approx(theirs.final, abs=1e-9)


def test_a_short_touch_between_samples_is_not_stepped_over() -> None:
    """x = sin t is over 1 - 5e-8 for 0.6 ms; rates know of it, samples do not."""
    swing = automaton(
        variables="x v hits",
        locations=[location("swing", {"x": "v", "v": "-x"}), location("hit")],
        edges=[edge("swing", "hit", "x >= 0.99999995", action="hit")],
        initial=("swing", {"v": 1}),
    )
    ours, _ = check_agreement(swing, 3.0)
    assert ours.times("hit") == pytest.approx([np.arcsin(0.99999995)], abs=1e-6)


def test_a_near_miss_is_told() -> None:
    swing = automaton(
        variables="x v",
        locations=[location("swing", {"x": "v", "v": "-x"}), location("hit")],
        edges=[edge("swing", "hit", "x >= 1 + 5e-10", action="hit")],
        initial=("swing", {"v": 1}),
    )
    runs = [simulate(swing, until=3.0, options=o) for o in (NATIVE, Options())]
    assert [run.events[0].kind for run in runs] == ["graze", "graze"]
    assert runs[0].events[0].time == pytest.approx(np.pi / 2, abs=1e-4)
    assert runs[0].events[0].remark.startswith("guard[swing,hit] came down to")


@pytest.mark.parametrize(
    ("guard", "stop"),
    [("x < 0", Stop.HORIZON), ("x >= 0", Stop.LIVELOCK), ("x != 0 and x > 5", Stop.HORIZON)],
)
def test_guards_at_their_boundary_are_read_from_now_on(guard: str, stop: Stop) -> None:
    rising = automaton(
        variables="x",
        locations=[location("a", {"x": 1})],
        edges=[edge("a", "a", guard, action="again")],
        initial=("a", {}),
    )
    ours, _ = check_agreement(rising, 1.0)
    assert ours.stop is stop


def test_time_that_may_not_pass_is_a_timelock() -> None:
    ended = automaton(
        variables="x",
        locations=[location("a", {"x": 1}, invariant="x <= 1")],
        initial=("a", {}),
    )
    assert check_agreement(ended, 2.0)[0].stop is Stop.TIMELOCK


def test_as_many_events_as_allowed() -> None:
    options = Options(solver="native", max_events=2)
    assert check_agreement(bouncing_ball(), 6.0, options)[0].stop is Stop.MAX_EVENTS


def test_a_rate_that_is_not_finite_stops_the_solver() -> None:
    """x' = x² from 1 gets to infinity at 1 s; x' = 1/x cannot begin at 0."""
    for rate, start in (("x*x", 1.0), ("1/x", 0.0)):
        wrong = automaton(
            variables="x", locations=[location("a", {"x": rate})], initial=("a", {"x": start})
        )
        run = simulate(wrong, until=2.0, options=NATIVE)
        assert run.stop is Stop.SOLVER
        assert run.message.startswith("integration stopped at t = ")


def test_a_signal_that_is_not_a_number_is_an_error() -> None:
    wrong = automaton(
        variables="x",
        locations=[location("a", {"x": -1})],
        edges=[edge("a", "a", "sqrt(x) >= 2")],
        initial=("a", {"x": 1}),
    )
    with pytest.raises(SolverError, match="watched signal 0 is not a number"):
        simulate(wrong, until=3.0, options=NATIVE)


def test_a_node_without_an_answer_ends_the_run() -> None:
    for unsolved in (square_root(max_sweeps=2), square_root(a=-2.0, max_sweeps=5)):
        ours, _ = check_agreement(unsolved, 2.0)
        assert ours.stop is Stop.NOT_CONVERGED


def test_progress_is_told_and_may_stop_the_run() -> None:
    seen: list[float] = []

    def stop_after(time: float, events: int) -> bool:
        seen.append(time)
        return time < 2.0

    run = simulate(
        bouncing_ball(), until=6.0, options=Options(solver="native", progress=stop_after)
    )
    assert run.stop is Stop.INTERRUPTED
    assert seen == sorted(seen)
    assert run.end.time == seen[-1]


def called() -> WrittenAutomaton:
    halve = node("halve", steps={"half": {"x": "x/2"}}, converged="x < 1")
    steps = (Step("half", function=lambda known: {"x": known["x"] / 2}),)
    return automaton(
        variables="x c",
        locations=[location("wait", {"c": 1}), location("done")],
        nodes=[replace(halve, steps=steps)],
        edges=[edge("wait", "halve", "c >= 1"), edge("halve", "done")],
        initial=("wait", {"x": 3}),
    )


def test_python_in_nodes_is_called_back() -> None:
    assert not is_supported(called())
    ours, theirs = check_agreement(called(), 2.0)
    assert ours.final["x"] == 0.75
    assert ours.visits[0].sweeps == theirs.visits[0].sweeps == 2


def test_a_run_may_start_in_a_node() -> None:
    start = State(1.0, NodePlace("heron", "en"), np.array([0.0, 1.0]))
    ours, theirs = (
        simulate(square_root(), start, until=2.0, options=o) for o in (NATIVE, Options())
    )
    assert ours.final == pytest.approx(theirs.final)
    assert story(ours) == story(theirs)
