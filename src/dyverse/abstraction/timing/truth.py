"""Formulas over boxes: they hold everywhere, nowhere, or that is open.

In comes a formula and an interval for each name. Both sides of a comparison are enclosed
[moore2009]; what they leave open may be either way at some point of the box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from dyverse.automaton.guard.robustness import fold, leaves, normal
from dyverse.enclosure.boxes import Box
from dyverse.enclosure.interval import Interval, enclosure
from dyverse.expr.formula import FLIPPED, OPPOSITE, And, Compare, Formula, Or, Relation
from dyverse.expr.term import CONSTANTS, Symbol, Term

Facts = Mapping[Compare, bool]
MOST_OPEN = 8  # comparisons that are tried both ways

_WEAK: dict[Relation, Relation] = {"<": "<=", ">": ">="}


class TooOpen(Exception):  # noqa: N818 - an outcome that whoever asks turns into a verdict
    """So much is open over a box that trying all ways would take too long."""


def truth(formula: Formula, box: Box) -> bool | None:
    """Whether ``formula`` holds on all of the box, or on none of it."""
    return fold(normal(formula), lambda leaf: _compared(leaf, box), _every, _some)


def _compared(comparison: Compare, box: Box) -> bool | None:
    a, b = enclosure(comparison.left, box), enclosure(comparison.right, box)
    match comparison.relation:
        case "<":
            return _known(a[1] < b[0], a[0] >= b[1])
        case "<=":
            return _known(a[1] <= b[0], a[0] > b[1])
        case ">":
            return _known(a[0] > b[1], a[1] <= b[0])
        case ">=":
            return _known(a[0] >= b[1], a[1] < b[0])
        case "==":
            return _known(a[0] == a[1] == b[0] == b[1], a[1] < b[0] or a[0] > b[1])
        case _:
            return _known(a[1] < b[0] or a[0] > b[1], a[0] == a[1] == b[0] == b[1])


def _known(always: bool, never: bool) -> bool | None:
    return True if always else False if never else None


def _every(parts: list[bool | None]) -> bool | None:
    return False if False in parts else None if None in parts else True


def _some(parts: list[bool | None]) -> bool | None:
    return True if True in parts else None if None in parts else False


def ways(formulas: list[Formula], box: Box) -> Iterator[Facts]:
    """What the comparisons of some formulas may be together, each way that the box leaves open.

    A comparison and its negation are one question, so that of ``x < 1`` and ``x >= 1`` always just
    one holds.
    """
    found = {_question(leaf)[0] for formula in formulas for leaf in leaves(normal(formula))}
    known = {leaf: _compared(leaf, box) for leaf in sorted(found, key=repr)}
    still_open = [leaf for leaf, fact in known.items() if fact is None]
    if len(still_open) > MOST_OPEN:
        raise TooOpen
    settled = {leaf: fact for leaf, fact in known.items() if fact is not None}
    for choice in product((True, False), repeat=len(still_open)):
        yield settled | dict(zip(still_open, choice, strict=True))


def _question(leaf: Compare) -> tuple[Compare, bool]:
    """A comparison as one of ``<``, ``<=`` and ``==``, or the negation of one."""
    if leaf.relation in (">", ">=", "!="):
        return Compare(OPPOSITE[leaf.relation], leaf.left, leaf.right), False
    return leaf, True


def holds_by(formula: Formula, facts: Facts) -> bool:
    """Whether ``formula`` holds where its comparisons are as in ``facts``."""

    def leaf(comparison: Compare) -> bool:
        question, same = _question(comparison)
        return facts[question] == same

    return fold(normal(formula), leaf, all, any)


def closure(formula: Formula) -> Formula:
    """The same with its boundary: strict comparisons become weak."""

    def leaf(part: Compare) -> Formula:
        return Compare(_WEAK.get(part.relation, part.relation), part.left, part.right)

    return fold(normal(formula), leaf, lambda p: And(tuple(p)), lambda p: Or(tuple(p)))


def narrowed(formula: Formula, box: Box) -> Box | None:
    """A box with every point of ``box`` where ``formula`` holds; nothing if it does nowhere.

    Comparisons of a name with a term cut the name's interval; strict ones count as weak.
    """
    weak = closure(formula)
    if truth(weak, box) is False:
        return None
    found = dict(box)
    for part in _conjunction(weak):
        for name, relation, other in _sides(part):
            found[name] = _cut(found[name], relation, enclosure(other, found))
            if found[name][0] > found[name][1]:
                return None
    return found


def _conjunction(formula: Formula) -> Iterator[Compare]:
    if isinstance(formula, Compare):
        yield formula
    elif isinstance(formula, And):
        for part in formula.parts:
            yield from _conjunction(part)


def _sides(part: Compare) -> Iterator[tuple[str, Relation, Term]]:
    if part.relation == "!=":
        return
    if isinstance(part.left, Symbol) and part.left.name not in CONSTANTS:
        yield part.left.name, part.relation, part.right
    if isinstance(part.right, Symbol) and part.right.name not in CONSTANTS:
        yield part.right.name, FLIPPED[part.relation], part.left


def _cut(own: Interval, relation: Relation, other: Interval) -> Interval:
    match relation:
        case "<" | "<=":
            return own[0], min(own[1], other[1])
        case ">" | ">=":
            return max(own[0], other[0]), own[1]
        case _:
            return max(own[0], other[0]), min(own[1], other[1])
