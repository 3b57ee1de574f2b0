"""Margins as curves over super-dense time: piece by piece a cubic that only rises or only falls.

A run is cut into *cells* in the order of time: points, which are states, and stretches between two
of them. Several points of one instant follow each other, so what happens in between is not lost.
On each cell a `Curve` is made of pieces, so the least value of a piece is at one of its ends, and
every piece remembers which atom its values come from and when they were taken. The least of two
curves, and all that is made of it, is exact up to rounding.

A cubic is kept by its Bernstein coefficients on its piece: the first and the last are its values
at the ends, and all of them bound it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.guard.robustness import NOTHING
from dyverse.automaton.interface import Array

Indices = NDArray[np.intp]
Truths = NDArray[np.bool_]

NOBODY = -1  # the atom of a value that comes from none
GRAIN = 1e-12  # of the times: such as are nearer to each other are one
FINE = 1e-14  # of the values: a difference that is none
STEPS = 60  # of a search for a root
ROUNDING = 4e-16  # of a share: a root is there


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The points and stretches of a run, in order; a point starts and ends at one time (s)."""

    start: Array
    end: Array

    @property
    def grain(self) -> float:
        """Times that are nearer to each other than this are one (s)."""
        return GRAIN * max(1.0, float(np.abs(self.end).max(initial=0.0)))

    @property
    def is_point(self) -> Truths:
        """Which cells are points."""
        return np.asarray(self.start == self.end)

    def reversed(self) -> Cells:
        """The same with time running backwards."""
        return Cells(-self.end[::-1], -self.start[::-1])


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Pieces in order; each cell has at least one, and a cell that is a point has one.

    Where a curve may jump inside a stretch, a piece without length has the value at that time. The
    ends of the pieces beside it are limits. Infinite margins are as large as `UNDEFINED`, so that
    differences of them are numbers.
    """

    cell: Indices  # (n,)
    start: Array  # (n,) s
    end: Array  # (n,) s
    value: Array  # (n, 4) Bernstein coefficients of a cubic that rises or falls
    atom: Indices  # (n,) where the values come from
    at: Array  # (n, 2) and from when, at both ends (s)

    def __len__(self) -> int:
        return len(self.cell)

    def __getitem__(self, rows: Indices) -> Curve:
        return Curve(*(getattr(self, part.name)[rows] for part in fields(self)))

    def __neg__(self) -> Curve:
        """The margin of the negation: what holds by nothing fails by nothing."""
        value = np.where(self.value == 0, -NOTHING, -self.value)
        return replace(self, value=np.where(self.value == -NOTHING, 0.0, value))

    def reversed(self, cells: Cells) -> Curve:
        """The same with time running backwards."""
        return Curve(
            len(cells.start) - 1 - self.cell[::-1],
            -self.end[::-1],
            -self.start[::-1],
            self.value[::-1, ::-1],
            self.atom[::-1],
            self.at[::-1, ::-1],
        )

    def meeting(self, values: Array) -> Curve:
        """The same with these values at both ends of each piece (n, 2), where they are numbers."""
        value = self.value.copy()
        value[:, [0, 3]] = np.where(np.isnan(values), value[:, [0, 3]], values)
        return replace(self, value=value)

    def between(self, rows: Indices, low: Array, high: Array) -> Curve:
        """The parts from time ``low`` to ``high`` of the pieces in ``rows``."""
        length = (self.end - self.start)[rows]
        lasts = length > 0
        room = np.where(lasts, length, 1.0)
        first = np.clip((low - self.start[rows]) / room, 0.0, 1.0)
        last = np.where(lasts, np.clip((high - self.start[rows]) / room, 0.0, 1.0), 1.0)
        at = self.at[rows]
        way = at[:, 1] - at[:, 0]
        return Curve(
            self.cell[rows],
            low,
            high,
            restricted(self.value[rows], first, last),
            self.atom[rows],
            np.stack([at[:, 0] + first * way, at[:, 0] + last * way], axis=1),
        )


def everywhere(amount: float, cells: Cells) -> Curve:
    """A curve that has one value."""
    count = len(cells.start)
    return Curve(
        np.arange(count),
        cells.start,
        cells.end,
        np.full((count, 4), amount),
        np.full(count, NOBODY, dtype=np.intp),
        np.stack([cells.start, cells.end], axis=1),
    )


def together(parts: list[Curve], order: Indices | slice = slice(None)) -> Curve:
    """The pieces of all parts, one after the other, then in this order."""
    names = (part.name for part in fields(Curve))
    return Curve(*(np.concatenate([getattr(p, name) for p in parts])[order] for name in names))


def restricted(value: Array, first: Array, last: Array) -> Array:
    """Bernstein coefficients on the shares from ``first`` to ``last`` of each piece."""
    u, v = first[:, None], last[:, None]
    from_u = value[:, :-1] * (1 - u) + value[:, 1:] * u
    from_v = value[:, :-1] * (1 - v) + value[:, 1:] * v
    uu = from_u[:, :-1] * (1 - u) + from_u[:, 1:] * u
    uv = from_u[:, :-1] * (1 - v) + from_u[:, 1:] * v
    vv = from_v[:, :-1] * (1 - v) + from_v[:, 1:] * v
    ends = [uu[:, :-1] * (1 - u) + uu[:, 1:] * u, uu[:, :-1] * (1 - v) + uu[:, 1:] * v]
    ends += [uv[:, :-1] * (1 - v) + uv[:, 1:] * v, vv[:, :-1] * (1 - v) + vv[:, 1:] * v]
    return np.asarray(np.hstack(ends))


def at_share(value: Array, share: Array) -> Array:
    """Cubics at one share of each."""
    u = share
    a, b, c, d = value.T
    w = 1 - u
    return np.asarray(((a * w + 3 * b * u) * w + 3 * c * u * u) * w + d * u * u * u)


def lower(one: Curve, other: Curve, cells: Cells) -> Curve:
    """The least of two curves, at every time."""
    pair = Pair.of(one, other, cells)
    is_other = pair.difference.sum(axis=1) > 0
    first, last = _groups(
        pair, one.cell[pair.first], np.where(is_other, -1 - pair.second, pair.first)
    )
    low, high, theirs = pair.low[first], pair.high[last], is_other[first]
    mine = np.flatnonzero(~theirs)
    yours = np.flatnonzero(theirs)
    parts = [
        one.between(pair.first[first[mine]], low[mine], high[mine]),
        other.between(pair.second[first[yours]], low[yours], high[yours]),
    ]
    found = together(parts, np.argsort(np.concatenate([mine, yours]), kind="stable"))
    met = np.stack([pair.met[first, 0], pair.met[last, 1]], axis=1)
    return replace(found.meeting(met), cell=one.cell[pair.first[first]])


def _groups(pair: Pair, cell: Indices, source: Indices) -> tuple[Indices, Indices]:
    """The first and the last of those in a row that come from one piece.

    A point may be where the curve jumps, so it is only taken into a row that goes on behind it.
    """
    same = np.append(False, (source[1:] == source[:-1]) & (cell[1:] == cell[:-1]))
    goes_on = same & (np.append(same[1:], False) | (pair.high > pair.low))
    lost = np.append(False, (pair.high == pair.low)[:-1] & ~goes_on[:-1])
    first = np.flatnonzero(~(goes_on & ~lost))
    return first, np.append(first[1:], len(source)) - 1


def upper(one: Curve, other: Curve, cells: Cells) -> Curve:
    """The greatest of two curves, at every time."""
    return -lower(-one, -other, cells)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two curves cut at the same times, and where they cross."""

    low: Array  # (m,) s
    high: Array  # (m,) s
    first: Indices  # (m,) the piece of the first curve
    second: Indices  # (m,) and of the second
    difference: Array  # (m, 4) of one sign
    met: Array  # (m, 2) their common value at an end where they cross, else not a number

    @classmethod
    def of(cls, one: Curve, other: Curve, cells: Cells) -> Pair:
        """Cut two curves over the same cells."""
        low, high, first, second = _aligned(one, other, cells)
        left = one.between(first, low, high).value
        right = other.between(second, low, high).value
        rows, shares = _crossings(left, right)
        nothing = np.full((len(low), 2), np.nan)
        if not len(rows):
            return cls(low, high, first, second, left - right, nothing)
        values = _common(left[rows], right[rows], shares)
        times = low[rows] + shares * (high - low)[rows]
        where = np.concatenate([np.arange(len(low)), rows])
        order = np.lexsort((np.concatenate([np.zeros(len(low)), shares]), where))
        pieces = where[order]
        starts = np.concatenate([np.zeros(len(low)), shares])[order]
        begin = np.concatenate([low, times])[order]
        joint = np.concatenate([np.full(len(low), np.nan), values])[order]
        last = np.append(pieces[1:] != pieces[:-1], True)
        stops = np.where(last, 1.0, np.append(starts[1:], 1.0))
        end = np.where(last, high[pieces], np.append(begin[1:], 0.0))
        met = np.stack([joint, np.where(last, np.nan, np.append(joint[1:], np.nan))], axis=1)
        difference = restricted((left - right)[pieces], starts, stops)
        return cls(begin, end, first[pieces], second[pieces], difference, met)


