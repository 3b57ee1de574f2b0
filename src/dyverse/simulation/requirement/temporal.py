"""Requirements with numbers put in, and their margins as curves.  [fainekos2009]

In comes a requirement with the numbers of one run; out goes a `Plan`: a tree without *not*, whose
leaves are atoms, numbers that are positive inside. Given a curve for every atom, `margins` gives
that of the whole: *and* takes the least of its parts, *or* the greatest, *always* the least within
a window and *eventually* the greatest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import assert_never

from dyverse.automaton.guard.branches import smooth
from dyverse.automaton.guard.robustness import UNDEFINED, Atom, normal, staying
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.requirement import Interval, Joined, Ordered, Quantified, Requirement
from dyverse.expr.value import value
from dyverse.simulation.requirement.curves import Cells, Curve, everywhere, lower, upper
from dyverse.simulation.requirement.windows import least_until, least_within, until, until_within

Window = tuple[float, float] | None  # seconds from now; None is to the end, or since the start


@dataclass(frozen=True, slots=True)
class Leaf:
    """One atom."""

    atom: int


@dataclass(frozen=True, slots=True)
class All:
    """The least of all parts."""

    parts: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """The greatest of all parts."""

    parts: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """The least of a part in a window, or the greatest; the window is ahead or behind."""

    part: Plan
    window: Window
    greatest: bool
    behind: bool

    @property
    def is_always(self) -> bool:
        """Whether it is the least from now to the end."""
        return self.window is None and not self.greatest and not self.behind


@dataclass(frozen=True, slots=True)
class Until:
    """*Left until right*, or *since*; ``opposed``, the negation of that for the negated parts."""

    left: Plan
    right: Plan
    window: Window
    behind: bool
    opposed: bool


Plan = Leaf | All | Some | Within | Until


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and its atoms with the comparison that each belongs to."""

    plan: Plan
    atoms: tuple[Atom, ...]
    comparisons: tuple[Compare, ...]


def planned(requirement: Requirement, known: Mapping[str, float]) -> Planned:
    """The plan of a requirement where parameters have these values."""
    planner = _Planner(known)
    plan = planner.plan(requirement, negated=False)
    return Planned(plan, tuple(planner.atoms), tuple(planner.comparisons))


class _Planner:
    """Collects atoms, each once."""

    def __init__(self, known: Mapping[str, float]) -> None:
        self._known = known
        self.atoms: list[Atom] = []
        self.comparisons: list[Compare] = []

    def plan(self, requirement: Requirement, *, negated: bool) -> Plan:
        """The plan of a requirement, or of its negation."""
        match requirement:
            case Compare() | And() | Or() | Not():
                return self._formula(normal(requirement, negated=negated))
            case Joined(word="not", parts=(part,)):
                return self.plan(part, negated=not negated)
            case Joined(word="implies", parts=(first, then)):
                both = self.plan(first, negated=not negated), self.plan(then, negated=negated)
                return All(both) if negated else Some(both)
            case Joined(word=word, parts=parts):
                plans = tuple(self.plan(part, negated=negated) for part in parts)
                return All(plans) if (word == "and") != negated else Some(plans)
            case Quantified(word=word, part=part, during=during):
                greatest = (word in ("eventually", "once")) != negated
                behind = word in ("once", "historically")
                inner = self.plan(part, negated=negated)
                return Within(inner, self._window(during), greatest, behind)
            case Ordered(word=word, left=left, right=right, during=during):
                sides = [self.plan(side, negated=negated) for side in (left, right)]
                return Until(
                    sides[0], sides[1], self._window(during), word == "since", opposed=negated
                )
            case _:
                assert_never(requirement)

    def _window(self, during: Interval | None) -> Window:
        if during is None:
            return None
        return value(during.low, self._known), value(during.high, self._known)

    def _formula(self, formula: Formula) -> Plan:
        match formula:
            case Compare():
                return self._comparison(formula)
            case And(parts=parts):
                return All(tuple(map(self._formula, parts)))
            case Or(parts=parts):
                return Some(tuple(map(self._formula, parts)))
            case _:
                raise ValueError(f"not in normal form: {formula!r}")

    def _comparison(self, comparison: Compare) -> Plan:
        found = staying(comparison, margin=0.0)
        branches = smooth(found.depth)
        plans = tuple(
            All(tuple(self._leaf(Atom(term, found.sense), comparison) for term in branch))
            for branch in branches
        )
        return Some(plans)

    def _leaf(self, atom: Atom, comparison: Compare) -> Leaf:
        if atom not in self.atoms:
            self.atoms.append(atom)
            self.comparisons.append(comparison)
        return Leaf(self.atoms.index(atom))


