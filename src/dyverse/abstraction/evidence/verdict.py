"""What can be said of a run in the long run, and on what evidence.

The verdicts are values; `behaviour_of` gives the behaviour, an equilibrium or a cycle, that a
verdict speaks of. Evidence of convergence is a proof, for the state that the simulation has come
to; that of orbits and of escape is numerical.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from dyverse.abstraction.behaviours.behaviour import Behaviour, Cycle, Equilibrium
from dyverse.abstraction.evidence.attraction import Basin
from dyverse.abstraction.evidence.contraction import Contraction
from dyverse.abstraction.evidence.escape import Escape
from dyverse.abstraction.evidence.rest import Held, Rest
from dyverse.abstraction.language.word import Lasso, Word, primitive_root


@dataclass(frozen=True, slots=True, eq=False)
class Converges:
    """The run tends to an equilibrium; its word is finite."""

    word: Word
    time: float  # when it was sure (s)
    evidence: Basin | Rest | Held

    def __str__(self) -> str:
        return f"tends to an equilibrium in {self.evidence.point.location}: {self.evidence}"


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """The run tends to a periodic orbit; its word is infinite, unless the orbit has no jumps."""

    word: Lasso | Word
    time: float
    evidence: Contraction

    def __str__(self) -> str:
        period = self.evidence.orbit.period
        return f"tends to an orbit with period {period:.6g} s: {self.evidence}"


@dataclass(frozen=True, slots=True, eq=False)
class Escapes:
    """The run leaves every bounded region."""

    word: Word
    time: float
    evidence: Escape

    def __str__(self) -> str:
        return f"escapes: {self.evidence}"


@dataclass(frozen=True, slots=True, eq=False)
class Unclassified:
    """The run ends without a long-term behaviour."""

    word: Word
    time: float
    reason: str

    def __str__(self) -> str:
        return f"has no long-term behaviour: {self.reason}"


@dataclass(frozen=True, slots=True, eq=False)
class Undecided:
    """There was no evidence in the time given."""

    word: Word
    time: float
    reason: str

    def __str__(self) -> str:
        return f"is undecided: {self.reason}"


Verdict = Converges | Repeats | Escapes | Unclassified | Undecided
Certainty = Literal["proved", "numerical"]


def certainty(verdict: Verdict) -> Certainty | None:
    """Whether what a verdict claims for ever is proved; nothing if it claims nothing."""
    match verdict:
        case Converges():
            return "proved"
        case Repeats() | Escapes() | Unclassified():
            return "numerical"
        case Undecided():
            return None
        case _:
            assert_never(verdict)


def behaviour_of(verdict: Verdict) -> Behaviour | None:
    """The behaviour that a verdict speaks of; nothing without evidence of one."""
    match verdict:
        case Converges(evidence=evidence):
            return Equilibrium(evidence.point.location)
        case Repeats(evidence=evidence) if not evidence.orbit.letters:
            (location,) = evidence.orbit.locations
            return Equilibrium(location, f"orbit within {location}")
        case Repeats(evidence=evidence):
            return Cycle(from_least(primitive_root(evidence.orbit.locations)))
        case _:
            return None


def verdict_name(verdict: Verdict) -> str:
    """The name of the behaviour, or of the lack of one."""
    behaviour = behaviour_of(verdict)
    return str(behaviour) if behaviour is not None else type(verdict).__name__.lower()


def from_least(locations: tuple[str, ...]) -> tuple[str, ...]:
    """A cycle from the location where it would be first in the alphabet."""
    turns = (locations[n:] + locations[:n] for n in range(len(locations)))
    return min(turns)
