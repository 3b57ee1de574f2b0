"""How the native engine follows an automaton; the same meanings as in the reference engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from dyverse.automaton.compiled import HOP
from dyverse.native.automata.library import COptions

Progress = Callable[[float, int], bool]  # (time reached, events so far) -> whether to go on

POINTS = 65  # DA_POINTS
STEPS = 2000  # per call: Ctrl-C is heard between calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """See `dyverse.flow.step.Accuracy`, `dyverse.flow.events.Detection`, `simulation.Options`."""

    relative: float = 1e-10
    absolute: float = 1e-12
    longest_step: float = math.inf
    points: int = 9
    together: float = 1e-9
    graze: float = 1e-9
    depth: float = 1e-9
    lift: float = 1e-13
    max_events: int = 100_000
    max_jumps: int = 200
    idle: int = 50
    progress: Progress | None = None

    def in_c(self, margin: float) -> COptions:
        """The runtime's options; ``margin`` is the automaton's."""
        return COptions(
            margin=margin,
            hop=HOP,
            relative=max(self.relative, 100 * 2.0**-52),
            absolute=self.absolute,
            longest_step=self.longest_step,
            together=self.together,
            graze=self.graze,
            depth=self.depth,
            lift=self.lift,
            points=self.points,
            max_events=self.max_events,
            max_jumps=self.max_jumps,
            max_steps=STEPS if self.progress is None else 1,
            idle=self.idle,
        )


DEFAULTS = Options()
