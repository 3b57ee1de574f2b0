"""What resists turning: its speeds are those of the bodies against each other, and its bias too."""

import numpy as np
import pytest
from hypothesis import given, settings
from tests.contact.pair.test_held import PAIRS, STEP, Array, bodies, later, separated

from dyverse.contact.pair.kinematics import Resistance
from dyverse.contact.pair.resistance import resisting
from dyverse.expr.buffered import Buffered

NAMES = ("spheres", "sphere and half-space", "ellipsoid and sphere")


@pytest.mark.parametrize("resistance", Resistance)
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10, deadline=None)
@given(drawn=bodies)
def test_it_turns_bodies_and_pushes_none(name: str, resistance: Resistance, drawn: Array) -> None:
    pair, shapes = PAIRS[name]
    own, base = Buffered(resisting(pair, resistance).rows), Buffered(pair.rows)

    def at(time: float, function: Buffered) -> list[Array]:
        return [part.copy() for part in function(later(start, time), np.array(shapes))]

    start = separated(drawn, name)
    gap, speed, bias, transposed, frame = at(0.0, own)
    other_gap, other_speed, _, _, other = at(0.0, base)
    before, after = at(-STEP, own)[1], at(STEP, own)[1]
    normal, first, second = other.reshape(3, 3)
    twist, J = start[19:22] - start[6:9], transposed.reshape(3, 12)
    turns = (first, second) if resistance is Resistance.ROLLING else (normal, 0 * normal)
    assert gap == pytest.approx(other_gap)
    assert speed == pytest.approx([other_speed[0], *(way @ twist for way in turns)])
    assert bias[0] == 0
    assert bias[1:] == pytest.approx((after - before)[1:] / (2 * STEP), rel=1e-5, abs=1e-5)
    assert not J[0].any()
    assert J[:, [0, 1, 2, 6, 7, 8]] == pytest.approx(np.zeros((3, 6)))
    assert J[1:] @ np.concatenate([start[3:9], start[16:22]]) == pytest.approx(speed[1:])
    assert frame.reshape(3, 3)[1] == pytest.approx(turns[0])
    assert frame.reshape(3, 3) @ frame.reshape(3, 3).T == pytest.approx(np.eye(3), abs=1e-12)
