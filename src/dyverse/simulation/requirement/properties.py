"""What became of a property along one run: the one evaluator of simulation and falsification.

Margins of the requirement's atoms are curves along the run, and that of the whole is made of them.
The outcome is *broken* if the run breaks the property, whatever may come behind its end; *kept* if
it keeps it, whatever may come; and else *open*: for most properties, a run that was cut off keeps
nothing. That one run kept a property proves nothing about others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from dyverse.automaton.endings import WORDS
from dyverse.automaton.guard.robustness import UNDEFINED
from dyverse.automaton.run import Arc, Ending, Run
from dyverse.bodies.world import Property
from dyverse.expr.formula import Compare, formula_symbols
from dyverse.expr.requirement import formulas, reach
from dyverse.expr.value import value
from dyverse.simulation.observing import Row, rows_of
from dyverse.simulation.requirement.certainty import FINE, certain_from
from dyverse.simulation.requirement.curves import NOBODY, first_below
from dyverse.simulation.requirement.exactness import exact_comparisons, resolution
from dyverse.simulation.requirement.gauge import Gauge
from dyverse.simulation.requirement.happening import Happening
from dyverse.simulation.requirement.pieces import Work, done
from dyverse.simulation.requirement.temporal import (
    Planned,
    Within,
    is_momentary,
    is_open_ended,
    margins,
    planned,
)
from dyverse.simulation.requirement.watched import Curves, Reader

LOOKS = 80  # how often what matters is looked at more closely
BEYOND = 0.01  # of the time: how much further is looked than what decides


@dataclass(frozen=True, slots=True)
class Worst:
    """The margin of a property along a run, negative where it fails: whose it is, and when."""

    margin: float
    time: float
    decides: Compare | None = None  # the comparison


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
    """The run breaks the property, looked at to ``until`` (s); from ``time`` on that is certain.

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
    return done(judging(run, claim, known))


def judging(run: Run, claim: Property, known: Mapping[str, float]) -> Work[Outcome]:
    """The same in pieces."""
    watcher = yield from _watching(run, claim, known)
    return (yield from watcher.judging())


def margin_of(run: Run, claim: Property, known: Mapping[str, float]) -> tuple[Worst, bool]:
    """The margin of ``claim`` along ``run``, and whether the run decides it.

    From when on a violation is certain, and how certain it is, take more work than that: `outcome`.
    """
    return done(_watching(run, claim, known)).margin()


def _watching(run: Run, claim: Property, known: Mapping[str, float]) -> Work[Watcher]:
    watcher = Watcher(run, claim, known)
    for place, part in enumerate(run.parts):
        if isinstance(part, Arc) and watcher.take_arc(place, part):
            yield
            continue
        for row in rows_of(run, place, watcher.names):
            watcher.take(row)
            yield
    return watcher


class Watcher:
    """A sink that follows one property; `outcome` says what became of it."""

    def __init__(self, run: Run, claim: Property, known: Mapping[str, float]) -> None:
        self._run, self.claim = run, claim
        self._planned = planned(claim.requirement, known)
        self._ahead = reach(claim.requirement, known)
        self.until = np.inf if claim.until is None else value(claim.until, known)
        spoken = (s.name for f in formulas(claim.requirement) for s in formula_symbols(f))
        self.names = tuple(dict.fromkeys(spoken))
        gauge = Gauge(self._planned, exact_comparisons(run.automaton))
        self._reader = Reader(run, gauge, Happening(run, self.names))

    def take(self, row: Row) -> None:
        """Look at one state."""
        self._reader.take(row)

    def take_arc(self, place: int, arc: Arc) -> bool:
        """Look at all states of an arc at once, if they say all by themselves."""
        return self._reader.take_arc(place, arc, self.names)

    def outcome(self) -> Outcome:
        """What became of the property."""
        return done(self.judging())

    def judging(self) -> Work[Outcome]:
        """The same in pieces."""
        run, claim, judge = self._run, self.claim, self._judge()
        yield from judge.look_closely()
        worst, leeway = judge.worst, judge.leeway
        if worst.margin < 0:
            return Broken(
                claim=claim,
                until=judge.end,
                time=(yield from judge.time()),
                worst=worst,
                leeway=leeway,
                marginal=-leeway < resolution(run.automaton),
            )
        if judge.is_decided:
            return Kept(claim=claim, until=judge.end, worst=worst, leeway=leeway)
        why = WORDS[run.stop]
        return Open(claim=claim, until=judge.end, worst=worst, leeway=leeway, why=why)

    def margin(self) -> tuple[Worst, bool]:
        """The margin alone, and whether it is decided."""
        judge = self._judge()
        done(judge.look_closely())
        return judge.worst, judge.worst.margin < 0 or judge.is_decided

    def _judge(self) -> _Judge:
        return _Judge(self._run, self._planned, self._reader, self.until, self._ahead)


