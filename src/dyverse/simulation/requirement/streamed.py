"""Plain requirements decided from formulas that an engine watches: one each, or two.

A watched formula tells two things about a run: when it first fails, and how low its margin gets.
*Always F* is F itself; *eventually F* watches where *not F* fails; *F before G* watches both F and
*not G*. Engines need to know nothing else, so thousands of runs are judged without keeping any. The
margin guides a search; its sign is that of `dyverse.simulation.requirement.properties`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dyverse.automaton.guard.robustness import opposite
from dyverse.bodies.signals import is_event, is_reaction
from dyverse.expr.formula import TRUE, Formula, Not, formula_symbols
from dyverse.expr.requirement import Plain

Instant = tuple[float, int]  # time (s); of two at one time, the lesser number came first


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one watched formula: its least margin, when, and when it first failed."""

    least: float
    time: float
    failed: Instant | None


@dataclass(frozen=True, slots=True)
class Told:
    """A margin and its time (s), and whether nothing behind the end of the run can change it."""

    margin: float
    time: float
    is_decided: bool


def parts(claim: Plain) -> tuple[Formula, ...]:
    """The formulas to watch."""
    match claim.kind:
        case "always":
            return (claim.formula,)
        case "eventually":
            return (Not(claim.formula),)
        case "before":
            return (claim.formula, Not(claim.goal or TRUE))


def can_watch(claim: Plain) -> bool:
    """Whether engines know all its signals; only a run knows its events, and what joints exert."""
    names = [symbol.name for part in parts(claim) for symbol in formula_symbols(part)]
    return not any(is_event(name) or is_reaction(name) for name in names)


def told(claim: Plain, seen: Sequence[Seen], end: float, *, over: bool) -> Told:
    """How far the claim is from being broken.

    ``over`` says that the run got to the claim's ``end``; if not, what has not happened yet counts
    as zero, for it may still happen.
    """
    first = seen[0]
    match claim.kind:
        case "always":
            return Told(first.least, first.time, over or first.least < 0)
        case "eventually":
            return _awaited(first, over=over)
        case "before":
            return _before(first, seen[1], end, over=over)


def _awaited(goal: Seen, *, over: bool) -> Told:
    found = opposite(goal.least)
    return Told(found if over else max(0.0, found), goal.time, over or goal.failed is not None)


def _before(lost: Seen, reached: Seen, end: float, *, over: bool) -> Told:
    if lost.failed is not None and is_earlier(lost.failed, reached.failed):
        return Told(lost.least, lost.time, is_decided=True)
    if reached.failed is None:
        awaited = _awaited(reached, over=over)
        first = awaited.margin <= lost.least
        return awaited if first else Told(lost.least, lost.time, awaited.is_decided)
    if lost.failed is None:
        happened = opposite(reached.least)
        nearer = min((happened, reached.time), (lost.least, lost.time))
        return Told(*nearer, is_decided=True)
    apart = (lost.failed[0] - reached.failed[0]) / end
    return Told(apart, reached.failed[0], is_decided=True)


def is_earlier(one: Instant, other: Instant | None) -> bool:
    """Whether something happened before something else, which perhaps never did."""
    return other is None or one < other
