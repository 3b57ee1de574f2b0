"""Evolution: a cloud of points that moves to where amounts are low, and learns its own shape.

The evolution strategy with adapted covariance [hansen2016], in the unit cube. A cloud that has
shrunk to nothing, or sees only one amount, begins again elsewhere with twice as many points.
"""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array

SPREAD = 0.3  # of a new cloud
SMALLEST = 1e-9
FLAT = 3  # clouds of one amount, one after the other, after which there is nothing to learn


class Evolution:
    """One strategy: it is asked for points, and told their amounts."""

    def __init__(self, unknowns: int, seed: int) -> None:
        self._count, self._draw = unknowns, np.random.default_rng([seed, 1])
        self._size = 4 + int(3 * np.log(unknowns))
        self._begin(self._draw.uniform(size=unknowns))

    def _begin(self, mean: Array) -> None:
        n, half = self._count, self._size // 2
        weights = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
        self._weights = weights / weights.sum()
        self._mass = mass = float(1 / (self._weights**2).sum())
        self._mean, self._step, self._flat, self._age = mean, SPREAD, 0, 0
        self._shape, self._path, self._trail = np.eye(n), np.zeros(n), np.zeros(n)
        self._fade = (mass + 2) / (n + mass + 5)
        self._damp = 1 + 2 * max(0.0, np.sqrt((mass - 1) / (n + 1)) - 1) + self._fade
        self._blend = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self._one = 2 / ((n + 1.3) ** 2 + mass)
        self._many = min(1 - self._one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self._expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))

    def ask(self) -> Array:
        """The next cloud, one row for each point."""
        sizes, axes = np.linalg.eigh(self._shape)
        self._root = axes * np.sqrt(np.maximum(sizes, 1e-20))
        self._whiten = axes / np.sqrt(np.maximum(sizes, 1e-20)) @ axes.T
        drawn = self._draw.standard_normal((self._size, self._count))
        cloud = self._mean + self._step * drawn @ self._root.T
        self._cloud = np.asarray(np.clip(cloud, 0.0, 1.0))
        return self._cloud

    def tell(self, amounts: Array) -> None:
        """What became of the cloud: move, then learn the shape.  [hansen2016] Eqs. (42)-(47)"""
        order = np.argsort(amounts, kind="stable")[: len(self._weights)]
        moves = (self._cloud[order] - self._mean) / self._step
        move = self._weights @ moves
        self._mean, self._age = self._mean + self._step * move, self._age + 1
        fade, blend, mass = self._fade, self._blend, self._mass
        turned = self._whiten @ move
        self._path = (1 - fade) * self._path + np.sqrt(fade * (2 - fade) * mass) * turned
        length = float(np.linalg.norm(self._path))
        usual = np.sqrt(1 - (1 - fade) ** (2 * self._age)) * self._expected
        on = length / usual < 1.4 + 2 / (self._count + 1)
        self._trail = (1 - blend) * self._trail + on * np.sqrt(blend * (2 - blend) * mass) * move
        spread = (self._weights[:, None] * moves).T @ moves
        left = 1 - self._one - self._many + (not on) * self._one * blend * (2 - blend)
        along = np.outer(self._trail, self._trail)
        self._shape = left * self._shape + self._one * along + self._many * spread
        self._step *= float(np.exp(min(1.0, fade / self._damp * (length / self._expected - 1))))
        self._flat = self._flat + 1 if np.ptp(amounts) == 0 else 0
        if self._step * np.sqrt(np.diag(self._shape).max()) < SMALLEST or self._flat >= FLAT:
            self._size *= 2
            self._begin(self._draw.uniform(size=self._count))
