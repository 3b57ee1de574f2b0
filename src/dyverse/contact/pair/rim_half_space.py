"""The rim of a disc or of a cylinder, and a half-space."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch, facing

FLAT = 1e-7  # rad: below this the lowest point of a rim is not told any more
LIFT = 4 * FLAT  # of its radius: by so much a rim that lies flat is above its plane
FADING = 3e-4  # rad: the lean from which on that is no matter


def touch(r_a: SX, r_b: SX, rim: SX, plane: SX) -> Touch:
    """``g = N·(r_a - r_b) - R w - ρ`` with ``w = √(1 - (N·a)²)``, a the rim's axis.

    It touches at its lowest point. Where the axis is along N there is none: w is rounded off there,
    so that the point goes to the middle, and the rim is lifted a little, so that other points of
    the shape carry it. From a lean of 0.1 rad on both change the gap by less than 1e-11 R.
    """
    outward = facing(plane)
    radius, rounding, axis = rim[0], rim[1], rim[-3:]
    along = ca.dot(outward, axis)
    w = ca.sqrt(ca.sumsqr(outward - along * axis) + FLAT**2)
    fading = 1 + (w / FADING) ** 2
    reach = radius * (w - LIFT / fading) + rounding
    slope = radius * (1 + 2 * LIFT * w / (FADING * fading) ** 2)
    gap = ca.dot(outward, r_a - r_b) - reach
    arm = -reach * outward + slope * along / w * (axis - along * outward)
    return Touch(gap, -outward, arm, r_a + arm - gap * outward - r_b)


LISTED = (
    "gap[α,β] = dot(outward[B], position[A] - position[B]) - reach[A,α,β]",
    "normal[α,β] = -outward[B]",
    "arm[A,α,β] = slope[A,α,β] * along[A,α,β] / lean[A,α,β]"
    " * (axis_z[A] - along[A,α,β] * outward[B]) - reach[A,α,β] * outward[B]",
    "along[A,α,β] = dot(outward[B], axis_z[A])",
    f"lean[A,α,β] = sqrt(norm(outward[B] - along[A,α,β] * axis_z[A])^2 + {FLAT**2:g})",
    f"reach[A,α,β] = radius[A] * (lean[A,α,β] - {LIFT:g} / fading[A,α,β]) + rounding[A]",
    f"slope[A,α,β] = radius[A] * (1 + {2 * LIFT:g} * lean[A,α,β] / ({FADING:g} * fading[A,α,β])^2)",
    f"fading[A,α,β] = 1 + (lean[A,α,β] / {FADING:g})^2",
)
RIM_HALF_SPACE = Pair("rim_half_space", touch, (2, 3), LISTED)
