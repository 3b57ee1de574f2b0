"""A box and a sphere."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def touch(r_a: SX, r_b: SX, box: SX, radius: SX) -> Touch:
    """``g = ‖r_b - c‖ - ρ`` with c the point of the box nearest to the ball's centre.

    It is on a face, an edge or a corner; where it changes over the gap stays differentiable, and
    its curvature jumps. The centre of the ball must be outside the box.
    """
    half, turned = box[:3], ca.reshape(box[3:], 3, 3)
    own = turned.T @ (r_b - r_a)
    nearest = turned @ ca.fmin(ca.fmax(own, -half), half)
    apart = r_b - r_a - nearest
    distance = ca.norm_2(apart)
    normal = apart / distance
    return Touch(distance - radius, normal, nearest, -radius * normal)


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
