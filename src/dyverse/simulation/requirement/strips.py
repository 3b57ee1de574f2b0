"""The atoms of a requirement along one stretch of a run: values at samples, cubics in between.

A cubic between two samples first comes from the samples beside them, with an error that a second
such cubic tells. Where that may matter it is replaced by one through states of the run in between,
and where such a one is not true to another state, the stretch is halved. Whoever uses a strip says
what matters: everything that may be at a *level*. For the margin of a requirement is the value of
one of its atoms, and whether it is above a level depends on where atoms are above it, on nothing
else. So what is not near the level of the answer needs no closer look.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dyverse.automaton.guard.robustness import NOTHING
from dyverse.automaton.interface import Array
from dyverse.simulation.requirement.curves import (
    FINE,
    Indices,
    Truths,
    at_share,
    restricted,
    turns,
)
from dyverse.simulation.requirement.pieces import Work

Look = Callable[[float], Array]  # the margins of all atoms at a time of the stretch

INNER = np.array([1 / 3, 2 / 3])  # the shares of an interval at which it is looked at
STENCIL = 4  # samples for a cubic
EXACT = 1e-11  # of the numbers in an atom: a cubic that is off by less is as good as the run
SHORT = 1e-13  # of the time: an interval that is not halved any more
HALVINGS = 200  # of one strip: some to find a jump, and not all of them for noise
HUGE = 1e200  # a margin that is infinite at one end
DOUBT = 2.0  # times the difference of two cubics that the first may be off by
BLOCKS = 64, 16  # intervals in a row that may be one at first
PARTS = 4  # that a block is taken apart into
ROUGH = 1e-3  # of the range of a margin: what these may be off by then


class Strip:
    """One stretch; its cubics become better when asked to."""

    def __init__(self, times: Array, margins: Array, look: Look, sizes: Array) -> None:
        self._look = look
        self.sizes = sizes  # (atoms,) of the numbers in each; infinite if it does not change
        self._halvings = 0
        self._finest = _between_samples(times, margins)
        self._finest.error[:, np.isinf(sizes)] = 0.0
        rough = _fewer(self._finest)
        self.times, self.margins, self.inner, self.error = rough

    @property
    def cubics(self) -> Array:
        """Bernstein coefficients of each interval (n - 1, 4, atoms)."""
        return _cubics(self.margins[:-1], self.inner, self.margins[1:])

    def look_closer(self, level: float, until: float = np.inf) -> Work[bool]:
        """Make what may be at a level up to a time exact; whether anything was not."""
        if not self.error.any():
            return False
        hull = self.cubics
        touched = (hull.min(axis=1) - self.error <= level) & (
            hull.max(axis=1) + self.error >= level
        )
        within = self.times[:-1] <= until
        rough = (touched & (self.error > 0)).any(axis=1) & within
        if self._take_apart(rough):
            yield
            yield from self.look_closer(level, until)
            return True
        rows = np.flatnonzero(rough)
        for row in rows[::-1].tolist():
            self._refine(row)
            yield
        return bool(len(rows))

    def _take_apart(self, rough: Truths) -> bool:
        """Put quarters in the place of these intervals; whether there was one to be taken apart."""
        first = np.searchsorted(self._finest.times, self.times)
        sizes = np.diff(first)  # in samples: more than one is a block
        apart = rough & (sizes > 1)
        if not apart.any():
            return False
        kept = np.flatnonzero(~apart)
        parts = [
            Intervals(self.times[kept], self.margins[kept], self.inner[kept], self.error[kept])
        ]
        for size in np.unique(sizes[apart]).tolist():
            rows = first[:-1][apart & (sizes == size)]
            quarters = (rows[:, None] + size // PARTS * np.arange(PARTS)).ravel()
            parts.append(_blocks(self._finest, quarters, size // PARTS))
        self.times, self.margins, self.inner, self.error = _in_order(parts, self._ends)
        return True

    @property
    def _ends(self) -> tuple[float, Array]:
        return float(self.times[-1]), self.margins[-1]

    def _refine(self, row: int) -> None:
        """Look at an interval, and halve it if it is no cubic."""
        start, end = self.times[row], self.times[row + 1]
        middle = start + (end - start) / 2
        if end - start <= SHORT * max(1.0, abs(end)) or not start < middle < end:  # a jump
            self.inner[row] = _straight(self.margins[row], self.margins[row + 1])
            self.error[row] = 0.0
            return
        for i, share in enumerate(INNER):
            self.inner[row, i] = self._look(start + share * (end - start))
        if self._halvings == HALVINGS:
            self.error[row] = 0.0
            return
        found, one = self._look(middle), slice(row, row + 1)
        cubic = _cubics(self.margins[one], self.inner[one], self.margins[row + 1 : row + 2])[0]
        guess = (cubic[0] + 3 * cubic[1] + 3 * cubic[2] + cubic[3]) / 8
        off = np.abs(found - guess)
        if np.all(off <= EXACT * self.sizes):
            self.error[row] = 0.0
            return
        self._halve(row, middle, found, cubic, off)

    def _halve(self, row: int, middle: float, found: Array, cubic: Array, off: Array) -> None:
        self._halvings += 1
        points = np.array([1 / 6, 1 / 3, 2 / 3, 5 / 6])
        inner = np.stack([_at(cubic, share) for share in points]).reshape(2, 2, -1)
        inner[0, 1], inner[1, 0] = self.inner[row]
        self.times = np.insert(self.times, row + 1, middle)
        self.margins = np.insert(self.margins, row + 1, found, axis=0)
        self.inner = np.concatenate([self.inner[:row], inner, self.inner[row + 1 :]])
        error = np.repeat(2 * off[None, :], 2, axis=0)
        self.error = np.concatenate([self.error[:row], error, self.error[row + 1 :]])


def _cubics(first: Array, inner: Array, last: Array) -> Array:
    """Bernstein coefficients (n, 4, atoms) of cubics through four values each."""
    one, two = inner[:, 0], inner[:, 1]
    left = (-5 * first + 18 * one - 9 * two + 2 * last) / 6
    right = (2 * first - 9 * one + 18 * two - 5 * last) / 6
    rise = (last - first) / 3
    ends = np.maximum(np.abs(first), np.abs(last))
    straight = (np.abs(one) + np.abs(two) + ends > HUGE) | (
        (one == first) & (two == first) & (rise == 0)
    )
    left = np.where(straight, first + rise, left)
    right = np.where(straight, last - rise, right)
    return np.stack([first, left, right, last], axis=1)


def _straight(first: Array, last: Array) -> Array:
    """Values inside a straight line (2, ...)."""
    return np.stack([first * (1 - share) + last * share for share in INNER])


def _at(cubic: Array, share: float) -> Array:
    """A cubic of every atom (4, atoms) at a share."""
    w = 1 - share
    weights = np.array([w**3, 3 * w * w * share, 3 * w * share**2, share**3])
    return np.asarray(weights @ cubic)


class Intervals(NamedTuple):
    """Values at the ends of intervals and inside them, and what cubics may be off by."""

    times: Array  # (n + 1,), or where they begin
    margins: Array  # (n + 1, atoms)
    inner: Array  # (n, 2, atoms)
    error: Array  # (n, atoms)


def _between_samples(times: Array, margins: Array) -> Intervals:
    if len(times) > STENCIL:
        return Intervals(times, margins, *_guessed(times, margins))
    inner = np.moveaxis(_straight(margins[:-1], margins[1:]), 0, 1)
    return Intervals(times, margins, inner, np.full((len(inner), margins.shape[1]), np.inf))


def _fewer(finest: Intervals) -> Intervals:
    """The same with blocks of intervals in place of them, wherever one cubic is close to all."""
    count = len(finest.inner)
    if count < min(BLOCKS):
        return finest
    rough = ROUGH * np.ptp(finest.margins, axis=0)
    left, parts = np.ones(count, dtype=bool), []
    for size in BLOCKS:
        first = np.arange(0, count - size + 1, size)
        found = _blocks(finest, first[left[first]], size)
        close = (found.error <= rough).all(axis=1)
        left[(first[left[first]][close, None] + np.arange(size)).ravel()] = False
        parts.append(Intervals(*(part[close] for part in found)))
    parts.append(_blocks(finest, np.flatnonzero(left), 1))
    return _in_order(parts, (float(finest.times[-1]), finest.margins[-1]))


def _blocks(finest: Intervals, first: Indices, size: int) -> Intervals:
    """Cubics through four samples of each block from ``first`` on, of so many intervals."""
    if size == 1:
        return Intervals(*(part[first] for part in finest))
    times, margins, atoms = finest.times, finest.margins, finest.margins.shape[1]
    through = first[:, None] + np.array([0, size // 3, size - size // 3, size])
    start, length = times[first], times[first + size] - times[first]
    rows = first[:, None] + np.arange(size)
    at = np.hstack([start[:, None] + INNER * length[:, None], times[rows]])
    found = _interpolated(times, margins, np.repeat(through, size + 2, axis=0), at.ravel())
    found = found.reshape(len(first), size + 2, atoms)
    off = np.abs(found[:, 2:] - margins[rows]).max(axis=1)
    error = DOUBT * off + finest.error[rows].max(axis=1)
    return Intervals(start, margins[first], found[:, :2], error)


def _in_order(parts: list[Intervals], end: tuple[float, Array]) -> Intervals:
    """All intervals as one row of them, which ends with this time and these margins."""
    times, margins, inner, error = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(times)
    return Intervals(
        np.append(times[order], end[0]),
        np.concatenate([margins[order], end[1][None, :]]),
        inner[order],
        error[order],
    )


def _guessed(times: Array, margins: Array) -> tuple[Array, Array]:
    """Values inside each interval by the samples about it, and what they may be off by."""
    rows, count = np.arange(len(times) - 1), len(times)
    first = np.clip(rows - 1, 0, count - STENCIL)
    second = np.where(first > 0, first - 1, first + 1)
    start, length = times[:-1], np.diff(times)
    stencils = [at[:, None] + np.arange(STENCIL) for at in (first, second)]
    inner = [_interpolated(times, margins, stencils[0], start + s * length) for s in INNER]
    both = [_interpolated(times, margins, at, start + length / 2) for at in stencils]
    return np.stack(inner, axis=1), DOUBT * np.abs(both[0] - both[1])


def _interpolated(times: Array, margins: Array, through: Indices, at: Array) -> Array:
    """Lagrange's cubics through four samples each (n, 4), at one time each."""
    knots = times[through]
    total = np.zeros((len(at), margins.shape[1]))
    for j in range(STENCIL):
        others = [k for k in range(STENCIL) if k != j]
        weight = np.prod(
            (at[:, None] - knots[:, others]) / (knots[:, j, None] - knots[:, others]), axis=1
        )
        total += weight[:, None] * margins[through[:, j]]
    return total


