"""Which shapes there are, with their words in Python, and which two of them can touch, by what."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

from dyverse.bodies.shape.box import Box, box
from dyverse.bodies.shape.capsule import Capsule, capsule
from dyverse.bodies.shape.cylinder import Cylinder, cylinder
from dyverse.bodies.shape.disc import Disc, disc
from dyverse.bodies.shape.ellipsoid import Ellipsoid, ellipsoid
from dyverse.bodies.shape.half_space import HalfSpace, plane
from dyverse.bodies.shape.interface import Feature, Shape
from dyverse.bodies.shape.point import Point, point
from dyverse.bodies.shape.polyhedron import Polyhedron, polyhedron
from dyverse.bodies.shape.sphere import Sphere, sphere
from dyverse.contact.pair.box_sphere import BLOCK_SPHERE, BOX_SPHERE
from dyverse.contact.pair.capsule_sphere import CAPSULE_SPHERE
from dyverse.contact.pair.cylinder_sphere import CYLINDER_SPHERE
from dyverse.contact.pair.ellipsoid_capsule import ELLIPSOID_CAPSULE
from dyverse.contact.pair.ellipsoid_half_space import ELLIPSOID_HALF_SPACE
from dyverse.contact.pair.ellipsoid_sphere import ELLIPSOID_SPHERE
from dyverse.contact.pair.ellipsoids import ELLIPSOIDS
from dyverse.contact.pair.kinematics import Pair
from dyverse.contact.pair.lines import LINES
from dyverse.contact.pair.polyhedron_sphere import (
    POLYHEDRON_SPHERE,
    ROUND_POLYHEDRON_SPHERE,
    polyhedron_sphere,
)
from dyverse.contact.pair.rim_half_space import RIM_HALF_SPACE
from dyverse.contact.pair.sphere_half_space import SPHERE_HALF_SPACE
from dyverse.contact.pair.sphere_sphere import SPHERE_SPHERE

__all__ = [  # words in Python, which `dyverse.bodies.build` hands on
    "box",
    "capsule",
    "cylinder",
    "disc",
    "ellipsoid",
    "plane",
    "point",
    "polyhedron",
    "sphere",
]
_ALL: tuple[Any, ...] = (
    Sphere,
    HalfSpace,
    Point,
    Box,
    Capsule,
    Cylinder,
    Disc,
    Ellipsoid,
    Polyhedron,
)  # classes
SHAPES = {shape.word: shape for shape in _ALL}
PAIRS: dict[tuple[str, str], Pair] = {  # by the kinds of their features
    ("sphere", "sphere"): SPHERE_SPHERE,
    ("sphere", "half-space"): SPHERE_HALF_SPACE,
    ("ellipsoid", "half-space"): ELLIPSOID_HALF_SPACE,
    ("ellipsoid", "sphere"): ELLIPSOID_SPHERE,
    ("ellipsoid", "capsule"): ELLIPSOID_CAPSULE,
    ("ellipsoid", "ellipsoid"): ELLIPSOIDS,
    ("box", "sphere"): BOX_SPHERE,
    ("block", "sphere"): BLOCK_SPHERE,
    ("polyhedron", "sphere"): POLYHEDRON_SPHERE,
    ("round polyhedron", "sphere"): ROUND_POLYHEDRON_SPHERE,
    ("capsule", "sphere"): CAPSULE_SPHERE,
    ("cylinder", "sphere"): CYLINDER_SPHERE,
    ("rim", "half-space"): RIM_HALF_SPACE,
    ("line", "line"): LINES,
}
STILL = tuple(word for word, shape in SHAPES.items() if shape.never_moves)


class Meeting(NamedTuple):
    """Features of two shapes that can touch: by which pair, and which of them is its first."""

    pair: Pair
    a: Feature[Any]
    b: Feature[Any]
    swapped: bool
    numbers: tuple[Any, ...]  # what the pair takes of both shapes


class Faces(NamedTuple):
    """The features of a shape, worked out once for all that it meets."""

    corners: tuple[Feature[Any], ...]
    whole: tuple[Feature[Any], ...]
    is_flat: bool


def faces(shape: Shape[Any]) -> Faces:
    """What of a shape can touch."""
    return Faces(shape.corners, shape.whole, shape.is_flat)


def meetings(a: Faces, b: Faces) -> list[Meeting]:
    """Everything of two shapes that can touch; nothing if it is not known how they do."""
    ours, theirs = (a.corners if b.is_flat else a.whole), (b.corners if a.is_flat else b.whole)
    pairs = (met for one in ours for other in theirs for met in _features(one, other))
    found = [_meeting(one, other) for one, other in pairs]
    known = [met for met in found if met is not None]
    return known if len(known) == len(found) else []


class Meetings:
    """What can touch of the shapes of bodies, by name: worked out once for every two shapes.

    Shapes are one if they are the same object.
    """

    def __init__(self, shapes: Mapping[str, Shape[Any]]) -> None:
        self._shapes = dict(shapes)
        self._faces = {id(shape): faces(shape) for shape in self._shapes.values()}
        self._found: dict[tuple[int, int], list[Meeting]] = {}

    def of(self, a: str, b: str) -> list[Meeting]:
        """Everything of two bodies that can touch."""
        key = id(self._shapes[a]), id(self._shapes[b])
        if key not in self._found:
            self._found[key] = meetings(self._faces[key[0]], self._faces[key[1]])
        return self._found[key]


def _features(a: Feature[Any], b: Feature[Any]) -> list[tuple[Feature[Any], Feature[Any]]]:
    """What of two features touches: they do, or all that makes both of them."""
    if a.ridges is None or b.ridges is None:
        return [(a, b)]
    one, other = a.ridges, b.ridges
    return [
        *((end, other.whole) for end in one.ends),
        *((one.whole, end) for end in other.ends),
        *product(one.lines, other.lines),
    ]


def _meeting(a: Feature[Any], b: Feature[Any]) -> Meeting | None:
    if pair := _pair(a, b):
        return Meeting(pair.held(a.hold, b.hold), a, b, False, (*a.numbers, *b.numbers))
    if pair := _pair(b, a):
        return Meeting(pair.held(b.hold, a.hold), a, b, True, (*b.numbers, *a.numbers))
    return None


def _pair(a: Feature[Any], b: Feature[Any]) -> Pair | None:
    pair = PAIRS.get((a.kind, b.kind))
    return pair if pair is None or a.facets is None else polyhedron_sphere(a.facets)
