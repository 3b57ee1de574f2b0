"""Terms as CasADi expressions: what derivatives, fast evaluation and C code are made from."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import reduce
from typing import Any

import casadi as ca

from dyverse.expr.algebra import Algebra, Amounts, evaluated
from dyverse.expr.term import ARITHMETIC, CONSTANTS, Term

SX = Any  # casadi ships no type information

_BINARY = ARITHMETIC | {"^": operator.pow}
_CALL: dict[str, Any] = {
    "abs": ca.fabs,
    "acos": ca.acos,
    "asin": ca.asin,
    "atan": ca.atan,
    "atan2": ca.atan2,
    "ceil": ca.ceil,
    "cos": ca.cos,
    "cosh": ca.cosh,
    "exp": ca.exp,
    "floor": ca.floor,
    "log": ca.log,
    "max": ca.fmax,
    "min": ca.fmin,
    "sign": ca.sign,
    "sin": ca.sin,
    "sinh": ca.sinh,
    "sqrt": ca.sqrt,
    "tan": ca.tan,
    "tanh": ca.tanh,
    "if": ca.if_else,
    "<": operator.lt,
    "<=": operator.le,
    "==": ca.eq,
    ">=": operator.ge,
    ">": operator.gt,
    "!=": ca.ne,
    "and": lambda *parts: reduce(ca.logic_and, parts, ca.SX(1)),
    "or": lambda *parts: reduce(ca.logic_or, parts, ca.SX(0)),
    "not": ca.logic_not,
}


_ALGEBRA: Algebra[SX] = Algebra(
    number=ca.SX,
    constants={name: ca.SX(number) for name, number in CONSTANTS.items()},
    negate=operator.neg,
    binary=_BINARY,
    call=_CALL,
)


def symbolic(term: Term, known: Mapping[str, SX]) -> SX:
    """``term`` with each name replaced by the CasADi expression it stands for."""
    return evaluated(term, known, _ALGEBRA)


def _length(x: SX, y: SX, z: SX) -> SX:
    return ca.sqrt(x * x + y * y + z * z)


EXPRESSIONS: Amounts[SX] = Amounts(ca.SX, symbolic, _length, ca.sin, ca.cos)


def split(column: SX) -> list[SX]:
    """The entries of a column."""
    return list(ca.vertsplit(column))
