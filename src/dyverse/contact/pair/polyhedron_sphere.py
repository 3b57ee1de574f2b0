"""A convex polyhedron, perhaps one with round edges, and a sphere.

Which faces and edges a polyhedron has is known before any model runs. So a pair is made for each
polyhedron: its numbers are constants of the pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch

Triple = tuple[float, float, float]
ASIDE = 1e-12  # of the size: a point that is so far beside a face is above it
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Plane:
    """``outward·x <= offset``: behind it is a polyhedron, or what is above a face of it."""

    outward: Triple
    offset: float

    def beyond(self, at: SX) -> SX:
        """How far a point is outside (m)."""
        return ca.dot(ca.DM(self.outward), at) - self.offset


@dataclass(frozen=True, slots=True)
class Face:
    """A face: its plane, and one plane through each of its edges, across it."""

    plane: Plane
    sides: tuple[Plane, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from ``begin`` along a unit vector, so long (m)."""

    begin: Triple
    along: Triple
    length: float

    @property
    def middle(self) -> Triple:
        """Half way along it."""
        x, y, z = (a + self.length / 2 * b for a, b in zip(self.begin, self.along, strict=True))
        return (x, y, z)


@dataclass(frozen=True, slots=True)
class Facets:
    """The surface of a convex polyhedron in its own axes, and how far it reaches (m)."""

    faces: tuple[Face, ...]
    edges: tuple[Edge, ...]
    reach: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """The geometry of a polyhedron and a sphere."""

    facets: Facets

    def __call__(self, r_a: SX, r_b: SX, solid: SX, radius: SX) -> Touch:
        """``g = ‖r_b - c‖ - ρ_a - ρ_b`` with c the point of the polyhedron nearest to the ball.

        It is on a face or on an edge, which is chosen first; what follows, and its derivatives, are
        of that one alone. Where it changes over the gap stays differentiable, and its curvature
        jumps. If the centre is inside, as that of a point that touches may be by rounding, c is on
        the nearest face, and ‖r_b - c‖ counts as negative.
        """
        rounding, turned = solid[0], ca.reshape(solid[1:], 3, 3)
        own = turned.T @ (r_b - r_a)
        is_face, plane = self._face(own)
        edge = self._edge(own)
        outward, begin, along = plane[:3], edge[:3], edge[3:6]
        place = ca.fmin(ca.fmax(ca.dot(along, own - begin), 0.0), edge[6])
        apart = own - begin - place * along
        distance = ca.sqrt(ca.if_else(is_face, 1.0, ca.sumsqr(apart) + TINY))
        far = ca.if_else(is_face, ca.dot(outward, own) - plane[3], distance)
        away = ca.if_else(is_face, outward, apart / distance)
        normal = turned @ away
        arm = turned @ (own - (far - rounding) * away)
        return Touch(far - rounding - radius, normal, arm, -radius * normal)

    def _face(self, own: SX) -> tuple[SX, SX]:
        """Whether the nearest point is on a face, and the plane of that."""
        deep, inner, above, outer = -ca.inf, ca.DM.zeros(4), 0.0, ca.DM.zeros(4)
        aside = ASIDE * self.facets.reach
        for face in self.facets.faces:
            numbers = ca.DM([*face.plane.outward, face.plane.offset])
            beyond, beside = face.plane.beyond(own), -ca.inf
            for side in face.sides:
                beside = ca.fmax(beside, side.beyond(own))
            is_deeper, is_above = beyond > deep, ca.logic_and(beyond > 0, beside <= aside)
            deep, inner = ca.fmax(deep, beyond), ca.if_else(is_deeper, numbers, inner)
            above, outer = ca.logic_or(above, is_above), ca.if_else(is_above, numbers, outer)
        is_inside = deep <= 0
        return ca.logic_or(is_inside, above), ca.if_else(is_inside, inner, outer)

    def _edge(self, own: SX) -> SX:
        """The nearest edge."""
        least: Any = ca.inf
        found = ca.DM.zeros(7)
        for edge in self.facets.edges:
            begin, along = ca.DM(edge.begin), ca.DM(edge.along)
            place = ca.fmin(ca.fmax(ca.dot(along, own - begin), 0.0), edge.length)
            square = ca.sumsqr(own - begin - place * along)
            numbers = ca.DM([*edge.begin, *edge.along, edge.length])
            least, found = (
                ca.fmin(least, square),
                ca.if_else(square < least, numbers, found),
            )
        return found


def _listed(core: str, rounding: str) -> tuple[str, ...]:
    """What is said of a polyhedron whose points are these, and so far around them."""
    added = f" + {rounding} * normal[α,β]" if rounding else ""
    own = ", ".join(f"dot(axis_{axis}[A], position[B] - position[A])" for axis in "xyz")
    return (
        "gap[α,β] = norm(position[B] - nearest[A,α,β]) - radius[B]"
        + (f" - {rounding}" if rounding else ""),
        "normal[α,β] = unit(position[B] - nearest[A,α,β])",
        f"arm[A,α,β] = nearest[A,α,β] - position[A]{added}",
        "nearest[A,α,β] = position[A] + dot(own[A,α,β], (1, 0, 0)) * axis_x[A]"
        " + dot(own[A,α,β], (0, 1, 0)) * axis_y[A] + dot(own[A,α,β], (0, 0, 1)) * axis_z[A]",
        f"own[A,α,β] = closest({core}, ({own}))",
    )


SHARP = _listed("hull[A]", "")
ROUNDED = _listed("within(hull[A], rounding[A])", "rounding[A]")


@lru_cache(maxsize=256)
def polyhedron_sphere(facets: Facets) -> Pair:
    """The pair of that polyhedron and a sphere."""
    digest = sha256(repr(facets).encode()).hexdigest()[:16]
    return Pair(f"polyhedron_{digest}_sphere", Nearest(facets), (1, 1), SHARP)


NOTHING = Facets((), (), 0.0)  # of a polyhedron of which nothing is known
POLYHEDRON_SPHERE = Pair("polyhedron_sphere", Nearest(NOTHING), (1, 1), SHARP)
ROUND_POLYHEDRON_SPHERE = Pair("round_polyhedron_sphere", Nearest(NOTHING), (1, 1), ROUNDED)
