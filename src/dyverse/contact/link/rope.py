"""Two points that a rope lets come near, but not further apart than its length."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def touch(r_a: SX, r_b: SX, _: SX, length: SX) -> Touch:
    """``g = l - ‖r_b - r_a‖``; where it is taut, it pulls: the normal points from b to a."""
    apart = r_b - r_a
    distance = ca.norm_2(apart)
    return Touch(length - distance, -apart / distance, ca.SX.zeros(3), ca.SX.zeros(3))


LISTED = (
    "gap[α,β] = length[A,B] - norm(end[B] - end[A])",
    "normal[α,β] = -unit(end[B] - end[A])",
    "arm[A,α,β] = end[A] - position[A]",
)
ROPE = Pair("rope", touch, (0, 1), LISTED)
