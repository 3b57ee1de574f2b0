"""Intervals: what a term can be while its names lie between bounds.

In comes a term and an interval for each name, out goes an interval that surely holds every value;
each operation is rounded outwards [moore2009]. Where a term is undefined nothing is promised, so
the answer is the whole line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import assert_never

from dyverse.expr.term import CONSTANTS, Binary, Call, Negate, Number, Symbol, Term

Interval = tuple[float, float]
LINE: Interval = (-math.inf, math.inf)
UNIT: Interval = (-1.0, 1.0)


def enclosure(term: Term, known: Mapping[str, Interval]) -> Interval:
    """An interval with every value of ``term``."""
    try:
        found = _enclosure(term, known)
    except (ValueError, OverflowError):
        return LINE
    return LINE if math.isnan(found[0]) or math.isnan(found[1]) else found


def _enclosure(term: Term, known: Mapping[str, Interval]) -> Interval:
    match term:
        case Number(value=number):
            return number, number
        case Symbol(name=name):
            return known[name] if name in known else _wider(CONSTANTS[name], CONSTANTS[name])
        case Negate(operand=operand):
            low, high = _enclosure(operand, known)
            return -high, -low
        case Binary(operator=operator, left=left, right=right):
            if operator == "^":
                return _power(_enclosure(left, known), right, known)
            return _BINARY[operator](_enclosure(left, known), _enclosure(right, known))
        case Call(function=function, arguments=arguments):
            return _CALL[function](*(_enclosure(a, known) for a in arguments))
        case _:
            assert_never(term)


def _wider(low: float, high: float) -> Interval:
    """Rounded outwards by two places, enough for the functions of the C library."""
    down, up = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
    return math.nextafter(down, -math.inf), math.nextafter(up, math.inf)


def _hull(*ends: float) -> Interval:
    return _wider(min(ends), max(ends))


def _times(a: float, b: float) -> float:
    return a * b if a and b else 0.0  # zero times infinity, at a bound, is zero


def _add(a: Interval, b: Interval) -> Interval:
    return _wider(a[0] + b[0], a[1] + b[1])


def _subtract(a: Interval, b: Interval) -> Interval:
    return _wider(a[0] - b[1], a[1] - b[0])


def _multiply(a: Interval, b: Interval) -> Interval:
    return _hull(*(_times(x, y) for x in a for y in b))


def _divide(a: Interval, b: Interval) -> Interval:
    if b[0] <= 0 <= b[1]:
        return LINE
    return _hull(*(x / y for x in a for y in b))


def _power(base: Interval, exponent: Term, known: Mapping[str, Interval]) -> Interval:
    if isinstance(exponent, Number) and exponent.value.is_integer():
        return _whole_power(base, int(exponent.value))
    return _exp(_multiply(_log(base), _enclosure(exponent, known)))


def _whole_power(base: Interval, exponent: int) -> Interval:
    if exponent < 0:
        return _divide((1.0, 1.0), _whole_power(base, -exponent))
    if exponent % 2 == 0 and base[0] < 0 < base[1]:
        return 0.0, _hull(base[0] ** exponent, base[1] ** exponent)[1]
    return _hull(base[0] ** exponent, base[1] ** exponent)


def _increasing(function: Callable[[float], float]) -> Callable[[Interval], Interval]:
    return lambda x: _wider(function(x[0]), function(x[1]))


def _exp(x: Interval) -> Interval:
    low, high = _wider(_exponential(x[0]), _exponential(x[1]))
    return max(low, 0.0), high


def _exponential(x: float) -> float:
    return math.exp(x) if x < 709 else math.inf


def _log(x: Interval) -> Interval:
    if x[0] < 0:
        return LINE
    low = math.log(x[0]) if x[0] > 0 else -math.inf
    return _wider(low, math.log(x[1]) if x[1] > 0 else -math.inf)


def _abs(x: Interval) -> Interval:
    if x[0] < 0 < x[1]:
        return 0.0, max(-x[0], x[1])
    ends = abs(x[0]), abs(x[1])
    return min(ends), max(ends)


def _cosh(x: Interval) -> Interval:
    low, high = _abs(x)
    return _wider(math.cosh(low), math.cosh(high))


def _acos(x: Interval) -> Interval:
    return _wider(math.acos(x[1]), math.acos(x[0]))


def _sin(x: Interval) -> Interval:
    return _wave(x, math.sin, math.pi / 2)


def _cos(x: Interval) -> Interval:
    return _wave(x, math.cos, 0.0)


def _wave(x: Interval, function: Callable[[float], float], crest: float) -> Interval:
    """The range of a sine whose crests are at ``crest`` and every 2π from there."""
    if not x[1] - x[0] < math.tau or max(abs(x[0]), abs(x[1])) > 1e6:
        return UNIT
    low, high = _hull(function(x[0]), function(x[1]))
    return (-1.0 if _has(x, crest + math.pi) else low), (1.0 if _has(x, crest) else high)


def _has(x: Interval, place: float) -> bool:
    """Whether ``place`` or one 2π from it lies in ``x``, or so near that rounding might tell."""
    first = math.ceil((x[0] - place) / math.tau - 1e-9)
    return place + first * math.tau <= x[1] + 1e-9


def _tan(x: Interval) -> Interval:
    if not x[1] - x[0] < math.pi or _has((2 * x[0], 2 * x[1]), math.pi):
        return LINE
    return _wider(math.tan(x[0]), math.tan(x[1]))


def _sign(x: Interval) -> Interval:
    return (float(x[0] > 0) - float(x[0] < 0)), (float(x[1] > 0) - float(x[1] < 0))


def _min(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), min(a[1], b[1])


def _max(a: Interval, b: Interval) -> Interval:
    return max(a[0], b[0]), max(a[1], b[1])


def _atan2(_: Interval, __: Interval) -> Interval:
    return _wider(-math.pi, math.pi)


_BINARY: dict[str, Callable[[Interval, Interval], Interval]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
}
_CALL: dict[str, Callable[..., Interval]] = {
    "abs": _abs,
    "acos": _acos,
    "asin": _increasing(math.asin),
    "atan": _increasing(math.atan),
    "atan2": _atan2,
    "ceil": _increasing(math.ceil),
    "cos": _cos,
    "cosh": _cosh,
    "exp": _exp,
    "floor": _increasing(math.floor),
    "log": _log,
    "max": _max,
    "min": _min,
    "sign": _sign,
    "sin": _sin,
    "sinh": _increasing(math.sinh),
    "sqrt": _increasing(math.sqrt),
    "tan": _tan,
    "tanh": _increasing(math.tanh),
}
