"""A box and a sphere."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def touch(r_a: SX, r_b: SX, box: SX, radius: SX) -> Touch:
    """``g = ‖r_b - c‖ - ρ_a - ρ_b`` with c the point of the box nearest to the ball's centre.

    ρ_a is what its edges are rounded with, and the box itself is smaller by that.

    It is on a face, an edge or a corner; where it changes over the gap stays differentiable, and
    its curvature jumps. If the centre is inside, as that of a point that touches may be by
    rounding, c is on the nearest face, and ‖r_b - c‖ counts as negative.
    """
    half, rounding, turned = box[:3], box[3], ca.reshape(box[4:], 3, 3)
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
    arm = turned @ (own - (apart - rounding) * away)
    return Touch(apart - rounding - radius, normal, arm, -radius * normal)


def _largest(numbers: SX) -> SX:
    """One for the first that is the largest, zero for the others."""
    x, y, z = (numbers[i] for i in range(3))
    first, second = ca.logic_and(x >= y, x >= z), y >= z
    return ca.vertcat(
        ca.if_else(first, 1.0, 0.0),
        ca.if_else(first, 0.0, ca.if_else(second, 1.0, 0.0)),
        ca.if_else(first, 0.0, ca.if_else(second, 0.0, 1.0)),
    )


def _listed(half: str, rounding: str) -> tuple[str, ...]:
    """What is said of a box whose half edges are so, and whose edges are rounded with so much."""
    nearest = " + ".join(
        f"max(-({half.format(unit)}), min({half.format(unit)},"
        f" dot(axis_{axis}[A], position[B] - position[A]))) * axis_{axis}[A]"
        for axis, unit in (("x", "(1, 0, 0)"), ("y", "(0, 1, 0)"), ("z", "(0, 0, 1)"))
    )
    added = f" + {rounding} * normal[α,β]" if rounding else ""
    return (
        "gap[α,β] = norm(position[B] - nearest[A,α,β]) - radius[B]"
        + (f" - {rounding}" if rounding else ""),
        "normal[α,β] = unit(position[B] - nearest[A,α,β])",
        f"arm[A,α,β] = nearest[A,α,β] - position[A]{added}",
        f"nearest[A,α,β] = position[A] + {nearest}",
    )


SHARP = _listed("dot(size[A], {}) / 2", "")
ROUNDED = _listed("dot(size[A], {}) / 2 - rounding[A]", "rounding[A]")
BOX_SPHERE = Pair("box_sphere", touch, (4, 1), SHARP)
BLOCK_SPHERE = Pair("block_sphere", touch, (4, 1), ROUNDED)  # with edges that are round
