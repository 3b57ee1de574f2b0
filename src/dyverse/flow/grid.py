"""The watched signals on a grid of times, and what the grid alone says of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The watched signals at increasing times; the rates are all known."""

    times: Array  # (k,)
    states: Array  # (k, n)
    values: Array  # (k, m)
    rates: Array  # (k, m)
    blind: Flags  # (m,): whose rates are only differences, so that near misses are not told

    def end(self, i: int, signal: int) -> tuple[float, float]:
        """Time and value of a signal at one end of an interval."""
        return float(self.times[i]), float(self.values[i, signal])


def between(knots: Array, count: int) -> Array:
    """The knots, and times that divide each interval between them into ``count`` equal ones."""
    found = np.empty((len(knots) - 1) * count + 1)
    lengths = (knots[1:] - knots[:-1])[:, None] / count
    found[:-1].reshape(-1, count)[:] = knots[:-1, None] + lengths * np.arange(float(count))
    found[-1] = knots[-1]
    return found


def armed_on(grid: Grid, resting: Flags, lift: float) -> Flags:
    """Which signals may fire on each interval: those not resting, and those that have risen."""
    if not resting.any():
        return np.ones((len(grid.times) - 1, len(resting)), dtype=bool)
    high = grid.values[:-1] > lift
    high[0] = False  # where it was reset to, not where it has risen to
    return np.asarray(np.logical_or.accumulate(high, axis=0) | ~resting)


def may_wave(grid: Grid, i: int, j: int) -> bool:
    """Whether a signal that falls at both ends may have risen between: it may fall by rounding."""
    chord = (grid.values[i + 1, j] - grid.values[i, j]) / (grid.times[i + 1] - grid.times[i])
    return bool(grid.rates[i + 1, j] < 0 and grid.rates[i : i + 2, j].min() < 3 * chord)
