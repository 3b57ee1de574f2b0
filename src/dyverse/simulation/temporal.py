"""Properties over time, decided from formulas that are watched: one each, or two.

A watched formula tells two things about a run: when it first fails, and how low its margin gets.
*Always F* is F itself; *eventually F* watches where *not F* fails; *F before G* watches both F and
*not G*. Engines need to know nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dyverse.bodies.world import Property
from dyverse.expr.formula import TRUE, Formula, Not


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
    failed_at: float | None


def parts(claim: Property) -> tuple[Formula, ...]:
    """The formulas to watch."""
    match claim.kind:
        case "always":
            return (claim.formula,)
        case "eventually":
            return (Not(claim.formula),)
        case "before":
            return (claim.formula, Not(claim.goal or TRUE))


def violation(claim: Property, failed: Sequence[float | None], end: float | None) -> float | None:
    """When the claim is broken, from when each watched formula first failed.

    ``end`` is the claim's own end, or None for a run that did not get there: what has not happened
    yet may still happen.
    """
    match claim.kind:
        case "always":
            return failed[0]
        case "eventually":
            return end if failed[0] is None else None
        case "before":
            lost, reached = failed
            if lost is not None and (reached is None or lost < reached):
                return lost
            return end if reached is None else None


def margin(claim: Property, seen: Sequence[Seen], end: float) -> Worst:
    """How far the claim is from being broken; it guides a search and is exact in sign."""
    first = seen[0]
    match claim.kind:
        case "always":
            return Worst(first.least, first.time)
        case "eventually":
            return Worst(-first.least, first.time)
        case "before":
            return _before(first, seen[1], end)


def _before(lost: Seen, reached: Seen, end: float) -> Worst:
    if lost.failed_at is not None and (
        reached.failed_at is None or lost.failed_at < reached.failed_at
    ):
        return Worst(lost.least, lost.time)
    if reached.failed_at is None or lost.failed_at is None:
        return min(Worst(-reached.least, reached.time), Worst(lost.least, lost.time), key=_size)
    return Worst((lost.failed_at - reached.failed_at) / end, reached.failed_at)


def _size(one: Worst) -> float:
    return one.margin
