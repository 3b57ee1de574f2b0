"""What falsification answers: never more than it knows.

*Unsafe* comes with a witness that was replayed at tighter tolerance and misses the property by more
than the error of that; *not found* says what was covered and proves nothing; *unknown* says why
neither can be said; *safe* needs a certificate: whoever can make one, makes the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run
from dyverse.expr.formula import Compare


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sampled:
    """The points that a search kept, in the order in which it looked at them."""

    points: Array  # (n, unknowns)
    margins: Array  # (n,)
    paths: tuple[str, ...]  # (n,) equal for runs through the same events
    runs: Array  # (n,) how many runs had been made


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question to the lazy solver: Figures 11 to 13 of [navarro2018], supplement."""

    time: float  # simulated so far (s)
    calls: int  # questions so far
    clauses1: int  # clauses with one literal
    clauses2: int  # with two
    clauses3: int  # with three or more
    iterations: int  # SAT solutions looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How far a search looked."""

    runs: int  # simulated
    paths: int  # different sequences of events among them
    deepest: int  # events in the longest run
    least_margin: float  # of the property, over all runs
    nearest: Mapping[str, float]  # the unknowns where that was
    incomplete: int = 0  # runs that ended before the property did, for another reason than depth
    at_depth: int = 0  # runs that were cut off at the depth bound before the property ended
    remarks: tuple[str, ...] = ()
    sampled: Sampled | None = field(default=None, compare=False, repr=False)
    asked: tuple[Asked, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Witness:
    """A run that breaks the property, as the reference engine replayed it.

    ``margin`` is how far the property is missed at its worst, in its own units: negative. The
    ``error`` is what it may be off by, and zero if all that is missed is exact.
    """

    settings: Mapping[str, float]
    run: Run = field(repr=False)
    time: float  # when the property fails first (s)
    margin: float
    worst_time: float
    error: float
    marginal: bool  # missed by no more than the error: this proves nothing
    decides: Compare | None = None  # the comparison that the margin is of


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unsafe:
    """The property can be broken; besides the first witness, some that people ask for."""

    witness: Witness
    nearest: Witness | None  # changes as little as possible of the model's own numbers
    deepest: Witness | None  # breaks the property as badly as could be found
    simplest: Witness | None = None  # as the model wherever that does not matter; short numbers
    others: tuple[Witness, ...] = ()  # that have little in common with it and each other
    covered: Coverage


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound:
    """No violation was found in what was covered; that proves nothing."""

    covered: Coverage


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """The search did not get to its end, or did not see enough; or what it found is marginal."""

    why: str
    covered: Coverage
    marginal: Witness | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Safe:
    """No run breaks the property: ``certificate`` says how that is known."""

    certificate: str
    covered: Coverage


Verdict = Unsafe | NotFound | Unknown | Safe
