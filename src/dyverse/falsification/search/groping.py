"""Descent without slopes, for amounts that are no smooth function of one instant.

*Eventually* and *before* look at a whole run at once, and distances have kinks. A simplex of points
(Nelder and Mead's) walks down, which costs more runs than slopes but asks nothing of the amount.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.nearness import THERE, distance

RUNS = 40  # for each unknown
STRETCH = 16  # the same of one approach, so that others come in between
BENDING = 12  # slopes of one way down that bends
REACH = 0.1  # how far apart the first points are, in widths

Amount = Callable[[Array], float]


class _EnoughError(Exception):
    """The amount is as low as was asked for."""


def grope(
    question: Question, start: Array, *, enough: float = 0.0, most: float = np.inf
) -> tuple[Array, int]:
    """The point of lowest margin found from ``start``, and the runs it took, ``most`` at most."""

    def margin(point: Array) -> float:
        return float(probe(question, point[None, :]).margins[0])

    point, _, runs = walk(question, margin, start, enough=enough, most=most)
    return point, runs


def bend(question: Question, start: Array, *, most: float) -> tuple[Array, int]:
    """Down from where a descent creeps, by a method that learns how margins bend (L-BFGS-B).

    Slopes are differences of margins; unknowns count in widths of their ranges.
    """
    width = np.where(question.width > 0, question.width, 1.0)
    best, least, runs = start, np.inf, 0

    def margin(share: Array) -> float:
        nonlocal best, least, runs
        point = question.placed((question.low + share * width)[None, :])[0]
        found, runs = float(probe(question, point[None, :]).margins[0]), runs + 1
        if found < least:
            best, least = point, found
        if found < 0 or runs >= min(most, BENDING * (1 + len(start))):
            raise _EnoughError
        return found if np.isfinite(found) else 1e300

    with contextlib.suppress(_EnoughError):
        bounds = list(zip(np.zeros(len(start)), question.width / width, strict=True))
        minimize(margin, (start - question.low) / width, method="L-BFGS-B", bounds=bounds)
    return best, runs


def approach(question: Question, start: Array, *, most: float) -> tuple[Array, float, int]:
    """The point nearest to breaking the property, its distance, and the runs that it took."""
    stretch = min(most, STRETCH * len(start))
    return walk(question, lambda p: distance(question, p), start, enough=THERE, most=stretch)


def walk(
    question: Question, amount: Amount, start: Array, *, enough: float, most: float
) -> tuple[Array, float, int]:
    """Down from ``start``, until the amount is below ``enough``, or zero if that is enough."""
    best, least, runs = start, np.inf, 0

    def counted(point: Array) -> float:
        nonlocal best, least, runs
        runs += 1
        found = amount(point)
        if found < least:
            best, least = point.copy(), found
        if found < enough or found == enough == THERE or runs >= most:
            raise _EnoughError
        return found if np.isfinite(found) else 1e300

    with contextlib.suppress(_EnoughError):
        if not len(start):
            counted(start)  # nothing is open: there is no other point
            return best, least, runs
        minimize(
            counted,
            start,
            method="Nelder-Mead",
            bounds=list(zip(question.low, question.high, strict=True)),
            options={
                "initial_simplex": _simplex(question, start),
                "maxfev": RUNS * len(start),
                "xatol": 0.0,
                "fatol": 1e-12,
            },
        )
    return best, least, runs


def _simplex(question: Question, point: Array) -> Array:
    """A point and, for each unknown, one beside it, inside the ranges."""
    step = REACH * question.width
    sides = np.where(point + step <= question.high, step, -step)
    return np.vstack([point, point + np.diag(sides)])
