"""Sensitivities along one arc: the variational equation S' = A S + B.

State and S are integrated together by the reference solver, from the recorded start of the arc.
Where a slip is just beginning or ending its direction settles a million times faster than anything
else moves; there S follows by an L-stable method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc
from dyverse.flow.reference import Reference
from dyverse.flow.step import Accuracy, IntegrationError, Segment, Step
from dyverse.simulation.variation.variation import Field, Linear, Passage, Variation

ACCURACY = Accuracy(relative=1e-10, absolute=1e-12)


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """∂x/∂p along one arc, in steps whose states are (x, S)."""

    start: float
    end: float
    first: Array  # S at the start, (n, k)
    last: Array  # S at the end
    steps: tuple[Step, ...]

    def at(self, time: float) -> Array:
        """S at a time of the arc."""
        if not self.steps or time <= self.start:
            return self.first
        if time >= self.end:
            return self.last
        step = next(step for step in self.steps if time <= step.end)
        n, k = self.first.shape
        return step.at(np.array([time]))[0, n:].reshape(n, k)


def stretch(variation: Variation, arcs: list[Arc], i: int, passage: Passage) -> Stretch:
    """Follow S along arc ``i``, from what the instant before it has left."""
    arc, after = arcs[i], arcs[i + 1].start if i + 1 < len(arcs) else None
    begin, end = float(arc.times[0]), float(arc.times[-1])
    field, x = variation.field(arc.start), arc.start.values
    S = passage.after - np.outer(field(begin, x).value, passage.time)
    if begin == end:
        return Stretch(begin, end, S, S, ())
    path = _Path(field, arc, S)
    path.stiffly(variation.beginning(arc), _recorded(field, arc))
    ending = variation.ending(arc, after)
    path.follow(float(ending[0]) if len(ending) else end)
    path.stiffly(ending, _followed(field, path.time, path.whole[: len(x)], ending))
    path.straight(end)
    return Stretch(begin, end, S, path.S, tuple(path.steps))


class _Path:
    """(x, S) from the start of an arc on."""

    def __init__(self, field: Field, arc: Arc, S: Array) -> None:
        self._field, self._arc, self._shape = field, arc, S.shape
        self.time = float(arc.times[0])
        self.whole = _joined(arc.start.values, S)
        self.steps: list[Step] = []

    @property
    def S(self) -> Array:  # noqa: N802 - the symbol of the variational equation
        """S so far."""
        return self.whole[self._shape[0] :].reshape(self._shape)

    def rate(self, time: float, whole: Array) -> Array:
        """(x, S)' = (f, A S + B)."""
        n = self._shape[0]
        found = self._field(time, whole[:n])
        slope = found.by_state @ whole[n:].reshape(self._shape) + found.by_values
        return np.concatenate([found.value, slope.ravel()])

    def take(self, step: Step) -> None:
        """Go on along ``step``."""
        self.steps.append(step)
        self.time, self.whole = step.end, step.last

    def follow(self, until: float) -> None:
        """By the reference solver; where it cannot go on, from row to row of the arc."""
        marching = Reference().steps(
            self.rate, self.time, self.whole, until=until, accuracy=ACCURACY
        )
        try:
            for step in marching:
                self.take(step)
        except IntegrationError:
            times = self._arc.times
            between = times[(times > self.time) & (times < until)]
            nodes = np.concatenate([[self.time], between, [until]])
            self.stiffly(nodes, _recorded(self._field, self._arc))

    def stiffly(self, times: Array, state: Callable[[float], Array]) -> None:
        """From one of ``times`` to the next by Lobatto IIIC of order 2, straight in between.

        [hairer1996] §IV.5: only the ends of a step are looked at, and fast parts die out.
        """
        nodes = [(time, x, self._field(time, x)) for time in times.tolist() for x in [state(time)]]
        for (begin, _, first), (end, x, last) in pairwise(nodes):
            if end > begin:
                late = _lobatto(first, last, self.S, end - begin)
                self.take(Segment(begin, end, self.whole, _joined(x, late)))

    def straight(self, until: float) -> None:
        """What is left, along a line."""
        if self.time < until:
            moved = self.whole + (until - self.time) * self.rate(self.time, self.whole)
            self.take(Segment(self.time, until, self.whole, moved))


def _joined(x: Array, S: Array) -> Array:
    return np.concatenate([x, S.ravel()])


def _followed(field: Field, time: float, x: Array, times: Array) -> Callable[[float], Array]:
    """The state at one of ``times``, integrated from ``x`` on without S."""
    steps: list[Step] = []
    if len(times):
        marching = Reference().steps(
            lambda moment, state: field(moment, state).value,
            time,
            x,
            until=float(times[-1]),
            accuracy=ACCURACY,
        )
        steps.extend(marching)

    def at(moment: float) -> Array:
        step = next((step for step in steps if moment <= step.end), None)
        if step is None or moment <= time:
            return steps[-1].last if steps and moment > time else x
        return np.asarray(step.at(np.array([moment]))[0])

    return at


def _recorded(field: Field, arc: Arc) -> Callable[[float], Array]:
    """The state of a run at a time of an arc, between its rows by their rates."""

    @lru_cache(maxsize=4)
    def curve(row: int) -> CubicHermiteSpline:
        rows = slice(row - 1, row + 1)
        ends = zip(arc.times[rows].tolist(), arc.states[rows], strict=True)
        rates = [field(moment, state).value for moment, state in ends]
        return CubicHermiteSpline(arc.times[rows], arc.states[rows], rates)

    def at(time: float) -> Array:
        row = int(np.searchsorted(arc.times, time))
        state = arc.states[row] if arc.times[row] == time else curve(row)(time)
        return np.asarray(state, dtype=np.float64)

    return at


def _lobatto(first: Linear, last: Linear, S: Array, h: float) -> Array:
    """One step of length ``h`` of S' = A S + B.

    K₁ = A₁(S + h (K₁ - K₂)/2) + B₁ and K₂ = A₂(S + h (K₁ + K₂)/2) + B₂ give S + h (K₁ + K₂)/2.
    """
    A, B, half, one = first.by_state, last.by_state, h / 2, np.eye(len(S))
    matrix = np.block([[one - half * A, half * A], [-half * B, one - half * B]])
    right = np.vstack([A @ S + first.by_values, B @ S + last.by_values])
    K = np.linalg.solve(matrix, right)
    return np.asarray(S + half * (K[: len(S)] + K[len(S) :]))
