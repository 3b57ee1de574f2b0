"""Cells: the parts of the ranges whose runs go through the same events.

Between two points of different cells lies a boundary, and at a boundary there may be a third cell,
however thin: halving the way between the two finds it in as many steps as its width has digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe
from dyverse.falsification.system import Probes, joined, selected

HALVINGS = 36  # to 1e-11 of the distance
FEW = 10  # where a run takes long
EACH = 4  # pairs to look between, for every two cells
MOST = 64


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Boundaries:
    """What halving found: the ends of each pair, now neighbours, and a point of every cell."""

    points: Array
    seen: Probes
    runs: int


def neighbours(question: Question, points: Array, paths: tuple[str, ...]) -> NDArray[np.intp]:
    """Pairs of points in different cells, nearest first: of every two cells only a few pairs."""
    room = np.where(question.width > 0, question.width, 1.0)
    scaled = points / room
    kinds = np.unique(np.array(paths), return_inverse=True)[1]
    found: list[tuple[float, int, int]] = []
    for i in range(len(points)):
        distance = np.linalg.norm(scaled - scaled[i], axis=1)
        distance[kinds == kinds[i]] = np.inf
        j = int(distance.argmin())
        if np.isfinite(distance[j]):
            found.append((float(distance[j]), min(i, j), max(i, j)))
    return _few(sorted(set(found)), kinds)


def _few(found: list[tuple[float, int, int]], kinds: NDArray[np.intp]) -> NDArray[np.intp]:
    taken: dict[frozenset[int], int] = {}
    pairs: list[tuple[int, int]] = []
    for _, i, j in found:
        cells = frozenset((int(kinds[i]), int(kinds[j])))
        taken[cells] = taken.get(cells, 0) + 1
        if taken[cells] <= EACH and len(pairs) < MOST:
            pairs.append((i, j))
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def bisect(question: Question, first: Array, second: Array, *, most: float = np.inf) -> Boundaries:
    """Halve the way between the rows of ``first`` and ``second`` until they are neighbours.

    There are ``most`` runs at most, or three for each pair, if these are more.
    """
    low, high = first.copy(), second.copy()
    start = np.array(probe(question, low).paths)
    kept: list[tuple[Array, Probes]] = []
    halvings = HALVINGS if question.system.descent != "none" else FEW
    for _ in range(int(min(halvings, max(0.0, most / len(first) - 3)))):
        middle = (low + high) / 2
        seen = probe(question, middle)
        kept.append((middle, seen))
        same = np.array(seen.paths) == start
        low[same], high[~same] = middle[same], middle[~same]
    ends = np.vstack([low, high])
    kept.append((ends, probe(question, ends)))
    points = np.vstack([points for points, _ in kept])
    seen = joined([seen for _, seen in kept])
    return _interesting(points, seen, 2 * len(first), len(points) + len(first))


def _interesting(points: Array, seen: Probes, ends: int, runs: int) -> Boundaries:
    """The last points of all, and of every path the first and the one of least margin."""
    keep = set(range(len(points) - ends, len(points)))
    names = np.array(seen.paths)
    for name in np.unique(names):
        of_path = np.flatnonzero(names == name)
        keep |= {int(of_path[0]), int(of_path[np.nanargmin(_finite(seen.margins[of_path]))])}
    rows = sorted(keep)
    return Boundaries(points=points[rows], seen=selected(seen, rows), runs=runs)


def _finite(margins: Array) -> Array:
    return np.where(np.isnan(margins), np.inf, margins)
