"""What guards and domains ask of one contact, each condition stated once.

A condition is a formula over the signals of a contact, named without it: ``gap <= 0``. `at` a
contact it is part of a guard, ``gap[ball,floor] <= 0``; `on` numbers of many contacts, snapped by
`dyverse.generation.reading`, it tells which edge a run takes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.expr.formula import And, Compare, Formula, Or, both, compare, either
from dyverse.expr.rewrite import rewritten_formula, substitution
from dyverse.expr.term import Number, Symbol, Term
from dyverse.generation.skeleton.names import SIGNALS, signal

Flags = NDArray[np.bool_]

RELATIONS: dict[str, Callable[[Array, Array], Flags]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A formula over the signals of any one contact."""

    formula: Formula

    def at(self, contact: str) -> Formula:
        """The same of one contact."""
        return _at(self.formula, contact)

    def on(self, signals: Mapping[str, Array]) -> Flags:
        """Where it holds, for as many contacts as there are numbers of each signal."""
        return _holds(self.formula, signals)


@lru_cache(maxsize=2**14)
def _at(formula: Formula, contact: str) -> Formula:
    names = {quantity: signal(quantity, contact) for quantity in SIGNALS}
    return rewritten_formula(formula, substitution(names))


def _holds(formula: Formula, signals: Mapping[str, Array]) -> Flags:
    match formula:
        case Compare(relation=relation, left=left, right=right):
            return RELATIONS[relation](_column(left, signals), _column(right, signals))
        case And(parts=parts):
            return reduce(operator.and_, (_holds(part, signals) for part in parts))
        case Or(parts=parts):
            return reduce(operator.or_, (_holds(part, signals) for part in parts))
        case _:
            raise TypeError(formula)


def _column(term: Term, signals: Mapping[str, Array]) -> Array:
    match term:
        case Symbol(name=name):
            return signals[name]
        case Number(value=value):
            return np.float64(value)  # type: ignore[return-value]
        case _:
            raise TypeError(term)


_APART, _STILL = compare("gap", ">", 0), compare("normal_speed", "==", 0)
_LEAVING = compare("normal_speed", ">", 0)

TOUCHING = Condition(both(compare("gap", "<=", 0), compare("normal_speed", "<=", 0)))
APART = Condition(either(_APART, _LEAVING))  # the negation
APPROACHING = Condition(
    either(compare("normal_speed", "<", 0), both(_STILL, compare("normal_acceleration", "<=", 0)))
)
CLOSING = Condition(both(compare("gap", "<=", 0), APPROACHING.formula))
OPEN = Condition(  # the negation of closing
    either(_APART, _LEAVING, both(_STILL, compare("normal_acceleration", ">", 0)))
)
PARTING, STAYING = Condition(_LEAVING), Condition(_STILL)
PULLING = Condition(compare("normal_force", "<", 0))
PUSHING = Condition(compare("normal_force", ">=", 0))
SLIPPING = Condition(compare("slip_speed", ">", 0))
RESTING = Condition(compare("slip_speed", "==", 0))
STARTING = Condition(compare("slip_acceleration", ">", 0))
STEADY = Condition(compare("slip_acceleration", "==", 0))
HELD = Condition(compare("friction_force", "<=", Symbol("friction_limit")))
TORN = Condition(compare("friction_limit", "<", Symbol("friction_force")))
