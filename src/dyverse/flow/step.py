"""The seam between a vector field and its solvers: accuracy in, steps with dense output out.

A solver is a generator of steps. It knows nothing of events: whoever follows the flow looks for
them on the dense output of each step, so that all solvers meet the same events.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dyverse.automaton.endings import crawling
from dyverse.automaton.interface import Array
from dyverse.errors import SolverError

Rate = Callable[[float, Array], Array]
Excess = Callable[[Array, Array], float]  # see `dyverse.automaton.interface.Limiting`
Relaxation = Callable[[float, Array], float]  # the same


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What a step may err by, ``absolute + relative |x|`` per variable, and how long it may be."""

    relative: float = 1e-10
    absolute: float = 1e-12
    longest_step: float = math.inf  # s


class Step(Protocol):
    """One accepted step of a solver, from ``start`` to ``end`` (s)."""

    @property
    def start(self) -> float:
        """Where the step starts (s)."""

    @property
    def end(self) -> float:
        """Where the step ends (s)."""

    @property
    def first(self) -> Array:
        """The state at ``start``."""

    @property
    def last(self) -> Array:
        """The state at ``end``."""

    @property
    def proposal(self) -> float | None:
        """The length to try after a restart; None for a multistep method, which starts small."""

    def at(self, times: Array) -> Array:
        """The states at ``times`` within the step, one row per time."""


class Solver(Protocol):
    """An integrator of ``dx/dt = rate(t, x)``."""

    def steps(
        self,
        rate: Rate,
        time: float,
        values: Array,
        *,
        until: float,
        accuracy: Accuracy,
        first_step: float | None = None,
        sharp: bool = False,
        excess: Excess | None = None,
        relaxation: Relaxation | None = None,
    ) -> Iterator[Step]:
        """Steps from ``time`` that end exactly at ``until``; none if it is not after ``time``.

        The rate is never asked beyond ``until``. ``excess`` limits the steps of an explicit method
        further, and ``relaxation`` says where another one is better. ``sharp`` asks for a start of
        high order: an event may come soon, and be told only by how little the state has moved. A
        solver that cannot go on raises `IntegrationError`; an exception of the rate itself passes
        through.
        """


class IntegrationError(SolverError):
    """An integration that cannot go on at ``time``; ``variable`` is the one to blame, if known.

    ``followed`` is what was computed before, if someone has kept it.
    """

    followed: object = None

    def __init__(self, reason: str, *, time: float, variable: int | None = None) -> None:
        self.reason = reason
        self.time = time
        self.variable = variable
        where = "" if variable is None else f": the rate of variable {variable} is not finite"
        super().__init__(f"integration stopped at t = {time:.17g} s{where} ({reason})")


class CrawlingError(IntegrationError):
    """Steps that have become so short that time hardly passes any more."""

    def __init__(self, *, time: float) -> None:
        self.reason, self.time, self.variable = "crawling", time, None
        SolverError.__init__(self, crawling(time))


def not_finite(*rates: Array) -> int | None:
    """The index of the first variable with a rate that is not finite in some of ``rates``."""
    for row in rates:
        if not np.isfinite(row).all():
            return int(np.argmin(np.isfinite(row)))
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A step along a straight line: exact without variables, or when too short to curve."""

    start: float
    end: float
    first: Array
    last: Array
    proposal: float | None = None

    def at(self, times: Array) -> Array:
        """The states at ``times``, one row per time."""
        share = (times - self.start) / (self.end - self.start)
        return self.first + share[:, None] * (self.last - self.first)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of a step."""

    whole: Step
    start: float
    end: float

    @property
    def first(self) -> Array:
        """The state at ``start``."""
        return np.asarray(self.at(np.array([self.start]))[0])

    @property
    def last(self) -> Array:
        """The state at ``end``."""
        return np.asarray(self.at(np.array([self.end]))[0])

    @property
    def proposal(self) -> float | None:
        """That of the whole step."""
        return self.whole.proposal

    def at(self, times: Array) -> Array:
        """The states at ``times``; at the ends of the whole step, its own."""
        states = self.whole.at(times)
        states[times <= self.whole.start] = self.whole.first
        states[times >= self.whole.end] = self.whole.last
        return states


def too_short(time: float, until: float) -> bool:
    """Whether so few numbers lie between ``time`` and ``until`` that a line is as good as any."""
    return until - time <= 2000 * math.ulp(max(abs(time), abs(until))) + 1e-290 < math.inf


def straight(rate: Rate, time: float, values: Array, until: float) -> Segment:
    """One Euler step to ``until``."""
    slope = np.asarray(rate(time, values), dtype=np.float64)
    if (variable := not_finite(slope)) is not None:
        raise IntegrationError("no step possible", time=time, variable=variable)
    return Segment(time, until, values, values + (until - time) * slope)
