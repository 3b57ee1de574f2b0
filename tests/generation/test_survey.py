"""All signals along an arc, many states at a time: the same as at each state alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from dyverse.automaton.interface import HybridAutomaton, State
from dyverse.automaton.run import Arc, Surveys
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.flow import RigidFlow
from dyverse.generation.model import parse_model
from dyverse.generation.skeleton.names import signal_name, signal_parts
from dyverse.generation.survey import ROWS
from dyverse.mechanics.joint.elimination import Joints
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text
from tests.native.coupled_models import random_model

REFERENCE = Options(solver="reference", max_events=30)
TURNING = """
parameter mu = 0.1
gravity (2, -9, 0)
body ball { sphere radius 0.5  mass 2  position (0, 0.5, 0)  velocity (-1, 0, 0.3) }
body floor { plane normal (0, 1, 0) }
contact ball floor { friction mu*(2 - exp(-slip_speed)) }
input wind = 0.3*ball.vz
force ball (0, 0, wind)
"""
PUSHED = """
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 2  position (0, 0.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { friction 0.5 }
force ball (0, -hand.push, 0)
automaton hand {
  real push = 1
  location presses { push' = 3 }
  initial presses
}
system hand
"""
BRAKED = """
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 2  position (0, 0.1, 0)  velocity (1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { friction 0.5 }
input brake = -2*sign(ball.vx - 0.1)
force ball (brake, 0, 0)
"""
LED = BRAKED.replace("ball.vx", "ball.vx + hand.push") + PUSHED[PUSHED.index("automaton") :]


def rigid(text: str) -> RigidBodyAutomaton:
    found = parse_model(text).automaton()
    assert isinstance(found, RigidBodyAutomaton)
    return found


def assert_same(found: Mapping[str, float], expected: Mapping[str, float]) -> None:
    assert list(found) == list(expected)
    np.testing.assert_allclose(
        list(found.values()), list(expected.values()), rtol=1e-11, atol=1e-11
    )


def tiled(arc: Arc, count: int) -> Arc:
    """An arc whose rows are repeated until there are ``count``."""
    rows = np.arange(count) % len(arc.times)
    return Arc(start=arc.start, times=arc.times[rows], states=arc.states[rows])


@pytest.mark.parametrize("seed", [0, 4, 9, 16])
def test_many_states_are_observed_as_one_after_the_other(seed: int) -> None:
    run = simulate(random_model(seed), until=0.4, options=REFERENCE)
    for arc in run.arcs:
        for row, known in enumerate(run.observed(arc)):
            assert_same(known, run.automaton.observe(arc.state(row)))


@pytest.mark.parametrize("seed", [0, 4, 9, 16])
def test_some_signals_are_those_of_all(seed: int) -> None:
    run = simulate(random_model(seed), until=0.4, options=REFERENCE)
    assert isinstance(run.automaton, CoupledAutomaton)
    last = run.automaton.rigid.contacts[-1]
    names = {
        signal_name(quantity, last) for quantity in ("gap", "normal_force", "slip_acceleration")
    }
    for arc in run.arcs:
        for known, some in zip(run.observed(arc), run.observed(arc, names), strict=True):
            assert names < some.keys()
            assert some == {name: known[name] for name in some}
            assert {signal_parts(name)[1] for name in some if "[" in name} == {last}


@pytest.mark.parametrize("count", [1, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS])
def test_every_state_of_a_long_arc_is_there(count: int) -> None:
    run = simulate(rigid(TURNING), until=0.1, options=REFERENCE)
    arc = tiled(run.arcs[-1], count)
    seen = list(run.observed(arc))
    assert [known["t"] for known in seen] == arc.times.tolist()
    assert_same(seen[-1], run.automaton.observe(arc.state(count - 1)))


def test_where_slip_turns_round_each_state_has_its_own_direction() -> None:
    """The ball starts uphill and slips downhill in the end; forces are those of (15) at a state."""
    run = simulate(rigid(TURNING), until=1.5, options=REFERENCE)
    automaton, arc = run.automaton, max(run.arcs, key=lambda arc: len(arc.times))
    assert isinstance(automaton, RigidBodyAutomaton)
    for row, known in enumerate(run.observed(arc)):
        state = arc.state(row)
        motion = automaton.plain_flow(state).motion(state.time, state.values)
        normal, *friction = motion.forces[0]
        assert known["normal_force[ball,floor]"] == pytest.approx(normal, rel=1e-12)
        assert known["friction_force[ball,floor]"] == pytest.approx(math.hypot(*friction))
        assert known["friction_limit[ball,floor]"] == pytest.approx(motion.limit[0], rel=1e-12)
        assert known["wind"] == pytest.approx(0.3 * known["ball.vz"], rel=1e-12)
        assert known["friction_reserve[ball,floor]"] == pytest.approx(0, abs=1e-9)
    first, last = arc.states[0], arc.states[-1]
    slips = [_slip(state) for state in (first, last)]
    assert np.dot(*slips) < 0


def _slip(state: np.ndarray) -> np.ndarray:
    """The velocity of the lowest point of the ball along the floor: v + ω × (0, -r, 0)."""
    vx, _, vz, wx, _, wz = state[6:]
    return np.array([vx + 0.5 * wz, vz - 0.5 * wx])


@pytest.mark.parametrize("text", [BRAKED, LED])
def test_where_no_function_slides_an_arc_is_worked_out_at_once(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same as state by state, with one flow for some of them instead of one for each."""
    run = simulate(parse_model(text).automaton(), until=0.4, options=REFERENCE)
    arc = tiled(max(run.arcs, key=lambda arc: len(arc.times)), 2 * ROWS)
    one_by_one = replace(arc, start=replace(arc.start, sides=()))
    alone = list(run.observed(one_by_one))
    flows, plain = [], RigidBodyAutomaton.plain_flow

    def counted(automaton: RigidBodyAutomaton, state: State) -> RigidFlow:
        flows.append(state)
        return plain(automaton, state)

    monkeypatch.setattr(RigidBodyAutomaton, "plain_flow", counted)
    for known, expected in zip(run.observed(arc), alone, strict=True):
        assert abs(known["brake"]) == 2
        assert_same(known, expected)
    assert len(flows) <= 3


def test_energy_and_forces_along_an_arc_meet_the_closed_form() -> None:
    """A ball of 2 kg at rest that is pressed with 1 + 3t N weighs 21 + 3t N on the floor."""
    run = simulate(parse_model(PUSHED).automaton(), until=1, options=REFERENCE)
    times, forces = run.signal("normal_force[ball,floor]")
    assert times[-1] == 1
    later = times > 0
    np.testing.assert_allclose(forces[later], 21 + 3 * times[later], rtol=1e-12)
    np.testing.assert_allclose(run.signal("energy")[1], 2 * 10 * 0.1, rtol=1e-12)


def test_an_automaton_that_has_no_survey_is_observed_state_by_state() -> None:
    clock = "automaton a { real x  location l { x' = 2 }  initial l }\nsystem a"
    run = simulate(parse_model(clock).automaton(), until=1, options=REFERENCE)
    assert not isinstance(run.automaton, Surveys)
    arc = run.arcs[0]
    seen = list(run.observed(arc))
    assert [known["a.x"] for known in seen] == pytest.approx((2 * arc.times).tolist())


def test_a_place_in_a_computation_node_has_no_contact_forces() -> None:
    automaton: HybridAutomaton = rigid(TURNING)
    start = automaton.start()
    edge = automaton.enabled(start)[0]
    known = automaton.observe(State(0.0, edge.target, start.values))
    assert known["normal_force[ball,floor]"] == 0
    assert known["normal_acceleration[ball,floor]"] == pytest.approx(-9)


def test_joints_are_worked_out_only_for_those_who_ask_for_forces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An angle and the energy follow from where the bodies are; a reaction does not."""
    run = simulate(parse_model(example_text("four-bar")).automaton(), until=0.2, options=REFERENCE)
    automaton = run.automaton
    assert isinstance(automaton, RigidBodyAutomaton)
    arc, reactions = run.arcs[-1], automaton.dynamics.reactions
    assert reactions is not None
    asked = ("energy", "pivot.angle")
    known = [[one[name] for name in asked] for one in run.observed(arc, reactions.names)]
    monkeypatch.delattr(Joints, "at")
    found = [[one[name] for name in asked] for one in run.observed(arc, asked)]
    assert found == known
    with pytest.raises(AttributeError):
        list(run.observed(arc, reactions.names))


def test_forces_are_worked_out_only_for_those_who_ask_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Gaps, speeds and modes follow from where the bodies are and how they move."""
    run = simulate(rigid(TURNING), until=0.1, options=REFERENCE)
    arc, closed = run.arcs[-1], "ball-floor"
    asked = [signal_name(signal, closed) for signal in ("gap", "slip_speed", "slipping")]
    known = [[one[name] for name in asked] for one in run.observed(arc)]
    monkeypatch.delattr(RigidFlow, "afresh")
    assert [[one[name] for name in asked] for one in run.observed(arc, asked)] == known
    with pytest.raises(AttributeError):
        list(run.observed(arc, [*asked, "normal_force[ball,floor]"]))