def is_momentary(plan: Plan) -> bool:
    """Whether a plan looks at the present state alone."""
    match plan:
        case Leaf():
            return True
        case All(parts=parts) | Some(parts=parts):
            return all(map(is_momentary, parts))
        case Within() | Until():
            return False
        case _:
            assert_never(plan)


def is_open_ended(plan: Plan) -> bool:
    """Whether a plan looks ahead without a window: then it matters how long is looked."""
    match plan:
        case Leaf():
            return False
        case All(parts=parts) | Some(parts=parts):
            return any(map(is_open_ended, parts))
        case Within(part=part, window=window, behind=behind):
            return (window is None and not behind) or is_open_ended(part)
        case Until(left=left, right=right, window=window, behind=behind):
            ahead = window is None and not behind
            return ahead or is_open_ended(left) or is_open_ended(right)
        case _:
            assert_never(plan)


def margins(plan: Plan, atoms: Sequence[Curve], end: float, cells: Cells) -> Curve:
    """The margin at every state of a run; what has no window looks to the time ``end``."""

    def part(plan: Plan) -> Curve:
        match plan:
            case Leaf(atom=atom):
                return atoms[atom]
            case All(parts=parts):
                return _folded(lower, list(map(part, parts)), UNDEFINED, cells)
            case Some(parts=parts):
                return _folded(upper, list(map(part, parts)), -UNDEFINED, cells)
            case Within(part=inner, window=window, greatest=greatest, behind=behind):
                curve = -part(inner) if greatest else part(inner)
                found = _looking(_least, (curve,), window, end, cells, behind)
                return -found if greatest else found
            case Until(left=left, right=right, window=window, behind=behind, opposed=opposed):
                sides = [part(left), part(right)]
                sides = [-side for side in sides] if opposed else sides
                found = _looking(_until, tuple(sides), window, end, cells, behind)
                return -found if opposed else found
            case _:
                assert_never(plan)

    return part(plan)


def _folded(
    join: Callable[[Curve, Curve, Cells], Curve], parts: list[Curve], neutral: float, cells: Cells
) -> Curve:
    if not parts:
        return everywhere(neutral, cells)
    return reduce(lambda one, other: join(one, other, cells), parts)


_Look = Callable[[tuple[Curve, ...], Window, float, Cells], Curve]


def _looking(
    look: _Look,
    curves: tuple[Curve, ...],
    window: Window,
    end: float,
    cells: Cells,
    behind: bool,
) -> Curve:
    """Look ahead, or behind: that is ahead with time running backwards, to the start."""
    if not behind:
        return look(curves, window, end, cells)
    back = cells.reversed()
    turned = tuple(curve.reversed(cells) for curve in curves)
    return look(turned, window, float(back.end[-1]), back).reversed(back)


def _least(curves: tuple[Curve, ...], window: Window, end: float, cells: Cells) -> Curve:
    if window is None:
        return least_until(curves[0], end, cells)
    return least_within(curves[0], *window, cells)


def _until(curves: tuple[Curve, ...], window: Window, end: float, cells: Cells) -> Curve:
    left, right = curves
    if window is None:
        return until(left, right, end, cells)
    return until_within(left, right, *window, cells)
