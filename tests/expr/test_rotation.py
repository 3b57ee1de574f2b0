"""Quaternions against SciPy's rotations, and against differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from dyverse.expr import rotation
from dyverse.expr.value import NUMBERS

angle = st.floats(-7, 7)
angles = st.tuples(angle, angle, angle)


def scipy(q: rotation.Quaternion) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


@given(angles)
def test_angles_turn_about_x_then_y_then_z_of_the_world(abc: tuple[float, ...]) -> None:
    q = rotation.from_angles(abc, NUMBERS)
    expected = Rotation.from_euler("xyz", abc).as_matrix()  # lower case: extrinsic
    assert np.array(rotation.matrix(q)) == pytest.approx(expected, abs=1e-12)


@given(angles, angles)
def test_a_product_turns_by_one_after_the_other(a: tuple[float, ...], b: tuple[float, ...]) -> None:
    p, q = rotation.from_angles(a, NUMBERS), rotation.from_angles(b, NUMBERS)
    whole = np.array(rotation.matrix(rotation.product(p, q)), dtype=float)
    assert whole == pytest.approx((scipy(p) * scipy(q)).as_matrix(), abs=1e-12)


@given(angles, angles)
def test_the_rate_is_that_of_a_body_with_that_spin(
    a: tuple[float, ...], spin: tuple[float, float, float]
) -> None:
    q, h = rotation.from_angles(a, NUMBERS), 1e-6
    later = (scipy(q) * Rotation.from_rotvec(h * np.array(spin))).as_quat(scalar_first=True)
    later = later if later @ q > 0 else -later
    rate = (later - np.array(q)) / h
    assert np.array(rotation.quaternion_rate(q, spin)) == pytest.approx(rate, abs=1e-4)


@given(angles, st.tuples(angle, angle, angle))
def test_turning_back_is_the_transpose(a: tuple[float, ...], v: tuple[float, ...]) -> None:
    turn = rotation.matrix(rotation.from_angles(a, NUMBERS))
    there = rotation.times(turn, v)
    assert rotation.times(rotation.transposed(turn), there) == pytest.approx(v, abs=1e-12)
    assert rotation.cross(there, v) == pytest.approx(np.cross(there, v), abs=1e-12)


@given(st.integers(0, 999))
def test_the_inverse_of_a_symmetric_matrix(seed: int) -> None:
    part = np.random.default_rng(seed).normal(size=(3, 3))
    whole = part @ part.T + np.eye(3)
    rows = tuple(map(tuple, whole.tolist()))
    assert np.array(rotation.inverse(rows)) == pytest.approx(np.linalg.inv(whole))  # type: ignore[arg-type]
