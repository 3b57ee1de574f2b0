"""The value of a term or formula where every name has a number."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import assert_never

from dyverse.expr.algebra import Amounts
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import (
    ARITHMETIC,
    CHOICE,
    CONSTANTS,
    FUNCTIONS,
    Binary,
    Call,
    Negate,
    Number,
    Symbol,
    Term,
)


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


_OURS: dict[str, Callable[..., float]] = {"abs": abs, "max": max, "min": min, "sign": _sign}
_BINARY = ARITHMETIC | {"^": math.pow}
_TRUTHS: dict[str, Callable[..., bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
    "!=": operator.ne,
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "not": operator.not_,
}
_CALL = {name: _OURS.get(name) or getattr(math, name) for name in FUNCTIONS} | _TRUTHS


def value(term: Term, known: Mapping[str, float]) -> float:
    """The number that ``term`` stands for; not a number where it is undefined (1/0, √-1)."""
    try:
        return float(_value(term, known))
    except (ZeroDivisionError, ValueError, OverflowError):
        return math.nan


def _value(term: Term, known: Mapping[str, float]) -> float:
    match term:
        case Number(value=number):
            return number
        case Symbol(name=name):
            return known[name] if name in known else CONSTANTS[name]
        case Negate(operand=operand):
            return -_value(operand, known)
        case Binary(operator=sign, left=left, right=right):
            return float(_BINARY[sign](_value(left, known), _value(right, known)))
        case Call(function=function, arguments=(test, then, otherwise)) if function == CHOICE:
            return _value(then if _value(test, known) else otherwise, known)
        case Call(function=function, arguments=arguments):
            return float(_CALL[function](*(_value(a, known) for a in arguments)))
        case _:
            assert_never(term)


NUMBERS: Amounts[float] = Amounts(float, value, math.hypot, math.sin, math.cos)


def holds(formula: Formula, known: Mapping[str, float], *, margin: float = 0.0) -> bool:
    """Whether ``formula`` is true, equalities and weak relations read up to ``margin``.

    ``a == b`` means |a - b| ≤ margin, ``a <= b`` means a - b ≤ margin, and the strict relations
    are the negations of the weak ones: with any margin, one of ``<``, ``==``, ``>`` holds.
    """
    match formula:
        case Compare(relation=relation, left=left, right=right):
            return _compare(relation, value(left, known) - value(right, known), margin)
        case And(parts=parts):
            return all(holds(part, known, margin=margin) for part in parts)
        case Or(parts=parts):
            return any(holds(part, known, margin=margin) for part in parts)
        case Not(part=part):
            return not holds(part, known, margin=margin)
        case _:
            assert_never(formula)


def _compare(relation: str, difference: float, margin: float) -> bool:
    match relation:
        case "<":
            return difference < -margin
        case "<=":
            return difference <= margin
        case "==":
            return abs(difference) <= margin
        case "!=":
            return abs(difference) > margin
        case ">=":
            return difference >= -margin
        case _:
            return difference > margin
