"""Annealing: steps of all lengths from one point, which goes up now and then while it is warm.

A step is as likely to be a hundred-thousandth of the ranges long as a tenth: islands beside a low
point are met however small they are. Of a few steps the best is taken if it is lower, or by
Metropolis' rule; the longer nothing lower is found, the colder it becomes, and in the end it is
warm again at the lowest point.
"""

from __future__ import annotations

import math

import numpy as np

from dyverse.automaton.interface import Array

STEPS = 4  # that are tried at once
SHORTEST = 5.0  # digits
WARM, COOLER, COLD = 0.3, 0.8, 1e-3  # of the amount where it stands


class Annealing:
    """One walk in the unit cube: it is asked for points, and told their amounts."""

    def __init__(self, unknowns: int, seed: int) -> None:
        self._count, self._draw = unknowns, np.random.default_rng([seed, 2])
        self._here, self._amount, self._warmth = np.full(unknowns, 0.5), math.inf, WARM

    def begin(self, point: Array, amount: float) -> None:
        """Stand at a point that is lower, whoever found it."""
        if amount < self._amount:
            self._here, self._amount = point, amount

    def ask(self) -> Array:
        """A few steps from here: along one unknown or all."""
        lengths = 10.0 ** -self._draw.uniform(0.0, SHORTEST, (STEPS, 1))
        ways = self._draw.standard_normal((STEPS, self._count))
        single = np.eye(self._count)[self._draw.integers(self._count, size=STEPS)]
        chosen = np.where(self._draw.random((STEPS, 1)) < 0.5, ways * single, ways)
        self._tried = np.clip(self._here + lengths * chosen, 0.0, 1.0)
        return self._tried

    def tell(self, amounts: Array) -> None:
        """Go to the best of them, perhaps."""
        best = int(amounts.argmin())
        rise = float(amounts[best]) - self._amount
        warm = self._warmth * abs(self._amount)
        if rise < 0 or (warm > 0 and self._draw.random() < math.exp(-min(rise / warm, 700.0))):
            self._here, self._amount = self._tried[best], float(amounts[best])
        self._warmth = WARM if rise < 0 or self._warmth < COLD else COOLER * self._warmth
