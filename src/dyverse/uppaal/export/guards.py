"""Guards as checkers of timed automata take them: conjunctions of linear comparisons of clocks.

There is one edge for each conjunction, as clocks know no 'or' there. ``x - y <= 3 + n`` has clocks
on the left, each once, and integers on the right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import product

from dyverse.automaton.guard.robustness import normal
from dyverse.errors import ExportError
from dyverse.expr.formula import (
    FALSE,
    FLIPPED,
    TRUE,
    And,
    Compare,
    Formula,
    Not,
    Or,
    Relation,
    formula_symbols,
)
from dyverse.expr.printing import formula_text
from dyverse.expr.term import Binary, Negate, Number, Symbol, Term, negate, symbols

Conjunction = tuple[Formula, ...]

MAX_PARTS = 256


@dataclass(frozen=True, slots=True)
class Line:
    """``plus - minus relation right``; without ``minus`` a single clock."""

    plus: str
    minus: str | None
    relation: Relation
    right: Term


def line_of(comparison: Compare, is_clock: Callable[[str], bool]) -> Line:
    """A comparison that has clocks, as a line; or an `ExportError`."""
    counts: dict[str, int] = {}
    rest: list[Term] = []
    _gather(comparison.left, 1, counts, rest, is_clock, comparison)
    _gather(comparison.right, -1, counts, rest, is_clock, comparison)
    clocks = {name: count for name, count in counts.items() if count}
    plus = [name for name, count in clocks.items() if count == 1]
    minus = [name for name, count in clocks.items() if count == -1]
    if len(plus) + len(minus) != len(clocks) or len(plus) > 1 or len(minus) > 1 or not clocks:
        raise _refused(comparison)
    right = _sum(rest)
    if not plus:
        return Line(minus[0], None, FLIPPED[comparison.relation], right)
    moved = _negated(right)
    return Line(plus[0], minus[0] if minus else None, comparison.relation, moved)


def _gather(
    term: Term,
    sign: int,
    counts: dict[str, int],
    rest: list[Term],
    is_clock: Callable[[str], bool],
    whole: Compare,
) -> None:
    match term:
        case Symbol(name=name) if is_clock(name):
            counts[name] = counts.get(name, 0) + sign
        case Binary(operator="+", left=left, right=right):
            _gather(left, sign, counts, rest, is_clock, whole)
            _gather(right, sign, counts, rest, is_clock, whole)
        case Binary(operator="-", left=left, right=right):
            _gather(left, sign, counts, rest, is_clock, whole)
            _gather(right, -sign, counts, rest, is_clock, whole)
        case Negate(operand=operand):
            _gather(operand, -sign, counts, rest, is_clock, whole)
        case _:
            if any(is_clock(symbol.name) for symbol in symbols(term)):
                raise _refused(whole)
            rest.append(term if sign > 0 else _negated(term))


def _refused(comparison: Compare) -> ExportError:
    return ExportError(
        f"{formula_text(comparison)}: a timed automaton compares a clock, or the difference of "
        "two, with integers"
    )


def _sum(terms: list[Term]) -> Term:
    """All terms added up, their numbers into one."""
    number = sum(term.value for term in terms if isinstance(term, Number))
    others = [term for term in terms if not isinstance(term, Number)]
    if not others:
        return Number(float(number))
    return reduce(_plus, others if number == 0 else [Number(float(number)), *others])


def _plus(a: Term, b: Term) -> Term:
    return a - b.operand if isinstance(b, Negate) else a + b


def _negated(term: Term) -> Term:
    match term:
        case Negate(operand=operand):
            return operand
        case Binary(operator="+" | "-" as sign, left=left, right=right):
            return _plus(_negated(left), _negated(right) if sign == "+" else right)
        case _:
            return negate(term)


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
