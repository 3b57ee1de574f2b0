"""Intervals: what a term can be while its names lie between bounds.

In comes a term and an interval for each name, out goes an interval that surely holds every value
[moore2009]. The ends are computed by Arb, whose balls hold the true result of each operation
[johansson2017], and rounded outwards to floats; which ends count is decided here, because a ball
cannot tell that x² is not negative. Where a term is undefined nothing is promised, so the answer is
the whole line.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from functools import reduce

from flint import arb

from dyverse.expr.algebra import Algebra, evaluated
from dyverse.expr.term import CONSTANTS, Term

Interval = tuple[float, float]
LINE: Interval = (-math.inf, math.inf)
UNIT: Interval = (-1.0, 1.0)
SMALL, LARGE = 1e-300, 1e300  # between these a float has all its digits
PI, TURN = arb.pi(), 2 * arb.pi()


def enclosure(term: Term, known: Mapping[str, Interval]) -> Interval:
    """An interval with every value of ``term``."""
    return evaluated(term, known, _ALGEBRA)


def hull_of(*balls: arb) -> Interval:
    """The least interval of floats with all of ``balls`` in it; the line if one is undefined."""
    return min(map(_down, balls)), max(map(_up, balls))


def _down(ball: arb) -> float:
    """The greatest float that is not above any number of the ball; -∞ if it is undefined."""
    low = ball.lower()
    number = float(low)
    if SMALL < number < LARGE or -LARGE < number < -SMALL:
        return number  # exactly: Arb works with the digits of a float unless told otherwise
    if math.isnan(number):
        return -math.inf
    if number == math.inf and low.is_finite():
        return sys.float_info.max
    return number if arb(number) <= low else math.nextafter(number, -math.inf)


def _up(ball: arb) -> float:
    return -_down(-ball)


def _between(low: arb, high: arb) -> Interval:
    return _down(low), _up(high)


def _add(a: Interval, b: Interval) -> Interval:
    return _between(arb(a[0]) + b[0], arb(a[1]) + b[1])


def _subtract(a: Interval, b: Interval) -> Interval:
    return _between(arb(a[0]) - b[1], arb(a[1]) - b[0])


def _multiply(a: Interval, b: Interval) -> Interval:
    if a[0] >= 0 and b[0] >= 0:
        return _between(_times(a[0], b[0]), _times(a[1], b[1]))
    if a[0] == a[1]:  # a number, as in most products
        low, high = b if a[0] >= 0 else (b[1], b[0])
        return _between(_times(a[0], low), _times(a[0], high))
    if b[0] == b[1]:
        return _multiply(b, a)
    return hull_of(*(_times(x, y) for x in a for y in b))


def _times(a: float, b: float) -> arb:
    return arb(a) * b if a and b else arb(0)  # zero times infinity, at a bound, is zero


def _divide(a: Interval, b: Interval) -> Interval:
    if b[0] <= 0 <= b[1]:
        return LINE
    return hull_of(*(arb(x) / y for x in a for y in b))


def _power(base: Interval, exponent: Interval) -> Interval:
    if exponent[0] == exponent[1] and exponent[0].is_integer():
        return _whole_power(base, int(exponent[0]))
    if base[0] < 0:
        return LINE  # a whole exponent among them gives negative powers
    return _exp(_multiply(_log(base), exponent))


def _whole_power(base: Interval, exponent: int) -> Interval:
    if exponent < 0:
        return _divide((1.0, 1.0), _whole_power(base, -exponent))
    ends = [arb(end) ** exponent for end in base]
    if exponent and exponent % 2 == 0 and base[0] < 0 < base[1]:
        return 0.0, hull_of(*ends)[1]
    return hull_of(*ends)


def _increasing(function: Callable[[arb], arb]) -> Callable[[Interval], Interval]:
    def over(x: Interval) -> Interval:
        low, high = function(arb(x[0])), function(arb(x[1]))
        return LINE if low.is_nan() or high.is_nan() else _between(low, high)

    return over


def _exp(x: Interval) -> Interval:
    low, high = _between(arb(x[0]).exp(), arb(x[1]).exp())
    return max(low, 0.0), high


def _log(x: Interval) -> Interval:
    if x[0] < 0 or x[1] == 0:
        return LINE
    low, high = _between(arb(x[0] or x[1]).log(), arb(x[1]).log())
    return low if x[0] else -math.inf, high


def _abs(x: Interval) -> Interval:
    ends = abs(x[0]), abs(x[1])
    return 0.0 if x[0] < 0 < x[1] else min(ends), max(ends)


def _cosh(x: Interval) -> Interval:
    return hull_of(*(arb(end).cosh() for end in _abs(x)))


def _sin(x: Interval) -> Interval:
    return _wave(x, arb.sin, PI / 2)


def _cos(x: Interval) -> Interval:
    return _wave(x, arb.cos, arb(0))


def _wave(x: Interval, function: Callable[[arb], arb], crest: arb) -> Interval:
    """The range of a sine whose crests are at ``crest`` and every 2π from there."""
    if not all(map(math.isfinite, x)):
        return UNIT
    low, high = hull_of(*(function(arb(end)) for end in x))
    low = -1.0 if _may_have(x, crest + PI, TURN) else low
    return max(low, -1.0), 1.0 if _may_have(x, crest, TURN) else min(high, 1.0)


def _may_have(x: Interval, place: arb, turn: arb) -> bool:
    """Whether ``place``, or one a multiple of ``turn`` from it, may lie in ``x``."""
    first, last = ((arb(end) - place) / turn for end in x)
    return math.ceil(_down(first)) <= _up(last)


def _tan(x: Interval) -> Interval:
    if not all(map(math.isfinite, x)) or _may_have(x, PI / 2, PI):
        return LINE
    return _between(arb(x[0]).tan(), arb(x[1]).tan())


def _step(function: Callable[[float], int]) -> Callable[[Interval], Interval]:
    def at(end: float) -> float:
        return float(function(end)) if math.isfinite(end) else end

    return lambda x: (at(x[0]), at(x[1]))


def _sign(x: Interval) -> Interval:
    return (float(x[0] > 0) - float(x[0] < 0)), (float(x[1] > 0) - float(x[1] < 0))


def _min(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), min(a[1], b[1])


def _max(a: Interval, b: Interval) -> Interval:
    return max(a[0], b[0]), max(a[1], b[1])


def _atan2(y: Interval, x: Interval) -> Interval:
    if not all(map(math.isfinite, (*y, *x))) or (x[0] <= 0 and y[0] <= 0 <= y[1]):
        return hull_of(-PI, PI)  # the origin, or the line where it jumps
    return hull_of(*(arb.atan2(arb(b), arb(a)) for a in x for b in y))


def _truth(surely: bool, perhaps: bool) -> Interval:
    return float(surely), float(perhaps)


def _choice(test: Interval, then: Interval, otherwise: Interval) -> Interval:
    if test[0] == test[1]:
        return then if test[0] else otherwise
    return min(then[0], otherwise[0]), max(then[1], otherwise[1])


_ALGEBRA: Algebra[Interval] = Algebra(
    number=lambda number: (number, number),
    # a model's π is a float: both it and the number that it stands for
    constants={"pi": hull_of(arb(CONSTANTS["pi"]), PI)},
    negate=lambda x: (-x[1], -x[0]),
    binary={"+": _add, "-": _subtract, "*": _multiply, "/": _divide, "^": _power},
    call={
        "abs": _abs,
        "acos": lambda x: _increasing(arb.acos)((x[1], x[0])),
        "asin": _increasing(arb.asin),
        "atan": _increasing(arb.atan),
        "atan2": _atan2,
        "ceil": _step(math.ceil),
        "cos": _cos,
        "cosh": _cosh,
        "exp": _exp,
        "floor": _step(math.floor),
        "log": _log,
        "max": _max,
        "min": _min,
        "sign": _sign,
        "sin": _sin,
        "sinh": _increasing(arb.sinh),
        "sqrt": _increasing(arb.sqrt),
        "tan": _tan,
        "tanh": _increasing(arb.tanh),
        "if": _choice,
        "<": lambda a, b: _truth(a[1] < b[0], a[0] < b[1]),
        "<=": lambda a, b: _truth(a[1] <= b[0], a[0] <= b[1]),
        "==": lambda a, b: _truth(a[0] == a[1] == b[0] == b[1], a[0] <= b[1] and b[0] <= a[1]),
        ">=": lambda a, b: _truth(a[0] >= b[1], a[1] >= b[0]),
        ">": lambda a, b: _truth(a[0] > b[1], a[1] > b[0]),
        "!=": lambda a, b: _truth(a[1] < b[0] or b[1] < a[0], not a[0] == a[1] == b[0] == b[1]),
        "and": lambda *parts: reduce(_min, parts, (1.0, 1.0)),
        "or": lambda *parts: reduce(_max, parts, (0.0, 0.0)),
        "not": lambda x: (1 - x[1], 1 - x[0]),
    },
)
