"""One formula along one run: how low its margin gets, at samples and between them, and when first.

In come the rows of a run, out goes what was `Seen`. Between samples a run is looked at within its
arcs only: where the margin of a sample is the lowest of its neighbours, where it falls from the
first one or to the last one, and about its first failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from dyverse.automaton.run import Arc, Run
from dyverse.simulation.gauge import Gauge
from dyverse.simulation.observing import Row
from dyverse.simulation.streamed import Instant, Seen

HALVINGS = 60
FLAT = 1e-9  # of the margin: a rise that is none
BESIDE = 1e-6  # of an interval, to tell which way the margin goes from its end


class Point(NamedTuple):
    """A formula at one time."""

    time: float
    margin: float
    leeway: float


class Watched:
    """A formula along a run, as long as it is asked for."""

    def __init__(self, run: Run, gauge: Gauge, until: float) -> None:
        self._run, self._gauge, self._until = run, gauge, until
        self._taken: dict[int, list[Point]] = {}  # by the part of the run

    def take(self, row: Row) -> None:
        """Look at one state."""
        if row.state.time <= self._until:
            point = Point(row.state.time, *self._gauge(row.known))
            self._taken.setdefault(row.place, []).append(point)

    def seen(self, before: Instant | None) -> Seen:
        """The least margin, or that before an instant, and the first failure of all."""
        return self._lowest("margin", before)

    def sure(self, before: Instant | None) -> Seen:
        """The same of the leeway."""
        return self._lowest("leeway", before)

    def _lowest(self, which: Literal["margin", "leeway"], before: Instant | None) -> Seen:
        points = [
            point
            for place, points in self._points.items()
            for point in points
            if before is None or (point.time, place) < before
        ]
        points += self._just_before(before)
        low = min(points, key=lambda point: getattr(point, which), default=None)
        if low is None:
            return Seen(np.inf, self._until, self.failed)
        return Seen(getattr(low, which), low.time, self.failed)

    def _just_before(self, end: Instant | None) -> list[Point]:
        """Where a formula that has failed before ``end`` got to, if time passed until then."""
        if end is None or self.failed is None or not self.failed < end:
            return []
        arc = self._run.parts[end[1]]
        if not isinstance(arc, Arc) or not arc.times[0] < end[0]:
            return []
        return [self._at(arc, end[0])]

    @cached_property
    def failed(self) -> Instant | None:
        """When the formula first fails."""
        for place, points in self._points.items():
            for point in points:
                if point.margin < 0:
                    return point.time, place
        return None

    @cached_property
    def _points(self) -> dict[int, list[Point]]:
        """All that was seen, with what was found between samples."""
        best = min((p.margin for points in self._taken.values() for p in points), default=0.0)
        found, failed = dict[int, list[Point]](), False
        for place, points in self._taken.items():
            arc = self._run.parts[place]
            if isinstance(arc, Arc) and len(arc.times) > 1:
                points = self._to_end(arc, points)
                points += self._dips(arc, points, below=best if failed else max(best, 0.0))
                points.sort()
                points += [] if failed else self._first_failure(arc, points)
                points.sort()
            found[place] = points
            failed = failed or any(point.margin < 0 for point in points)
        return found

    def _to_end(self, arc: Arc, points: list[Point]) -> list[Point]:
        """With the end of the property, if it is between two samples."""
        cut = points[-1].time < self._until < arc.times[-1]
        return [*points, self._at(arc, self._until)] if cut else list(points)

    def _dips(self, arc: Arc, points: list[Point], *, below: float) -> list[Point]:
        """The minima between samples that may be lower than ``below``."""
        margins = [point.margin for point in points]
        found = [(points[i - 1].time, points[i + 1].time) for i in valleys(margins, below)]
        found += self._ends(arc, points, below)
        return [self._bottom(arc, low, high) for low, high in found if low < high]

    def _ends(self, arc: Arc, points: list[Point], below: float) -> Iterator[tuple[float, float]]:
        """The first and the last interval, if the margin falls into them from the arc's end."""
        for end, inner in ((points[0], points[1:2]), (points[-1], points[-2:-1])):
            for other in inner:
                rise = other.margin - end.margin
                beside = end.time + BESIDE * (other.time - end.time)
                deep = rise > FLAT * (1 + abs(end.margin)) and end.margin - rise < below
                if deep and self._at(arc, beside).margin < end.margin:
                    yield min(end.time, other.time), max(end.time, other.time)

    def _bottom(self, arc: Arc, low: float, high: float) -> Point:
        fine = 1e-12 * max(1.0, high)
        found = minimize_scalar(
            lambda time: self._at(arc, time).margin,
            bounds=(low, high),
            method="bounded",
            options={"xatol": fine},
        )
        return self._at(arc, float(found.x))

    def _first_failure(self, arc: Arc, points: list[Point]) -> list[Point]:
        """The first time at which the formula fails, by bisection, if it does behind a sample."""
        for good, bad in pairwise(points):
            if bad.margin < 0 <= good.margin:
                return [self._bisected(arc, good, bad)]
            if good.margin < 0:
                break
        return []

    def _bisected(self, arc: Arc, good: Point, bad: Point) -> Point:
        for _ in range(HALVINGS):
            middle = (good.time + bad.time) / 2
            if not good.time < middle < bad.time:
                break
            found = self._at(arc, middle)
            good, bad = (good, found) if found.margin < 0 else (found, bad)
        return bad

    def _at(self, arc: Arc, time: float) -> Point:
        state = self._run.within(arc, time)
        return Point(time, *self._gauge(self._run.automaton.observe(state)))


def valleys(margins: list[float], below: float) -> Iterator[int]:
    """The samples about which the margin may go below a number: lowest among their neighbours.

    A valley is taken to be no deeper below its sample than its higher neighbour is above; on a
    plateau, where neighbours differ by rounding, there is none.
    """
    for i in range(1, len(margins) - 1):
        left, here, right = margins[i - 1 : i + 2]
        rise = max(left, right) - here
        if here <= min(left, right) and rise > FLAT * (1 + abs(here)) and here - rise < below:
            yield i
