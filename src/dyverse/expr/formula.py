"""Formulas: comparisons of terms joined by and, or, not.

Guards, domains and safety properties are formulas over named signals. Equality and strictness are
read with a margin when a formula is evaluated on floating-point numbers: see `dyverse.expr.value`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dyverse.errors import Span
from dyverse.expr.term import Symbol, Term, as_term, symbols

Relation = Literal["<", "<=", "==", ">=", ">", "!="]

# Each relation with the sides exchanged, and its negation.
FLIPPED: dict[Relation, Relation] = {
    "<": ">",
    "<=": ">=",
    "==": "==",
    ">=": "<=",
    ">": "<",
    "!=": "!=",
}
OPPOSITE: dict[Relation, Relation] = {
    "<": ">=",
    "<=": ">",
    "==": "!=",
    ">=": "<",
    ">": "<=",
    "!=": "==",
}


@dataclass(frozen=True, slots=True)
class Compare:
    """``left relation right``."""

    relation: Relation
    left: Term
    right: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    """All ``parts`` hold; with no parts, true."""

    parts: tuple[Formula, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    """Some part of ``parts`` holds; with no parts, false."""

    parts: tuple[Formula, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not:
    """``part`` does not hold."""

    part: Formula
    span: Span | None = field(default=None, compare=False, repr=False)


Formula = Compare | And | Or | Not
TRUE = And(())
FALSE = Or(())


def compare(left: Term | float | str, relation: Relation, right: Term | float | str) -> Compare:
    """A comparison; plain strings are names of signals."""
    return Compare(relation, _named(left), _named(right))


def _named(side: Term | float | str) -> Term:
    return Symbol(side) if isinstance(side, str) else as_term(side)


def both(*parts: Formula) -> Formula:
    """All parts hold: nested conjunctions are flattened, one part stands alone."""
    flat = tuple(p for part in parts for p in (part.parts if isinstance(part, And) else (part,)))
    return flat[0] if len(flat) == 1 else And(flat)


def either(*parts: Formula) -> Formula:
    """Some part holds: nested disjunctions are flattened, one part stands alone."""
    flat = tuple(p for part in parts for p in (part.parts if isinstance(part, Or) else (part,)))
    return flat[0] if len(flat) == 1 else Or(flat)


def formula_symbols(formula: Formula) -> tuple[Symbol, ...]:
    """Every symbol in ``formula``, left to right, repetitions included."""
    match formula:
        case Compare(left=left, right=right):
            return symbols(left) + symbols(right)
        case Not(part=part):
            return formula_symbols(part)
        case And(parts=parts) | Or(parts=parts):
            return tuple(symbol for part in parts for symbol in formula_symbols(part))