def _common(left: Array, right: Array, shares: Array) -> Array:
    """The value of two cubics that cross: of one that is constant, without rounding."""
    values = [at_share(value, shares) for value in (left, right)]
    still = [(value == value[:, :1]).all(axis=1) for value in (left, right)]
    mean = np.where(still[1], right[:, 0], (values[0] + values[1]) / 2)
    return np.where(still[0], left[:, 0], mean)


def _aligned(one: Curve, other: Curve, cells: Cells) -> tuple[Array, Array, Indices, Indices]:
    """Common pieces: their starts and ends, and the pieces of both curves that they are in."""
    cell = np.concatenate([one.cell, other.cell])
    start = np.concatenate([one.start, other.start])
    lasts = np.concatenate([one.end > one.start, other.end > other.start])
    order = np.lexsort((lasts, start, cell))
    cell, start, lasts = cell[order], start[order], lasts[order]
    later = (cell[1:] != cell[:-1]) | (start[1:] - start[:-1] > cells.grain)
    new = np.append(True, later | (lasts[1:] & ~lasts[:-1]))
    rank = np.empty(len(cell), dtype=np.intp)
    rank[order] = np.cumsum(new) - 1
    cell, low, lasts = cell[new], start[new], lasts[new]
    following = np.append(cell[1:] == cell[:-1], False)
    high = np.where(following, np.append(low[1:], 0.0), cells.end[cell])
    high = np.where(lasts, high, low)
    places = np.arange(len(low))
    first = np.searchsorted(rank[: len(one)], places, side="right") - 1
    second = np.searchsorted(rank[len(one) :], places, side="right") - 1
    return low, high, first, second


