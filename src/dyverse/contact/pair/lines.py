"""Two lines of some thickness that cross: rods, and the edges of boxes."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch

PARALLEL = 1e-12  # sin² of the angle between lines that count as parallel


def touch(r_a: SX, r_b: SX, a: SX, b: SX) -> Touch:
    """``g = ‖p - q‖ - ρ_a - ρ_b`` with p and q where two segments are closest to one another.

    Of parallel lines any points may be; see `dyverse.bodies.shape.interface.Ridges`.
    """
    (half_a, u), (half_b, w) = (a[1], a[-3:]), (b[1], b[-3:])
    between, both = r_b - r_a, ca.dot(u, w)
    along_a, along_b = ca.dot(u, between), ca.dot(w, between)
    across = 1 - both**2
    is_crossed = across > PARALLEL
    first = (along_a - both * along_b) / ca.if_else(is_crossed, across, 1.0)
    s = _within(ca.if_else(is_crossed, first, 0.0), half_a)
    t = _within(both * s - along_b, half_b)
    s = _within(along_a + both * t, half_a)
    apart = between + t * w - s * u
    distance = ca.norm_2(apart)
    normal = apart / distance
    gap = distance - a[0] - b[0]
    return Touch(gap, normal, s * u + a[0] * normal, t * w - b[0] * normal)


def _within(along: SX, half: SX) -> SX:
    return ca.fmin(ca.fmax(along, -half), half)


LISTED = (
    "gap[α,β] = norm(apart[α,β]) - radius[A] - radius[B]",
    "normal[α,β] = unit(apart[α,β])",
    "arm[A,α,β] = place[A,α,β] * axis_z[A] + radius[A] * normal[α,β]",
    "apart[α,β] = between[α,β] + place[B,α,β] * axis_z[B] - place[A,α,β] * axis_z[A]",
    "between[α,β] = position[B] - position[A]",
    "place[A,α,β] = max(-half[A], min(half[A], dot(axis_z[A], between[α,β])"
    " + dot(axis_z[A], axis_z[B]) * place[B,α,β]))",
    "place[B,α,β] = max(-half[B], min(half[B],"
    " dot(axis_z[A], axis_z[B]) * first[α,β] - dot(axis_z[B], between[α,β])))",
    "first[α,β] = max(-half[A], min(half[A],"
    " (dot(axis_z[A], between[α,β])"
    " - dot(axis_z[A], axis_z[B]) * dot(axis_z[B], between[α,β]))"
    f" / max({PARALLEL:g}, 1 - dot(axis_z[A], axis_z[B])^2)))",
)
LINES = Pair("lines", touch, (2, 2), LISTED)
