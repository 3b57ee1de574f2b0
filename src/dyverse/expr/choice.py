"""Terms that are one thing where a condition holds and another where it does not.

``if x > 1 then a else b`` is a `Call` of `CHOICE` with three arguments. The first is the condition,
as a term that is 1 or 0 and made of calls itself, so that whatever goes through a term, to replace
names or to count its parts, goes through conditions too.
"""

from __future__ import annotations

from typing import assert_never, cast

from dyverse.errors import Span
from dyverse.expr.formula import And, Compare, Formula, Not, Or, Relation
from dyverse.expr.term import CHOICE, CONDITIONS, Call, Number, Term, as_term


def where(
    test: Formula, then: Term | float, otherwise: Term | float, span: Span | None = None
) -> Term:
    """``if test then … else …``."""
    return Call(CHOICE, (truth(test), as_term(then), as_term(otherwise)), span)


def truth(formula: Formula) -> Term:
    """A formula as a term that is 1 where it holds and 0 where it does not."""
    match formula:
        case Compare(relation=relation, left=left, right=right, span=span):
            return Call(relation, (left, right), span)
        case And(parts=parts, span=span):
            return Call("and", tuple(map(truth, parts)), span)
        case Or(parts=parts, span=span):
            return Call("or", tuple(map(truth, parts)), span)
        case Not(part=part, span=span):
            return Call("not", (truth(part),), span)
        case _:
            assert_never(formula)


def condition(term: Term) -> Formula:
    """The formula that a term made by `truth` stands for; one that became a number is true or not.

    Any other term holds where it is not zero.
    """
    match term:
        case Number(value=number):
            return And(()) if number else Or(())
        case Call(function="and", arguments=parts, span=span):
            return And(tuple(map(condition, parts)), span)
        case Call(function="or", arguments=parts, span=span):
            return Or(tuple(map(condition, parts)), span)
        case Call(function="not", arguments=(part,), span=span):
            return Not(condition(part), span)
        case Call(function=relation, arguments=(left, right), span=span) if relation in CONDITIONS:
            return Compare(cast(Relation, relation), left, right, span)
        case _:
            return Compare("!=", term, Number(0.0))


def chosen(term: Call) -> Term:
    """A choice whose condition has become a number is what it chooses; any other is as it was."""
    match term:
        case Call(function="if", arguments=(Number(value=truth), then, otherwise)):
            return then if truth else otherwise
        case _:
            return term
