"""How deep solids are in each other where none of their contacts tells it.

Two blocks that cross have no corner in each other, and edges that have passed each other see a gap.
All points b - a of two convex bodies are a convex body again, and both overlap if it holds the
origin; how far that is from its surface is how far one of them must be moved to be free.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dyverse.bodies.placed import PlacedBody
from dyverse.bodies.shape.compound import Compound
from dyverse.bodies.shape.interface import Feature
from dyverse.contact.pair.kinematics import Hold
from dyverse.expr.rotation import matrix

ROUNDING = 1e-12  # of the size of both, which may just touch
FLAT = 3  # corners: with so few there is nothing inside

Points = NDArray[np.float64]


def hidden_depth(a: PlacedBody, b: PlacedBody) -> float:
    """How deep blocks and polyhedra are in each other, or bodies with the same middle (m), or 0."""
    found = (_depth(one, other) for one in _sharp(a) for other in _sharp(b))
    return max(found, default=_concentric(a, b))


def _concentric(a: PlacedBody, b: PlacedBody) -> float:
    """The middle of every shape but a compound is within it."""
    compound = isinstance(a.shape, Compound) or isinstance(b.shape, Compound)
    if compound or tuple(a.position) != tuple(b.position):
        return 0.0
    return float(max(min(body.shape.sizes, default=0.0) for body in (a, b)))


def _sharp(body: PlacedBody) -> Iterator[Points]:
    """The corners of each block and polyhedron of a body, in world axes."""
    turned: Points = np.array(matrix(body.orientation))
    for corners in _solids(body):
        if len(corners) > FLAT and all(_is_point(corner) for corner in corners):
            places: Points = np.array([corner.numbers[1:4] for corner in corners])
            yield places @ turned.T + np.array(body.position)


def _solids(body: PlacedBody) -> Iterator[tuple[Feature[Any], ...]]:
    """The corners of a body's shape, or of each of its parts."""
    if isinstance(body.shape, Compound):
        for part in body.shape.parts:
            yield tuple(part.moved(part.shape.corners))
    else:
        yield body.shape.corners


def _is_point(corner: Feature[Any]) -> bool:
    """Whether a corner is a ball without radius, somewhere on the body."""
    return corner.kind == "sphere" and corner.hold is Hold.PLACED and corner.numbers[0] == 0


def _depth(first: Points, second: Points) -> float:
    """How far the origin is within all differences of their corners, or 0."""
    from scipy.spatial import ConvexHull, QhullError  # slow to load

    apart = (second[:, None] - first).reshape(-1, 3)
    try:
        outside = float(ConvexHull(apart).equations[:, 3].max())
    except QhullError:  # as flat as rounding
        return 0.0
    return -outside if outside < -ROUNDING * float(np.abs(apart).max()) else 0.0
