"""Signals along a run, kept in bounded room: buckets with the least and the most in them.

At first every sample is a bucket of its own. When there are too many, neighbours are merged; so a
bounce never disappears, however long the run, and however few pixels there are to draw it on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dyverse.automaton.interface import Array

MOST = 2**16  # buckets of one signal


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Buckets of one signal: when each begins (s), its least and its most."""

    times: Array
    low: Array
    high: Array


NOTHING = Curve(np.empty(0), np.empty(0), np.empty(0))


class Track:
    """One signal from the start of a run on."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._count = most, 0
        self._rows = np.empty((3, 256))  # times, low, high

    def __len__(self) -> int:
        return self._count

    @property
    def end(self) -> float:
        """When the last bucket begins (s); before everything if there is none."""
        return float(self._rows[0, self._count - 1]) if self._count else -np.inf

    def add(self, times: Array, values: Array) -> None:
        """More samples, in the order of time."""
        after = self._count + len(times)
        if after > self._rows.shape[1]:
            grown = np.empty((3, max(after, 2 * self._rows.shape[1])))
            grown[:, : self._count] = self._rows[:, : self._count]
            self._rows = grown
        self._rows[0, self._count : after] = times
        self._rows[1:, self._count : after] = values
        self._count = after
        while self._count > self._most:
            self._merge()

    def cut(self, time: float) -> None:
        """Forget what is later than ``time``."""
        self._count = int(np.searchsorted(self._rows[0, : self._count], time, side="right"))

    def copy(self) -> Track:
        """The same, to go on with on its own."""
        found = Track(self._most)
        found._rows, found._count = self._rows.copy(), self._count
        return found

    def window(self, begin: float, end: float, pixels: int) -> Curve:
        """What is seen from ``begin`` to ``end`` on so many pixels, and a bucket on either side."""
        times, low, high = self._rows[:, : self._count]
        first = max(0, int(np.searchsorted(times, begin)) - 1)
        last = int(np.searchsorted(times, end, side="right")) + 1
        found = Curve(times[first:last], low[first:last], high[first:last])
        return decimated(found, begin, end, pixels)

    def _merge(self) -> None:
        """Two neighbours each become one."""
        times, low, high = self._rows[:, : self._count]
        starts = np.arange(0, self._count, 2)
        merged = np.array(
            [times[starts], np.fmin.reduceat(low, starts), np.fmax.reduceat(high, starts)]
        )
        self._count = len(starts)
        self._rows[:, : self._count] = merged


def decimated(curve: Curve, begin: float, end: float, pixels: int) -> Curve:
    """At most one bucket per pixel from ``begin`` to ``end``, and one on either side."""
    if len(curve.times) <= pixels or end <= begin:
        return curve
    share = (curve.times - begin) / (end - begin)
    pixel = np.clip(np.floor(share * pixels), -1, pixels)
    starts = np.flatnonzero(np.diff(pixel, prepend=np.nan) != 0)
    low, high = np.fmin.reduceat(curve.low, starts), np.fmax.reduceat(curve.high, starts)
    return Curve(curve.times[starts], low, high)
