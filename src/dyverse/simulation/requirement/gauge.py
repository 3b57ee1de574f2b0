"""Reading the atoms of a requirement at many states: how deep inside each a state is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from dyverse.automaton.guard.robustness import NOTHING, UNDEFINED, Atom, margin_of
from dyverse.automaton.interface import Array
from dyverse.expr.term import (
    ARITHMETIC,
    Binary,
    Negate,
    Number,
    Symbol,
    Term,
    children,
    symbols,
)
from dyverse.expr.value import value
from dyverse.simulation.requirement.exactness import IsExact
from dyverse.simulation.requirement.temporal import Planned


class Gauge:
    """Reads all atoms of a plan."""

    def __init__(self, planned: Planned, is_exact: IsExact) -> None:
        self.atoms = planned.atoms
        self.exact = np.array([is_exact(one) for one in planned.comparisons], dtype=bool)

    def __call__(self, known: Mapping[str, float]) -> Array:
        """The margin of every atom where signals have these values."""
        margins = [margin_of(value(atom.depth, known), atom.sense) for atom in self.atoms]
        return np.clip(margins, -UNDEFINED, UNDEFINED)

    def all(self, columns: Mapping[str, Array], count: int) -> Array:
        """The same at so many states, one row each; every signal is a column."""
        found = [_margins(atom, columns, count) for atom in self.atoms]
        return np.clip(np.array(found).reshape(len(found), count).T, -UNDEFINED, UNDEFINED)

    def sizes(self, known: Mapping[str, float]) -> Array:
        """The largest number in each atom: its margin is rounded to a share of that."""
        return np.array([_size(atom.depth, known) for atom in self.atoms])


def _margins(atom: Atom, columns: Mapping[str, Array], count: int) -> Array:
    depths = _column(atom.depth, columns)
    if depths is None:
        depths = np.array([value(atom.depth, row) for row in _rows(atom.depth, columns, count)])
    depths = np.where(np.isfinite(depths), depths, -np.inf)
    zero = -NOTHING if atom.sense == "strict" else 0.0
    return np.broadcast_to(np.where(depths == 0, zero, depths), count)


def _rows(term: Term, columns: Mapping[str, Array], count: int) -> Iterator[dict[str, float]]:
    names = [symbol.name for symbol in symbols(term) if symbol.name in columns]
    lists = [np.broadcast_to(columns[name], count).tolist() for name in names]
    return (dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True))


def _column(term: Term, columns: Mapping[str, Array]) -> Array | None:
    """The values of a sum or a product at many states; None if it is anything else."""
    match term:
        case Number(value=number):
            return np.array(number)
        case Symbol(name=name):
            return columns.get(name)
        case Negate(operand=operand):
            found = _column(operand, columns)
            return None if found is None else -found
        case Binary(operator="+" | "-" | "*" as sign, left=left, right=right):
            one, other = _column(left, columns), _column(right, columns)
            if one is None or other is None:
                return None
            with np.errstate(over="ignore", invalid="ignore"):
                return np.asarray(ARITHMETIC[sign](one, other))
        case _:
            return None


def _size(term: Term, known: Mapping[str, float]) -> float:
    amount = abs(value(term, known))
    own = amount if math.isfinite(amount) else 0.0
    return max([own, *(_size(child, known) for child in children(term))])
