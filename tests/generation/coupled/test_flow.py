"""Bodies and automata sampled at many states at once: the same as one state after the other."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc, Run
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.flow import CoupledFlow
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from tests.native.coupled_models import EXAMPLES, random_model

REFERENCE = Options(solver="reference", max_events=30)
BRAKE = (EXAMPLES / "brake" / "model.drbt").read_text()


def run_of(name: str | int) -> Run:
    if isinstance(name, int):
        return simulate(random_model(name), until=0.4, options=REFERENCE)
    return simulate(parse_model(BRAKE).automaton(), until=0.6, options=REFERENCE)


def long_arcs(run: Run) -> list[Arc]:
    return [arc for arc in run.arcs if len(arc.times) > 3]


def coupled(run: Run) -> CoupledAutomaton:
    assert isinstance(run.automaton, CoupledAutomaton)
    return run.automaton


def body_signals(automaton: CoupledAutomaton, arc: Arc) -> tuple[Array, Array]:
    """The signals of the bodies and the vector field, driven and asked for state by state."""
    size = len(automaton.rigid.variables)
    bodies = automaton.rigid.flow(automaton.bodies(arc.start))
    signals, rates = [], []
    for time, row in zip(arc.times, arc.states, strict=True):
        automaton.rigid.dynamics.drive(row[size:])
        signals.append(bodies.sample(np.array([time]), row[None, :size]).values[0])
        rates.append(bodies.rate(float(time), row[:size]))
    return np.array(signals), np.array(rates)


@pytest.mark.parametrize("name", ["brake", 0, 3, 7, 12, 18])
def test_many_states_are_sampled_as_one_after_the_other(name: str | int) -> None:
    run = run_of(name)
    for arc in long_arcs(run):
        flow = coupled(run).flow(arc.start)
        found = flow.sample(arc.times, arc.states)
        rows = zip(arc.times, arc.states, strict=True)
        single = [flow.sample(np.array([time]), row[None, :]) for time, row in rows]
        values, rates = (
            np.vstack([getattr(one, part) for one in single]) for part in ("values", "rates")
        )
        np.testing.assert_allclose(found.values, values, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(found.rates, rates, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", ["brake", 0, 3, 7, 12, 18])
def test_each_state_drives_its_own_bodies(name: str | int) -> None:
    run = run_of(name)
    for arc in long_arcs(run):
        automaton = coupled(run)
        expected, field = body_signals(automaton, arc)
        found = automaton.flow(arc.start).sample(arc.times, arc.states)
        np.testing.assert_allclose(
            found.values[:, : expected.shape[1]], expected, rtol=1e-11, atol=1e-12
        )
        flow = automaton.flow(arc.start)
        rates = [flow.rate(float(t), row) for t, row in zip(arc.times, arc.states, strict=True)]
        np.testing.assert_allclose(
            np.array(rates)[:, : field.shape[1]], field, rtol=1e-13, atol=1e-13
        )


def test_signals_of_guards_move_with_the_bodies_they_read() -> None:
    """``wheel.vx <= 3`` is watched as vx - 3, and its rate is that of the field."""
    run, looked = run_of("brake"), 0
    automaton, name = coupled(run), "guard[brake,pressed,done]"
    for arc in long_arcs(run):
        if name not in (names := automaton.watched(arc.location)):
            continue
        column, index = names.index(name), automaton.variables.index("wheel.vx")
        flow, looked = automaton.flow(arc.start), looked + 1
        found = flow.sample(arc.times, arc.states)
        slopes = [flow.rate(float(t), row) for t, row in zip(arc.times, arc.states, strict=True)]
        np.testing.assert_allclose(found.values[:, column], arc.states[:, index] - 3, atol=1e-12)
        np.testing.assert_allclose(found.rates[:, column], np.array(slopes)[:, index], rtol=1e-11)
        assert (found.rates[:, column] < 0).all()
    assert looked > 1


def test_a_flow_that_is_asked_for_its_field_alone_prepares_nothing_else() -> None:
    automaton = random_model(0)
    start = simulate(automaton, until=0.1, options=REFERENCE).arcs[-1].start
    flow = automaton.flow(start)
    assert isinstance(flow, CoupledFlow)
    field = flow.rate(start.time, start.values)
    signals = flow.sample(np.array([start.time]), start.values[None, :])
    np.testing.assert_array_equal(flow.rate(start.time, start.values), field)
    assert signals.values.shape[1] == len(automaton.watched(start.location)) == len(flow.resting)
