"""Requirements: formulas of signal temporal logic, over those of single instants.  [maler2004]

``always[a,b] F`` looks ahead: F holds at every time from a to b seconds from now; ``eventually``
asks for one such time, and ``F until[a,b] G`` for one at which G holds, with F at every time before
it. ``historically``, ``once`` and ``since`` look back in the same way. Without an interval an
operator looks to the end of the property, or back to the start. ``always F before G`` is *until*
without an interval, as people say it.

What is made of formulas alone is a formula, so that each requirement has one tree: `joined` sees to
that for *and*, *or* and *not*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from dyverse.errors import Span
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.term import Term, as_term
from dyverse.expr.value import value

Connective = Literal["and", "or", "not", "implies"]
Quantifier = Literal["always", "eventually", "historically", "once"]
Order = Literal["until", "since", "before"]


@dataclass(frozen=True, slots=True)
class Interval:
    """``[low, high]``, in seconds from now: terms over the parameters."""

    low: Term
    high: Term


@dataclass(frozen=True, slots=True)
class Joined:
    """Requirements of one instant: ``not`` has one part, ``implies`` two, the others any."""

    word: Connective
    parts: tuple[Requirement, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quantified:
    """``part`` at all times of an interval, or at one of them."""

    word: Quantifier
    part: Requirement
    during: Interval | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ordered:
    """``left`` all the time to some time of the interval, and ``right`` then."""

    word: Order
    left: Requirement
    right: Requirement
    during: Interval | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


Requirement = Compare | And | Or | Not | Joined | Quantified | Ordered


def joined(word: Connective, *parts: Requirement, span: Span | None = None) -> Requirement:
    """``parts`` joined: a formula if all of them are formulas, but for ``implies``."""
    formulas = tuple(part for part in parts if isinstance(part, Compare | And | Or | Not))
    if word == "implies" or len(formulas) < len(parts):
        return Joined(word, parts, span)
    match word:
        case "and":
            return And(formulas, span)
        case "or":
            return Or(formulas, span)
        case "not":
            return Not(formulas[0], span)
        case _:
            assert_never(word)


def implies(first: Requirement, then: Requirement) -> Requirement:
    """``first implies then``."""
    return joined("implies", first, then)


def always(
    part: Requirement, low: Term | float = 0, high: Term | float | None = None
) -> Quantified:
    """``always[low,high] part``; without ``high``, to the end of the property."""
    return Quantified("always", part, _interval(low, high))


def eventually(
    part: Requirement, low: Term | float = 0, high: Term | float | None = None
) -> Quantified:
    """``eventually[low,high] part``."""
    return Quantified("eventually", part, _interval(low, high))


def historically(
    part: Requirement, low: Term | float = 0, high: Term | float | None = None
) -> Quantified:
    """``historically[low,high] part``; without ``high``, since the start."""
    return Quantified("historically", part, _interval(low, high))


def once(part: Requirement, low: Term | float = 0, high: Term | float | None = None) -> Quantified:
    """``once[low,high] part``."""
    return Quantified("once", part, _interval(low, high))


def until(left: Requirement, right: Requirement, low: Term | float, high: Term | float) -> Ordered:
    """``left until[low,high] right``."""
    return Ordered("until", left, right, _interval(low, high))


def since(
    left: Requirement,
    right: Requirement,
    low: Term | float = 0,
    high: Term | float | None = None,
) -> Ordered:
    """``left since[low,high] right``."""
    return Ordered("since", left, right, _interval(low, high))


def before(left: Requirement, right: Requirement) -> Ordered:
    """``always left before right``."""
    return Ordered("before", left, right)


def _interval(low: Term | float, high: Term | float | None) -> Interval | None:
    if high is None:
        if low != 0:
            raise ValueError("an interval that does not begin now needs an end")
        return None
    return Interval(as_term(low), as_term(high))


def parts(requirement: Requirement) -> tuple[Requirement, ...]:
    """What is directly below; nothing below a formula."""
    match requirement:
        case Compare() | And() | Or() | Not():
            return ()
        case Joined(parts=below):
            return below
        case Quantified(part=part):
            return (part,)
        case Ordered(left=left, right=right):
            return (left, right)
        case _:
            assert_never(requirement)


def formulas(requirement: Requirement) -> Iterator[Formula]:
    """The formulas in it, from left to right."""
    if isinstance(requirement, Compare | And | Or | Not):
        yield requirement
    for part in parts(requirement):
        yield from formulas(part)


def intervals(requirement: Requirement) -> Iterator[Interval]:
    """The intervals in it, outer ones first."""
    if isinstance(requirement, Quantified | Ordered) and requirement.during is not None:
        yield requirement.during
    for part in parts(requirement):
        yield from intervals(part)


def reach(requirement: Requirement, known: Mapping[str, float]) -> float:
    """How far ahead of the time it is asked for it looks (s).

    What has no interval looks to the end of the property, which is not counted.
    """
    inner = max((reach(part, known) for part in parts(requirement)), default=0.0)
    match requirement:
        case Quantified(word="always" | "eventually", during=Interval(high=high)):
            return inner + value(high, known)
        case Ordered(word="until" | "before", during=Interval(high=high)):
            return inner + value(high, known)
        case _:
            return inner


def with_formulas(requirement: Requirement, change: Callable[[Formula], Formula]) -> Requirement:
    """The same with each of its formulas changed."""
    match requirement:
        case Compare() | And() | Or() | Not():
            return change(requirement)
        case Joined(parts=below):
            return replace(requirement, parts=tuple(with_formulas(p, change) for p in below))
        case Quantified(part=part):
            return replace(requirement, part=with_formulas(part, change))
        case Ordered(left=left, right=right):
            left, right = with_formulas(left, change), with_formulas(right, change)
            return replace(requirement, left=left, right=right)
        case _:
            assert_never(requirement)


def as_formula(requirement: Requirement) -> Formula | None:
    """The formula that it is, with ``implies`` written out; None if it looks at other times."""
    match requirement:
        case Compare() | And() | Or() | Not():
            return requirement
        case Quantified() | Ordered():
            return None
        case Joined(word=word, parts=below):
            found = tuple(part for one in below if (part := as_formula(one)) is not None)
            if len(found) < len(below):
                return None
            if word == "implies":
                return Or((Not(found[0]), found[1]))
            made = joined(word, *found)
            assert isinstance(made, Compare | And | Or | Not)
            return made
        case _:
            assert_never(requirement)


@dataclass(frozen=True, slots=True)
class Plain:
    """A requirement that is decided by one look at a run, formula by formula.

    *Always*: ``formula`` holds at every time. *Eventually*: it holds at some time. *Before*: it
    holds at every time before ``goal`` first holds, and ``goal`` does hold at some time.
    """

    kind: Literal["always", "eventually", "before"]
    formula: Formula
    goal: Formula | None = None


def plain(requirement: Requirement) -> Plain | None:
    """The requirement as one of the three plain kinds, without intervals; None if it is more."""
    match requirement:
        case Quantified(word="always" | "eventually" as word, part=part, during=None):
            formula = as_formula(part)
            return None if formula is None else Plain(word, formula)
        case Ordered(word="before", left=left, right=right, during=None):
            first, goal = as_formula(left), as_formula(right)
            return None if first is None or goal is None else Plain("before", first, goal)
        case _:
            return None
