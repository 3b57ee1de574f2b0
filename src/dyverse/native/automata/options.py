"""How the native engine follows an automaton; the same meanings as in the reference engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from dyverse.automaton.guard.truth import HOP, TOUCH
from dyverse.automaton.guard.waiting import Delay
from dyverse.automaton.interface import Edge, State
from dyverse.automaton.memory import Drawn
from dyverse.native.header import C, c_struct

Progress = Callable[[float, int], bool]  # (time reached, events so far) -> whether to go on
Look = Callable[[], tuple[State, tuple[Edge, ...]]]
Pick = Callable[[int, Delay, Look], int | None]  # which of so many edges to take, None to wait

POINTS = 65  # DV_POINTS
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
    tick: float | None = None
    endpoints: bool = False
    pick: Pick | None = None  # by order if there is none
    waits: bool = False  # whether it is also asked where there is one edge, and may wait
    how: str = "by order"  # what is said of a choice
    draw: Callable[[], Drawn | None] = lambda: None  # what a generator that chooses draws next
    progress: Progress | None = None

    def in_c(self, margin: float, grain: float = 0.0) -> C:
        """The runtime's options, a `dv_options`; ``margin`` and ``grain`` are the automaton's."""
        return c_struct(
            "dv_options",
            {},
            margin=margin,
            hop=HOP,
            touch=TOUCH,
            relative=max(self.relative, 100 * 2.0**-52),
            absolute=self.absolute,
            longest_step=self.longest_step,
            together=self.together,
            graze=self.graze,
            depth=self.depth,
            lift=self.lift,
            points=self.points,
            samples=self.points - 1,
            max_events=self.max_events,
            max_jumps=self.max_jumps,
            max_steps=STEPS if self.progress is None else 1,
            idle=self.idle,
            tick=self.tick or 0.0,
            grain=grain,
            endpoints=int(self.endpoints),
            waits=int(self.waits),
        )


DEFAULTS = Options()
