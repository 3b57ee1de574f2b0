"""The point of an ellipsoid nearest to a ball: on its surface, along the normal, and no other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.contact.pair.ellipsoid_sphere import ELLIPSOID_SPHERE
from dyverse.contact.pair.kinematics import Hold
from dyverse.expr.buffered import Buffered

STRAIGHT = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
rows = Buffered(ELLIPSOID_SPHERE.held(Hold.TURNED, Hold.CENTRED).rows)
axes = st.tuples(*[st.floats(0.05, 1).map(lambda x: round(x, 3))] * 3).map(np.array)
ways = st.tuples(*[st.floats(-1, 1).map(lambda x: round(x, 3))] * 3).map(np.array)


@settings(max_examples=60, deadline=None)
@given(half=axes, way=ways.filter(lambda x: bool(np.abs(x).max() > 0.1)), far=st.floats(-1e-4, 3))
def test_a_ball_on_the_normal_of_a_point_is_nearest_to_it(
    half: np.ndarray, way: np.ndarray, far: float
) -> None:
    """The point is x, its normal n along x_i / a_i²; a ball about x + s n touches at s - ρ."""
    point = way / np.linalg.norm(way / half)
    normal = point / half**2 / np.linalg.norm(point / half**2)
    far *= min(1.0, float(half.min() ** 2 / half.max())) if far < 0 else 1.0  # not beyond its foci
    centre = point + far * normal
    bodies = np.zeros(26)
    bodies[9] = bodies[22] = 1.0
    bodies[13:16] = centre
    gap, _, _, _, frame = rows(bodies, np.array([*half, *STRAIGHT, 0.02]))
    assert gap[0] == pytest.approx(far - 0.02, abs=1e-10)
    assert frame[:3] == pytest.approx(normal, abs=1e-8)
