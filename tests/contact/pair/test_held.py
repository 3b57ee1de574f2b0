"""Shapes off the middle of their bodies, which turn with them: speeds and bias by differences."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dyverse.bodies.shape.hull import convex_hull
from dyverse.contact.pair.box_sphere import BOX_SPHERE
from dyverse.contact.pair.capsule_sphere import CAPSULE_SPHERE
from dyverse.contact.pair.cylinder_sphere import CYLINDER_SPHERE
from dyverse.contact.pair.ellipsoid_capsule import ELLIPSOID_CAPSULE
from dyverse.contact.pair.ellipsoid_half_space import ELLIPSOID_HALF_SPACE
from dyverse.contact.pair.ellipsoid_sphere import ELLIPSOID_SPHERE
from dyverse.contact.pair.ellipsoids import ELLIPSOIDS
from dyverse.contact.pair.kinematics import TURNED_BODY, UNTURNED, Hold, Pair
from dyverse.contact.pair.lines import LINES
from dyverse.contact.pair.polyhedron_sphere import polyhedron_sphere
from dyverse.contact.pair.rim_half_space import RIM_HALF_SPACE
from dyverse.contact.pair.sphere_half_space import SPHERE_HALF_SPACE
from dyverse.contact.pair.sphere_sphere import SPHERE_SPHERE
from dyverse.expr.buffered import Buffered
from dyverse.expr.rotation import product

Array = NDArray[np.float64]
STEP = 1e-5  # s
FLOOR = (0.48, 0.6, 0.64)
TENT = convex_hull(((-0.2, -0.1, -0.15), (0.25, -0.1, -0.1), (0.0, -0.1, 0.25), (0.02, 0.2, 0.0)))
assert TENT is not None
PAIRS: dict[str, tuple[Pair, list[float]]] = {
    "spheres": (
        SPHERE_SPHERE.held(Hold.PLACED, Hold.PLACED),
        [0.5, 0.1, -0.2, 0.3, 0.3, 0.2, 0.1, -0.1],
    ),
    "sphere and half-space": (
        SPHERE_HALF_SPACE.held(Hold.PLACED, Hold.CENTRED),
        [0.4, 0.3, -0.1, 0.2, *FLOOR],
    ),
    "capsule and sphere": (
        CAPSULE_SPHERE.held(Hold.TURNED, Hold.PLACED),
        [0.4, 0.6, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.3, 0.1, 0.2, 0.3],
    ),
    "box and sphere": (
        BOX_SPHERE.held(Hold.TURNED, Hold.CENTRED),
        [0.4, 0.3, 0.2, 0.05, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.3],
    ),
    "ellipsoid and sphere": (
        ELLIPSOID_SPHERE.held(Hold.TURNED, Hold.PLACED),
        [0.4, 0.3, 0.2, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.3, 0.1, 0.2, 0.3],
    ),
    "cylinder and sphere": (
        CYLINDER_SPHERE.held(Hold.TURNED, Hold.PLACED),
        [0.4, 0.6, 0.05, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.3, 0.1, 0.2, 0.3],
    ),
    "polyhedron and sphere": (
        polyhedron_sphere(TENT.facets).held(Hold.TURNED, Hold.PLACED),
        [0.05, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.3, 0.1, 0.2, 0.3],
    ),
    "ellipsoids": (
        ELLIPSOIDS.held(Hold.TURNED, Hold.TURNED),
        [
            0.4,
            0.3,
            0.2,
            0.1,
            -0.1,
            0.2,
            0.5,
            0.5,
            -0.5,
            0.5,
            0.1,
            0.3,
            0.5,
            0.2,
            0.1,
            0.3,
            1,
            0,
            0,
            0,
        ],
    ),
    "ellipsoid and the side of a capsule": (
        ELLIPSOID_CAPSULE.held(Hold.TURNED, Hold.TURNED),
        [0.4, 0.3, 0.2, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.1, 99, 0.2, 0.1, 0.3, 1, 0, 0, 0],
    ),
    "ellipsoid and the end of a capsule": (
        ELLIPSOID_CAPSULE.held(Hold.TURNED, Hold.TURNED),
        [0.4, 0.3, 0.2, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.1, 0.01, 0.2, 0.1, 0.3, 1, 0, 0, 0],
    ),
    "lines": (
        LINES.held(Hold.TURNED, Hold.TURNED),
        [0.2, 9, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, 0.3, 9, 0.2, 0.3, 0.1, 1, 0, 0, 0],
    ),
    "rim and half-space": (
        RIM_HALF_SPACE.held(Hold.TURNED, Hold.CENTRED),
        [0.4, 0.05, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, *FLOOR],
    ),
    "ellipsoid and half-space": (
        ELLIPSOID_HALF_SPACE.held(Hold.TURNED, Hold.CENTRED),
        [0.4, 0.3, 0.2, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, *FLOOR],
    ),
    "sphere and ramp": (
        SPHERE_HALF_SPACE.held(Hold.PLACED, Hold.TURNED),
        [0.4, 0.3, -0.1, 0.2, *FLOOR, *UNTURNED],
    ),
    "ellipsoid and ramp": (
        ELLIPSOID_HALF_SPACE.held(Hold.TURNED, Hold.TURNED),
        [0.4, 0.3, 0.2, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, *FLOOR, *UNTURNED],
    ),
    "rim and ramp": (
        RIM_HALF_SPACE.held(Hold.TURNED, Hold.TURNED),
        [0.4, 0.05, 0.1, -0.1, 0.2, 0.5, 0.5, -0.5, 0.5, *FLOOR, *UNTURNED],
    ),
}
numbers = st.floats(-2, 2).map(lambda x: round(x, 3))
bodies = st.lists(numbers, min_size=26, max_size=26).map(np.array)


def separated(numbers: Array, name: str) -> Array:
    """Two bodies well apart, at unit quaternions; a half-space stands still."""
    moved = numbers.copy()
    moved[TURNED_BODY : TURNED_BODY + 3] += [0, -9, 1]
    for first in (9, 22):
        moved[first] += 3
        moved[first : first + 4] /= np.linalg.norm(moved[first : first + 4])
    if "half-space" in name:
        moved[16:22] = 0
    return moved


def later(numbers: Array, time: float) -> Array:
    """Both bodies carried along by their velocities, and turned by their spins."""
    after = numbers.copy()
    for body in (after[:TURNED_BODY], after[TURNED_BODY:]):
        body[:3] += time * body[3:6]
        speed = float(np.linalg.norm(body[6:9])) or 1.0
        turn = (math.cos(speed * time / 2), *(math.sin(speed * time / 2) / speed * body[6:9]))
        body[9:] = product(turn, body[9:].tolist())
    return after


@pytest.mark.parametrize("name", PAIRS)
@settings(max_examples=20, deadline=None)
@given(drawn=bodies)
def test_speeds_and_bias_are_rates(name: str, drawn: Array) -> None:
    pair, shapes = PAIRS[name]
    rows, approach = Buffered(pair.rows), Buffered(pair.approach)

    def at(time: float) -> list[Array]:
        return [part.copy() for part in rows(later(start, time), np.array(shapes))]

    start = separated(drawn, name)
    gap, speed, bias, transposed, frame = at(0.0)
    before, after = at(-STEP), at(STEP)
    assert speed[0] == pytest.approx((after[0] - before[0])[0] / (2 * STEP), abs=1e-6)
    assert bias == pytest.approx((after[1] - before[1]) / (2 * STEP), rel=1e-5, abs=1e-5)
    both = np.concatenate([start[3:9], start[16:22]])
    assert speed == pytest.approx(transposed.reshape(3, 12) @ both)
    assert frame.reshape(3, 3) @ frame.reshape(3, 3).T == pytest.approx(np.eye(3), abs=1e-12)
    assert [part[0] for part in approach(start, np.array(shapes))] == pytest.approx(
        [gap[0], speed[0]]
    )
