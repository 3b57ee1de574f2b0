"""Descent without slopes, for properties whose margin is no smooth function of one instant.

*Eventually* and *before* look at a whole run at once. A simplex of points (Nelder and Mead's) walks
down their margin, which costs more runs than slopes but asks nothing of it.
"""

from __future__ import annotations

import contextlib

import numpy as np
from scipy.optimize import minimize

from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question, probe

RUNS = 40  # for each unknown


class _EnoughError(Exception):
    """The margin is as low as was asked for."""


def grope(
    question: Question, start: Array, *, enough: float = 0.0, most: float = np.inf
) -> tuple[Array, int]:
    """The lowest point found from ``start``, and the runs it took, ``most`` at most."""
    best, least, runs = start, np.inf, 0

    def margin(point: Array) -> float:
        nonlocal best, least, runs
        runs += 1
        found = float(probe(question, point[None, :]).margins[0])
        if found < least:
            best, least = point.copy(), found
        if found < enough or runs >= most:
            raise _EnoughError
        return found if np.isfinite(found) else 1e300

    limits = list(zip(question.low, question.high, strict=True))
    with contextlib.suppress(_EnoughError):
        minimize(
            margin,
            start,
            method="Nelder-Mead",
            bounds=limits,
            options={"maxfev": RUNS * len(start), "xatol": 0.0, "fatol": 1e-12},
        )
    return best, runs
