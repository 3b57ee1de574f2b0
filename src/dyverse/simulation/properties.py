"""What became of the properties along one run.

A formula is looked at in every sampled state. Where it fails first, the time is refined between
the samples by bisection; where its margin dips towards zero between two samples, the minimum is
looked for, so that a short violation is not passed over. That one run kept a property proves
nothing about others. `worst` is the least margin along a run: how deep a violation goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np
from scipy.optimize import minimize_scalar

from dyverse.automaton.robustness import robustness
from dyverse.automaton.run import Run
from dyverse.bodies.world import Property
from dyverse.expr.formula import Formula
from dyverse.expr.value import holds, value
from dyverse.simulation.observing import Row, pour
from dyverse.simulation.temporal import Seen, Worst, margin, parts, violation

HALVINGS = 60
FLAT = 1e-9  # of the margin: a rise that is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Whether a property held from the start to ``checked_until`` (s), and if not, since when."""

    claim: Property
    checked_until: float
    violated_at: float | None = None

    @property
    def held(self) -> bool:
        """Whether no violation was found."""
        return self.violated_at is None


class Watcher:
    """A sink that follows one property; `outcome` refines what it has seen."""

    def __init__(self, claim: Property, known: Mapping[str, float]) -> None:
        self.claim = claim
        self.until = np.inf if claim.until is None else value(claim.until, known)
        self._parts = [_Always(formula, self.until) for formula in parts(claim)]

    def take(self, row: Row) -> None:
        """Look at one state."""
        for part in self._parts:
            part.take(row)

    def outcome(self, run: Run) -> Outcome:
        """What became of the property along ``run``."""
        end = float(min(self.until, run.end.time)) if run.parts else 0.0
        failed = [part.violation(run, end) for part in self._parts]
        over = end if run.parts and end >= self.until else None
        found = violation(self.claim, failed, over)
        return Outcome(claim=self.claim, checked_until=end, violated_at=found)


class _Always:
    """Follows one formula until it fails."""

    def __init__(self, formula: Formula, until: float) -> None:
        self.formula, self.until = formula, until
        self.times: list[float] = []
        self.margins: list[float] = []
        self.kept: list[bool] = []

    def take(self, row: Row) -> None:
        """Look at one state; once the formula has failed, later ones do not matter."""
        if row.state.time > self.until or not all(self.kept[-1:]):
            return
        self.times.append(row.state.time)
        self.margins.append(robustness(self.formula, row.known))
        self.kept.append(holds(self.formula, row.known))

    def violation(self, run: Run, end: float) -> float | None:
        """When the formula first fails."""
        kept = self._tester(run)
        for before, bad in self._bad_times(run, kept, end):
            return bad if before is None else _first(kept, before, bad)
        return None

    def _bad_times(
        self, run: Run, kept: Callable[[float], bool], end: float
    ) -> Iterator[tuple[float | None, float]]:
        """Times at which the property fails, each with one before it at which it holds."""
        for i, time in enumerate(self.times):
            before = self.times[i - 1] if i else None
            if not self.kept[i]:
                yield (None if before == time else before), time
            elif (low := self._dip(run, i)) is not None and not kept(low):
                yield before, low
        if self.times and self.times[-1] < end and not kept(end):
            yield self.times[-1], end

    def _dip(self, run: Run, i: int) -> float | None:
        """Where the margin is least about sample ``i``, if it might reach zero there."""
        if not 0 < i < len(self.times) - 1:
            return None
        left, here, right = self.margins[i - 1 : i + 2]
        t0, t2 = self.times[i - 1], self.times[i + 1]
        might = here <= min(left, right) and here < max(left, right) - here and t0 < t2
        if not might or self.times[i] in (t0, t2):
            return None
        return _lowest(self._margin_at(run), t0, t2)[1]

    def _margin_at(self, run: Run) -> Callable[[float], float]:
        formula = self.formula
        return lambda time: robustness(formula, run.automaton.observe(run.at(time)))

    def _tester(self, run: Run) -> Callable[[float], bool]:
        formula = self.formula
        return lambda time: holds(formula, run.automaton.observe(run.at(time)))


def _first(kept: Callable[[float], bool], good: float, bad: float) -> float:
    """The first time after ``good`` at which the property fails, by bisection."""
    for _ in range(HALVINGS):
        middle = (good + bad) / 2
        if not good < middle < bad:
            break
        good, bad = (middle, bad) if kept(middle) else (good, middle)
    return bad


def worst(run: Run, claim: Property, known: Mapping[str, float]) -> Worst:
    """Where the property is nearest to failing, or fails most; looked for between samples too."""
    watcher = Watcher(claim, known)
    if claim.kind == "before":  # only there it matters when a formula fails
        pour(run, [watcher])
    until = min(watcher.until, run.end.time)
    seen = [
        Seen(*_least(run, formula, until), part.violation(run, until))
        for formula, part in zip(parts(claim), watcher._parts, strict=True)
    ]
    return margin(claim, seen, until)


def _least(run: Run, formula: Formula, until: float) -> tuple[float, float]:
    """The least margin of a formula along a run, and when."""

    def margin(time: float) -> float:
        return robustness(formula, run.automaton.observe(run.at(time)))

    found: list[tuple[float, float]] = []
    for arc in run.arcs:
        times = arc.times[arc.times <= until]
        seen = islice(run.observed(arc), len(times))
        margins = [robustness(formula, known) for known in seen]
        found += [(m, float(t)) for m, t in zip(margins, times, strict=True)]
        found += [_lowest(margin, times[i - 1], times[i + 1]) for i in valleys(margins)]
    return min(found, default=(np.inf, until))


def valleys(margins: list[float]) -> Iterator[int]:
    """The samples about which the margin may go below all samples: lowest among their neighbours.

    A valley is taken to be no deeper below its sample than its higher neighbour is above; on a
    plateau, where neighbours differ by rounding, there is none.
    """
    best = min(margins, default=0.0)
    for i in range(1, len(margins) - 1):
        left, here, right = margins[i - 1 : i + 2]
        rise = max(left, right) - here
        if here <= min(left, right) and rise > FLAT * (1 + abs(here)) and here - rise < best:
            yield i


def _lowest(margin: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    found = minimize_scalar(
        margin, bounds=(low, high), method="bounded", options={"xatol": 1e-12 * max(1.0, high)}
    )
    return float(found.fun), float(found.x)
