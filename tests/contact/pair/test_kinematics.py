"""Jacobian, bias and frames of every pair of shapes, against differences of the gap itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dyverse.contact.pair.kinematics import Pair
from dyverse.contact.pair.sphere_half_space import SPHERE_HALF_SPACE
from dyverse.contact.pair.sphere_sphere import SPHERE_SPHERE
from dyverse.expr.buffered import Buffered

Array = NDArray[np.float64]
SHAPES: dict[str, tuple[Pair, Array]] = {
    "sphere_sphere": (SPHERE_SPHERE, np.array([0.5, 0.3])),
    "sphere_half_space": (SPHERE_HALF_SPACE, np.array([0.4, 0.48, 0.6, 0.64])),
}
numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
states = st.lists(numbers, min_size=18, max_size=18).map(np.array)
pairs = pytest.mark.parametrize("name", SHAPES)


def evaluate(name: str, bodies: Array) -> list[Array]:
    pair, shapes = SHAPES[name]
    return [result.copy() for result in Buffered(pair.rows)(bodies, shapes)]


def separated(bodies: Array) -> Array:
    """The same, with the second body well away from the first."""
    moved = bodies.copy()
    moved[9:12] += [0, -5, 1]
    return moved


def moved(bodies: Array, time: float) -> Array:
    """Both bodies carried along by their velocities."""
    after = bodies.copy()
    after[0:3] += time * bodies[3:6]
    after[9:12] += time * bodies[12:15]
    return after


@pairs
@settings(max_examples=30, deadline=None)
@given(bodies=states)
def test_normal_speed_is_the_rate_of_the_gap(name: str, bodies: Array) -> None:
    """[navarro2018] Eq. (5)"""
    bodies = separated(bodies)
    bodies[12:18] *= name == "sphere_sphere"  # a half-space is fixed
    h = 1e-6
    ahead, behind = (evaluate(name, moved(bodies, s))[0][0] for s in (h, -h))
    assert evaluate(name, bodies)[1][0] == pytest.approx((ahead - behind) / (2 * h), abs=1e-7)


@pairs
@settings(max_examples=30, deadline=None)
@given(bodies=states)
def test_bias_is_the_rate_of_the_contact_velocity_at_constant_speeds(
    name: str, bodies: Array
) -> None:
    """[navarro2018] Eqs. (6), (11): γ̇ = J q̈ + bias."""
    bodies = separated(bodies)
    bodies[12:18] *= name == "sphere_sphere"
    h = 1e-6
    ahead, behind = (evaluate(name, moved(bodies, s))[1] for s in (h, -h))
    assert evaluate(name, bodies)[2] == pytest.approx((ahead - behind) / (2 * h), abs=1e-5)


@pairs
@settings(max_examples=30, deadline=None)
@given(bodies=states)
def test_the_jacobian_gives_the_contact_velocity(name: str, bodies: Array) -> None:
    bodies = separated(bodies)
    _, speed, _, jacobian, frame = evaluate(name, bodies)
    velocities = np.concatenate([bodies[3:9], bodies[12:18]])
    assert jacobian.reshape(3, 12) @ velocities == pytest.approx(speed, abs=1e-12)
    columns = frame.reshape(3, 3)  # rows of the flat array are the columns of the frame
    assert columns @ columns.T == pytest.approx(np.eye(3), abs=1e-12)


def test_slip_of_two_spheres_is_that_of_their_contact_points() -> None:
    """[navarro2018] Eq. (10), worked out by hand: b spins about z, a is at rest."""
    bodies = np.zeros(18)
    bodies[9:12] = [1.0, 0.0, 0.0]
    bodies[15:18] = [0.0, 0.0, 2.0]
    _, speed, bias, _, _ = evaluate("sphere_sphere", bodies)
    assert abs(speed[0]) <= 1e-15
    assert np.hypot(speed[1], speed[2]) == pytest.approx(2.0 * 0.3)
    assert bias == pytest.approx([0, 0, 0])


def test_the_gap_of_circling_spheres_accelerates_outward() -> None:
    """w_aN = ‖v_⊥‖²/‖r_b - r_a‖, [navarro2018] Eq. (6)."""
    bodies = np.zeros(18)
    bodies[9:12], bodies[12:15] = [2.0, 0.0, 0.0], [0.0, 3.0, 0.0]
    assert evaluate("sphere_sphere", bodies)[2][0] == pytest.approx(9 / 2)
