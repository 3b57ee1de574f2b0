"""The first look downhill: a few batches of runs from the lowest points, before anything costly.

A run in a batch costs microseconds, one whose arcs are looked at milliseconds. So the margin itself
is followed down first, from several points at once: differences on both sides of each unknown give
its slope, and trial steps around the one that would bring it to zero give the next point. In a
plain valley a handful of batches ends in a violation; elsewhere little is lost.
"""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe

BATCHES = 8
REACH = 0.3  # the longest step, in widths of the ranges
SHARES = np.array([0.1, 0.5])  # of the step to zero
BEYOND = 10.0 ** np.arange(-8, -1)  # further than the step to zero, in widths
FARTHEST, NEAREST = 1e-3, 1e-9  # how far apart differences are taken, in widths


def sprint(question: Question, starts: Array, *, most: float = np.inf) -> tuple[Array, int]:
    """The lowest point found from each of ``starts``, and the runs that it took, ``most`` at most.

    There must be one for each start.
    """
    track = _Track(question, starts)
    batch = len(starts) * (2 * starts.shape[1] + len(SHARES) + len(BEYOND))
    for _ in range(BATCHES):
        if (track.margins < 0).any() or track.runs + batch > most or not track.advance():
            break
    return track.points, track.runs


class _Track:
    """Where all runners stand."""

    def __init__(self, question: Question, starts: Array) -> None:
        self._question, self.runs = question, 0
        self.points = starts
        self._apart = np.full(len(starts), FARTHEST)
        self.margins = self._look(starts[:, None, :])[:, 0]

    def advance(self) -> bool:
        """One slope and one step for everyone; whether anyone may still come further."""
        trials = self._trials(self._slopes())
        margins = self._look(trials)
        best = margins.argmin(axis=1)
        rows = np.arange(len(best))
        better = margins[rows, best] < self.margins
        moved = np.linalg.norm((trials[rows, best] - self.points) / self._room, axis=1)
        self.points = np.where(better[:, None], trials[rows, best], self.points)
        self.margins = np.where(better, margins[rows, best], self.margins)
        near = np.where(better, np.minimum(moved, self._apart), self._apart) / 10
        self._apart = np.maximum(near, NEAREST)
        return bool(better.any() or (near > NEAREST).any())

    def _slopes(self) -> Array:
        """Of the margin, per width of each unknown; zero where it rises on both sides."""
        count = self.points.shape[1]
        sides = np.vstack([np.eye(count), -np.eye(count)])
        ways = self._apart[:, None, None] * sides * self._question.width
        beside = self._look(self.points[:, None, :] + ways) - self.margins[:, None]
        up, down = beside[:, :count], -beside[:, count:]
        up, down = np.where(np.isfinite(up), up, down), np.where(np.isfinite(down), down, up)
        steeper = np.where(-up > down, up, down)
        slope = np.where((up > 0) == (down > 0), (up + down) / 2, np.where(up > 0, 0.0, steeper))
        return np.asarray(np.nan_to_num(slope, posinf=0.0, neginf=0.0) / self._apart[:, None])

    def _trials(self, slopes: Array) -> Array:
        """Points on the way down, around the one where the margin would be zero."""
        steepness = np.linalg.norm(slopes, axis=1)
        steep = np.where(steepness > 0, steepness, 1.0)
        to_zero = np.minimum(np.where(np.isfinite(self.margins), self.margins, 0) / steep, REACH)
        lengths = np.hstack([to_zero[:, None] * SHARES, to_zero[:, None] + BEYOND])
        ways = -slopes / steep[:, None] * self._question.width
        return self._inside(self.points[:, None, :] + lengths[:, :, None] * ways[:, None, :])

    def _look(self, points: Array) -> Array:
        """The margins of points, in rows of one runner each."""
        count, each, unknowns = points.shape
        self.runs += count * each
        flat = self._inside(points).reshape(-1, unknowns)
        margins = probe(self._question, flat).margins.reshape(count, each)
        return np.where(np.isnan(margins), np.inf, margins)

    def _inside(self, points: Array) -> Array:
        return np.clip(points, self._question.low, self._question.high)

    @property
    def _room(self) -> Array:
        return np.where(self._question.width > 0, self._question.width, 1.0)
