"""What became of a property along one run: the one evaluator of simulation and falsification.

A formula is looked at in every sampled state. Where its margin dips between samples, the minimum is
looked for, so that a short violation is not passed over; where it fails first, the time is refined
by bisection. The outcome is *broken* if the run breaks the property, *kept* if it does not and was
followed to the property's end, and else *open*: a run that was cut off keeps nothing. That one run
kept a property proves nothing about others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.endings import WORDS
from dyverse.automaton.run import Run
from dyverse.bodies.world import Property
from dyverse.errors import ModelError, Problem
from dyverse.expr.requirement import plain
from dyverse.expr.value import value
from dyverse.simulation.exactness import exact_comparisons, resolution
from dyverse.simulation.gauge import Gauge
from dyverse.simulation.observing import Row, pour
from dyverse.simulation.streamed import Seen, Worst, parts, told, violation
from dyverse.simulation.watched import Watched


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The property holds along the run, to its end or as long as was asked (``until``, s).

    ``leeway`` is what signals that have an error would have to be off by for the other outcome;
    infinite if there are none in it.
    """

    claim: Property
    until: float
    worst: Worst
    leeway: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """The run breaks the property, first at ``time`` (s), looked at to ``until`` (s).

    The ``leeway`` is negative; ``marginal`` says that it is less than signals are known by.
    """

    claim: Property
    until: float
    time: float
    worst: Worst
    leeway: float
    marginal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The run does not break the property as far as it goes (``until``, s), but ends before it."""

    claim: Property
    until: float
    worst: Worst
    leeway: float
    why: str


Outcome = Kept | Broken | Open


def outcome(run: Run, claim: Property, known: Mapping[str, float]) -> Outcome:
    """What became of ``claim`` along ``run``; ``known`` has the numbers its end may use."""
    watcher = Watcher(run, claim, known)
    pour(run, [watcher])
    return watcher.outcome()


class Watcher:
    """A sink that follows one property; `outcome` refines what it has seen."""

    def __init__(self, run: Run, claim: Property, known: Mapping[str, float]) -> None:
        self._run, self.claim = run, claim
        self.until = np.inf if claim.until is None else value(claim.until, known)
        is_exact = exact_comparisons(run.automaton)
        found = plain(claim.requirement)
        if found is None:
            raise ModelError([Problem("only plain requirements can be judged", claim.span)])
        self._plain = found
        self._parts = [
            Watched(run, Gauge(formula, is_exact), self.until) for formula in parts(found)
        ]

    def take(self, row: Row) -> None:
        """Look at one state."""
        for part in self._parts:
            part.take(row)

    def outcome(self) -> Outcome:
        """What became of the property."""
        run, claim = self._run, self.claim
        end = float(min(self.until, run.end.time)) if run.parts else 0.0
        over = run.covers(self.until)
        seen, sure = self._seen()
        known = told(self._plain, seen, end, over=over)
        worst = Worst(known.margin, known.time)
        leeway = told(self._plain, sure, end, over=over).margin
        time = violation(self._plain, seen, end if over else None)
        if time is not None:
            return Broken(
                claim=claim,
                until=end,
                time=time,
                worst=worst,
                leeway=leeway,
                marginal=-leeway < resolution(run.automaton),
            )
        if known.is_decided:
            return Kept(claim=claim, until=end, worst=worst, leeway=leeway)
        why = WORDS[run.stop]
        return Open(claim=claim, until=end, worst=worst, leeway=leeway, why=why)

    def _seen(self) -> tuple[list[Seen], list[Seen]]:
        """What was seen of the margins, and of their leeway."""
        first, *goal = self._parts
        reached = goal[0].failed if goal else None
        found = [(first.seen(reached), first.sure(reached))]
        found += [(part.seen(None), part.sure(None)) for part in goal]
        return [seen for seen, _ in found], [sure for _, sure in found]