class _Bounds(NamedTuple):
    """The margin if what is not known were as bad as can be, and if it were as good."""

    least: Worst
    most: Worst

    @property
    def known(self) -> Worst | None:
        """The margin as far as it is known: of an open property, what it is at most."""
        if self.least.margin >= 0:
            return self.least
        return self.most if self.most.margin < np.inf else None


class _Judge:
    """The margin of a plan along a run, and from when on it is certain, by a closer look."""

    def __init__(
        self, run: Run, planned: Planned, reader: Reader, until: float, ahead: float
    ) -> None:
        self._plan, self._comparisons = planned.plan, planned.comparisons
        last = run.end.time if run.parts else 0.0
        self._reached = run.stop.ending is Ending.REACHED
        if until == np.inf and self._reached:
            until = max(0.0, last - ahead)
        self._until, self.end = until, float(min(until, last))
        over = self._over = until + ahead if is_open_ended(planned.plan) else ahead
        slack = FINE * max(1.0, over) if ahead else 0.0  # the ends of windows are rounded
        self._is_over = run.covers(over - slack if self._reached else over + slack)
        beyond = over + BEYOND * max(1.0, over)  # so that nothing ends within the last instant
        self._watched = reader.watched(until, min(until + ahead, beyond))

    @property
    def is_decided(self) -> bool:
        """Whether what may come behind the end of the run does not matter."""
        return self._bounds.least.margin >= 0 or self._bounds.most.margin < 0

    @property
    def worst(self) -> Worst:
        """The margin, as far as it is known."""
        return self._bounds.known or Worst(0.0, self.end)

    @cached_property
    def leeway(self) -> float:
        """The margin with atoms that have no error beyond doubt."""
        if not self._watched.gauge.exact.any():
            return self.worst.margin
        known = self._found(self._watched.curves(sure=True)).known
        return 0.0 if known is None else known.margin

    def look_closely(self) -> Work[None]:
        """Find the bounds, looking more closely as long as that may matter."""
        self._bounds = self._found(self._watched.curves())
        for _ in range(LOOKS):
            yield
            was_rough = False
            for level in {self._bounds.least.margin, self._bounds.most.margin}:
                was_rough |= yield from self._watched.look_closer(level)
            if not was_rough:
                break
            self._bounds = self._found(self._watched.curves())

    def _found(self, curves: Curves) -> _Bounds:
        if self._is_over:
            found = self._first(curves)
            return _Bounds(found, found)
        least, most = (
            self._first(self._followed(curves, amount, at_once=not self._reached))
            for amount in (-UNDEFINED, UNDEFINED)
        )
        return _Bounds(least, most)

    def _followed(self, curves: Curves, amount: float, *, at_once: bool) -> Curves:
        return curves.followed_by(amount, self._until, self._over, at_once=at_once)

    def _first(self, curves: Curves) -> Worst:
        """The margin at the first state."""
        if not len(curves.cells.start):
            return Worst(np.inf, self._until)
        margin = margins(self._plan, curves.atoms, self._until, curves.cells)
        amount, atom = float(margin.value[0, 0]), int(margin.atom[0])
        if abs(amount) > UNDEFINED / 10:
            amount = np.inf if amount > 0 else -np.inf
        decides = None if atom == NOBODY else self._comparisons[atom]
        return Worst(amount, float(margin.at[0, 0]), decides)

    def time(self) -> Work[float]:
        """From when on a violation is certain (s), whatever came behind it.

        That depends on where atoms change their sign up to then.
        """
        plan = self._plan
        plainly = isinstance(plan, Within) and plan.is_always and is_momentary(plan.part)
        find = self._first_failure if plainly else self._certain
        time = yield from find(self._watched.curves())
        while (yield from self._watched.look_closer(0.0, time)):
            time = yield from find(self._watched.curves())
        return time

    def _first_failure(self, curves: Curves) -> Work[float]:
        """When a formula first fails that must hold all the time."""
        assert isinstance(self._plan, Within)
        yield
        known = curves.up_to(self._until)
        return first_below(margins(self._plan.part, known.atoms, self._until, known.cells))

    def _certain(self, curves: Curves) -> Work[float]:
        return certain_from(partial(self._is_certain, curves), self._plan, curves)

    def _is_certain(self, curves: Curves, time: float) -> bool:
        known = self._followed(curves.up_to(time), UNDEFINED, at_once=False)
        return self._first(known).margin < 0
