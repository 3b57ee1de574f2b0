"""Labelled transition systems: locations, letters and steps, without acceptance.

[carter2011] Def. 8 makes one from a hybrid automaton; with a condition on where words end, or on
what they visit for ever, it becomes one of the automata of Defs. 3 to 7. Two steps may have the
same source and letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from dyverse.abstraction.language.word import Lasso, Word
from dyverse.errors import ModelError, Problem, did_you_mean


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """A transition ``source`` –``letter``→ ``target``."""

    source: str
    letter: str
    target: str

    def __str__(self) -> str:
        return f"{self.source} –{self.letter}→ {self.target}"


@dataclass(frozen=True)
class Lts:
    """LTS = (Q, Σ, δ, Q₀): a value, checked when built. [carter2011] Def. 8"""

    locations: tuple[str, ...]  # Q
    alphabet: tuple[str, ...]  # Σ
    steps: tuple[Step, ...]  # δ
    initial: tuple[str, ...]  # Q₀

    def __post_init__(self) -> None:
        if problems := [Problem(message) for message in dict.fromkeys(_problems(self))]:
            raise ModelError(problems, file="<lts>")

    def starting(self, *locations: str) -> Lts:
        """The same system with other initial locations."""
        return replace(self, initial=locations)

    def outgoing(self, location: str) -> tuple[Step, ...]:
        """The steps that leave ``location``."""
        return self._outgoing.get(location, ())

    def after(self, locations: Collection[str], letter: str) -> frozenset[str]:
        """Where one of ``locations`` can lead by ``letter``."""
        leaving = (step for location in locations for step in self.outgoing(location))
        return frozenset(step.target for step in leaving if step.letter == letter)

    @cached_property
    def is_deterministic(self) -> bool:
        """Whether a word can be followed in one way only: δ is a function, as in Def. 3."""
        moves = Counter((step.source, step.letter) for step in self.steps)
        return len(self.initial) <= 1 and all(count == 1 for count in moves.values())

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The locations to which some word leads."""
        return frozenset(end for end in self.locations if self.path(self.initial, end) is not None)

    def path(
        self, sources: Iterable[str], target: str, *, within: Collection[str] | None = None
    ) -> tuple[Step, ...] | None:
        """A shortest way from one of ``sources`` to ``target`` through ``within``, if any."""
        ways: dict[str, tuple[Step, ...]] = dict.fromkeys(sources, ())
        queue = list(ways)
        for location in queue:  # grows while it is read
            if location == target:
                return ways[location]
            for step in self.outgoing(location):
                if step.target not in ways and (within is None or step.target in within):
                    ways[step.target] = (*ways[location], step)
                    queue.append(step.target)
        return None

    @cached_property
    def _outgoing(self) -> dict[str, tuple[Step, ...]]:
        found: dict[str, list[Step]] = {}
        for step in self.steps:
            found.setdefault(step.source, []).append(step)
        return {source: tuple(steps) for source, steps in found.items()}


def lts(steps: str, *, initial: str, locations: str = "") -> Lts:
    """A system from text such as ``q1 a q3, q2 a q3``: locations and letters as they occur."""
    made = [Step(*step.split()) for step in steps.split(",")]
    ends = [end for step in made for end in (step.source, step.target)]
    alphabet = tuple(sorted({step.letter for step in made}))
    names = tuple(dict.fromkeys([*locations.split(), *sorted(ends)]))
    return Lts(names, alphabet, tuple(made), tuple(initial.split()))


def word_of(steps: Iterable[Step]) -> Word:
    """The letters of ``steps``."""
    return tuple(step.letter for step in steps)


def infinity_set(system: Lts, lasso: Lasso) -> frozenset[str] | None:
    """inf(p): what the only run over ``lasso`` visits for ever, or nothing if it gets stuck.

    [carter2011] Def. 5; for deterministic systems.
    """
    if not system.is_deterministic:
        raise ModelError([Problem("a word may have several runs here")], file="<lts>")
    here = frozenset(system.initial)
    for letter in lasso.prefix:
        here = system.after(here, letter)
    rounds: list[frozenset[str]] = []
    while here not in rounds:
        rounds.append(here)
        here = _visited(system, here, lasso.cycle)[-1]
    if not here:
        return None
    again = rounds[rounds.index(here) :]
    return frozenset[str]().union(
        *(seen for start in again for seen in _visited(system, start, lasso.cycle))
    )


def _visited(system: Lts, here: frozenset[str], word: Word) -> list[frozenset[str]]:
    visited = []
    for letter in word:
        here = system.after(here, letter)
        visited.append(here)
    return visited


def _problems(system: Lts) -> Iterator[str]:
    yield from _twice("location", system.locations)
    yield from _twice("letter", system.alphabet)
    yield from _twice("step", map(str, system.steps))
    letters, locations = dict.fromkeys(system.alphabet), dict.fromkeys(system.locations)
    for step in system.steps:
        yield from _unknown(f"step {step}: unknown letter", step.letter, letters)
        for end in (step.source, step.target):
            yield from _unknown(f"step {step}: unknown location", end, locations)
    for location in system.initial:
        yield from _unknown("initial: unknown location", location, locations)


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    yield from (f"{what} {name!r} is there twice" for name, n in Counter(names).items() if n > 1)


def _unknown(what: str, name: str, known: dict[str, None]) -> Iterator[str]:
    if name not in known:
        yield f"{what} {name!r}{did_you_mean(name, known)}"
