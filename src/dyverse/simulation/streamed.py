"""Properties over time, decided from formulas that are watched: one each, or two.

A watched formula tells two things about a run: when it first fails, and how low its margin gets.
*Always F* is F itself; *eventually F* watches where *not F* fails; *F before G* watches both F and
*not G*. Engines need to know nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dyverse.automaton.robustness import opposite
from dyverse.bodies.world import Property
from dyverse.expr.formula import TRUE, Formula, Not

Instant = tuple[float, int]  # time (s); of two at one time, the lesser number came first


@dataclass(frozen=True, slots=True)
class Worst:
    """The least margin of a property along a run, and when: negative where it fails."""

    margin: float
    time: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one watched formula: its least margin, when, and when it first failed."""

    least: float
    time: float
    failed: Instant | None


def parts(claim: Property) -> tuple[Formula, ...]:
    """The formulas to watch."""
    match claim.kind:
        case "always":
            return (claim.formula,)
        case "eventually":
            return (Not(claim.formula),)
        case "before":
            return (claim.formula, Not(claim.goal or TRUE))


def violation(claim: Property, seen: Sequence[Seen], end: float | None) -> float | None:
    """When the claim is broken, from when each watched formula first failed.

    ``end`` is the claim's own end, or None for a run that did not get there: what has not happened
    yet may still happen.
    """
    match claim.kind:
        case "always":
            return None if seen[0].failed is None else seen[0].failed[0]
        case "eventually":
            return end if seen[0].failed is None else None
        case "before":
            lost, reached = (one.failed for one in seen)
            if lost is not None and is_earlier(lost, reached):
                return lost[0]
            return end if reached is None else None


def is_earlier(one: Instant, other: Instant | None) -> bool:
    """Whether something happened before something else, which perhaps never did."""
    return other is None or one < other


def margin(claim: Property, seen: Sequence[Seen], end: float, *, over: bool) -> Worst:
    """How far the claim is from being broken; it guides a search and is exact in sign.

    ``over`` says that the run got to the claim's ``end``; if not, what has not happened yet counts
    as zero, for it may still happen.
    """
    first = seen[0]
    match claim.kind:
        case "always":
            return Worst(first.least, first.time)
        case "eventually":
            return _awaited(first, over=over)
        case "before":
            return _before(first, seen[1], end, over=over)


def _awaited(goal: Seen, *, over: bool) -> Worst:
    found = opposite(goal.least)
    return Worst(found if over else max(0.0, found), goal.time)


def _before(lost: Seen, reached: Seen, end: float, *, over: bool) -> Worst:
    if lost.failed is not None and is_earlier(lost.failed, reached.failed):
        return Worst(lost.least, lost.time)
    if reached.failed is None or lost.failed is None:
        awaited = _awaited(reached, over=over)
        return awaited if awaited.margin <= lost.least else Worst(lost.least, lost.time)
    return Worst((lost.failed[0] - reached.failed[0]) / end, reached.failed[0])
