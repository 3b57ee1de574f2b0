"""How bodies lie: quaternions that follow the spin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.animation.playable import Playable
from dyverse.animation.recording.turning import Lying, product, rotation, turned, upright
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options
from tests.animation.plays import shown

REFERENCE = Options(solver="reference")
TURNS = st.tuples(*[st.floats(-3, 3)] * 3)


def test_a_steady_spin_turns_by_its_rate_times_the_time() -> None:
    times = np.array([0.0, 0.1, 0.7, 2.0])
    spins = np.tile([[[0.0, 0.0, math.pi / 4]]], (4, 1, 1))
    (found,) = turned(upright(1), times, spins)
    assert found == pytest.approx([math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4)])


def test_a_spin_that_grows_evenly_turns_by_its_mean() -> None:
    times = np.linspace(0.0, 2.0, 5)
    spins = np.zeros((5, 1, 3))
    spins[:, 0, 1] = times  # rad/s
    (found,) = turned(upright(1), times, spins)
    assert found == pytest.approx([math.cos(1), 0, math.sin(1), 0])


@given(first=TURNS, second=TURNS)
def test_one_turn_after_the_other_is_their_product(
    first: tuple[float, ...], second: tuple[float, ...]
) -> None:
    times = np.array([0.0, 1.0])
    after = turned(upright(1), times, np.tile(np.array([[first]]), (2, 1, 1)))
    found = turned(after, times, np.tile(np.array([[second]]), (2, 1, 1)))
    both = product(rotation(np.array([second])), rotation(np.array([first])))
    np.testing.assert_allclose(found, both, atol=1e-12)
    assert np.linalg.norm(found) == pytest.approx(1)


def test_where_nothing_spins_nothing_turns() -> None:
    lying = rotation(np.array([[0.3, 0.1, 0.0]]))
    assert turned(lying, np.array([0.0, 5.0]), np.zeros((2, 1, 3))) is lying


def test_poses_are_those_of_the_bodies_in_their_order() -> None:
    parts = ("x", "y", "z", "rx", "ry", "rz", "wx", "wy", "wz")
    names = [f"{body}.{part}" for part in parts for body in ("a", "b")]
    values = np.arange(float(len(names)))
    values[6:12] = 0.0
    seen = Lying(names, ("b", "a"))
    poses = seen.poses(seen.start(values), values)
    assert poses.tolist() == [[1, 3, 5, 1, 0, 0, 0], [0, 2, 4, 1, 0, 0, 0]]


def test_a_body_that_has_an_orientation_lies_as_its_state_says() -> None:
    """About a principal axis it turns at a constant rate: by ω t."""
    text = """
    body top { sphere radius 0.1  mass 1  inertia (1, 2, 3)  spin (0, 0, 2) }
    body ball { sphere radius 0.1  mass 1  position (1, 0, 0)  spin (0, 0, 2) }
    """
    show, _ = shown(Playable(name="top", model=parse_model(text), text=text), REFERENCE)
    show.step(60)
    (x, y, z, *top), (*_, w, _, _, qz) = show.poses().tolist()
    assert (x, y, z) == (0, 0, 0)
    assert top == pytest.approx([math.cos(1), 0, 0, math.sin(1)], abs=1e-8)
    assert (w, qz) == pytest.approx((math.cos(1), math.sin(1)), abs=1e-8)
    assert {"top.wz", "top.qw", "ball.rz"} <= set(show.names)
    assert "top.rz" not in show.names
