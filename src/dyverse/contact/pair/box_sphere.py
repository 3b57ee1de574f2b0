"""A box and a sphere."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def touch(r_a: SX, r_b: SX, box: SX, radius: SX) -> Touch:
    """``g = ‖r_b - c‖ - ρ`` with c the point of the box nearest to the ball's centre.

    It is on a face, an edge or a corner; where it changes over the gap stays differentiable, and
    its curvature jumps. If the centre is inside, as that of a point that touches may be by
    rounding, c is on the nearest face, and ‖r_b - c‖ counts as negative.
    """
    half, turned = box[:3], ca.reshape(box[3:], 3, 3)
    own = turned.T @ (r_b - r_a)
    clamped = ca.fmin(ca.fmax(own, -half), half)
    square = ca.sumsqr(own - clamped)
    is_outside = square > 0
    distance = ca.sqrt(ca.if_else(is_outside, square, 1.0))  # whose derivatives are finite
    depths = ca.fabs(own) - half
    face = _largest(depths) * ca.if_else(own < 0, -1.0, 1.0)
    deep = ca.mmax(depths)
    apart = ca.if_else(is_outside, distance, deep)
    away = ca.if_else(is_outside, (own - clamped) / distance, face)
    normal = turned @ away
    return Touch(apart - radius, normal, turned @ (own - apart * away), -radius * normal)


def _largest(numbers: SX) -> SX:
    """One for the first that is the largest, zero for the others."""
    x, y, z = (numbers[i] for i in range(3))
    first, second = ca.logic_and(x >= y, x >= z), y >= z
    return ca.vertcat(
        ca.if_else(first, 1.0, 0.0),
        ca.if_else(first, 0.0, ca.if_else(second, 1.0, 0.0)),
        ca.if_else(first, 0.0, ca.if_else(second, 0.0, 1.0)),
    )


_NEAREST = " + ".join(
    f"max(-dot(size[A], {unit}) / 2, min(dot(size[A], {unit}) / 2,"
    f" dot(axis_{axis}[A], position[B] - position[A]))) * axis_{axis}[A]"
    for axis, unit in (("x", "(1, 0, 0)"), ("y", "(0, 1, 0)"), ("z", "(0, 0, 1)"))
)
LISTED = (
    "gap[α,β] = norm(position[B] - nearest[A,α,β]) - radius[B]",
    "normal[α,β] = unit(position[B] - nearest[A,α,β])",
    "arm[A,α,β] = nearest[A,α,β] - position[A]",
    f"nearest[A,α,β] = position[A] + {_NEAREST}",
)
BOX_SPHERE = Pair("box_sphere", touch, (3, 1), LISTED)
