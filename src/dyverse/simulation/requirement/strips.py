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

import numpy as np

from dyverse.automaton.guard.robustness import NOTHING
from dyverse.automaton.interface import Array
from dyverse.simulation.requirement.curves import FINE, Indices, at_share, restricted, turns
from dyverse.simulation.requirement.pieces import Work

Look = Callable[[float], Array]  # the margins of all atoms at a time of the stretch

INNER = np.array([1 / 3, 2 / 3])  # the shares of an interval at which it is looked at
STENCIL = 4  # samples for a cubic
EXACT = 1e-11  # of the numbers in an atom: a cubic that is off by less is as good as the run
SHORT = 1e-13  # of the time: an interval that is not halved any more
HALVINGS = 200  # of one strip: some to find a jump, and not all of them for noise
HUGE = 1e200  # a margin that is infinite at one end
DOUBT = 2.0  # times the difference of two cubics that the first may be off by


class Strip:
    """One stretch; its cubics become better when asked to."""

    def __init__(self, times: Array, margins: Array, look: Look, sizes: Array) -> None:
        self.times, self.margins, self._look = times, margins, look
        self.sizes = sizes  # (atoms,) of the numbers in each; infinite if it does not change
        self._halvings = 0
        if len(times) > STENCIL:
            self.inner, self.error = _guessed(times, margins)
        else:
            shares = INNER[None, :, None]
            self.inner = margins[:-1, None] * (1 - shares) + margins[1:, None] * shares
            self.error = np.full((len(times) - 1, margins.shape[1]), np.inf)
        self.error[:, np.isinf(sizes)] = 0.0

    @property
    def cubics(self) -> Array:
        """Bernstein coefficients of each interval (n - 1, 4, atoms)."""
        first, last = self.margins[:-1], self.margins[1:]
        one, two = self.inner[:, 0], self.inner[:, 1]
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

    def look_closer(self, level: float, until: float = np.inf) -> Work[bool]:
        """Make what may be at a level up to a time exact; whether anything was not."""
        if not self.error.any():
            return False
        hull = self.cubics
        touched = (hull.min(axis=1) - self.error <= level) & (
            hull.max(axis=1) + self.error >= level
        )
        within = self.times[:-1] <= until
        rows = np.flatnonzero((touched & (self.error > 0)).any(axis=1) & within)
        for row in rows[::-1].tolist():
            self._refine(row)
            yield
        return bool(len(rows))

    def _refine(self, row: int) -> None:
        """Look at an interval, and halve it if it is no cubic."""
        start, end = self.times[row], self.times[row + 1]
        middle = start + (end - start) / 2
        for i, share in enumerate(INNER):
            self.inner[row, i] = self._look(start + share * (end - start))
        short = end - start <= SHORT * max(1.0, abs(end)) or not start < middle < end
        if short or self._halvings == HALVINGS:
            self.error[row] = 0.0
            return
        found, cubic = self._look(middle), self.cubics[row]
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

    def cut(self, time: float) -> tuple[Strip, Strip]:
        """Both sides of a time inside."""
        row = int(np.searchsorted(self.times, time))
        if self.times[row] != time:
            self.times = np.insert(self.times, row, time)
            self.margins = np.insert(self.margins, row, self._look(time), axis=0)
        parts = (slice(None, row + 1), slice(row, None))
        first, last = (
            Strip(self.times[part], self.margins[part], self._look, self.sizes) for part in parts
        )
        return first, last


def _at(cubic: Array, share: float) -> Array:
    """A cubic of every atom (4, atoms) at a share."""
    w = 1 - share
    weights = np.array([w**3, 3 * w * w * share, 3 * w * share**2, share**3])
    return np.asarray(weights @ cubic)


def _guessed(times: Array, margins: Array) -> tuple[Array, Array]:
    """Values inside each interval by the samples about it, and what they may be off by."""
    rows, count = np.arange(len(times) - 1), len(times)
    first = np.clip(rows - 1, 0, count - STENCIL)
    second = np.where(first > 0, first - 1, first + 1)
    start, length = times[:-1], np.diff(times)
    inner = [_interpolated(times, margins, first, start + s * length) for s in INNER]
    both = [_interpolated(times, margins, at, start + length / 2) for at in (first, second)]
    return np.stack(inner, axis=1), DOUBT * np.abs(both[0] - both[1])


def _interpolated(times: Array, margins: Array, first: Indices, at: Array) -> Array:
    """Lagrange's cubics through four samples from ``first`` on, one time each."""
    knots = times[first[:, None] + np.arange(STENCIL)]
    total = np.zeros((len(at), margins.shape[1]))
    for j in range(STENCIL):
        others = [k for k in range(STENCIL) if k != j]
        weight = np.prod(
            (at[:, None] - knots[:, others]) / (knots[:, j, None] - knots[:, others]), axis=1
        )
        total += weight[:, None] * margins[first + j]
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
