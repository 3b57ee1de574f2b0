"""Steps of a flow at many points at once, as polynomials of time: guesses, in floats.

A step is found by collocation: the rate at Chebyshev's points of the step is integrated, and put in
again until nothing changes (Picard). In powers of time the last digits of that would be worth ten
thousand times as much as they are, so the step is put in once or twice more, as a power series. All
runs of a grid take their steps together; the length of a step may differ from run to run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from dyverse.automaton.interface import Array
from dyverse.enclosure.program import Program
from dyverse.proving.grid import fit, points, powers
from dyverse.proving.series import SERIES

DEGREE = 14
ROUNDS = 60
NOTHING = 1e-9  # what states change by, if it does not matter
SEEN = range(4, 10)  # the powers that tell how quickly states change
POLISHED = 3  # times that a step is put in as a series
NOT_FOUND = "too wide: the flow of a step is not found"

Rate = Callable[[Array], Array]  # (states, times, runs) -> the same


class Undrafted(Exception):  # noqa: N818 - an outcome: no proof can be drafted here
    """Why there is nothing to be claimed about a box as a whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One step of all runs: coefficients of Chebyshev's polynomials of s in [-1, 1]."""

    pace: Array  # (runs,): dt/ds
    coefficients: Array  # (states, degree + 1, runs)
    start: Array  # (states, runs)

    @property
    def end(self) -> Array:
        """The last states, (states, runs)."""
        found: Array = self.coefficients.sum(axis=1)
        return found

    @property
    def turns(self) -> float:
        """How many times its own size a state changes by in the step, as seen in its powers.

        A force of time alone changes states quickly, and no slope of the field tells how quickly.
        """
        sizes = np.abs(self.coefficients).max(axis=2)
        whole = sizes[:, 1:].max(axis=1, initial=0.0) + NOTHING
        terms = [(sizes[:, k] * 2 ** (k - 1) * factorial(k) / whole) ** (1 / k) for k in SEEN]
        return 2 * float(np.max(terms, initial=0.0))

    def at(self, times: Array) -> Array:
        """States at some times, (states, times, runs)."""
        found = chebyshev.chebvander(times, self.coefficients.shape[1] - 1)
        return np.asarray(found @ self.coefficients)

    def each(self, times: Array) -> Array:
        """States at a time of its own for each run, (states, runs)."""
        found = chebyshev.chebvander(times, self.coefficients.shape[1] - 1)
        return np.asarray(np.einsum("rk,skr->sr", found, self.coefficients))

    def powers(self, rate: Program, values: Array) -> Array:
        """Coefficients of powers of s, (states, degree + 1, runs); values are (values, runs)."""
        found = powers(self.coefficients.shape[1]) @ self.coefficients
        for _ in range(POLISHED):
            with np.errstate(all="ignore"):
                rates = rate.run(SERIES, list(found), list(values))[0]
            found = self._integrated(np.array([_whole(row, found[0]) for row in rates]))
        return found

    def _integrated(self, rates: Array) -> Array:
        """The integral from -1, where states begin."""
        grown = rates[:, :-1] * self.pace / np.arange(1, rates.shape[1])[:, None]
        signs = (-1.0) ** np.arange(1, rates.shape[1])
        first = self.start - np.einsum("k,skr->sr", signs, grown)
        return np.concatenate([first[:, None], grown], axis=1)


def _whole(row: Any, like: Array) -> Array:
    """A result as a series, also if it is a number."""
    if np.ndim(row) == 2:
        return np.asarray(row)
    return np.vstack([np.broadcast_to(row, like[:1].shape), np.zeros_like(like[1:])])


def step(rate: Rate, start: Array, pace: Array) -> Course:
    """One step from ``start`` (states, runs)."""
    inner, whole = _integration(DEGREE)
    first = start[:, None, :]
    here = np.repeat(first, DEGREE, axis=1)
    change = np.inf
    for _ in range(ROUNDS):
        with np.errstate(all="ignore"):
            there = first + inner @ (rate(here) * pace)
            change = float(np.abs(there - here).max() / (1 + np.abs(there).max()))
        here = there
        if not change > 4e-16:
            break
    if not change <= 1e-12:
        raise Undrafted(NOT_FOUND)
    coefficients = whole @ (rate(here) * pace)
    coefficients[:, 0] += start
    return Course(pace, coefficients, start)


@lru_cache(maxsize=8)
def _integration(degree: int) -> tuple[Array, Array]:
    """From rates at the points to integrals from -1: at the points, and as coefficients."""
    whole = np.zeros((degree + 1, degree))
    for k in range(degree):
        column = chebyshev.chebint(np.eye(degree)[k], lbnd=-1)
        whole[: len(column), k] = column
    whole = whole @ fit(degree)
    return chebyshev.chebvander(points(degree), degree) @ whole, whole
