"""How far a formula is from changing its truth: the signals behind guards and domains.

In comes a formula, out goes the number that simulators watch and falsifiers minimise. An atom
``a <= b`` has the *depth* ``b - a``; *and* takes the least of its parts, *or* the greatest.
Negations are first moved into the atoms.

The sign of `robustness` is the truth: a formula holds where it is zero or more and fails where it
is less. So a strict atom at its bound, ``a < b`` where they are equal, is not at zero but less by
`NOTHING`; and an atom that is undefined (1/0, √-1) fails, as does its negation, by more than any
number. Whoever asks for the truth of a property, in Python or in C, asks for this sign.

``a == b`` has no inside: its robustness is ``-|a - b|``, never positive. On numbers it is read up
to a margin; along a flow it is *reached* when ``a - b`` changes sign: that is what guards watch.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Literal, TypeVar, assert_never

import casadi as ca

from dyverse.expr.formula import FALSE, OPPOSITE, TRUE, And, Compare, Formula, Not, Or
from dyverse.expr.rewrite import by_cases
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import Call, Number, Term
from dyverse.expr.value import value

T = TypeVar("T")
Sense = Literal["weak", "strict", "reached", "closed"]
Depth = Callable[[Mapping[str, float]], float]  # how deep named numbers are inside a formula

NOTHING = sys.float_info.min  # what a strict atom is missed by at its bound
UNDEFINED = 1e300  # and what one is missed by that has no number, where infinity is in the way


@dataclass(frozen=True, slots=True)
class Atom:
    """One comparison as a ``depth`` that is positive inside.

    The ``sense`` says what happens at zero: a weak atom holds there, a strict one does not, and one
    to be *reached* holds only there; its depth is ``a - b`` and may come from either side. A
    *closed* one is weak and may be taken there even if time is about to break it.
    """

    depth: Term
    sense: Sense


def normal(formula: Formula, *, negated: bool = False) -> Formula:
    """The same without *not* and choices; ``true`` and ``false`` stand alone or not at all."""
    match formula:
        case Compare(relation=relation, left=left, right=right):
            if (cases := by_cases(formula)) is not formula:
                return normal(cases, negated=negated)
            return Compare(OPPOSITE[relation], left, right) if negated else formula
        case Not(part=part):
            return normal(part, negated=not negated)
        case And(parts=parts) | Or(parts=parts):
            parts = tuple(normal(part, negated=negated) for part in parts)
            return _joined(parts, conjunction=isinstance(formula, And) != negated)
        case _:
            assert_never(formula)


def _joined(parts: tuple[Formula, ...], *, conjunction: bool) -> Formula:
    neutral, absorbing = (TRUE, FALSE) if conjunction else (FALSE, TRUE)
    if absorbing in parts:
        return absorbing
    kept = tuple(part for part in parts if part != neutral)
    if len(kept) == 1:
        return kept[0]
    return And(kept) if conjunction else Or(kept)


def fold(
    formula: Formula,
    leaf: Callable[[Compare], T],
    every: Callable[[list[T]], T],
    some: Callable[[list[T]], T],
) -> T:
    """Replace atoms by ``leaf``, *and* by ``every`` and *or* by ``some``, from left to right."""
    match formula:
        case Compare():
            return leaf(formula)
        case And(parts=parts):
            return every([fold(part, leaf, every, some) for part in parts])
        case Or(parts=parts):
            return some([fold(part, leaf, every, some) for part in parts])
        case Not():
            return fold(normal(formula), leaf, every, some)
        case _:
            assert_never(formula)


def leaves(formula: Formula) -> tuple[Compare, ...]:
    """The comparisons of a formula in normal form, from left to right."""

    def joined(parts: list[tuple[Compare, ...]]) -> tuple[Compare, ...]:
        return tuple(leaf for part in parts for leaf in part)

    return fold(formula, lambda comparison: (comparison,), joined, joined)


def atom(comparison: Compare, *, margin: float) -> Atom:
    """A comparison as an atom; ``a != b`` means that they differ by more than ``margin``."""
    difference = comparison.left - comparison.right
    match comparison.relation:
        case "<" | "<=":
            backwards = comparison.right - comparison.left
            return Atom(backwards, "strict" if comparison.relation == "<" else "weak")
        case ">" | ">=":
            return Atom(difference, "strict" if comparison.relation == ">" else "weak")
        case "==":
            return Atom(difference, "reached")
        case "!=":
            return Atom(Call("abs", (difference,)) - margin, "strict")
        case _:
            assert_never(comparison.relation)


def staying(comparison: Compare, *, margin: float) -> Atom:
    """An atom of an invariant: an equality is to be kept, up to ``margin``."""
    found = atom(comparison, margin=margin)
    if found.sense != "reached":
        return found
    return Atom(Number(margin) - Call("abs", (found.depth,)), "weak")


def margin_of(depth: float, sense: Sense) -> float:
    """The depth of an atom as a margin, whose sign is the truth."""
    if not math.isfinite(depth):
        return -math.inf
    return -NOTHING if depth == 0 and sense == "strict" else depth


def shown(margin: float) -> float:
    """A margin for people: nothing is zero."""
    return 0.0 if abs(margin) <= NOTHING else margin


def opposite(margin: float) -> float:
    """The margin of the negation: what holds fails, and the other way round."""
    if margin == 0:
        return -NOTHING
    return 0.0 if margin == -NOTHING else -margin


def robustness(formula: Formula, known: Mapping[str, float]) -> float:
    """How deep inside ``formula`` the named numbers are; negative outside, ±∞ for a constant."""
    return robustness_of(formula)(known)


def robustness_of(formula: Formula) -> Depth:
    """`robustness` of one formula, for those who ask for it at many states."""

    def depth(comparison: Compare) -> Depth:
        found = staying(comparison, margin=0.0)
        return lambda known: margin_of(value(found.depth, known), found.sense)

    def every(parts: list[Depth]) -> Depth:
        return lambda known: weakest([part(known) for part in parts])

    def some(parts: list[Depth]) -> Depth:
        return lambda known: strongest([part(known) for part in parts])

    return fold(normal(formula), depth, every, some)


def weakest(parts: list[float]) -> float:
    """The margin of *and*."""
    return min(parts, default=math.inf)


def strongest(parts: list[float]) -> float:
    """The margin of *or*."""
    return max(parts, default=-math.inf)


def symbolic_margin(comparison: Compare, known: Mapping[str, SX]) -> SX:
    """`margin_of` an atom as a CasADi expression, undefined ones missed by `UNDEFINED`."""
    found = staying(comparison, margin=0.0)
    depth = symbolic(found.depth, known)
    defined = ca.if_else(ca.fabs(depth) < UNDEFINED, depth, -UNDEFINED)
    return ca.if_else(defined == 0, -NOTHING, defined) if found.sense == "strict" else defined


def least(parts: list[SX]) -> SX:
    """The least of some CasADi expressions; at least one."""
    return reduce(ca.fmin, parts)


def greatest(parts: list[SX]) -> SX:
    """The greatest of some CasADi expressions; at least one."""
    return reduce(ca.fmax, parts)


def symbolic_truth(formula: Formula, known: Mapping[str, SX]) -> SX:
    """A CasADi expression that is 1 where ``formula`` holds exactly, and 0 elsewhere."""

    def leaf(comparison: Compare) -> SX:
        found = atom(comparison, margin=0.0)
        depth = symbolic(found.depth, known)
        if found.sense == "reached":
            return depth == 0
        return depth > 0 if found.sense == "strict" else depth >= 0

    return fold(
        normal(formula),
        leaf,
        lambda parts: reduce(ca.logic_and, parts, ca.SX(1)),
        lambda parts: reduce(ca.logic_or, parts, ca.SX(0)),
    )
