"""The ring of fractions: what decimals come to, exactly.

0.03 is three tenths of 0.1, and the length of (0.6, 0.8) is one: no ball is that sharp. A number
that is not a fraction, or that nobody knows, is None, and so is all that is made of it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from dyverse.enclosure.program import (
    CIRCLES,
    DECIMALS,
    ITS_ROOT,
    NEARLY_NOTHING,
    OPERATIONS,
    WAVES,
    Ring,
)

Known = Fraction | None
Function = Callable[[Fraction, Fraction], Known]
MOST = 4096  # bits of a fraction
EXPONENTS = 16  # from minus this to this


def constant(number: float) -> Known:
    """What a number in an expression means."""
    if abs(number) in (NEARLY_NOTHING, ITS_ROOT):
        return Fraction(0)
    text = DECIMALS.get(abs(number))
    if text is not None:
        return Fraction(text) if number > 0 else -Fraction(text)
    return None if abs(number) in CIRCLES | WAVES else Fraction(number)


def _root(x: Fraction) -> Known:
    """The root of a square."""
    if x < 0:
        return None
    above, below = math.isqrt(x.numerator), math.isqrt(x.denominator)
    return Fraction(above, below) if Fraction(above, below) ** 2 == x else None


def _power(x: Fraction, y: Fraction) -> Known:
    if y.denominator > 1 or abs(y) > EXPONENTS or (y < 0 and not x):
        return None
    return Fraction(x ** int(y))


def _at_zero(value: int) -> Function:
    """A function of which nothing is known but its value at zero."""
    return lambda x, _: None if x else Fraction(value)


FUNCTIONS: dict[str, Function] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": lambda x, y: x / y if y else None,
    "neg": lambda x, _: -x,
    "inv": lambda x, _: 1 / x if x else None,
    "twice": lambda x, _: 2 * x,
    "sq": lambda x, _: x * x,
    "sqrt": lambda x, _: _root(x),
    "pow": _power,
    "constpow": _power,
    "fabs": lambda x, _: abs(x),
    "fmin": min,
    "fmax": max,
    **dict.fromkeys(("sin", "tan", "asin", "atan", "sinh", "tanh"), _at_zero(0)),
    **dict.fromkeys(("cos", "exp", "cosh"), _at_zero(1)),
}


def _over(name: str) -> Callable[[Known, Known], Known]:
    function = FUNCTIONS.get(name)

    def over(x: Known, y: Known) -> Known:
        if function is None or x is None or y is None:
            return None
        found = function(x, y)
        small = found is None or max(abs(found.numerator), found.denominator) < 1 << MOST
        return found if small else None

    return over


FRACTIONS: Ring[Known] = Ring(constant, {name: _over(name) for name in OPERATIONS})
