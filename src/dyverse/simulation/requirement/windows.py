"""Operators over windows of time on curves: the least value from now on, and *until*.

They look ahead; what looks back is the same with time running backwards. The least value in a
window is that at one of its edges or at a knot inside it, for pieces only rise or only fall. So it
is the least of three curves: the one at the near edge, the one at the far edge, and steps with the
least of all knots in between.

Windows are closed. The end of a piece that lasts is a limit, from before or from after its time; at
the edge of a window only the limit from inside counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dyverse.automaton.guard.robustness import UNDEFINED
from dyverse.automaton.interface import Array
from dyverse.simulation.requirement.curves import (
    NOBODY,
    Cells,
    Curve,
    Indices,
    Pair,
    Truths,
    lower,
    upper,
)

BEFORE, AT, AFTER = range(3)  # the sides of a time that knots are on


def least_within(curve: Curve, low: float, high: float, cells: Cells) -> Curve:
    """The least value from ``low`` to ``high`` seconds from now; with none, as much as can be.

    If ``low`` is zero only what comes after the present state counts, and that state itself.
    """
    knots = Knots(curve, cells.grain)
    near = curve if low == 0 else _moved(curve, knots, low, cells)
    far = near if high == low else lower(near, _moved(curve, knots, high, cells), cells)
    cuts = [curve.start if low == 0 else knots.time - low, knots.time - high]
    grid = Grid.of(cells, np.concatenate(cuts))
    last = knots.last(grid.middle + high, AT)
    first = _own(curve, grid) if low == 0 else knots.first(grid.middle + low, AT)
    return lower(far, _steps(grid, knots, first, last), cells)


def least_until(curve: Curve, end: float, cells: Cells) -> Curve:
    """The least value from now to the time ``end``; behind it, of the present instant.

    A cell begins or ends then, if the run gets there.
    """
    knots, grid = Knots(curve, cells.grain), Grid.of(cells, curve.start)
    last = knots.last(np.maximum(grid.middle, end), AT)
    return lower(curve, _steps(grid, knots, _own(curve, grid), last), cells)


class Grid(NamedTuple):
    """Pieces of cells: between two times, and at them."""

    cell: Indices
    low: Array
    high: Array

    @classmethod
    def of(cls, cells: Cells, times: Array) -> Grid:
        """Each cell cut at those of ``times`` that are inside it."""
        lasting, grain = np.flatnonzero(~cells.is_point), cells.grain
        times = np.sort(times)
        times = times[np.append(True, np.diff(times) > grain)[: len(times)]]
        place = np.searchsorted(cells.start[lasting], times, side="right") - 1
        times, place = times[place >= 0], lasting[place[place >= 0]]
        kept = (times > cells.start[place] + grain) & (times < cells.end[place] - grain)
        times, place = times[kept], place[kept]
        cell = np.concatenate([np.arange(len(cells.start)), place, place])
        low = np.concatenate([cells.start, times, times])
        lasts = np.concatenate(
            [~cells.is_point, np.zeros(len(times), bool), np.ones(len(times), bool)]
        )
        order = np.lexsort((lasts, low, cell))
        cell, low, lasts = cell[order], low[order], lasts[order]
        following = np.append(cell[1:] == cell[:-1], False)
        high = np.where(following, np.append(low[1:], 0.0), cells.end[cell])
        return cls(cell, low, np.where(lasts, high, low))

    @property
    def middle(self) -> Array:
        """A time in each piece."""
        return (self.low + self.high) / 2

    @property
    def lasts(self) -> Truths:
        """Which pieces have a length."""
        return np.asarray(self.high > self.low)

    def constant(self, value: Array, atom: Indices, at: Array) -> Curve:
        """A curve of steps."""
        steps, times = np.repeat(value[:, None], 4, axis=1), np.repeat(at[:, None], 2, axis=1)
        return Curve(self.cell, self.low, self.high, steps, atom, times)


class Knots:
    """The ends of all pieces of a curve in order, and the least among any that follow each other.

    Times within the grain of each other are one.
    """

    def __init__(self, curve: Curve, grain: float) -> None:
        self.time = np.stack([curve.start, curve.end], axis=1).ravel()
        self.value = curve.value[:, [0, 3]].ravel()
        self.atom, self.at = np.repeat(curve.atom, 2), curve.at.ravel()
        self._grain = grain
        new = np.append(True, np.diff(self.time) > grain)
        self._times = self.time[new]
        lasts = curve.end > curve.start
        sides = np.stack([np.where(lasts, AFTER, AT), np.where(lasts, BEFORE, AT)], axis=1).ravel()
        self._key = 3 * (np.cumsum(new) - 1) + sides
        self._least = [np.arange(len(self.time))]

    def first(self, times: Array, side: int) -> Indices:
        """The first knot at these times, on that side of them or later."""
        found = np.searchsorted(self._times, times - self._grain, side="left")
        return np.searchsorted(self._key, 3 * found + self._is_at(found, times, side, 0))

    def last(self, times: Array, side: int) -> Indices:
        """The last knot at these times, on that side of them or earlier; -1 if there is none."""
        found = np.searchsorted(self._times, times + self._grain, side="right") - 1
        keys = 3 * found + self._is_at(found, times, side, AFTER)
        return np.searchsorted(self._key, keys, side="right") - 1

    def _is_at(self, found: Indices, times: Array, side: int, otherwise: int) -> Indices:
        there = self._times[np.clip(found, 0, len(self._times) - 1)]
        return np.where(np.abs(there - times) <= self._grain, side, otherwise)

    def least(self, first: Indices, last: Indices) -> tuple[Indices, Truths]:
        """The least from ``first`` to ``last``, and whether there is one."""
        some = last >= first
        low, high = np.where(some, first, 0), np.where(some, last, 0)
        level = np.log2(high - low + 1).astype(np.intp)
        found = np.zeros(len(low), dtype=np.intp)
        for one in np.unique(level).tolist():
            at, table = np.flatnonzero(level == one), self._table(one)
            found[at] = self._smaller(table[low[at]], table[high[at] - 2**one + 1])
        return found, some

    def _table(self, level: int) -> Indices:
        """The least of every 2 ** level knots in a row."""
        while len(self._least) <= level:
            last, step = self._least[-1], 2 ** (len(self._least) - 1)
            self._least.append(self._smaller(last[:-step], last[step:]))
        return self._least[level]

    def _smaller(self, one: Indices, other: Indices) -> Indices:
        return np.where(self.value[other] < self.value[one], other, one)


def _own(curve: Curve, grid: Grid) -> Indices:
    """The first knot that comes after each piece of the grid, or is its own point."""
    first = np.searchsorted(curve.cell, grid.cell, side="left")
    last = np.searchsorted(curve.cell, grid.cell, side="right") - 1
    piece = np.clip(np.searchsorted(curve.start, grid.middle, side="right") - 1, first, last)
    before = np.clip(piece - 1, first, last)
    at_start = ~grid.lasts & (curve.start[piece] == grid.low) & (curve.end[piece] > grid.low)
    piece = np.where(at_start, before, piece)  # the point before a piece that begins here
    return 2 * piece + (curve.end[piece] > curve.start[piece])


def _steps(grid: Grid, knots: Knots, first: Indices, last: Indices) -> Curve:
    row, some = knots.least(first, last)
    value = np.where(some, knots.value[row], UNDEFINED)
    return grid.constant(value, np.where(some, knots.atom[row], NOBODY), knots.at[row])


def _moved(curve: Curve, knots: Knots, ahead: float, cells: Cells, side: int = AT) -> Curve:
    """The values ``ahead`` seconds from now; as much as can be where the run is over by then.

    Of several at one time it is the first; on the side *before*, the limit from there.
    """
    grid = Grid.of(cells, knots.time - ahead)
    times = grid.middle + ahead
    found = knots.first(times, side)
    there = found < len(knots.time)
    piece = np.minimum(found, len(knots.time) - 1) // 2
    there &= curve.start[piece] <= times + cells.grain
    if side == BEFORE:  # a point has none
        there &= curve.end[piece] > curve.start[piece]
    part = curve.between(piece, grid.low + ahead, grid.high + ahead)
    value = np.where(there[:, None], part.value, UNDEFINED)
    atom = np.where(there, part.atom, NOBODY)
    return Curve(grid.cell, grid.low, grid.high, value, atom, part.at)


def until(left: Curve, right: Curve, end: float | None, cells: Cells) -> Curve:
    """*Left until right*, to the time ``end`` or as long as the run goes.

    The greatest value, over all later states, of the right at it and the left at all before it.
    Behind ``end`` only the present state counts.
    """
    pair = Pair.of(left, right, cells)
    first = left.between(pair.first, pair.low, pair.high).meeting(pair.met)
    second = right.between(pair.second, pair.low, pair.high).meeting(pair.met)
    held, lost = _backwards(first, second, np.inf if end is None else end + cells.grain)
    grid = Grid(first.cell, pair.low, pair.high)
    later = lower(first, grid.constant(*held), cells)
    return upper(second, upper(later, grid.constant(*lost), cells), cells)


Amounts = tuple[Array, Indices, Array]  # values, their atoms, and when
Amount = tuple[float, int, float]
NONE: Amount = (-UNDEFINED, NOBODY, 0.0)


def _backwards(first: Curve, second: Curve, end: float) -> tuple[Amounts, Amounts]:
    """On each piece, u(t) = max(right(t), min(left(t), held), lost), from the last one back.

    With U from the next piece on: where the left rises, all of the piece before some state holds
    as much as its beginning, so *held* is the best that is still to come: U, or the right at the
    end if that rises too. Where the left falls, it is the end of the piece that counts: min(left,
    U) there is what is *lost* if not before; and a right that rises below the left is best at the
    end.
    """
    left, right = first.value[:, [0, 3]].tolist(), second.value[:, [0, 3]].tolist()
    atoms, times = (
        (first.atom.tolist(), second.atom.tolist()),
        (first.at.tolist(), second.at.tolist()),
    )
    held, lost = [NONE] * len(left), [NONE] * len(left)
    stops, alone = _stops(first, end)
    ahead = NONE
    for i in range(len(left) - 1, -1, -1):
        if stops[i]:
            ahead = NONE
        if alone[i]:
            continue
        goal = (right[i][1], atoms[1][i], times[1][i][1])
        rises = right[i][1] > right[i][0]
        if left[i][1] >= left[i][0]:
            held[i] = max(ahead, goal, key=_value) if rises else ahead
        else:
            held[i] = goal if rises and left[i][1] >= right[i][1] else NONE
            lost[i] = min(ahead, (left[i][1], atoms[0][i], times[0][i][1]), key=_value)
        waiting = min(held[i], (left[i][0], atoms[0][i], times[0][i][0]), key=_value)
        ahead = max((right[i][0], atoms[1][i], times[1][i][0]), waiting, lost[i], key=_value)
    return _amounts(held), _amounts(lost)


def _stops(pieces: Curve, end: float) -> tuple[list[bool], list[bool]]:
    """The pieces behind which nothing counts, and those after the end, where each time is alone.

    There only points that follow each other, which are of one instant, count together.
    """
    over, lasts = pieces.end > end, pieces.end > pieces.start
    over_next, lasts_next = np.append(over[1:], True), np.append(lasts[1:], True)
    return np.where(over, lasts | lasts_next, over_next).tolist(), (over & lasts).tolist()


def _value(amount: Amount) -> float:
    return amount[0]


def _amounts(rows: list[Amount]) -> Amounts:
    values, atoms, times = zip(*rows, strict=True)
    return np.array(values), np.array(atoms, dtype=np.intp), np.array(times)


def until_within(left: Curve, right: Curve, low: float, high: float, cells: Cells) -> Curve:
    """*Left until right*, and that from ``low`` to ``high`` seconds from now.  [donze2013]

    The right happens in that time, and it or a later one is waited for: then all before is kept.
    """
    happens = -least_within(-right, low, high, cells)
    waiting = until(left, right, None, cells)
    if low > 0:
        waiting = -waiting
        later = -_moved(waiting, Knots(waiting, cells.grain), low, cells)  # fails where none is
        waiting = lower(_least_before(left, low, cells), later, cells)
    return lower(happens, waiting, cells)


def _least_before(curve: Curve, ahead: float, cells: Cells) -> Curve:
    """The least value from now to just before ``ahead`` seconds from now."""
    knots = Knots(curve, cells.grain)
    grid = Grid.of(cells, np.concatenate([curve.start, knots.time - ahead]))
    last = knots.last(grid.middle + ahead, BEFORE)
    inside = _steps(grid, knots, _own(curve, grid), last)
    edge = _moved(curve, knots, ahead, cells, BEFORE)
    return lower(curve, lower(inside, edge, cells), cells)
