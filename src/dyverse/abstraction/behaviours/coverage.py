"""What the named behaviours leave out: a report on a refined transition system.

A run may visit for ever a set of locations that is no behaviour's (chatter, say), stop in a
location that has no equilibrium, or reach a place where the model has no step for what happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyverse.abstraction.behaviours.behaviour import Equilibrium
from dyverse.abstraction.behaviours.splitting import Refined
from dyverse.abstraction.language.word import Lasso, Word, word_text
from dyverse.abstraction.omega.infinity import infinity_sets, tour
from dyverse.abstraction.omega.lts import Lts, Step, word_of


@dataclass(frozen=True, slots=True)
class Visited:
    """A set of locations that some run visits for ever, and such a run's word."""

    locations: frozenset[str]
    example: Lasso
    names: tuple[str, ...]  # of the behaviours; none: the run belongs to no language


@dataclass(frozen=True, slots=True)
class Stopped:
    """A location without a named equilibrium, and a word that may stop there."""

    location: str
    example: Word


@dataclass(frozen=True, slots=True)
class Blocked:
    """A step that the model lacks, and a word after which a run that needs it is stuck."""

    missing: Step
    example: Word


@dataclass(frozen=True, slots=True)
class Coverage:
    """The infinity sets with and without a name, unnamed stops, and missing steps."""

    visited: tuple[Visited, ...]
    stopped: tuple[Stopped, ...]
    blocked: tuple[Blocked, ...]

    @property
    def unnamed(self) -> tuple[Visited, ...]:
        """The infinity sets that belong to no behaviour."""
        return tuple(item for item in self.visited if not item.names)


def coverage(refined: Refined, *, complete: Lts | None = None) -> Coverage:
    """Report what is left out; ``complete`` is the system with all the steps it should have."""
    return Coverage(
        tuple(_visited(refined)),
        tuple(_stopped(refined)),
        tuple(_blocked(refined.original, complete)) if complete is not None else (),
    )


def _visited(refined: Refined) -> Iterator[Visited]:
    named = [(str(b), refined.family(b)) for b in refined.behaviours]
    for states in infinity_sets(refined.lts):
        names = tuple(name for name, family in named if states in family)
        yield Visited(states, tour(refined.lts, states), names)


def _stopped(refined: Refined) -> Iterator[Stopped]:
    named = {b.location for b in refined.behaviours if isinstance(b, Equilibrium)}
    for location in refined.original.locations:
        way = refined.original.path(refined.original.initial, location)
        if location not in named and way is not None:
            yield Stopped(location, word_of(way))


def _blocked(system: Lts, complete: Lts) -> Iterator[Blocked]:
    for step in complete.steps:
        way = system.path(system.initial, step.source)
        if step not in system.steps and way is not None:
            yield Blocked(step, word_of(way))


def coverage_text(report: Coverage) -> str:
    """The report in lines of text."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Coverage) -> Iterator[str]:
    named = len(report.visited) - len(report.unnamed)
    yield f"{len(report.visited)} infinity sets, {named} with a name"
    for item in report.visited:
        places = " ".join(sorted(item.locations))
        yield f"  {{{places}}} {item.example}: {', '.join(item.names) or 'unclassified'}"
    for stop in report.stopped:
        yield f"words that stop in {stop.location} are unclassified, e.g. {word_text(stop.example)}"
    for block in report.blocked:
        yield f"no step {block.missing}: a run can be stuck after {word_text(block.example)}"
