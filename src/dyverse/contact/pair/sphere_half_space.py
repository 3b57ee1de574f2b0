"""A sphere and a half-space."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch, facing


def touch(r_a: SX, r_b: SX, radius: SX, plane: SX) -> Touch:
    """``g = N·(r_a - r_b) - ρ`` with the plane's outward unit normal N; n points into the solid."""
    outward = facing(plane)
    height = ca.dot(outward, r_a - r_b)
    foot = r_a - height * outward
    return Touch(height - radius, -outward, -radius * outward, foot - r_b)


LISTED = (
    "gap[α,β] = dot(outward[B], position[A] - position[B]) - radius[A]",
    "normal[α,β] = -outward[B]",
    "arm[A,α,β] = radius[A] * normal[α,β]",
)
SPHERE_HALF_SPACE = Pair("sphere_half_space", touch, (1, 3), LISTED, flat=True)
