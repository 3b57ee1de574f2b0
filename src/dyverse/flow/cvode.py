"""CVODE of SUNDIALS for stiff flows: backward differentiation of order 1 to 5 [hindmarsh2005].

It comes with the extra ``stiff`` (scikit-sundae), which is imported only when asked for. The method
is its own interpolant, a polynomial of degree at most 5 on each step: CVODE is asked for it at six
points, which determine it, and the step keeps its coefficients.

Its linear systems are solved by GMRES, with derivatives taken anew along each direction. A Jacobian
kept for many steps, as for a direct solution, goes wrong where a slip has just begun: the field
there is a million times stiffer than soon after, Newton's corrections come out too small, and
CVODE takes them for converged.

It starts at order 1, where each step errs by as much as it may. An event may come before the order
has grown, while the state has moved by no more than that error: of a ball that comes to rest the
impacts would be off by microseconds, and one too few. A *sharp* start is therefore left to the
reference, which is of order 8 from the first step.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.errors import SolverError
from dyverse.flow.reference import Reference
from dyverse.flow.step import (
    Accuracy,
    Excess,
    IntegrationError,
    Rate,
    Relaxation,
    Segment,
    Step,
    not_finite,
    straight,
    too_short,
)

SAFETY = 0.1  # errors add up over many steps; 20 % more of them bring it near to the reference
FAR = 1e30  # s: CVODE takes no step towards a time without end
SHORTEST = 1e-100  # s: CVODE takes less for going backwards
STARTS = 4  # steps of the reference at most: a free flight of a second, tenfold from a millisecond
GROWTH = 5  # a step that does not let the next be this much longer is limited by the field
ORDER = 5
NODES = np.cos(np.pi * np.arange(ORDER, -1, -1) / ORDER)  # from -1 to 1, both ends included
COEFFICIENTS = np.linalg.inv(np.vander(NODES, increasing=True))  # values at the nodes -> series


@dataclass(frozen=True, slots=True)
class Cvode:
    """CVODE through scikit-sundae, one internal step at a time."""

    def __post_init__(self) -> None:
        _library()

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
        """Steps from ``time`` that end exactly at ``until``; see `dyverse.flow.step.Solver`."""
        if until <= time:
            return
        if not values.size:
            yield Segment(time, until, values, values)
        elif too_short(time, until) or until - time < SHORTEST:
            yield straight(rate, time, values, until)
        elif sharp:
            for step in _start(rate, time, values, until, accuracy):
                yield step
                time, values = step.end, step.last
            yield from self.steps(rate, time, values, until=until, accuracy=accuracy)
        else:
            yield from _march(rate, time, values, until, accuracy, first_step)


def _start(
    rate: Rate, time: float, values: Array, until: float, accuracy: Accuracy
) -> Iterator[Step]:
    """The first steps, taken by the reference: as long as each lets the next be far longer."""
    marching = Reference().steps(rate, time, values, until=until, accuracy=accuracy)
    try:
        for step in islice(marching, STARTS):
            yield step
            if step.proposal is None or step.proposal < GROWTH * (step.end - step.start):
                return
    except IntegrationError:
        return  # CVODE may manage, and says what is wrong if it does not


def _library() -> Any:  # the module sksundae.cvode, which has no types
    try:
        from sksundae import cvode
    except ImportError as error:
        message = "the solver 'cvode' needs scikit-sundae: pip install 'dyverse[stiff]'"
        raise SolverError(message) from error
    return cvode


def _march(
    rate: Rate, time: float, values: Array, until: float, accuracy: Accuracy, first: float | None
) -> Iterator[Step]:
    """Steps until CVODE reaches its stop time."""
    field = _Field(rate, np.asarray(rate(time, values)))
    if (variable := not_finite(field.latest)) is not None:
        raise IntegrationError("at the start", time=time, variable=variable)
    solver = _begin(field, time, values, until, accuracy, first)
    start, state, goal = time, np.array(values), min(until, FAR)
    while start < goal:
        with redirect_stdout(sys.stderr):  # CVODE prints what goes wrong; standard output is JSON
            result = solver.step(goal, method="onestep", tstop=goal)
        end, last = float(result.t), np.asarray(result.y)
        if result.status < 0 or end <= start or not np.isfinite(last).all():
            reason = result.message.rstrip(".").lower()
            raise IntegrationError(reason, time=start, variable=not_finite(field.latest))
        yield Series(start, end, state, last, None, _series(solver, start, end, state, last))
        start, state = end, last


@dataclass(slots=True, eq=False)
class _Field:
    """The rate as CVODE calls it; it keeps the latest, which tells why a step failed."""

    rate: Rate
    latest: Array

    def __call__(self, time: float, values: Array, out: Array) -> None:
        self.latest = np.asarray(self.rate(time, values.copy()))  # CVODE reuses their memory
        out[:] = self.latest


def _begin(
    field: _Field, time: float, values: Array, until: float, accuracy: Accuracy, first: float | None
) -> Any:  # an sksundae.cvode.CVODE
    """CVODE at the start."""
    latest = until if math.isfinite(until) else time
    shortest = 4 * math.ulp(max(abs(time), abs(latest)))  # below, CVODE would go on without moving
    longest = max(min(accuracy.longest_step, until - time), shortest)
    solver = _library().CVODE(
        field,
        method="BDF",
        linsolver="gmres",
        krylov_dim=values.size,
        rtol=max(SAFETY * accuracy.relative, 1e-14),
        atol=SAFETY * accuracy.absolute,
        first_step=0.0 if first is None else min(first, longest),
        min_step=shortest,
        max_step=longest,
    )
    solver.init_step(time, np.array(values, dtype=np.float64))
    return solver


def _series(solver: Any, start: float, end: float, first: Array, last: Array) -> Array:
    """The coefficients of CVODE's interpolant on its last step, less its first state, (6, n).

    The end is asked for last: otherwise CVODE would answer the next step with it, and not move.
    """
    middle, half = (start + end) / 2, (end - start) / 2
    inner = [solver.step(middle + half * node, method="normal").y for node in NODES[1:-1]]
    solver.step(end, method="normal")
    return np.asarray(COEFFICIENTS @ (np.stack([first, *inner, last]) - first))


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A step of CVODE with its polynomial, ``first + Σ cᵢ sⁱ`` with s from -1 to 1."""

    start: float
    end: float
    first: Array
    last: Array
    proposal: float | None  # none: after a restart the order is 1 and the old length too long
    coefficients: Array  # c, (6, n)

    def at(self, times: Array) -> Array:
        """The states at ``times``, one row per time."""
        share = ((times - self.start) - (self.end - times)) / (self.end - self.start)
        return np.asarray(
            self.first + np.vander(share, ORDER + 1, increasing=True) @ self.coefficients
        )
