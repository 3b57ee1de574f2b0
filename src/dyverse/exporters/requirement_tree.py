"""A requirement as a tree, a line for each part, with the comparison marked that decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dyverse.automaton.guard.robustness import normal
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.printing import formula_text, interval_text
from dyverse.expr.requirement import Joined, Ordered, Quantified, Requirement

STEP = "  "
MARK = "◀ "


def requirement_lines(
    requirement: Requirement, decides: Compare | None = None, note: str = "decides"
) -> Iterator[str]:
    """Each operator and each comparison on a line of its own, indented below what it belongs to.

    Behind the comparison that ``decides``, or that is its opposite, stands the ``note``.
    """
    word, parts = _node(requirement)
    yield f"{word}   {MARK}{note}" if decides and _is(requirement, decides) else word
    for part in parts:
        yield from (f"{STEP}{line}" for line in requirement_lines(part, decides, note))


def _is(requirement: Requirement, decides: Compare) -> bool:
    """Whether that is the comparison, or one of those that it is made of if it has choices.

    Under a negation their opposites are looked at.
    """
    if not isinstance(requirement, Compare):
        return False
    sides = (normal(requirement), normal(requirement, negated=True))
    return any(decides in _comparisons(side) for side in sides)


def _comparisons(formula: Formula) -> Iterator[Compare]:
    match formula:
        case Compare():
            yield formula
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _comparisons(part)
        case Not(part=part):
            yield from _comparisons(part)


def _node(requirement: Requirement) -> tuple[str, tuple[Requirement, ...]]:
    match requirement:
        case Compare():
            return formula_text(requirement), ()
        case And(parts=()) | Or(parts=()):
            return formula_text(requirement), ()
        case And(parts=parts):
            return "and", parts
        case Or(parts=parts):
            return "or", parts
        case Not(part=part):
            return "not", (part,)
        case Joined(word=word, parts=parts):
            return word, parts
        case Quantified(word=word, part=part, during=during):
            return f"{word}{interval_text(during)}", (part,)
        case Ordered(word=word, left=left, right=right, during=during):
            return f"{word}{interval_text(during)}", (left, right)
        case _:
            assert_never(requirement)