def monotone(
    cubics: Array, start: Array, end: Array, stretch: Indices, size: Array
) -> tuple[Indices, Array, Array, Array]:
    """Cubics (n, 4) from ``start`` to ``end`` as pieces that only rise or only fall.

    Which ``stretch`` each is on comes out again, with starts, ends and values of the pieces.
    ``size`` is that of the numbers that a cubic comes from. What turns so near an end that it
    differs from it by their rounding does not turn: a fall from rest never rises above its start.
    """
    inside = turns(cubics)
    fine = FINE * np.maximum(np.abs(cubics).max(axis=1), size)[:, None]
    bulge = np.stack([at_share(cubics, share) for share in inside.T], axis=1)
    real = np.abs(bulge[:, :, None] - cubics[:, None, [0, 3]]).min(axis=2) > fine
    row, column = np.nonzero((inside > 0) & (inside < 1) & real)
    where = np.concatenate([np.arange(len(cubics)), row])
    share = np.concatenate([np.zeros(len(cubics)), inside[row, column]])
    order = np.lexsort((share, where))
    where, share = where[order], share[order]
    last = np.append(where[1:] != where[:-1], True)
    stop = np.where(last, 1.0, np.append(share[1:], 1.0))
    low = start[where] + share * (end - start)[where]
    high = np.where(last, end[where], np.append(low[1:], 0.0))
    return with_zeros(stretch[where], low, high, restricted(cubics[where], share, stop))


def with_zeros(
    stretch: Indices, low: Array, high: Array, value: Array
) -> tuple[Indices, Array, Array, Array]:
    """Pieces whose ends are limits; where one is zero inside a stretch, the value there is a point.

    At its bound a strict atom fails and a weak one holds; beside it, what counts is the other end.
    """
    ends = value[:, [0, 3]]
    other = ends[:, ::-1]
    zero = np.abs(ends) <= NOTHING
    sides = np.where(other > NOTHING, 0.0, np.where(other < -NOTHING, -NOTHING, ends))
    value[:, [0, 3]] = np.where(zero, sides, ends)
    inside = stretch[1:] == stretch[:-1]
    rows = np.flatnonzero(zero[1:, 0] & inside)  # the pieces before those that begin so
    order = np.argsort(np.concatenate([np.arange(len(low)), rows + 0.5]), kind="stable")
    points = np.repeat(ends[rows + 1, :1], 4, axis=1)
    return (
        np.concatenate([stretch, stretch[rows]])[order],
        np.concatenate([low, high[rows]])[order],
        np.concatenate([high, high[rows]])[order],
        np.concatenate([value, points])[order],
    )
