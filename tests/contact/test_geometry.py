"""What geometry excludes, and that it never excludes what can be built."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dyverse.contact.geometry import Ball, Geometry, Plane, Solid, realisable

FLOOR = Plane((0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
LEFT = Plane((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0))


def right(distance: float, *, certain: bool = True) -> Plane:
    return Plane((-1.0, 0.0, 0.0), (distance - 1, 0.0, 0.0), certain)


def all_touch(*solids: Solid) -> bool:
    """Whether solids that touch pairwise (half-spaces among themselves excepted) are accepted."""
    named = tuple((f"s{i}", solid) for i, solid in enumerate(solids))
    contacts = tuple(
        f"{a}-{b}"
        for (a, one), (b, other) in combinations(named, 2)
        if not (isinstance(one, Plane) and isinstance(other, Plane))
    )
    return realisable(Geometry(named), contacts, contacts)


def test_five_balls_touch_only_with_the_right_radii() -> None:
    inner = sqrt(6) / 2 - 1  # the ball in the middle of four unit balls
    assert all_touch(*[Ball(1.0)] * 4, Ball(inner))
    assert not all_touch(*[Ball(1.0)] * 4, Ball(inner * 1.001))
    assert not all_touch(*[Ball(1.0)] * 5)


def test_a_ball_too_small_for_the_hole_cannot_touch_three() -> None:
    hole = 2 / sqrt(3) - 1
    assert all_touch(*[Ball(1.0)] * 3, Ball(hole * 1.001))
    assert not all_touch(*[Ball(1.0)] * 3, Ball(hole * 0.99))


def test_balls_on_a_floor() -> None:
    assert all_touch(*[Ball(1.0)] * 3, FLOOR)
    assert not all_touch(*[Ball(1.0)] * 4, FLOOR)
    assert all_touch(*[Ball(1.0)] * 3, Ball(1 / 3), FLOOR)


def test_balls_along_an_edge_of_two_walls() -> None:
    assert all_touch(*[Ball(1.0)] * 2, FLOOR, LEFT)
    assert not all_touch(*[Ball(1.0)] * 3, FLOOR, LEFT)


def test_a_ball_between_parallel_walls() -> None:
    assert all_touch(Ball(1.0), LEFT, right(2.0))
    assert not all_touch(Ball(1.0), LEFT, right(3.0))
    assert all_touch(Ball(1.0), LEFT, right(3.0, certain=False))
    assert all_touch(Ball(1.0, certain=False), LEFT, right(3.0))


def test_a_wall_that_others_hide_is_never_touched() -> None:
    below = Plane((0.0, 1.0, 0.0), (0.0, -5.0, 0.0))
    geometry = Geometry((("ball", Ball(1.0)), ("floor", FLOOR), ("cellar", below)))
    contacts = ("ball-floor", "ball-cellar")
    assert realisable(geometry, contacts, ("ball-floor",))
    assert not realisable(geometry, contacts, ("ball-cellar",))
    assert realisable(geometry, ("ball-cellar",), ("ball-cellar",))


@pytest.mark.parametrize(("balls", "planes", "fits"), [(5, 0, True), (6, 0, False), (5, 1, False)])
def test_crowds_need_no_radius(balls: int, planes: int, fits: bool) -> None:
    unknown = [Ball(1.0, certain=False)] * balls
    assert all_touch(*unknown, *[Plane(FLOOR.normal, FLOOR.point, certain=False)] * planes) == fits


def test_bodies_without_known_shape_exclude_nothing() -> None:
    assert realisable(Geometry(), ("a-b",), ("a-b",))
    assert realisable(Geometry((("a", Ball(1.0)),)), ("a-b",), ("a-b",))


coordinate = st.floats(-3, 3)


@given(x=coordinate, y=coordinate, z=st.floats(-0.9, 0.9))
def test_five_balls_that_do_touch_are_accepted(x: float, y: float, z: float) -> None:
    """Invert two planes and three equal balls between them: five balls that touch pairwise."""
    angles = (0.0, 2 * np.pi / 3, 4 * np.pi / 3)
    centres = [2 / sqrt(3) * np.array([np.cos(a), np.sin(a), 0.0]) for a in angles]
    powers = [float((c - (x, y, z)) @ (c - (x, y, z))) - 1 for c in centres]
    assume(min(powers) > 0.05)
    radii = [1 / power for power in powers] + [1 / (2 * (1 - z)), 1 / (2 * (1 + z))]
    assert all_touch(*map(Ball, radii))
    smallest = radii.index(min(radii))  # of a large one, the others hardly notice the size
    radii[smallest] *= 1.05
    assert not all_touch(*map(Ball, radii))


@given(st.lists(st.floats(0.1, 10), min_size=3, max_size=3), st.permutations(range(3)))
def test_three_balls_can_always_touch_in_any_order(radii: list[float], order: list[int]) -> None:
    assert all_touch(*(Ball(radii[i]) for i in order))
