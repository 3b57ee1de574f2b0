"""The ring of balls: numbers of Arb that hold what they stand for. [johansson2017]

A question that a ball leaves open is `Undecided`; where an operation is undefined the result is
not a number, which no test accepts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache

from flint import arb, fmpq

from dyverse.enclosure.program import (
    CIRCLES,
    DECIMALS,
    ITS_ROOT,
    NEARLY_NOTHING,
    WAVES,
    Program,
    Ring,
    Undecided,
)

ZERO, ONE = arb(0), arb(1)
ROUNDED = arb(2) ** -24  # of a radius: it has 30 bits


@cache
def constant(number: float) -> arb:
    """What a number in an expression means."""
    if number < 0:
        return -constant(-number)
    if number in (NEARLY_NOTHING, ITS_ROOT):
        return ZERO.union(arb(number) * 2)
    if number in DECIMALS:
        return _fraction(DECIMALS[number])
    if number in CIRCLES:
        return _fraction(CIRCLES[number]) * arb.pi()
    if number in WAVES:
        name, decimal = WAVES[number]
        return arb(decimal).sin() if name == "sin" else arb(decimal).cos()
    return arb(number)


def _fraction(text: str) -> arb:
    return arb(fmpq(*map(int, text.split("/"))))


def square(x: arb) -> arb:
    """x², which is not negative."""
    least, most = x.abs_lower(), x.abs_upper()
    return (least * least).union(most * most)


def is_true(x: arb) -> bool:
    """Whether a truth is one; truths are exactly one or zero."""
    if x == 1:
        return True
    if x == 0:
        return False
    raise Undecided("border: a truth between true and false")


def truth(holds: bool, fails: bool, what: str) -> arb:
    """A comparison that surely holds or surely fails, as a number."""
    if not (holds or fails):
        raise Undecided(f"border: {what} is not sure")
    return ONE if holds else ZERO


def power(x: arb, y: arb) -> arb:
    """x^y; whole exponents take any base."""
    whole = y.unique_fmpz() if y.is_integer() else None
    return (x.log() * y).exp() if whole is None else whole_power(x, int(whole))


def whole_power(x: arb, exponent: int) -> arb:
    """xⁿ by squares. (Arb's own power of a ball around zero is not a number.)"""
    if exponent < 0:
        return 1 / whole_power(x, -exponent)
    if exponent % 2:
        return x * whole_power(x, exponent - 1)
    return square(whole_power(x, exponent // 2)) if exponent else ONE


def root(x: arb) -> arb:
    """√x, where it is defined: a ball may be below zero by what its radius was rounded by."""
    if x > 0 or not (x.upper() >= 0 and -x.lower() <= ROUNDED * x.upper()):
        return x.sqrt()
    return ZERO.union(x.upper().sqrt())


def step(function: Callable[[arb], arb]) -> Callable[[arb, arb], arb]:
    """A function that jumps, where it does not."""

    def over(x: arb, _: arb) -> arb:
        ends = function(x.lower()), function(x.upper())
        if not (ends[0].is_exact() and ends[0] == ends[1]):
            raise Undecided("border: a step of floor or ceil")
        return ends[0]

    return over


def angle(y: arb, x: arb) -> arb:
    """The angle of a point, where it does not jump by a turn."""
    if not (x > 0 or y > 0 or y < 0):
        raise Undecided("border: an angle is not sure")
    return arb.atan2(y, x)


def sign(x: arb) -> arb:
    """The sign of a ball that has one."""
    if x == 0:
        return ZERO
    return ONE if truth(bool(x > 0), bool(x < 0), "a sign") == 1 else -ONE


def unbroken(program: Program, *arguments: Sequence[arb]) -> None:
    """Refuse bounds between which a program may jump: nothing follows from derivatives there."""
    if program.may_jump:
        program.run(BALLS, *arguments)


BALLS: Ring[arb] = Ring(
    constant,
    {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.truediv,
        "neg": lambda x, _: -x,
        "inv": lambda x, _: 1 / x,
        "twice": lambda x, _: x + x,
        "sq": lambda x, _: square(x),
        "pow": power,
        "constpow": power,
        "exp": lambda x, _: x.exp(),
        "log": lambda x, _: x.log(),
        "sqrt": lambda x, _: root(x),
        "sin": lambda x, _: x.sin(),
        "cos": lambda x, _: x.cos(),
        "tan": lambda x, _: x.tan(),
        "asin": lambda x, _: x.asin(),
        "acos": lambda x, _: x.acos(),
        "atan": lambda x, _: x.atan(),
        "atan2": angle,
        "sinh": lambda x, _: x.sinh(),
        "cosh": lambda x, _: x.cosh(),
        "tanh": lambda x, _: x.tanh(),
        "fabs": lambda x, _: x.abs_lower().union(x.abs_upper()),
        "fmin": arb.min,
        "fmax": arb.max,
        "sign": lambda x, _: sign(x),
        "floor": step(arb.floor),
        "ceil": step(arb.ceil),
        "lt": lambda x, y: truth(bool(x < y), bool(x >= y), "which is less"),
        "le": lambda x, y: truth(bool(x <= y), bool(x > y), "which is less"),
        "eq": lambda x, y: truth(bool(x == y), bool(x != y), "whether equal"),
        "ne": lambda x, y: truth(bool(x != y), bool(x == y), "whether equal"),
        "not": lambda x, _: ONE - x,
        "and": lambda x, y: ONE if is_true(x) and is_true(y) else ZERO,
        "or": lambda x, y: ONE if is_true(x) or is_true(y) else ZERO,
        "if_else_zero": lambda x, y: y if is_true(x) else ZERO,
    },
)


def _either(name: str) -> Callable[[arb, arb], arb]:
    """A comparison, or both its answers."""

    def over(x: arb, y: arb) -> arb:
        try:
            return BALLS.operations[name](x, y)
        except Undecided:
            return ZERO.union(ONE)

    return over


def _side(x: arb, _: arb) -> arb:
    return sign(x) if x == 0 or x > 0 or x < 0 else (-ONE).union(ONE)


KINKED: Ring[arb] = Ring(
    constant,
    {
        **BALLS.operations,
        "sign": _side,
        **{name: _either(name) for name in ("lt", "le", "eq", "ne")},
        "if_else_zero": lambda x, y: y if x == 1 else ZERO if x == 0 else ZERO.union(y),
    },
)
"""Balls for derivatives of what has kinks: at a kink, all that lies between both sides.

Along a line, |g| has the derivative g' sign g almost everywhere, and the like holds for the less
and the greater of two; so what has kinks, but no jumps, differs between two points by some such
derivative. That there are no jumps must be seen elsewhere (`unbroken`).
"""
