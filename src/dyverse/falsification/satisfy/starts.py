"""Where a local search begins: the middle, the corners or some seeded points of a box."""

from __future__ import annotations

from itertools import product

import numpy as np

from dyverse.automaton.interface import Array

FAR = 10.0  # starts in an unbounded range keep this near to its finite end, or to zero


def bounded(lower: Array, upper: Array) -> tuple[Array, Array]:
    """The box, or the part of it that starts are taken from."""
    low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - FAR, -FAR))
    high = np.where(np.isfinite(upper), upper, np.where(np.isfinite(lower), lower + FAR, FAR))
    return low, high


def middle(lower: Array, upper: Array) -> Array:
    """One point, (1, n)."""
    low, high = bounded(lower, upper)
    return ((low + high) / 2)[None]


def corners(lower: Array, upper: Array) -> Array:
    """All combinations of ends, (2ⁿ, n); an unknown with an empty range counts once."""
    ends = [(a,) if a == b else (a, b) for a, b in zip(*bounded(lower, upper), strict=True)]
    return np.array(list(product(*ends)), dtype=np.float64)


def count_free(lower: Array, upper: Array) -> int:
    """How many unknowns have a range of more than one value."""
    return int(np.count_nonzero(lower < upper))


def scattered(lower: Array, upper: Array, count: int, *, seed: int) -> Array:
    """Points that are spread evenly along every unknown (a Latin hypercube), (count, n)."""
    low, high = bounded(lower, upper)
    random = np.random.default_rng(seed)
    cells = random.permuted(np.tile(np.arange(count), (len(low), 1)), axis=1).T
    return low + (high - low) * (cells + random.random(cells.shape)) / count
