"""Equations (14) and (15) on numbers, against forces worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.automaton.interface import State
from dyverse.bodies.build import (
    contact_all,
    damper,
    define,
    force,
    plane,
    port,
    sphere,
    spring,
    torque,
    world,
)
from dyverse.generation.automaton import generate
from dyverse.generation.skeleton.location import Mode, Modes
from tests import scenes


def test_a_resting_ball_is_carried() -> None:
    automaton = generate(scenes.slide(speed=0.0))
    state = State(0.0, Modes((("ball-floor", "stick"),)), automaton.start().values)
    assert automaton.observe(state)["normal_force[ball,floor]"] == pytest.approx(scenes.G)
    assert automaton.flow(state).rate(0, state.values) == pytest.approx(np.zeros(12), abs=1e-12)


@pytest.mark.parametrize(("mode", "expected"), [("stick", 5 / 7), ("slip", 1.0)])
def test_rolling_and_sliding_accelerations_on_an_incline(mode: Mode, expected: float) -> None:
    """a = (5/7) g sin α rolling; g (sin α - μ cos α) sliding."""
    angle, mu = 0.2, 0.1
    automaton = generate(scenes.incline(angle=angle, mu=mu))
    values = automaton.start().values.copy()
    if mode == "slip":
        values[6] = 1.0
    state = State(0.0, Modes((("ball-floor", mode),)), values)
    pull = scenes.G * math.sin(angle) * expected
    drag = scenes.G * mu * math.cos(angle) if mode == "slip" else 0.0
    assert automaton.flow(state).rate(0, values)[6] == pytest.approx(pull - drag)


def test_friction_of_a_slipping_contact_changes_the_normal_force_of_another() -> None:
    """A ball in a corner, spinning so that both contacts slip: λ with friction inside (15)."""
    mu = 0.5
    model = world(
        sphere("ball", radius=0.2, mass=1, position=(0.2, 0.2, 0), spin=(0, 0, 3)),
        plane("floor", normal=(0, 1, 0)),
        plane("wall", normal=(1, 0, 0)),
        contact_all(restitution=0, friction=mu),
        gravity=scenes.DOWN,
    )
    automaton = generate(model)
    word = Modes((("ball-floor", "slip"), ("ball-wall", "slip")))
    signals = automaton.observe(State(0.0, word, automaton.start().values))
    # spin about +z: the floor pushes the ball to -x, into the wall, which pushes it up
    floor = scenes.G / (1 + mu**2)
    assert signals["normal_force[ball,floor]"] == pytest.approx(floor)
    assert signals["normal_force[ball,wall]"] == pytest.approx(mu * floor)


def test_loads_springs_and_dampers_add_up() -> None:
    """All on one free ball, worked out by hand."""
    model = world(
        sphere("ball", radius=0.5, mass=2, position=(3, 4, 0), velocity=(1, 0, 0)),
        port("push"),
        define("lift", "2*push + t"),
        force("ball", (0, "lift", 0)),
        torque("ball", (0, 0, 1)),
        spring("ball", (0, 0, 0), stiffness=10, length=4),
        damper("ball", (0, 0, 0), damping=5),
        gravity=(0, -10, 0),
    )
    automaton = generate(model, {"push": 3})
    rate = automaton.flow(automaton.start()).rate(0.5, automaton.start().values)
    tension = 10 * (5 - 4) + 5 * (3 / 5)  # elongation 1 m; the distance grows at 3/5 m/s
    along = np.array([-3, -4, 0]) / 5
    expected = (tension * along + [0, 6.5, 0]) / 2 + [0, -10, 0]
    assert rate[6:9] == pytest.approx(expected)
    assert rate[9:12] == pytest.approx([0, 0, 1 / (0.4 * 2 * 0.25)])


def test_energy_counts_motion_height_and_springs() -> None:
    model = world(
        sphere("ball", radius=0.5, mass=2, position=(0, 3, 0), velocity=(1, 0, 0), spin=(0, 0, 2)),
        spring("ball", (0, 0, 0), stiffness=4, length=1),
        gravity=(0, -10, 0),
    )
    automaton = generate(model)
    expected = 0.5 * 2 * 1 + 0.5 * (0.4 * 2 * 0.25) * 4 + 2 * 10 * 3 + 0.5 * 4 * 2**2
    assert automaton.observe(automaton.start())["energy"] == pytest.approx(expected)


def test_a_heavy_and_a_light_ball_in_contact_share_the_push() -> None:
    """A force on one of two touching balls: they accelerate together, λ = F m₂/(m₁ + m₂)."""
    model = world(
        sphere("a", radius=0.5, mass=3, position=(0, 0, 0)),
        sphere("b", radius=0.5, mass=1, position=(1, 0, 0)),
        force("a", (8, 0, 0)),
        contact_all(restitution=0, friction=0.2),
    )
    automaton = generate(model)
    state = State(0.0, Modes((("a-b", "stick"),)), automaton.start().values)
    assert automaton.observe(state)["normal_force[a,b]"] == pytest.approx(2.0)
    assert automaton.flow(state).rate(0, state.values)[[12, 18]] == pytest.approx([2, 2])
