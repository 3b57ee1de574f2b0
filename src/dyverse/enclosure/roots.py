"""All roots of a square system in a box, by branch and prune. [moore2009] ch. 8

Krawczyk's operator K(X) = m - Y F(m) + (I - Y J(X)) (X - m), with m the middle of the box X, J(X)
bounds of the Jacobian there and Y about the inverse of their middle, holds every root in X. So a
box is dropped if K misses it, holds exactly one root if K lies inside it, and is otherwise shrunk
to what K leaves or cut in two. Boxes that stay undecided, as around a double root, are counted. All
of it is computed with balls, so that what is dropped is surely empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import arb_mat

from dyverse.enclosure.interval import Interval
from dyverse.enclosure.matrix import Array, balls, exact, intervals

Box = tuple[Interval, ...]
SMALLEST = 1e-9  # of the first box: smaller ones are not cut again
LARGER = 0.02  # a box is looked at with so much more on each side, so that no root is on its edge
UNEVEN = 0.4871  # where to cut: seldom at a root


@dataclass(frozen=True, slots=True)
class Problem:
    """F(x) = 0; the bounds of F and of its Jacobian are asked for boxes."""

    value: Callable[[Box], tuple[Interval, ...]]
    slope: Callable[[Box], arb_mat]


@dataclass(frozen=True, slots=True)
class Roots:
    """The roots that are sure, and the middles of boxes that are not decided."""

    found: tuple[Array, ...]
    suspects: tuple[Array, ...]
    boxes: int

    @property
    def complete(self) -> bool:
        """Whether there are surely no others."""
        return not self.suspects


def all_roots(problem: Problem, box: Box, *, limit: int = 20_000) -> Roots:
    """Every root in ``box``, or as many as a search through ``limit`` boxes can tell."""
    found: list[Array] = []
    suspects: list[Array] = []
    stack, boxes, whole = [box], 0, _sizes(box)
    while stack:
        here = stack.pop()
        boxes += 1
        parts = None if boxes > limit else _examine(problem, here, found)
        if parts is None or any((_sizes(part) <= SMALLEST * whole).all() for part in parts):
            suspects.append(_middle(here))
        else:
            stack += parts
    return Roots(tuple(_apart(found, whole)), tuple(suspects[:100]), boxes)


def krawczyk(problem: Problem, box: Box) -> Box | None:
    """K(X); nothing if the Jacobian has no bounds or its middle no inverse."""
    middle = _middle(box)
    here = tuple((x, x) for x in middle.tolist())
    slope = problem.slope(box)
    about = np.array([[float(slope[i, j].mid()) for j in range(len(box))] for i in range(len(box))])
    try:
        inverse = exact(np.linalg.inv(about))
    except np.linalg.LinAlgError:
        return None
    value = balls([[bound] for bound in problem.value(here)], 1)
    away = balls([[end] for end in box], 1) - exact(middle)
    one = exact(np.eye(len(box)))
    found = exact(middle) - inverse * value + (one - inverse * slope) * away
    bounds = intervals(found)
    return bounds if np.isfinite(bounds).all() else None


def is_inside(inner: Box, outer: Box) -> bool:
    """Whether one box lies in the interior of another."""
    return all(b[0] < a[0] and a[1] < b[1] for a, b in zip(inner, outer, strict=True))


def _examine(problem: Problem, box: Box, found: list[Array]) -> list[Box] | None:
    """What is left of a box to look at; a root that is sure goes to ``found``."""
    if any(low > 0 or high < 0 for low, high in problem.value(box)):
        return []
    wide = _wider(box)
    image = krawczyk(problem, wide)
    if image is None:
        return _cut(box)
    if is_inside(image, wide):
        found.append(_polished(problem, image))
        return []
    left = tuple((max(a[0], b[0]), min(a[1], b[1])) for a, b in zip(image, box, strict=True))
    if any(low > high for low, high in left):
        return []
    return [left] if (_sizes(left) < 0.7 * _sizes(box)).any() else _cut(left)


def _wider(box: Box) -> Box:
    more = ((LARGER / 2 * (high - low) + 1e-300) for low, high in box)
    return tuple((low - m, high + m) for (low, high), m in zip(box, more, strict=True))


def _polished(problem: Problem, box: Box) -> Array:
    """The root in ``box``, which is the only one, by the same operator again and again."""
    for _ in range(100):
        smaller = krawczyk(problem, box)
        if smaller is None or (_sizes(smaller) >= 0.99 * _sizes(box)).all():
            break
        box = smaller
    return _middle(box)


def _middle(box: Box) -> Array:
    return np.array([low + (high - low) / 2 for low, high in box])


def _sizes(box: Box) -> Array:
    return np.array([high - low for low, high in box])


def _cut(box: Box) -> list[Box]:
    """Two parts, side by side along the widest direction."""
    widest = int(np.argmax(_sizes(box)))
    low, high = box[widest]
    place = low + UNEVEN * (high - low)
    ends = ((low, place), (place, high))
    return [(*box[:widest], end, *box[widest + 1 :]) for end in ends]


def _apart(found: list[Array], whole: Array) -> list[Array]:
    """Roots that were found from two neighbouring boxes, once."""
    kept: list[Array] = []
    for root in found:
        if all((np.abs(root - other) > 1e-8 * whole).any() for other in kept):
            kept.append(root)
    return sorted(kept, key=lambda root: tuple(root))
