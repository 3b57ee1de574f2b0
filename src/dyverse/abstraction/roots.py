"""All roots of a square system in a box, by branch and prune. [moore2009] ch. 8

Krawczyk's operator K(X) = m - Y F(m) + (I - Y J(X)) (X - m), with m the middle of the box X, J(X)
bounds of the Jacobian there and Y about the inverse of their middle, holds every root in X. So a
box is dropped if K misses it, holds exactly one root if K lies inside it, and is otherwise shrunk
to what K leaves or cut in two. Boxes that stay undecided, as around a double root, are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.interface import Array

Bounds = tuple[Array, Array]  # the middle, and the distance to each side
SMALLEST = 1e-9  # of the first box: smaller ones are not cut again
LARGER = 0.02  # a box is looked at with so much more on each side, so that no root is on its edge
UNEVEN = 0.4871  # where to cut: seldom at a root
ROUNDING = 1e-13  # of the sums below, relatively


@dataclass(frozen=True, slots=True)
class Problem:
    """F(x) = 0; the bounds of F and of its Jacobian are asked for boxes."""

    value: Callable[[Bounds], Bounds]
    slope: Callable[[Bounds], Bounds]


@dataclass(frozen=True, slots=True)
class Roots:
    """Middles of boxes with exactly one root each; ``open`` counts boxes that are not decided."""

    found: tuple[Array, ...]
    suspects: tuple[Array, ...]  # the middles of the undecided boxes
    boxes: int

    @property
    def complete(self) -> bool:
        """Whether there are surely no others."""
        return not self.suspects


def all_roots(problem: Problem, box: Bounds, *, limit: int = 20_000) -> Roots:
    """Every root in ``box``, or as many as a search through ``limit`` boxes can tell."""
    found: list[Array] = []
    suspects: list[Array] = []
    stack, boxes, whole = [box], 0, box[1]
    while stack:
        middle, away = stack.pop()
        boxes += 1
        parts = None if boxes > limit else _examine(problem, middle, away, found)
        if parts is None or any((part[1] <= SMALLEST * whole).all() for part in parts):
            suspects.append(middle)
        else:
            stack += parts
    return Roots(tuple(_apart(found, whole)), tuple(suspects[:100]), boxes)


def _examine(
    problem: Problem, middle: Array, away: Array, found: list[Array]
) -> list[Bounds] | None:
    """What is left of a box to look at; a root that is sure goes to ``found``."""
    value, doubt = problem.value((middle, away))
    if (np.abs(value) > doubt).any():
        return []
    wide = away * (1 + LARGER) + 1e-300
    newton = _krawczyk(problem, middle, wide)
    if newton is None:
        return _cut(middle, away)
    centre, radius = newton
    if (np.abs(centre - middle) + radius < wide).all():
        found.append(_polished(problem, centre, radius))
        return []
    low = np.maximum(centre - radius, middle - away)
    high = np.minimum(centre + radius, middle + away)
    if (low > high).any():
        return []
    left = (high - low) / 2
    shrunk = (low + high) / 2, left * (1 + 1e-12)
    return [shrunk] if (left < 0.7 * away).any() else _cut(*shrunk)


def _krawczyk(problem: Problem, middle: Array, away: Array) -> Bounds | None:
    """K(X), or nothing if the Jacobian has no bounds or its middle no inverse."""
    slope, doubt = problem.slope((middle, away))
    if not np.isfinite(doubt).all():
        return None
    try:
        inverse = np.linalg.inv(slope)
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(inverse).all():
        return None
    value, error = problem.value((middle, np.zeros_like(away)))
    rest = np.abs(np.eye(len(middle)) - inverse @ slope) + np.abs(inverse) @ doubt
    radius = np.abs(inverse) @ error + rest @ away
    return middle - inverse @ value, radius * (1 + ROUNDING) + ROUNDING * np.abs(middle)


def _polished(problem: Problem, centre: Array, radius: Array) -> Array:
    """The root by Newton's method; it is the only one about ``centre``."""
    nothing = np.zeros_like(radius)
    for _ in range(20):
        value, _ = problem.value((centre, nothing))
        slope, _ = problem.slope((centre, nothing))
        step = np.linalg.lstsq(slope, value, rcond=None)[0]
        centre = centre - step
        if (np.abs(step) <= 1e-15 * (np.abs(centre) + radius)).all():
            break
    return centre


def _cut(middle: Array, away: Array) -> list[Bounds]:
    """Two parts, side by side along the widest direction."""
    widest = int(np.argmax(away))
    low, high = middle[widest] - away[widest], middle[widest] + away[widest]
    place = low + UNEVEN * (high - low)
    return [_part(middle, away, widest, *ends) for ends in ((low, place), (place, high))]


def _part(middle: Array, away: Array, where: int, low: float, high: float) -> Bounds:
    centre, size = middle.copy(), away.copy()
    centre[where], size[where] = (low + high) / 2, (high - low) / 2 * (1 + 1e-12)
    return centre, size


def _apart(found: list[Array], whole: Array) -> list[Array]:
    """Roots that were found from two neighbouring boxes, once."""
    kept: list[Array] = []
    for root in found:
        if all((np.abs(root - other) > 1e-8 * whole).any() for other in kept):
            kept.append(root)
    return sorted(kept, key=lambda root: tuple(root))
