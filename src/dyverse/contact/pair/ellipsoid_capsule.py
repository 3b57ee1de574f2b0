"""An ellipsoid and a capsule."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair import ellipsoid_sphere
from dyverse.contact.pair.ellipsoids import TINY, greatest, listed_reach, spread, support
from dyverse.contact.pair.kinematics import SX, Pair, Touch, tangents

ASIDE = 1e-12  # of the distance: a rod that points at the middle is taken to pass so far beside it


def touch(r_a: SX, r_b: SX, ellipsoid: SX, capsule: SX) -> Touch:
    """An end of the rod touches, or its side: the point of the whole line that is nearest says.

    Of the line that is ``g = n·(r_b - r_a) - √(nᵀ A n)`` with the unit vector n across the rod for
    which it is greatest. Where the nearest point reaches an end the gap stays differentiable, and
    its curvature jumps.
    """
    radius, half, along = capsule[0], capsule[1], capsule[-3:]
    between, a = r_b - r_a, spread(ellipsoid)

    def across(vector: SX) -> SX:
        level = vector - ca.dot(along, vector) * along
        return level / (ca.norm_2(level) + TINY)

    def better(n: SX) -> tuple[SX, SX]:
        n = across(n)
        reach, arm, bent = support(a, n)
        gap, way = ca.dot(n, between) - reach, ca.cross(along, n)
        stiff = ca.dot(way, bent @ way) + ca.fmax(gap, 0.0) + TINY
        return gap, ca.dot(way, between - arm) / stiff * way

    aside = between + ASIDE * ca.norm_2(between) * tangents(along)[0]
    n = across(greatest(better, across(aside), between))
    reach, arm, _ = support(a, n)
    place = ca.dot(along, arm - between)
    is_side = ca.fabs(place) <= half
    end = ca.if_else(place < 0, -half, half) * along
    tip = ellipsoid_sphere.touch(r_a, r_b + end, ellipsoid, radius)
    gap = ca.if_else(is_side, ca.dot(n, between) - reach - radius, tip.gap)
    normal = ca.if_else(is_side, n, tip.normal)
    arm_a = ca.if_else(is_side, arm, tip.arm_a)
    return Touch(gap, normal, arm_a, ca.if_else(is_side, place * along, end) - radius * normal)


LISTED = (
    "gap[α,β] = dot(normal[α,β], position[B] - position[A]) - reach[A,α,β] - reach[B,α,β]",
    "normal[α,β] = greatest(gap[α,β])",
    "arm[A,α,β] = pressed[A,α,β] / reach[A,α,β]",
    *listed_reach("A"),
    "reach[B,α,β] = radius[B] + length[B] / 2 * abs(dot(axis_z[B], normal[α,β]))",
)
ELLIPSOID_CAPSULE = Pair("ellipsoid_capsule", touch, (3, 2), LISTED)
