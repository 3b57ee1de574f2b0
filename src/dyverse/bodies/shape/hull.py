"""Convex hulls of points: corners, edges and faces, and the hull that is smaller all around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dyverse.contact.pair.polyhedron_sphere import Edge, Face, Facets, Plane, Triple
from dyverse.text.mesh import middle

Triangle = tuple[int, int, int]
Points = NDArray[np.float64]
SAME = 1e-9  # of the size, and rad: what is nearer than that is one
ROUNDED = 3e-3  # of twice the volume over the surface: of a cube, of a third of its edge


@dataclass(frozen=True, slots=True)
class Hull:
    """The hull of ``points``: its edges, and the corners of its faces, which may be many."""

    points: tuple[Triple, ...]
    edges: tuple[tuple[int, int], ...]
    facets: Facets


@lru_cache(maxsize=64)
def raw_hull(points: tuple[Triple, ...]) -> Any:  # scipy's
    """Scipy's hull, or nothing if the points lie in a plane."""
    from scipy.spatial import ConvexHull, QhullError  # as slow to load as all the rest

    try:
        return ConvexHull(np.array(points).reshape(-1, 3))
    except (QhullError, ValueError):  # also of none
        return None


@lru_cache(maxsize=64)
def triangles(points: tuple[Triple, ...]) -> tuple[Triangle, ...]:
    """The triangles of a hull, counterclockwise as seen from outside."""
    hull, made = raw_hull(points), []
    if hull is None:
        return ()  # checks say so
    for (a, b, c), plane in zip(hull.simplices.tolist(), hull.equations, strict=True):
        p, q, r = (hull.points[i] for i in (a, b, c))
        made.append((a, b, c) if np.cross(q - p, r - p) @ plane[:3] > 0 else (a, c, b))
    return tuple(made)


@lru_cache(maxsize=64)
def rounding(points: tuple[Triple, ...]) -> float:
    """What the edges of a hull are rounded with (m): for a box, see `dyverse.bodies.shape.box`."""
    hull = raw_hull(points)
    return float(2 * ROUNDED * hull.volume / hull.area) if hull is not None else 0.0


@lru_cache(maxsize=64)
def convex_hull(points: tuple[Triple, ...]) -> Hull | None:
    """The hull of points, each of them a corner; nothing if one is none, or they lie in a plane."""
    hull = raw_hull(points)
    if hull is None or len(hull.vertices) < len(points):
        return None
    size = float(np.linalg.norm(hull.points, axis=1).max())
    planes = _planes(hull, size)
    touched = [set(np.flatnonzero(hull.points @ n - d > -SAME * size).tolist()) for n, d in planes]
    shared = [(i, j) for i, j in combinations(range(len(planes)), 2)]
    found = (sorted(touched[i] & touched[j]) for i, j in shared)
    edges = tuple(sorted({(e[0], e[-1]) for e in found if len(e) == 2}))
    faces = (
        Face(_plane(n, d), _sides(hull.points, n, [e for e in edges if set(e) <= own]))
        for (n, d), own in zip(planes, touched, strict=True)
    )
    lines = tuple(_edge(hull.points[i], hull.points[j]) for i, j in edges)
    return Hull(points, edges, Facets(tuple(faces), lines, size))


@lru_cache(maxsize=64)
def inner_hull(points: tuple[Triple, ...], less: float) -> Hull | None:
    """All points of a hull that are at least so deep inside (m).

    Its corners are in the order of those of the hull. Where more than three faces meet, there may
    be several for one: the others are at the end.
    """
    from scipy.spatial import HalfspaceIntersection

    hull = raw_hull(points)
    if hull is None or len(hull.vertices) < len(points):
        return None  # checks say so
    size = float(np.linalg.norm(hull.points, axis=1).max())
    bounds = np.array([(*n, less - d) for n, d in _planes(hull, size)])
    found = HalfspaceIntersection(bounds, middle(hull)).intersections
    return convex_hull(tuple(_triple(at) for at in _ordered(_distinct(found, size), hull.points)))


def _planes(hull: Any, size: float) -> list[tuple[Points, float]]:
    """Those of the faces, one of all triangles that lie in it."""
    kept: list[tuple[Points, float]] = []
    for *normal, offset in hull.equations.tolist():
        n, d = np.array(normal), -offset
        if all(np.linalg.norm(n - m) > SAME or abs(d - e) > SAME * size for m, e in kept):
            kept.append((n, d))
    return kept


def _distinct(points: Points, size: float) -> list[Points]:
    kept: list[Points] = []
    for at in points:
        if all(np.linalg.norm(at - other) > SAME * size for other in kept):
            kept.append(at)
    return kept


def _ordered(inner: Sequence[Points], outer: Points) -> list[Points]:
    """The nearest of the inner points to each outer one, then the others."""
    left, first = list(inner), []
    for at in outer:
        place = int(np.argmin([np.linalg.norm(at - other) for other in left]))
        first.append(left.pop(place))
    return [*first, *left]


def _sides(points: Points, n: Points, edges: list[tuple[int, int]]) -> tuple[Plane, ...]:
    """The planes through the edges of a face, outward."""
    middle = np.mean([points[i] for e in edges for i in e], axis=0)
    made = []
    for i, j in edges:
        out = np.cross(points[j] - points[i], n)
        out /= np.linalg.norm(out) * (1 if out @ (points[i] - middle) > 0 else -1)
        made.append(_plane(out, out @ points[i]))
    return tuple(made)


def _plane(normal: Points, offset: float) -> Plane:
    return Plane(_triple(normal), float(offset))


def _edge(begin: Points, end: Points) -> Edge:
    length = float(np.linalg.norm(end - begin))
    return Edge(_triple(begin), _triple((end - begin) / length), length)


def _triple(vector: Points) -> Triple:
    x, y, z = map(float, vector)
    return (x, y, z)
