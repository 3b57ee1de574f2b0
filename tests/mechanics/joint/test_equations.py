"""Directions and biases of joints against differences, and what joints leave of the mechanics."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.bodies.build import box, sphere
from dyverse.bodies.gather import gather
from dyverse.bodies.joint.joint import JOINT_KINDS, ONE_SIDED, Joint
from dyverse.bodies.world import World
from dyverse.expr.term import Vector, as_term
from dyverse.generation.automaton import generate
from dyverse.mechanics.dynamics import Dynamics
from dyverse.mechanics.joint.elimination import Joints

STEP = 1e-5
KINDS = [kind for kind in JOINT_KINDS if kind not in ONE_SIDED]  # those are contacts


def vector(x: float, y: float, z: float) -> Vector:
    return as_term(x), as_term(y), as_term(z)


def two_bodies(kind: str) -> World:
    """A box and a ball, turned and apart, with a joint between them."""
    given = JOINT_KINDS[kind]
    words = {"at": vector(0.3, 0.1, -0.2), "axis": vector(1, 2, -0.5), "from": vector(0.1, 0.2, 0)}
    names = {"at": "at", "axis": "axis", "from": "start"}
    points = {names[word]: words[word] for word in given.entries if word in names}
    return gather(
        [
            box("a", size=(0.2, 0.4, 0.6), mass=2, rotation=(0.3, -0.2, 0.9)),
            sphere("b", radius=0.1, mass=1, position=(0.7, 0.4, 0.2), rotation=(0.1, 0.5, 0)),
            Joint(name="j", kind=given, a="a", b="b", **points),  # type: ignore[arg-type]
        ]
    )


def made(model: World) -> tuple[Dynamics, Joints, np.ndarray]:
    automaton = generate(model)
    assert automaton.dynamics.joints is not None
    return automaton.dynamics, automaton.dynamics.joints, automaton.start().values


@pytest.mark.parametrize("kind", KINDS)
def test_conditions_change_as_their_directions_say(kind: str) -> None:
    dynamics, joints, start = made(two_bodies(kind))
    values = start.copy()
    values[dynamics.layout.v] = np.random.default_rng(1).normal(size=12)
    rate = dynamics.rate(values, np.zeros(12))
    before, after = (joints.at(values + sign * STEP * rate) for sign in (-1, 1))
    here, speeds = joints.at(values), values[dynamics.layout.v]
    slope = (after.error - before.error) / (2 * STEP)
    assert here.W.T @ speeds == pytest.approx(slope, abs=1e-8)
    bent = (after.W.T @ speeds - before.W.T @ speeds) / (2 * STEP)
    assert here.bias == pytest.approx(bent, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_fits_where_it_is_written_and_leaves_what_it_should(kind: str) -> None:
    free = {"revolute": 1, "prismatic": 1, "spherical": 3, "weld": 0, "distance": 5}
    _, joints, start = made(two_bodies(kind))
    joined = joints.at(start)
    assert joined.error == pytest.approx(0, abs=1e-15)
    assert joined.K.shape[1] == 6 - free[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_of_the_masses_keeps_joints_closed(kind: str) -> None:
    dynamics, joints, start = made(two_bodies(kind))
    joined, columns = joints.at(start), np.random.default_rng(2).normal(size=(12, 4))
    left = dynamics.mass.solve_columns(columns) - joined.taken(columns)
    assert joined.W.T @ left == pytest.approx(0, abs=1e-12)
    assert columns.T @ left == pytest.approx(left.T @ columns)
    acceleration = joined.acceleration(columns[:, 0])
    assert joined.W.T @ acceleration + joined.bias == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_reactions_are_what_makes_the_difference(kind: str) -> None:
    """M a = h + W λ."""
    dynamics, joints, start = made(two_bodies(kind))
    values = start.copy()
    values[dynamics.layout.v] = np.random.default_rng(3).normal(size=12)
    dynamics.join(values)
    joined, free = joints.at(values), np.random.default_rng(4).normal(size=12)
    pushed = dynamics.mass.solve_columns(joined.W @ joined.reactions(free)[:, None])[:, 0]
    assert joined.acceleration(free) == pytest.approx(free + pushed, abs=1e-12)


def test_a_state_that_is_a_little_off_is_put_right() -> None:
    dynamics, joints, start = made(two_bodies("revolute"))
    values = start + 1e-6 * np.random.default_rng(5).normal(size=len(start))
    values[-1] += 1.0
    dynamics.join(values)
    joined = joints.at(values)
    assert joined.error == pytest.approx(0, abs=1e-12)
    assert joined.W.T @ values[dynamics.layout.v] == pytest.approx(0, abs=1e-12)
    assert values[dynamics.layout.q][-1] == pytest.approx(joints.follow(values)[2][0], abs=1e-14)
