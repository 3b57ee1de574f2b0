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
            count = max(1, int(np.ceil(needed)))
            whole, pace = list(head), length / count / 2
            for _ in range(count):
                whole.append(self.step(place, whole[-1].end if whole else start, pace))
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
