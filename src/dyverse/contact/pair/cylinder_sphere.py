"""A cylinder, perhaps one with round edges, and a sphere."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def touch(r_a: SX, r_b: SX, cylinder: SX, radius: SX) -> Touch:
    """``g = ‖r_b - c‖ - ρ_a - ρ_b`` with c the point of the cylinder nearest to the ball's centre.

    It is on the side, on an end or on an edge; where it changes over the gap stays differentiable,
    and its curvature jumps. If the centre is inside, as that of a point that touches may be by
    rounding, c is on the side or the end that is nearest, and ‖r_b - c‖ counts as negative.
    """
    wide, half, rounding = ca.vertsplit(cylinder[:3])
    turned = ca.reshape(cylinder[3:], 3, 3)
    own = turned.T @ (r_b - r_a)
    square = ca.sumsqr(own[:2])
    across = ca.sqrt(ca.if_else(square > 0, square, 1.0))  # whose derivatives are finite
    is_wide, out = square > wide**2, ca.vertcat(own[:2] / across, 0)
    level = ca.fmin(ca.fmax(own[2], -half), half)
    nearest = ca.vertcat(ca.if_else(is_wide, wide / across, 1.0) * own[:2], level)
    apart_square = ca.sumsqr(own - nearest)
    is_outside = apart_square > 0
    distance = ca.sqrt(ca.if_else(is_outside, apart_square, 1.0))
    side, end = across - wide, ca.fabs(own[2]) - half
    is_side = ca.logic_and(side > end, square > 0)
    up = ca.vertcat(0, 0, ca.if_else(own[2] < 0, -1.0, 1.0))
    apart = ca.if_else(is_outside, distance, ca.if_else(is_side, side, end))
    inside = ca.if_else(is_side, out, up)
    away = ca.if_else(is_outside, (own - nearest) / distance, inside)
    normal = turned @ away
    arm = turned @ (own - (apart - rounding) * away)
    return Touch(apart - rounding - radius, normal, arm, -radius * normal)


LISTED = (
    "gap[α,β] = norm(position[B] - nearest[A,α,β]) - rounding[A] - radius[B]",
    "normal[α,β] = unit(position[B] - nearest[A,α,β])",
    "arm[A,α,β] = nearest[A,α,β] - position[A] + rounding[A] * normal[α,β]",
    "nearest[A,α,β] = position[A]"
    " + max(-length[A] / 2, min(length[A] / 2, along[A,α,β])) * axis_z[A]"
    " + radius[A] / max(radius[A], norm(across[A,α,β])) * across[A,α,β]",
    "across[A,α,β] = position[B] - position[A] - along[A,α,β] * axis_z[A]",
    "along[A,α,β] = dot(axis_z[A], position[B] - position[A])",
)
CYLINDER_SPHERE = Pair("cylinder_sphere", touch, (3, 1), LISTED)
