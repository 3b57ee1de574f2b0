"""dyverse's engine as a benchmark runs it: begun anew for each run, with event times kept."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.native.engine import DEFAULTS, Options, c_options
from dyverse.native.library import Engine
from dyverse.native.model import native_model
from dyverse.native.running import Code

ROOM = 10_000  # events


class Runs:
    """A model ready to run: what `simulate_many` does for each run, and nothing else."""

    def __init__(self, automaton: RigidBodyAutomaton, options: Options = DEFAULTS) -> None:
        model = native_model(automaton.world, automaton.scene)
        chosen = c_options(model, automaton, options)
        chosen.max_steps = 0  # one call does the whole run
        self.engine = Engine(model.library, model.structure, chosen)
        self.numbers = model.numbers(automaton.scene)
        self.start = np.ascontiguousarray(automaton.start().values)
        self._times, kinds = np.zeros(ROOM), np.zeros(ROOM, dtype=np.int32)
        self.engine.record_events(self._times, kinds, np.zeros((ROOM, 2), dtype=np.int32))

    def to(self, until: float) -> Callable[[], Code]:
        """One run from the start, as a function without arguments."""

        def run() -> Code:
            self.engine.set(self.numbers, self.start)
            return self.engine.run(until)

        return run

    @property
    def times(self) -> Array:
        """When the events of the last run happened (s)."""
        return self._times[: self.engine.counts["events"]]
