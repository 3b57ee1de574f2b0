"""Points of the unknowns at which runs are followed, and polynomials through what is found there.

Chebyshev's points in [-1, 1] for each unknown, and all their combinations [trefethen2013]. Numbers
at these points become coefficients of powers, in the order of `dyverse.enclosure.taylor`; what is
rounding noise in Chebyshev's polynomials is left out first, for in powers it would grow.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from numpy.polynomial import chebyshev

from dyverse.automaton.interface import Array

NOISE = 1e-15  # relative to the greatest coefficient


class Grid:
    """The points for polynomials with these highest powers."""

    def __init__(self, degrees: tuple[int, ...]) -> None:
        self.degrees = degrees
        rows = list(product(*(points(degree + 1) for degree in degrees)))
        self.points = np.array(rows, dtype=np.float64).reshape(len(rows), len(degrees))

    def __len__(self) -> int:
        return len(self.points)

    @property
    def linear(self) -> list[int]:
        """The place of each unknown's first power among the coefficients; 0 if it has none."""
        counts = [degree + 1 for degree in self.degrees]
        return [int(np.prod(counts[i + 1 :])) * (n > 1) for i, n in enumerate(counts)]

    def coefficients(self, numbers: Array) -> Array:
        """Along the last axis: from values at the points to coefficients of powers."""
        shape = tuple(degree + 1 for degree in self.degrees)
        found = numbers.reshape((*numbers.shape[:-1], *shape))
        first = numbers.ndim - 1
        for axis, degree in enumerate(self.degrees):
            found = _along(found, first + axis, fit(degree + 1))
        axes = tuple(range(first, found.ndim))
        found = np.where(
            np.abs(found) < NOISE * np.abs(found).max(axis=axes, keepdims=True), 0.0, found
        )
        for axis, degree in enumerate(self.degrees):
            found = _along(found, first + axis, powers(degree + 1))
        return found.reshape(numbers.shape)


def _along(array: Array, axis: int, matrix: Array) -> Array:
    return np.moveaxis(np.tensordot(matrix, array, axes=(1, axis)), 0, axis)


@lru_cache(maxsize=64)
def points(count: int) -> Array:
    """The roots of Chebyshev's polynomial of degree ``count``, in order."""
    angles = (2 * np.arange(count, dtype=np.float64)[::-1] + 1) * np.pi / (2 * count)
    found: Array = np.cos(angles).astype(np.float64)
    return found


@lru_cache(maxsize=64)
def fit(count: int) -> Array:
    """From values at the points to coefficients of Chebyshev's polynomials."""
    found: Array = np.linalg.inv(chebyshev.chebvander(points(count), count - 1)).astype(np.float64)
    return found


@lru_cache(maxsize=64)
def powers(count: int) -> Array:
    """From coefficients of Chebyshev's polynomials to those of powers."""
    found = np.zeros((count, count))
    for k in range(count):
        column = chebyshev.cheb2poly(np.eye(count)[k])
        found[: len(column), k] = column
    return found
