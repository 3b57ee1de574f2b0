"""Terms as CasADi expressions: what derivatives, fast evaluation and C code are made from."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, assert_never

import casadi as ca

from dyverse.expr.term import ARITHMETIC, CONSTANTS, Binary, Call, Negate, Number, Symbol, Term

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
}


def symbolic(term: Term, known: Mapping[str, SX]) -> SX:
    """``term`` with each name replaced by the CasADi expression it stands for."""
    match term:
        case Number(value=number):
            return ca.SX(number)
        case Symbol(name=name):
            return known[name] if name in known else ca.SX(CONSTANTS[name])
        case Negate(operand=operand):
            return -symbolic(operand, known)
        case Binary(operator=sign, left=left, right=right):
            return _BINARY[sign](symbolic(left, known), symbolic(right, known))
        case Call(function=function, arguments=arguments):
            return _CALL[function](*(symbolic(a, known) for a in arguments))
        case _:
            assert_never(term)
