"""Evidence of convergence where an ellipsoid cannot give it: the run stands still, or is held.

- A run *rests* if its rates are zero, exactly: as polynomials, with the numbers of the variables
  that stand still put in, or enclosed by [0, 0]. This is the way of Coulomb friction, where every
  point of a whole set is an equilibrium, and nothing attracts to one rather than to the next.
- A run on a leaf of one dimension is *held* between where it is, x, and a barrier b ahead of it at
  which the rate points back or is zero. It moves towards b, cannot pass it, and so tends to the
  first zero of the rate on its way. Intervals show that the rate has one sign up to very near that
  zero. So x' = -x³ tends to 0 though its linear part says nothing.

In both cases the invariant must hold all the way and no guard; all of it is proved, for the state
that the simulation has come to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dyverse.abstraction.evidence.attraction import is_safe
from dyverse.abstraction.portrait.equilibria import Point, point
from dyverse.abstraction.portrait.field import PERIOD, Box, LocationField
from dyverse.automaton.interface import Array
from dyverse.enclosure.interval import Interval, hull_of
from dyverse.enclosure.matrix import balls, exact, intervals
from dyverse.expr.polynomial import TooLongError, numerators

NOTHING: Interval = (0.0, 0.0)
CLOSE = 1e-3  # relative: so well the limit of a held run must be known
PHASES = 64  # parts of a period in which it is looked whether a run may stay
PIECES = 200  # in which a way may be cut to find it
FIRST, DOUBLINGS = 1e-9, 60  # how far ahead a barrier is looked for, relative


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """The run stands still."""

    point: Point

    def __str__(self) -> str:
        return "all its rates are zero"


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The run cannot pass a barrier; ``point`` is the first equilibrium before it."""

    point: Point
    width: float  # of the interval in which it surely lies

    def __str__(self) -> str:
        return (
            "it moves along a line towards the first equilibrium, "
            f"which is known to {self.width:.1g}, and cannot pass it"
        )


def rests(field: LocationField, state: Array) -> Rest | None:
    """Evidence that a run at ``state`` stays there; in a forced system, at all phases."""
    places = list(_phases(field, tuple((x, x) for x in state.tolist())))
    if not _is_still(field, state, places):
        return None
    if not all(is_safe(field, iter(field.depth_over(place))) for place in places):
        return None
    return Rest(point(field, state))


def _phases(field: LocationField, here: Box) -> Iterator[Box]:
    """A place, or if the system is forced a box for each part of a period."""
    if field.phase is None:
        yield here
        return
    period = dict(field.automaton.parameters)[PERIOD]
    for n in range(PHASES):
        part = (period * n / PHASES, period * (n + 1) / PHASES * (1 + 1e-12))
        yield (*here[: field.phase], part, *here[field.phase + 1 :])


def _is_still(field: LocationField, state: Array, places: list[Box]) -> bool:
    """Whether all rates are zero there, but that of the phase."""
    own = [n for n in range(field.size) if n != field.phase]
    if all(field.rate_over(place)[n] == NOTHING for place in places for n in own):
        return True
    known = dict(field.automaton.parameters)
    for row in field.constants:
        if np.count_nonzero(row) == 1:
            name = int(np.argmax(np.abs(row)))
            known[field.automaton.variables[name]] = float(state[name])
    try:
        return not any(numerators([field.terms[n] for n in own], known))
    except TooLongError:
        return False


def held(field: LocationField, state: Array) -> Held | None:
    """Evidence that a run at ``state`` on a leaf of one dimension tends to an equilibrium."""
    if field.tangent.shape[1] != 1:
        return None
    line = _Line(field, state)
    low, high = line.speed((0.0, 0.0))
    if low <= 0 <= high:
        return None
    way = 1.0 if low > 0 else -1.0
    barrier = next((b for b in _ahead(state, field.tangent[:, 0], way) if line.turns(b, way)), None)
    if barrier is None:
        return None
    free, barrier = line.narrowed(barrier, way)
    scale = 1 + float(np.abs(state).max())
    if abs(barrier - free) > CLOSE * scale:
        return None
    if is_safe(field, iter(field.depth_over(line.box(0.0, barrier)))) is not True:
        return None
    middle = state + field.tangent[:, 0] * (free + barrier) / 2
    return Held(point(field, middle), abs(barrier - free))


def _ahead(state: Array, along: Array, way: float) -> Iterator[float]:
    """Places ahead of the run: where a variable is zero, and ever further ones."""
    scale = 1 + float(np.abs(state).max())
    with np.errstate(divide="ignore", invalid="ignore"):
        zeros = -state / along
    yield from sorted((float(s) for s in zeros if np.isfinite(s) and s * way > 0), key=abs)
    yield from (way * scale * FIRST * 2.0**n for n in range(DOUBLINGS))


@dataclass(frozen=True, slots=True)
class _Line:
    """The leaf of a state: x + s τ."""

    field: LocationField
    state: Array

    def box(self, one: float, other: float) -> Box:
        """The box around a part of the line."""
        start, tangent = exact(self.state), exact(self.field.tangent)
        ends = (intervals(start + tangent * exact(np.array([s]))) for s in (one, other))
        return tuple((min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(*ends, strict=True))

    def speed(self, part: Interval) -> Interval:
        """How fast s grows there, at least and at most."""
        rates = balls([[rate] for rate in self.field.rate_over(self.box(*part))], 1)
        return hull_of((exact(self.field.tangent).transpose() * rates)[0, 0])

    def turns(self, place: float, way: float) -> bool:
        """Whether the rate at a place points back, or is zero."""
        low, high = self.speed((place, place))
        return high <= 0 if way > 0 else low >= 0

    def leads(self, start: float, end: float, way: float) -> bool:
        """Whether the rate points ahead all the way from one place to the next."""
        low, high = self.speed((start, end))
        return low > 0 if way > 0 else high < 0

    def narrowed(self, barrier: float, way: float) -> tuple[float, float]:
        """How far the rate surely leads ahead, and the nearest place beyond at which it does not.

        In each step either the way that is free grows or the barrier comes nearer.
        """
        free, step = 0.0, barrier
        for _ in range(PIECES):
            middle = free + step
            if self.leads(free, middle, way):
                free, step = middle, (barrier - middle) / 2
            elif middle != barrier and self.turns(middle, way):
                barrier, step = middle, (middle - free) / 2
            else:
                step /= 2
            if abs(step) <= 1e-16 * abs(barrier):
                break
        return free, barrier
