"""How to simulate: solver, choices, ticks and bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from dyverse.errors import SolverError
from dyverse.flow.follow import Options as FollowOptions
from dyverse.simulation.choice import Choice, Priority

Progress = Callable[[float, int], bool]  # (time reached, events so far) -> whether to go on


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to simulate; ``max_jumps`` bounds the jumps of one instant, ``max_events`` of a run.

    ``choice`` says who chooses among several enabled edges, ``tick`` (s) asks for sampled time, and
    ``invariant`` whether invariants hold at all times or only where time starts and stops passing.
    """

    solver: str = "reference"
    choice: Choice = field(default_factory=Priority)
    tick: float | None = None
    invariant: Literal["always", "endpoints"] = "always"
    follow: FollowOptions = field(default_factory=FollowOptions)
    max_events: int = 100_000
    max_jumps: int = 200
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.tick is not None and not 0 < self.tick < math.inf:
            raise SolverError(f"a tick must be a finite time over 0, not {self.tick}")
