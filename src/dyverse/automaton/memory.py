"""What a run remembers between two pieces, so that going on from its end is the same run.

A state says where a run is; what happens next depends on a little more. In the middle of a stretch
of time: which signals have not risen since they were reset, from where equalities are reached,
which guards were left behind where the stretch began, which way contacts slip. Between the jumps of
an instant and the time after it: that they have been taken. At all times: where ticks fall, and
what the generator that chooses draws next. Every engine writes this down in the same way, so that
one may go on where another has stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Drawn = tuple[int, Mapping[str, Any]]  # a seed, and what NumPy calls the state of a generator
APPROACH = "approach"  # of equalities in guards: from where each is reached, 1 or -1
AHEAD = "ahead"  # of closed contacts: where they slip, unit vectors in world axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stretch:
    """A stretch of time that goes on: what was decided where it began, and has not changed since.

    Signals are those that are watched, in the order of `HybridAutomaton.watched`; while enabled
    edges are left alone (``holding``), in that of `dyverse.automaton.guard.waiting.Waiting.names`.
    """

    since: float  # when it began (s)
    resting: Flags  # signals that were at zero and have not risen yet
    behind: frozenset[int] = frozenset()  # edges whose guards held there, and have held since
    kept: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)  # what its flow keeps
    holding: Flags | None = None  # signals of guards that are waited for to cease


@dataclass(frozen=True, slots=True)
class Ticks:
    """Ticks of equal length, as multiples of it from where they began: sums would drift."""

    begin: float  # s
    length: float  # s
    count: int = 0  # the one ahead

    @property
    def ahead(self) -> float:
        """When the tick ahead is (s)."""
        return self.begin + self.count * self.length

    def after(self, time: float) -> Ticks:
        """The same with the first tick after ``time`` ahead; an impact may come before a tick."""
        return replace(self, count=self.count + 1) if time >= self.ahead else self


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Memory:
    """What a run remembers where it ended."""

    settled: bool = True  # whether the jumps of that instant have been taken
    waiting: bool = False  # whether enabled edges are left alone
    stretch: Stretch | None = None  # that goes on; None if one is about to begin
    ticks: Ticks | None = None
    draw: Drawn | None = None  # the seed and state of the generator that chooses
    recent: tuple[float, ...] = ()  # when the last events were (s)
