"""Roots in a bracket, to the last digits, with as few evaluations as superlinear methods need."""

from __future__ import annotations

import math
from collections.abc import Callable

EPS = 2.0**-52


def bracket(
    function: Callable[[float], float], a: float, fa: float, b: float, fb: float, *, fine: float
) -> tuple[float, float]:
    """Shrink ``[a, b]`` around a sign change to a width of about ``fine`` or the rounding of it.

    Chandrupatla's method [chandrupatla1997]: inverse quadratic interpolation where it is safe, and
    bisection elsewhere. ``fa`` and ``fb`` are the values at the ends, one positive and one not;
    they are not asked for again. The answer keeps the order: the first has the sign of ``fa``.
    A point where the function is zero ends the search, and is the end that is not positive.
    """
    x1, f1, x2, f2, share = b, fb, a, fa, 0.5
    while True:
        x = x1 + share * (x2 - x1)
        f = function(x)
        if (f > 0) == (f1 > 0):
            x3, f3 = x1, f1
        else:
            x3, f3, x2, f2 = x2, f2, x1, f1
        x1, f1 = x, f
        least = (EPS * abs(x1) + fine) / abs(x2 - x1)
        if least > 0.5 or f1 == 0:
            return (x2, x1) if (f1 > 0) == (fb > 0) else (x1, x2)
        share = min(max(_share(x1, f1, x2, f2, x3, f3), least), 1 - least)


def _share(x1: float, f1: float, x2: float, f2: float, x3: float, f3: float) -> float:
    """Where between ``x1`` (0) and ``x2`` (1) to look next; the last three points are given."""
    if f3 in (f1, f2) or not math.isfinite(f1 + f2 + f3):
        return 0.5
    xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    if phi**2 >= xi or (1 - phi) ** 2 >= 1 - xi:
        return 0.5
    return f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
