"""Arithmetic terms over named quantities: immutable values that hash, compare and print.

A term carries the place in the text it came from, which takes no part in comparison: the same
formula written in a file and in Python gives equal terms. Names are plain strings: a parameter
``K``, a state variable ``ball1.vx``, a signal ``gap[ball1,ball2]``, the time ``t``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from dyverse.errors import ArgumentError, Span
from dyverse.given import number_problem

Operator = Literal["+", "-", "*", "/", "^"]

FUNCTIONS: dict[str, int] = {  # name -> number of arguments
    "abs": 1,
    "acos": 1,
    "asin": 1,
    "atan": 1,
    "atan2": 2,
    "ceil": 1,
    "cos": 1,
    "cosh": 1,
    "exp": 1,
    "floor": 1,
    "log": 1,
    "max": 2,
    "min": 2,
    "sign": 1,
    "sin": 1,
    "sinh": 1,
    "sqrt": 1,
    "tan": 1,
    "tanh": 1,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {  # on numbers and on CasADi expressions
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
CHOICE = "if"  # of a condition and two terms: the first where the condition holds, else the second
CONDITIONS: dict[str, int | None] = {  # of choices, 1 or 0, with how many arguments; None is any
    **dict.fromkeys(("<", "<=", "==", ">=", ">", "!="), 2),
    "and": None,
    "or": None,
    "not": 1,
}
CONSTANTS: dict[str, float] = {"pi": 3.141592653589793}


class Arithmetic:
    """The operators that every term has; each builds a larger term."""

    __slots__ = ()

    def __add__(self, other: Term | float) -> Term:
        return Binary("+", as_term(self), as_term(other))

    def __radd__(self, other: float) -> Term:
        return Binary("+", as_term(other), as_term(self))

    def __sub__(self, other: Term | float) -> Term:
        return Binary("-", as_term(self), as_term(other))

    def __rsub__(self, other: float) -> Term:
        return Binary("-", as_term(other), as_term(self))

    def __mul__(self, other: Term | float) -> Term:
        return Binary("*", as_term(self), as_term(other))

    def __rmul__(self, other: float) -> Term:
        return Binary("*", as_term(other), as_term(self))

    def __truediv__(self, other: Term | float) -> Term:
        return Binary("/", as_term(self), as_term(other))

    def __rtruediv__(self, other: float) -> Term:
        return Binary("/", as_term(other), as_term(self))

    def __pow__(self, other: Term | float) -> Term:
        return Binary("^", as_term(self), as_term(other))

    def __rpow__(self, other: float) -> Term:
        return Binary("^", as_term(other), as_term(self))

    def __neg__(self) -> Term:
        return negate(as_term(self))


@dataclass(frozen=True, slots=True)
class Number(Arithmetic):
    """A literal number."""

    value: float
    span: Span | None = field(default=None, compare=False, repr=False)
    unit: str = field(default="", compare=False, repr=False)  # that was written behind it


@dataclass(frozen=True, slots=True)
class Symbol(Arithmetic):
    """A named quantity."""

    name: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Negate(Arithmetic):
    """``-operand``; build with `negate`, which folds the sign of a literal into it."""

    operand: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Binary(Arithmetic):
    """``left operator right``."""

    operator: Operator
    left: Term
    right: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call(Arithmetic):
    """``function(arguments…)`` with a function of `FUNCTIONS`, or a `CHOICE` by `CONDITIONS`."""

    function: str
    arguments: tuple[Term, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


Term = Number | Symbol | Negate | Binary | Call
Vector = tuple[Term, Term, Term]


def as_term(value: object) -> Term:
    """A number as a literal term; a term as it is."""
    if isinstance(value, Number | Symbol | Negate | Binary | Call):
        return value
    if number_problem(value) in ("", "not a finite number"):
        return Number(float(value))  # type: ignore[arg-type]
    raise ArgumentError(f"expected a number or a term, not {value!r}")


def negate(operand: Term, span: Span | None = None) -> Term:
    """``-operand``, with the sign of a literal folded in so that printing and parsing agree."""
    if isinstance(operand, Number):
        return Number(-operand.value, span, operand.unit)
    return Negate(operand, span)


def children(term: Term) -> tuple[Term, ...]:
    """The terms directly below ``term``."""
    match term:
        case Negate(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments):
            return arguments
        case _:
            return ()


def symbols(term: Term) -> tuple[Symbol, ...]:
    """Every symbol in ``term``, left to right, repetitions included."""
    if isinstance(term, Symbol):
        return (term,)
    return tuple(symbol for child in children(term) for symbol in symbols(child))
