"""What may stand for a quantity in Python: a number, a term, or text as in the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import Formula
from dyverse.expr.term import Term, Vector, as_term
from dyverse.given import check_kind
from dyverse.text.parse import parse_formula, parse_term

Quantity = Term | float | str
Quantities = Sequence[Quantity]
ORDERED = (Sequence, np.ndarray)


def as_limits(limits: tuple[Quantity, Quantity] | None, name: str) -> tuple[Term, Term] | None:
    """Both ends of the range of ``name``, if it has one."""
    if limits is None:
        return None
    if isinstance(limits, str) or not isinstance(limits, ORDERED) or len(limits) != 2:
        what = f"the limits of {name!r} are a lower and an upper one"
        raise ModelError([Problem(f"{what}, (0, 1), not {limits!r}")])
    return as_quantity(limits[0]), as_quantity(limits[1])


def as_formula(formula: Formula | str) -> Formula:
    """The formula that was given."""
    if isinstance(formula, str):
        return parse_formula(formula)
    check_kind(formula, get_args(Formula), "a condition", "such as 'ball.y > 0'")
    return formula


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
    if isinstance(triple, str) or not isinstance(triple, ORDERED) or len(triple) != 3:
        raise ModelError([Problem(f"{what} needs three components (x, y, z), found {triple!r}")])
    x, y, z = map(as_quantity, triple)
    return (x, y, z)
