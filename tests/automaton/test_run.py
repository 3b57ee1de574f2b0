"""Reading a run: states at any time, signals, the last values."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from dyverse.automaton.interface import Event, State
from dyverse.automaton.run import Between, Ending, Part, Run, Stop
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text
from tests import scenes


def test_the_state_at_any_time_lies_on_the_parabola() -> None:
    run = simulate(generate(scenes.drop(height=5)), until=1)
    for time in np.linspace(0, 1, 37):
        assert run.at(time).values[1] == pytest.approx(5.1 - scenes.G * time**2 / 2, abs=1e-12)


def test_at_the_instant_of_an_impact_the_state_is_the_one_after() -> None:
    run = simulate(generate(scenes.drop(height=1, e=0.5)), until=1)
    (impact,) = run.times("impact")[:1]
    assert run.at(impact).values[7] == pytest.approx(0.5 * (2 * scenes.G) ** 0.5)
    assert run.at(impact - 1e-9).values[7] == pytest.approx(-((2 * scenes.G) ** 0.5), rel=1e-6)


def test_times_outside_the_run_give_its_ends() -> None:
    run = simulate(generate(scenes.drop(height=5)), until=0.5)
    assert run.at(-1).time == 0.0
    assert run.at(9).time == 0.5


def test_a_signal_is_a_column_over_time() -> None:
    run = simulate(generate(scenes.drop(height=1, e=0.5)), until=1)
    times, gaps = run.signal("gap[ball,floor]")
    assert gaps[0] == pytest.approx(1.0)
    assert gaps.min() >= -1e-12
    assert (np.diff(times) >= 0).all()
    assert np.isnan(run.signal("nothing")[1]).all()


def test_final_names_every_variable() -> None:
    run = simulate(generate(scenes.drop(height=5)), until=0.5)
    assert set(run.final) == set(run.automaton.variables)
    assert run.final["ball.vy"] == pytest.approx(-scenes.G / 2)


def test_arrays_of_a_run_cannot_be_changed() -> None:
    run = simulate(generate(scenes.drop(height=5)), until=0.5)
    with pytest.raises(ValueError, match="read-only"):
        run.arcs[0].states[0, 0] = 1.0


def test_a_run_survives_pickling() -> None:
    run = simulate(generate(scenes.three_balls(), {"k": 1.5}), until=0.75)
    copy = pickle.loads(pickle.dumps(run))
    assert (copy.stop, copy.solver) == (Stop.HORIZON, "reference")
    assert copy.final == run.final
    assert isinstance(copy.automaton, RigidBodyAutomaton)
    assert copy.automaton.scene.values["k"] == 1.5


class Told:
    """The story of a run that is there already; it counts how often it is asked."""

    def __init__(self, run: Run) -> None:
        self.run, self.asked = run, 0

    @property
    def end(self) -> State:
        """Its last state."""
        return self.run.end

    def parts(self) -> tuple[Part, ...]:
        """Its parts."""
        self.asked += 1
        return self.run.parts

    def events(self) -> tuple[Event, ...]:
        """Its events."""
        self.asked += 1
        return self.run.events


def later() -> tuple[Run, Told]:
    run = simulate(generate(scenes.drop(height=1)), until=1)
    story = Told(run)
    return Run.later(run.automaton, story, run.stop, "elsewhere"), story


def test_a_story_is_told_once_and_only_when_it_is_asked_for() -> None:
    run, story = later()
    assert (run.stop, run.message, run.solver) == (Stop.HORIZON, "", "elsewhere")
    assert run.final == story.run.final
    assert story.asked == 0
    assert run.times("impact") == story.run.times("impact")
    assert run.events is run.events
    assert story.asked == 1
    assert run.arcs == story.run.arcs
    assert run.visits == story.run.visits
    assert story.asked == 2


def test_a_run_told_later_looks_like_any_other() -> None:
    run, story = later()
    assert repr(run) == repr(replace(story.run, solver="elsewhere"))
    assert not hasattr(run, "nothing")
    with pytest.raises(AttributeError, match="'Run' object has no attribute 'nothing'"):
        run.nothing  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(FrozenInstanceError):
        run.stop = Stop.SOLVER  # type: ignore[misc]


def test_a_variable_over_time_is_what_is_observed() -> None:
    run = simulate(generate(scenes.drop(height=1, e=0.5)), until=1)
    times, heights = run.signal("ball.y")
    seen = [(state.time, run.automaton.observe(state)["ball.y"]) for state in run.states()]
    assert list(zip(times.tolist(), heights.tolist(), strict=True)) == seen


def test_variables_are_read_off_the_states(monkeypatch: pytest.MonkeyPatch) -> None:
    run = simulate(generate(scenes.drop(height=1, e=0.5)), until=1)
    expected = [known["ball.y"] for known in run.observed(run.arcs[0])]
    monkeypatch.delattr(type(run.automaton), "survey")
    monkeypatch.delattr(type(run.automaton), "observe")
    assert [known["ball.y"] for known in run.observed(run.arcs[0], {"ball.y"})] == expected
    with pytest.raises(AttributeError):
        list(run.observed(run.arcs[0], {"energy"}))


def test_between_samples_a_run_follows_the_cubic_of_states_and_rates() -> None:
    run = simulate(generate(scenes.three_balls(), {"k": 1.5}), until=0.7)
    arc = run.arcs[0]
    ends = [arc.state(0), arc.state(1)]
    rates = [run.automaton.flow(end).rate(end.time, end.values) for end in ends]
    curve = CubicHermiteSpline([end.time for end in ends], [end.values for end in ends], rates)
    for share in (0.1, 0.5, 0.93):
        time = ends[0].time + share * (ends[1].time - ends[0].time)
        assert run.within(arc, time).values == pytest.approx(curve(time), abs=1e-14)


def test_a_flow_that_remembers_nothing_is_made_once_for_an_arc(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = simulate(generate(scenes.drop(height=5)), until=1)
    made: list[State] = []
    flow = RigidBodyAutomaton.flow

    def counted(automaton: RigidBodyAutomaton, state: State) -> object:
        made.append(state)
        return flow(automaton, state)

    monkeypatch.setattr(RigidBodyAutomaton, "flow", counted)
    within = Between(run.automaton, run.arcs[0])
    for time in np.linspace(0, 1, 37):
        within(float(time))
    assert len(run.arcs[0].times) > 4
    assert len(made) == 1


def test_between_samples_of_a_slide_that_turns_a_run_is_where_it_would_be() -> None:
    """Friction turns with the slip: each sample has a flow, and rates, of its own."""
    automaton = parse_model(example_text("tippe-top")).automaton()
    run = simulate(automaton, until=0.3)
    for time in (0.1, 0.15, 0.25):
        there = simulate(automaton, until=time).end.values
        assert run.at(time).values == pytest.approx(there, abs=1e-6)


@pytest.mark.parametrize("stop", list(Stop))
def test_only_a_run_that_reached_what_was_asked_covers_its_last_instant(stop: Stop) -> None:
    whole = simulate(generate(scenes.drop(height=5)), until=1)
    run = Run(automaton=whole.automaton, parts=whole.parts, events=whole.events, stop=stop)
    reached = stop.ending is Ending.REACHED
    assert reached == (stop is Stop.HORIZON)
    assert run.covers(0.999)
    assert [run.covers(1.0), run.covers(np.inf), run.covers(1.001)] == [reached, reached, False]
