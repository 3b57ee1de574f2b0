"""Two spheres.  [navarro2018] Eqs. (2), (5), (6), (10), (11)."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch


def touch(r_a: SX, r_b: SX, radius_a: SX, radius_b: SX) -> Touch:
    """``g = ‖r_b - r_a‖ - ρ_a - ρ_b`` with ``n`` from centre to centre."""
    apart = r_b - r_a
    distance = ca.norm_2(apart)
    normal = apart / distance
    return Touch(distance - radius_a - radius_b, normal, radius_a * normal, -radius_b * normal)


LISTED = (
    "gap[α,β] = norm(position[B] - position[A]) - radius[A] - radius[B]",
    "normal[α,β] = unit(position[B] - position[A])",
    "arm[A,α,β] = radius[A] * normal[α,β]",
)
SPHERE_SPHERE = Pair("sphere_sphere", touch, (1, 1), LISTED, round=True)
