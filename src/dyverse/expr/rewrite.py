"""Terms and formulas with some of their parts replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from dyverse.expr.choice import chosen, condition
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import (
    CHOICE,
    Binary,
    Call,
    Negate,
    Number,
    Symbol,
    Term,
    children,
    negate,
    symbols,
)
from dyverse.expr.value import value

Rewrite = Callable[[Term], Term]
MOST_CASES = 3  # conditions of choices in one comparison, which make a power of three of cases


def rewritten(term: Term, rewrite: Rewrite) -> Term:
    """``term`` with ``rewrite`` applied to every part of it, the innermost first."""
    match term:
        case Number() | Symbol():
            return rewrite(term)
        case Negate(operand=operand):
            return rewrite(negate(rewritten(operand, rewrite), term.span))
        case Binary(left=left, right=right):
            sides = rewritten(left, rewrite), rewritten(right, rewrite)
            return rewrite(replace(term, left=sides[0], right=sides[1]))
        case Call(arguments=arguments):
            given = tuple(rewritten(argument, rewrite) for argument in arguments)
            made = replace(term, arguments=given)
            taken = chosen(made)
            return rewrite(made) if taken is made else taken
        case _:
            assert_never(term)


def rewritten_formula(formula: Formula, rewrite: Rewrite) -> Formula:
    """``formula`` with ``rewrite`` applied to every part of its terms."""
    match formula:
        case Compare(left=left, right=right):
            sides = rewritten(left, rewrite), rewritten(right, rewrite)
            return replace(formula, left=sides[0], right=sides[1])
        case And(parts=parts) | Or(parts=parts):
            return replace(formula, parts=tuple(rewritten_formula(p, rewrite) for p in parts))
        case Not(part=part):
            return replace(formula, part=rewritten_formula(part, rewrite))
        case _:
            assert_never(formula)


def by_cases(comparison: Compare) -> Formula:
    """A comparison of terms with choices as one for each case, which has no choice of that case.

    ``(if c then a else b) > 0`` is ``c and a > 0 or not c and b > 0``: so a search for where it
    changes sees smooth functions. That both hold is a third case, which changes nothing but the
    margin: it is not zero at the bound of c where both do. More than `MOST_CASES` conditions stay.
    """
    tests = dict.fromkeys(_tests(comparison.left) + _tests(comparison.right))
    if not tests or len(tests) > MOST_CASES:
        return comparison
    test = next(iter(tests))

    def taking(place: int) -> Formula:
        def take(term: Term) -> Term:
            is_it = isinstance(term, Call) and term.function == CHOICE and term.arguments[0] == test
            return term.arguments[place] if is_it and isinstance(term, Call) else term

        return rewritten_formula(comparison, take)

    holds, first, second = condition(test), taking(1), taking(2)
    cases = And((holds, first)), And((Not(holds), second)), And((first, second))
    return Or(cases, comparison.span)


def _tests(term: Term) -> tuple[Term, ...]:
    """The conditions of the choices in a term, outer ones first."""
    own = term.arguments[:1] if isinstance(term, Call) and term.function == CHOICE else ()
    inside = children(term)[len(own) :]  # what a condition chooses by is its own matter
    return (*own, *(test for child in inside for test in _tests(child)))


def substitution(meanings: Mapping[str, Term]) -> Rewrite:
    """Replace each name that has a meaning by it; the place in the text stays that of the name."""

    def rewrite(term: Term) -> Term:
        if not isinstance(term, Symbol) or term.name not in meanings:
            return term
        return replace(meanings[term.name], span=term.span)

    return rewrite


def with_values(known: Mapping[str, float]) -> Rewrite:
    """Put in numbers for the names in ``known``; what is constant then is one number."""

    def rewrite(term: Term) -> Term:
        if all(symbol.name in known for symbol in symbols(term)):
            return Number(value(term, known))
        return term

    return rewrite
