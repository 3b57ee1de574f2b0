"""The distance of two convex solids by their support functions alone: a second road to gaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Support = Callable[[Array], Array]  # the farthest point in a direction, in the solid's own axes
STEPS = 2000


@dataclass(frozen=True)
class Solid:
    """All points within ``rounding`` of a set that has a support function, placed and turned."""

    support: Support
    rounding: float = 0.0
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turned: tuple[tuple[float, ...], ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    def farthest(self, way: Array) -> Array:
        axes = np.array(self.turned)
        return np.array(self.at) + axes @ self.support(axes.T @ way)


def hull(points: Array) -> Support:
    return lambda way: points[int(np.argmax(points @ way))]


def ellipsoid(axes: Array) -> Support:
    return lambda way: axes**2 * way / np.linalg.norm(axes * way)


def cylinder(radius: float, half: float) -> Support:
    def support(way: Array) -> Array:
        across = np.hypot(way[0], way[1]) or 1.0
        return np.array([*(radius * way[:2] / across), half if way[2] > 0 else -half])

    return support


def distance(a: Solid, b: Solid) -> float:
    """How far apart they are, by the point of b - a that is nearest to the origin."""
    nearest = b.farthest(np.array([1.0, 0, 0])) - a.farthest(np.array([-1.0, 0, 0]))
    active = nearest[None]
    for _ in range(STEPS):
        far = b.farthest(-nearest) - a.farthest(nearest)
        if nearest @ (nearest - far) <= 1e-13 * (nearest @ nearest):
            break
        active, nearest = _least(np.vstack([active, far]))
    return float(np.linalg.norm(nearest)) - a.rounding - b.rounding


def _least(points: Array) -> tuple[Array, Array]:
    """The point of a simplex nearest to the origin, and those of its corners that it is between."""
    best, kept = np.full(3, np.inf), points[:1]
    for count in range(1, min(len(points), 4) + 1):
        for chosen in combinations(points, count):
            corners = np.array(chosen)
            sides = (corners[1:] - corners[0]).T
            shares = (
                np.linalg.lstsq(sides, -corners[0], rcond=None)[0] if count > 1 else np.zeros(0)
            )
            inside = shares.min(initial=0.0) >= 0 and shares.sum() <= 1
            at = corners[0] + sides @ shares if count > 1 else corners[0]
            if inside and at @ at < best @ best:
                best, kept = at, corners
    return kept, best
