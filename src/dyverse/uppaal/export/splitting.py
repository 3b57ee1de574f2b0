"""Guards as conjunctions: one edge of a checker for each, as clocks know no 'or' there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from dyverse.automaton.robustness import normal
from dyverse.errors import ExportError
from dyverse.expr.formula import FALSE, TRUE, And, Compare, Formula, Not, Or, formula_symbols
from dyverse.expr.printing import formula_text

MAX_PARTS = 256

Conjunction = tuple[Formula, ...]


def split(
    formula: Formula, is_clock: Callable[[str], bool], *, all_of_it: bool
) -> list[Conjunction]:
    """The formula as conjunctions of which one must hold.

    Parts without clocks stay whole, unless ``all_of_it`` asks for comparisons only.
    """
    found = _split(normal(formula), is_clock, all_of_it)
    if len(found) > MAX_PARTS:
        raise ExportError(
            f"a guard splits into more than {MAX_PARTS} edges: {formula_text(formula)}"
        )
    return found


def _split(formula: Formula, is_clock: Callable[[str], bool], all_of_it: bool) -> list[Conjunction]:
    clocks = any(is_clock(symbol.name) for symbol in formula_symbols(formula))
    if formula == TRUE:
        return [()]
    if formula == FALSE:
        return []
    match formula:
        case Compare(relation="!=", left=left, right=right) if clocks:
            return [(Compare("<", left, right),), (Compare(">", left, right),)]
        case And(parts=parts):
            rows = [_split(part, is_clock, all_of_it) for part in parts]
            _check(rows, formula)
            return [tuple(atom for row in choice for atom in row) for choice in product(*rows)]
        case Or(parts=parts) if clocks or all_of_it:
            return [row for part in parts for row in _split(part, is_clock, all_of_it)]
        case Not():
            return _split(normal(formula), is_clock, all_of_it)
    return [(formula,)]


def _check(rows: list[list[Conjunction]], formula: Formula) -> None:
    total = 1
    for row in rows:
        total *= len(row)
    if total > MAX_PARTS:
        raise ExportError(
            f"a guard splits into more than {MAX_PARTS} edges: {formula_text(formula)}"
        )
