"""What may stand for a quantity in Python: a number, a term, or text as in the language."""

from __future__ import annotations

from collections.abc import Sequence

from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import Formula
from dyverse.expr.term import Term, Vector, as_term
from dyverse.text.parse import parse_formula, parse_term

Quantity = Term | float | str
Quantities = Sequence[Quantity]


def as_formula(formula: Formula | str) -> Formula:
    """The formula that was given."""
    return parse_formula(formula) if isinstance(formula, str) else formula


def as_quantity(quantity: Quantity) -> Term:
    """The term that was given."""
    return parse_term(quantity) if isinstance(quantity, str) else as_term(quantity)


def as_optional(quantity: Quantity | None) -> Term | None:
    """The same, if there is one."""
    return None if quantity is None else as_quantity(quantity)


def as_inertia(inertia: Quantity | Quantities | None) -> Term | tuple[Term, ...] | None:
    """One moment for every axis, or several numbers; checks count them."""
    if isinstance(inertia, Sequence) and not isinstance(inertia, str):
        return tuple(map(as_quantity, inertia))
    return as_optional(inertia)


def as_vector(triple: Quantities, what: str) -> Vector:
    """Three of them; ``what`` they are is said if there are not three."""
    if isinstance(triple, str) or len(triple) != 3:
        raise ModelError([Problem(f"{what} needs three components (x, y, z), found {triple!r}")])
    x, y, z = map(as_quantity, triple)
    return (x, y, z)