def _crossings(left: Array, right: Array) -> tuple[Indices, Array]:
    """Where cubics on the same pieces cross: the row and the share of each crossing, in order."""
    difference = left - right
    mixed = (difference.min(axis=1) < 0) & (difference.max(axis=1) > 0)
    rows = np.flatnonzero(mixed)
    if not len(rows):
        return rows, np.zeros(0)
    scale = np.maximum(np.abs(left[rows]), np.abs(right[rows])).max(axis=1)
    found = roots(difference[rows], FINE * scale)
    place, share = np.nonzero(~np.isnan(found))[0], found[~np.isnan(found)]
    return rows[place], share


def roots(value: Array, fine: Array) -> Array:
    """Where cubics change their sign, as shares of their pieces (k, 3); not a number where not.

    Between turning points a cubic changes its sign at most once. Values less than ``fine`` are 0.
    """
    knots = np.hstack([np.zeros((len(value), 1)), turns(value), np.ones((len(value), 1))])
    at = np.stack([at_share(value, knots[:, i]) for i in range(4)], axis=1)
    at[:, 0], at[:, 3] = value[:, 0], value[:, 3]
    at = np.where(np.abs(at) <= fine[:, None], 0.0, at)
    found = np.full((len(value), 3), np.nan)
    for i in range(3):
        rows = np.flatnonzero(np.sign(at[:, i]) * np.sign(at[:, i + 1]) < 0)
        if len(rows):
            found[rows, i] = _root(value[rows], knots[rows, i], knots[rows, i + 1])
    return found


def turns(value: Array) -> Array:
    """The shares at which cubics turn, in order (k, 2); 0 or 1 where they do not inside."""
    scale = np.maximum(np.abs(value).max(axis=1, keepdims=True), NOTHING)
    step = np.diff(value / scale, axis=1)  # the derivative: a u² + 2 b u + c
    c, b, a = step[:, 0], step[:, 1] - step[:, 0], step[:, 2] - 2 * step[:, 1] + step[:, 0]
    root = np.sqrt(np.maximum(b * b - a * c, 0.0))
    half = -(b + np.where(b >= 0, root, -root))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        both = np.stack([half / a, c / half], axis=1)
    both = np.where(np.isfinite(both), both, 1.0)
    return np.sort(np.clip(np.where((b * b < a * c)[:, None], 1.0, both), 0.0, 1.0), axis=1)


def _root(value: Array, low: Array, high: Array) -> Array:
    """The one root of each cubic between two shares with values of different sign."""
    rises = at_share(value, high) > 0
    slope = 3 * np.diff(value, axis=1)
    share = (low + high) / 2
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for _ in range(STEPS):
            found = at_share(value, share)
            above = (found > 0) == rises
            high, low = np.where(above, share, high), np.where(above, low, share)
            w = 1 - share
            rate = slope[:, 0] * w * w + 2 * slope[:, 1] * w * share + slope[:, 2] * share * share
            newton = share - found / rate
            there = np.abs(newton - share) <= ROUNDING
            inside = (newton > low) & (newton < high)
            moved = np.where(there, share, np.where(inside, newton, (low + high) / 2))
            if (np.abs(moved - share) <= ROUNDING).all():
                break
            share = moved
    return np.asarray(share)


def first_below(curve: Curve) -> float:
    """When a curve is first below zero (s); infinite if it never is."""
    below = np.flatnonzero((curve.value[:, [0, 3]] < 0).any(axis=1))
    if not len(below):
        return np.inf
    row = int(below[0])
    if curve.value[row, 0] < 0:
        return float(curve.start[row])
    share = roots(curve.value[row : row + 1], np.zeros(1))[0]
    found = share[~np.isnan(share)]
    length = float(curve.end[row] - curve.start[row])
    return float(curve.start[row]) + length * float(found[0] if len(found) else 0.0)
