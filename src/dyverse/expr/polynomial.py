"""Terms as fractions of polynomials, to see which of them are the same whatever the numbers.

In come terms and the numbers of some names; out goes for each a numerator over one common
denominator, with exact coefficients. What is no polynomial, such as ``exp(x)``, counts as a name of
its own. Numbers in a term are floats, so terms that ought to be equal may differ in the last digit
of a coefficient; two coefficients are the same up to `ROUNDING`, however small both are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import assert_never

from dyverse.expr.derivative import product, quotient, total
from dyverse.expr.rewrite import rewritten, substitution
from dyverse.expr.term import CONSTANTS, Binary, Call, Negate, Number, Symbol, Term

Monomial = frozenset[tuple[Term, int]]  # of names and functions, each with its power
Polynomial = dict[Monomial, Fraction]

ONE: Polynomial = {frozenset(): Fraction(1)}
LARGEST = 2_000  # monomials
HIGHEST = 12  # power that is multiplied out
ROUNDING = 1e-13  # relative: by so much may a coefficient be off


class TooLongError(Exception):
    """A polynomial has more monomials than is worth the time."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """A numerator over a denominator."""

    above: Polynomial
    below: Polynomial


def numerators(terms: Sequence[Term], known: Mapping[str, float]) -> list[Polynomial]:
    """The terms times one denominator that all of them share.

    Raises `TooLongError` where they are too long to be multiplied out.
    """
    found = [_quotient(_numbered(term, known)) for term in terms]
    shared = [ONE]
    for one in found:
        if one.below not in shared:
            shared.append(one.below)
    return [reduce(_times, (d for d in shared if d != one.below), one.above) for one in found]


def is_same(one: Term, other: Term, known: Mapping[str, float]) -> bool:
    """Whether two terms are equal whatever the names that are not ``known`` stand for.

    A *no* is not sure: ``sin(x)^2`` and ``1 - cos(x)^2`` are not seen to be the same.
    """
    try:
        first, second = numerators((one, other), known)
    except TooLongError:
        return False
    return cancels((first, second), (1.0, -1.0))


def gathered(term: Term, known: Mapping[str, float]) -> Term:
    """The same as one fraction, in which what cancels is gone; long terms as they are."""
    try:
        found = _quotient(_numbered(term, known))
    except TooLongError:
        return term
    return quotient(_sum(found.above), _sum(found.below))


def _sum(polynomial: Polynomial) -> Term:
    return total(
        *(
            product(float(number), *(name**power for name, power in monomial))
            for monomial, number in polynomial.items()
        )
    )


def cancels(polynomials: Iterable[Polynomial], factors: Iterable[float]) -> bool:
    """Whether a sum of polynomials, each times a factor, is zero up to rounding."""
    sums: dict[Monomial, list[Fraction]] = {}
    for polynomial, factor in zip(polynomials, map(Fraction, factors), strict=True):
        for monomial, number in polynomial.items():
            sums.setdefault(monomial, []).append(factor * number)
    zero, rounding = Fraction(0), Fraction(ROUNDING)
    return all(
        abs(sum(parts, zero)) <= rounding * sum(map(abs, parts), zero) for parts in sums.values()
    )


def _numbered(term: Term, known: Mapping[str, float]) -> Term:
    numbers = {name: Number(number) for name, number in (CONSTANTS | dict(known)).items()}
    return rewritten(term, substitution(numbers))


def _quotient(term: Term) -> Quotient:
    match term:
        case Number(value=number):
            return Quotient({frozenset(): Fraction(number)} if number else {}, ONE)
        case Symbol() | Call():
            return _atom(term)
        case Negate(operand=operand):
            inner = _quotient(operand)
            return Quotient({m: -number for m, number in inner.above.items()}, inner.below)
        case Binary(operator="^", left=left, right=right):
            return _power(term, left, right)
        case Binary(operator=operator, left=left, right=right):
            return _joined(operator, _quotient(left), _quotient(right), term)
        case _:
            assert_never(term)


def _atom(term: Term) -> Quotient:
    return Quotient({frozenset({(term, 1)}): Fraction(1)}, ONE)


def _power(term: Term, base: Term, exponent: Term) -> Quotient:
    if not isinstance(exponent, Number) or not exponent.value.is_integer():
        return _atom(term)
    if abs(exponent.value) > HIGHEST:
        return _atom(term)
    inner, size = _quotient(base), int(exponent.value)
    above, below = (inner.above, inner.below) if size >= 0 else (inner.below, inner.above)
    if not below:
        return _atom(term)  # a power of 1/0
    parts = [reduce(_times, [part] * abs(size), ONE) for part in (above, below)]
    return Quotient(parts[0], parts[1])


def _joined(operator: str, left: Quotient, right: Quotient, term: Term) -> Quotient:
    match operator:
        case "*":
            return Quotient(_times(left.above, right.above), _times(left.below, right.below))
        case "/" if not right.above:
            return _atom(term)  # a division by zero
        case "/":
            return Quotient(_times(left.above, right.below), _times(left.below, right.above))
        case _:
            sign = Fraction(1 if operator == "+" else -1)
            if left.below == right.below:
                return Quotient(_plus(left.above, right.above, sign), left.below)
            one, other = _times(left.above, right.below), _times(right.above, left.below)
            return Quotient(_plus(one, other, sign), _times(left.below, right.below))


def _plus(one: Polynomial, other: Polynomial, sign: Fraction) -> Polynomial:
    found = dict(one)
    for monomial, number in other.items():
        found[monomial] = found.get(monomial, Fraction(0)) + sign * number
    return {monomial: number for monomial, number in found.items() if number}


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    if one == ONE or other == ONE:
        return other if one == ONE else one
    if len(one) * len(other) > LARGEST:
        raise TooLongError
    found: Polynomial = {}
    for a, x in one.items():
        for b, y in other.items():
            key = _product(a, b)
            found[key] = found.get(key, Fraction(0)) + x * y
    return {monomial: number for monomial, number in found.items() if number}


def _product(one: Monomial, other: Monomial) -> Monomial:
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + power
    return frozenset(powers.items())
