"""The bouncing ball: dropped from 10 m, restitution 0.8, followed through twenty impacts.

Peers follow height and speed alone, the smallest model there is; dyverse follows a sphere in space
with its twelve variables and a law of friction.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt

G, HEIGHT, E, BOUNCES = 9.81, 10.0, 0.8, 20
RELATIVE, ABSOLUTE = 1e-10, 1e-12  # asked of every integrator


def exact(count: int = BOUNCES) -> list[float]:
    """Impact times, t₁ (1 + 2 (e + … + eⁿ)) with t₁ = √(2 h/g) (s)."""
    first = sqrt(2 * HEIGHT / G)
    return [first * (1 + 2 * sum(E**i for i in range(1, n + 1))) for n in range(count)]


@cache  # it takes 21 µs, and runs that ask for it are timed
def horizon() -> float:
    """Half way between the last impact and the next (s)."""
    return sum(exact(BOUNCES + 1)[-2:]) / 2


def error(times: Sequence[float]) -> float:
    """The largest error of the impact times (s); infinite if some are missing."""
    if len(times) < BOUNCES:
        return float("inf")
    return max(abs(t - x) for t, x in zip(times, exact(), strict=False))
