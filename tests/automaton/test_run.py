"""Reading a run: states at any time, signals, the last values."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from dyverse.automaton.run import Stop
from dyverse.generation.automaton import RigidBodyAutomaton, generate
from dyverse.simulation.simulate import simulate
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
    assert copy.stop is Stop.HORIZON
    assert copy.final == run.final
    assert isinstance(copy.automaton, RigidBodyAutomaton)
    assert copy.automaton.scene.values["k"] == 1.5
