"""The steps of all runs of a grid along a stretch, and to where a signal comes to zero: in floats.

Steps are short where the field changes quickly, and all runs take as many of them. Only the last
one to an event has another length for each run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.certificate.place import Place
from dyverse.enclosure.program import Program
from dyverse.proving.course import Course, Undrafted, step
from dyverse.proving.floats import run

SPAN = 1.2  # of a step, in the time in which the field can change a state by its own size
LESS = 1.5  # a stretch has so many times fewer steps than it needs somewhere, at most
NEWTON = 12  # rounds
ACROSS = 1e-5  # how long a step across a kink is, as share of the step that it is in
NOISE = 1e-9  # relative to what comes to zero at a kink
HALVED = 40  # times, to find a kink
LOOKED_AT = np.linspace(-1.0, 1.0, 65)
FINE = 1e-11  # the time of an event that will do, if it does not come out better (s)


@dataclass(frozen=True, slots=True, eq=False)
class Pacing:
    """How runs with these ``values``, (values, runs), are cut into steps."""

    values: Array
    span: float = SPAN

    def at(self, program: Program, states: Array) -> Array:
        """The first result of a program at states (states, times, runs), or (states, runs)."""
        values = self.values if states.ndim == 2 else self.values[:, None, :]
        values = np.broadcast_to(values, (len(values), *states.shape[1:]))
        return run(program, states, values)[0]

    def step(self, place: Place, start: Array, pace: Array) -> Course:
        """One step of all runs."""
        return step(lambda states: self.at(place.field.rate, states), start, pace)

    def paced(
        self, place: Place, start: Array, length: Array, head: Sequence[Course] = ()
    ) -> tuple[list[Course], Array]:
        """All steps of a stretch but the last, and how long each is: short where it is needed."""
        count, needed = 0, length.mean() / self._longest(place, start)
        courses: list[Course] = []
        pace = length
        while not count or needed > LESS * count:
            count = max(round(SPAN / self.span), int(np.ceil(needed)))
            whole, pace = list(head), length / count / 2
            for _ in range(count):
                whole += self._along(place, whole[-1].end if whole else start, pace)
            pace = whole[-1].pace
            needed = max(length.mean() / self._longest(place, course.end) for course in whole)
            if place.is_driven:
                needed = max(needed, count * max(course.turns for course in whole) / self.span)
            courses = whole[:-1]
        return courses, pace

    def _longest(self, place: Place, states: Array) -> float:
        """How long a step may be (s) from some states on."""
        n = len(states)
        slopes = run(place.field.jacobian, states[:, :1], self.values[:, :1])[0]
        size = float(np.abs(np.linalg.eigvals(np.abs(slopes.reshape(n, n)))).max(initial=0.0))
        return self.span / size if size > 1e-9 else np.inf

    def _along(self, place: Place, start: Array, pace: Array) -> list[Course]:
        """One step, or several: a short one across each kink that all runs come to."""
        course = self.step(place, start, pace)
        if not place.kinks.results[0]:
            return [course]
        reached = self._kink(place, course)
        if reached is None:
            return [course]
        across = ACROSS * float(pace.min())
        before = pace * (reached + 1) / 2 - across
        found: list[Course] = []
        if (before > across).all():
            found.append(self.step(place, start, before))
            start = found[-1].end
        elif (before > -across / 2).any():
            return [course]
        found.append(self.step(place, start, np.full_like(pace, 2 * across)))
        left = pace - sum(c.pace for c in found)
        return [*found, *self._along(place, found[-1].end, left)]

    def _kink(self, place: Place, course: Course) -> Array | None:
        """When, from -1 to 1, each run comes to the first kink that all come to."""
        values = self.at(place.kinks, course.at(LOOKED_AT))  # (kinks, times, runs)
        found: list[Array] = []
        for which, row in enumerate(values):
            ends = _around_zero(row)
            if ends is not None:
                found.append(self._zero(place, course, which, *ends))
        zeros = [times for times in found if (times < 1 - ACROSS).all()]
        return min(zeros, key=lambda times: float(times.min()), default=None)

    def _zero(self, place: Place, course: Course, which: int, low: Array, high: Array) -> Array:
        """Where each run comes to a kink, between two times: by halving."""
        sides = [self.at(place.kinks, course.each(times))[which] > 0 for times in (low, high)]
        for _ in range(HALVED if (sides[0] != sides[1]).all() else 0):
            middle = (low + high) / 2
            same = (self.at(place.kinks, course.each(middle))[which] > 0) == sides[0]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return low

    def last(self, place: Place, closing: str, start: Array, pace: Array) -> Course:
        """The step to where a signal comes to zero: each run has its own length."""
        usual = pace
        for _ in range(NEWTON):
            course = self.step(place, start, pace)
            late = self._lateness(place, closing, course)
            pace = pace - late / 2
            if not ((pace > 0.1 * usual).all() and (pace < 4 * usual).all()):
                raise Undrafted("too wide: events come at too different times")
            if np.abs(late).max() < 1e-15 * (1 + np.abs(course.end[-1]).max()):
                return course
        if np.abs(late).max() < FINE:
            return course
        raise Undrafted("too wide: an event is not found")

    def _lateness(self, place: Place, closing: str, course: Course) -> Array:
        """How much too long the last step of each run is (s)."""
        value, rate = (self.at(place.derivative(closing, order), course.end)[0] for order in (0, 1))
        if not (rate < 0).all():
            raise Undrafted("grazing: a signal is not surely crossed")
        return np.asarray(value / rate)


def _around_zero(values: Array) -> tuple[Array, Array] | None:
    """Between which times each run is zero first, if all of them are; values are (times, runs)."""
    most, start = np.abs(values).max(), np.full(values.shape[1], -1.0)
    least = NOISE * most
    if not most > NOISE:
        return None  # they stay there
    if (np.abs(values[0]) <= least).all() and (np.abs(values[-1]) > least).all():
        return start, start  # they begin there
    changes = (values[:-1] > 0) != (values[1:] > 0)
    if not changes.any(axis=0).all():
        return None
    k = changes.argmax(axis=0)
    return LOOKED_AT[k], LOOKED_AT[k + 1]
