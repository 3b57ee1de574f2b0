"""What the numbers of a term may be besides floats: CasADi expressions, intervals, balls.

An `Algebra` says how literals, constants, operators and functions are read; `evaluated` puts a
term's parts together by it. `Amounts` is what it takes to put such numbers into a whole model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, assert_never

from dyverse.expr.term import Binary, Call, Negate, Number, Symbol, Term

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Algebra(Generic[T]):
    """A kind of number: how each part of a term is read."""

    number: Callable[[float], T]
    constants: Mapping[str, T]
    negate: Callable[[T], T]
    binary: Mapping[str, Callable[[T, T], T]]
    call: Mapping[str, Callable[..., T]]


@dataclass(frozen=True, slots=True)
class Amounts(Generic[T]):
    """A kind of number, as one who fills in a model needs it."""

    number: Callable[[float], T]
    read: Callable[[Term, Mapping[str, T]], T]
    length: Callable[[T, T, T], T]  # of a vector
    sin: Callable[[T], T]
    cos: Callable[[T], T]


TERMS: Amounts[Term] = Amounts(
    Number,
    lambda term, _: term,
    lambda x, y, z: Call("sqrt", (x * x + y * y + z * z,)),
    lambda x: Call("sin", (x,)),
    lambda x: Call("cos", (x,)),
)  # whose names stay what they are


def evaluated(term: Term, known: Mapping[str, T], algebra: Algebra[T]) -> T:
    """``term`` with each name replaced by what it stands for."""
    match term:
        case Number(value=number):
            return algebra.number(number)
        case Symbol(name=name):
            return known[name] if name in known else algebra.constants[name]
        case Negate(operand=operand):
            return algebra.negate(evaluated(operand, known, algebra))
        case Binary(operator=sign, left=left, right=right):
            sides = evaluated(left, known, algebra), evaluated(right, known, algebra)
            return algebra.binary[sign](*sides)
        case Call(function=function, arguments=arguments):
            return algebra.call[function](*(evaluated(a, known, algebra) for a in arguments))
        case _:
            assert_never(term)
