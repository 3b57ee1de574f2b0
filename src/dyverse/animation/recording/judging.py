"""Properties while a run is played: when one is broken, that is an event.

What must hold at all times is looked at in every sampled state as it comes; where it fails, the
time is found as `dyverse simulate` finds it. What fails only between samples is found when a
stretch of the run is judged as a whole, and other requirements are about whole runs: both take a
while, and are done in pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dyverse.animation.recording.seeing import Seen
from dyverse.automaton.guard.robustness import Depth, robustness_of
from dyverse.automaton.interface import Event
from dyverse.automaton.run import Run
from dyverse.bodies.describe import claim_text
from dyverse.bodies.signals import is_event
from dyverse.bodies.world import Property
from dyverse.expr.formula import And, Compare, Formula, Not, Or, formula_symbols
from dyverse.expr.requirement import Quantified
from dyverse.expr.value import value
from dyverse.simulation.requirement.properties import Broken, judging

VIOLATION = "violation"
Finding = Iterator[Event | None]  # in pieces; None where one finds nothing


class Judge:
    """The properties of a model at some settings."""

    def __init__(self, claims: tuple[Property, ...], known: Mapping[str, float]) -> None:
        self._known = known
        self._always = [
            (claim, robustness_of(formula), frozenset(s.name for s in formula_symbols(formula)))
            for claim in claims
            if (formula := _invariant(claim)) is not None
        ]
        self._others = [claim for claim in claims if _invariant(claim) is None]

    def names(self, before: Mapping[str, float]) -> set[str]:
        """The signals of properties that must always hold, and have not been broken ``before``."""
        open_ones = (names for claim, _, names in self._always if claim.name not in before)
        return set().union(*open_ones)

    def broken(self, run: Run, known: Seen, before: Mapping[str, float]) -> Iterator[Event]:
        """The properties that a piece of a run breaks, by what is known at its states."""
        for claim, depth, _ in self._always:
            if claim.name not in before and self._fails(run, claim, depth, known):
                yield from filter(None, self._found(run, claim))

    def between(self, run: Run, before: Mapping[str, float]) -> Finding:
        """The same, also where it fails between two sampled states: that takes longer."""
        for claim, _, _ in self._always:
            if claim.name not in before:
                yield from self._found(run, claim)

    def judged(self, run: Run, before: Mapping[str, float]) -> Finding:
        """The other properties that a whole run breaks, and has not ``before``."""
        for claim in self._others:
            if claim.name not in before:
                yield from self._found(run, claim)

    def is_open(self, before: Mapping[str, float]) -> bool:
        """Whether there are properties that must always hold, and have not been broken."""
        return any(claim.name not in before for claim, _, _ in self._always)

    @property
    def judges_whole_runs(self) -> bool:
        """Whether there are properties that only whole runs can tell."""
        return bool(self._others)

    def _fails(self, run: Run, claim: Property, depth: Depth, known: Seen) -> bool:
        until = float("inf") if claim.until is None else value(claim.until, self._known)
        return any(
            depth(row) < 0
            for arc, rows in zip(run.arcs, known, strict=False)  # none for a formula of numbers
            if arc.times[0] <= until
            for row in rows
        )

    def _found(self, run: Run, claim: Property) -> Finding:
        found = yield from judging(run, claim, self._known)
        if isinstance(found, Broken):
            here = run.at(found.time).location
            told = claim_text(claim)
            yield Event(
                time=found.time,
                kind=VIOLATION,
                source=here,
                target=here,
                contacts=(claim.name,),
                remark=told,
            )


def _invariant(claim: Property) -> Formula | None:
    """What must hold at all times, if that is what a property asks and single states tell."""
    asked = claim.requirement
    if not isinstance(asked, Quantified) or asked.word != "always" or asked.during is not None:
        return None
    if not isinstance(asked.part, Compare | And | Or | Not):
        return None
    return None if any(is_event(s.name) for s in formula_symbols(asked.part)) else asked.part
