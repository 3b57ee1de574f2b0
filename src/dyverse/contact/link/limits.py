"""The ends of what a joint leaves free: an angle or a length between two limits.

The first shape gives the joint's axis in its own axes and both limits about their middle; angles
are measured from there, so that they have no jump as long as limits are less than a turn apart.
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def _turned(shape: SX) -> SX:
    """The rotation matrix behind the numbers of a shape."""
    return ca.reshape(shape[-9:], 3, 3)


def _angle(side: int) -> Callable[[SX, SX, SX, SX], Touch]:
    def touch(r_a: SX, r_b: SX, first: SX, second: SX) -> Touch:
        """``g = half ± δ``, with δ = atan2(n·axial(R), (tr R - 1)/2) of the turn R of b in a."""
        turn = _turned(first).T @ _turned(second)
        twist = ca.vertcat(
            turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
        )
        angle = ca.atan2(ca.dot(first[:3], twist) / 2, (ca.trace(turn) - 1) / 2)
        normal, none = side * _turned(first) @ first[:3], ca.SX.zeros(3)
        return Touch(first[3] + side * angle, normal, none, none, couple=True)

    return touch


def _length(side: int) -> Callable[[SX, SX, SX, SX], Touch]:
    def touch(r_a: SX, r_b: SX, first: SX, second: SX) -> Touch:
        """``g = half ± (n·(r_b - r_a) - middle)``; it pushes where b is held."""
        axis, apart = _turned(first) @ first[:3], r_b - r_a
        gap = first[3] + side * (ca.dot(axis, apart) - first[4])
        return Touch(gap, side * axis, apart, ca.SX.zeros(3))

    return touch


ANGLE_LISTED = (
    "gap[α,β] is how far the angle of the joint is from its limit",
    "normal[α,β] = the axis of the joint; forces are torques about it",
    "arm[A,α,β] = (0, 0, 0)",
)
LENGTH_LISTED = (
    "gap[α,β] is how far the length of the joint is from its limit",
    "normal[α,β] = the axis of the joint",
    "arm[A,α,β] = end[B] - position[A]",
)
LIMITS = {  # by what is limited, lower and upper
    "angle": (
        Pair("lowest_angle", _angle(1), (4, 0), ANGLE_LISTED),
        Pair("highest_angle", _angle(-1), (4, 0), ANGLE_LISTED),
    ),
    "length": (
        Pair("lowest_length", _length(1), (5, 0), LENGTH_LISTED),
        Pair("highest_length", _length(-1), (5, 0), LENGTH_LISTED),
    ),
}
