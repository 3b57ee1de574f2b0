"""The equilibria of a location: where its field is zero, and which of them attract.

In comes the field of a location and a box; out go all points in the box where a run can stay for
ever: f(x) = 0, the invariant holds and no guard does. The list comes with a word on whether it is
proved complete: it is if an interval search (`dyverse.enclosure.roots`) decided every part of the
box; else points are added by Newton's method from many starts, and the word is how many.

Where the field keeps some linear functions C x constant (`LocationField.constants`) the points are
those on one leaf, the one through a given state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from flint import arb_mat
from scipy.linalg import qr

from dyverse.abstraction.portrait.field import Box, LocationField, stays
from dyverse.automaton.interface import Array
from dyverse.enclosure.interval import Interval
from dyverse.enclosure.matrix import balls, entries, exact, intervals
from dyverse.enclosure.roots import Problem, Roots, all_roots

STARTS = 64  # of Newton's method, where the search is not complete
FLAT = 1e-9  # a real part below this, relatively, decides nothing


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """An equilibrium: where, and how the linearised field moves within the leaf."""

    location: str
    values: Array
    eigenvalues: tuple[complex, ...]

    @property
    def growth(self) -> float:
        """The greatest real part of an eigenvalue (1/s)."""
        return max((value.real for value in self.eigenvalues), default=0.0)

    @property
    def is_stable(self) -> bool | None:
        """Whether it attracts what is near; nothing if the linear part does not tell."""
        fastest = max((abs(value) for value in self.eigenvalues), default=0.0)
        return None if abs(self.growth) <= FLAT * fastest else self.growth < 0


@dataclass(frozen=True, slots=True)
class Equilibria:
    """Points of one location, and whether there are surely no others in the box."""

    points: tuple[Point, ...]
    complete: bool
    boxes: int
    starts: int = 0

    @property
    def remark(self) -> str:
        """How sure the list is."""
        if self.complete:
            return f"proved complete, by intervals, {self.boxes} boxes"
        return f"found by {self.starts} starts; others are possible"


def equilibria(
    field: LocationField, box: Box, *, through: Array | None = None, limit: int = 20_000
) -> Equilibria:
    """The equilibria in ``box`` on the leaf of ``through``, in which a run can stay."""
    middle = np.array([(low + high) / 2 for low, high in box])
    away = np.array([(high - low) / 2 for low, high in box])
    system = leaf_system(field, middle if through is None else through)
    roots = all_roots(system, box, limit=limit)
    found = list(roots.found)
    starts = [] if roots.complete else _starts(roots, middle, away)
    for start in starts:
        _add(found, newton(field, start, through=start if through is None else through), away)
    inside = [x for x in found if (np.abs(x - middle) <= away * (1 + 1e-9)).all()]
    points = tuple(point(field, x) for x in inside if stays(field, x))
    return Equilibria(points, roots.complete, roots.boxes, len(starts))


def point(field: LocationField, values: Array) -> Point:
    """The equilibrium at ``values``; no eigenvalues where the field has no derivative."""
    tangent = field.tangent
    within = tangent.T @ field.jacobian(values) @ tangent
    known = within.size and np.isfinite(within).all()
    spectrum = np.linalg.eigvals(within) if known else np.zeros(0)
    ordered = sorted(map(complex, spectrum), key=lambda value: (-value.real, value.imag))
    return Point(field.location, values, tuple(ordered))


def newton(field: LocationField, start: Array, *, through: Array) -> Array | None:
    """The zero of the field that Newton's method finds from ``start`` on a leaf, if any."""
    kept, rows = field.constants, _rows(field)
    x = start.astype(np.float64)
    for _ in range(25):
        value = np.concatenate((field.rate(x)[rows], kept @ (x - through)))
        slope = np.vstack((field.jacobian(x)[rows], kept))
        if not (np.isfinite(value).all() and np.isfinite(slope).all()):
            return None
        step = np.linalg.lstsq(slope, value, rcond=None)[0]
        x = x - step
        if (np.abs(step) <= 1e-13 * (1 + np.abs(x))).all():
            return x if np.abs(field.rate(x)).max() <= _noise(field, x) else None
    return None


def _noise(field: LocationField, x: Array) -> float:
    """How large a rate may be where it should be zero."""
    return float(1e-9 * (1 + (np.abs(field.jacobian(x)) @ (1 + np.abs(x))).max()))


def _rows(field: LocationField) -> list[int]:
    """The components of the field that say everything: one less for each constant."""
    kept = field.constants
    if not len(kept):
        return list(range(field.size))
    _, _, order = qr(kept, pivoting=True)
    return sorted(order[len(kept) :].tolist())


def leaf_system(field: LocationField, through: Array) -> Problem:
    """f(x) = 0 and C x = C through, as a square system."""
    kept, rows = field.constants, _rows(field)

    def value(box: Box) -> tuple[Interval, ...]:
        rates = field.rate_over(box)
        away = balls([[end] for end in box], 1) - exact(through)
        return (*(rates[row] for row in rows), *intervals(exact(kept) * away))

    def slope(box: Box) -> arb_mat:
        slopes = entries(field.slope_over(box))
        table = [*(slopes[row] for row in rows), *entries(exact(kept))]
        return arb_mat(field.size, field.size, [entry for row in table for entry in row])

    return Problem(value, slope)


def _starts(roots: Roots, middle: Array, away: Array) -> list[Array]:
    """Where the search was left undecided, and random places."""
    random = np.random.default_rng(0).uniform(-1, 1, (STARTS, len(middle)))
    return [*roots.suspects, *(middle + away * row for row in random)]


def _add(found: list[Array], root: Array | None, away: Array) -> None:
    if root is not None and _is_new(root, found, away):
        found.append(root)


def _is_new(root: Array, found: Iterable[Array], away: Array) -> bool:
    return all((np.abs(root - other) > 1e-7 * away).any() for other in found)
