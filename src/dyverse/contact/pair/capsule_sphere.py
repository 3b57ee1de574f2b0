"""A capsule and a sphere."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def touch(r_a: SX, r_b: SX, capsule: SX, radius: SX) -> Touch:
    """``g = ‖r_b - c‖ - ρ_a - ρ_b`` with c the point of the capsule's line nearest to the ball.

    Where the nearest point reaches an end of the line the gap stays differentiable, and its
    curvature jumps.
    """
    half, axis = capsule[1], capsule[-3:]  # the last column of its rotation is its own z
    along = ca.fmin(ca.fmax(ca.dot(axis, r_b - r_a), -half), half) * axis
    apart = r_b - r_a - along
    distance = ca.norm_2(apart)
    normal = apart / distance
    gap = distance - capsule[0] - radius
    return Touch(gap, normal, along + capsule[0] * normal, -radius * normal)


LISTED = (
    "gap[α,β] = norm(position[B] - nearest[A,α,β]) - radius[A] - radius[B]",
    "normal[α,β] = unit(position[B] - nearest[A,α,β])",
    "arm[A,α,β] = nearest[A,α,β] - position[A] + radius[A] * normal[α,β]",
    "nearest[A,α,β] = position[A] + max(-length[A] / 2, min(length[A] / 2,"
    " dot(axis_z[A], position[B] - position[A]))) * axis_z[A]",
)
CAPSULE_SPHERE = Pair("capsule_sphere", touch, (2, 1), LISTED)
