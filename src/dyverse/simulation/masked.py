"""A flow with some of its watched signals taken out: what sampled semantics do not look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Flow, Samples
from dyverse.flow.events import Floored

GUARDS = ("guard[", "sync[")
INVARIANTS = ("invariant[",)


class MaskedFlow:
    """The same flow, with the signals whose names begin with one of ``left_out`` always at 1."""

    def __init__(self, flow: Flow, watched: tuple[str, ...], left_out: tuple[str, ...]) -> None:
        self._flow = flow
        self._mask = np.array([name.startswith(left_out) for name in watched], dtype=bool)

    @property
    def resting(self) -> NDArray[np.bool_]:
        """Of the signals that are left, those that have just been reset."""
        return np.asarray(self._flow.resting & ~self._mask)

    @property
    def floors(self) -> Array:
        """Where signals count as zero."""
        return self._flow.floors if isinstance(self._flow, Floored) else np.zeros(len(self._mask))

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._flow.rate(time, values)

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals and their rates; 1 and 0 for those left out."""
        if self._mask.all():
            shape = len(times), len(self._mask)
            return Samples(np.ones(shape), np.zeros(shape))
        found = self._flow.sample(times, values)
        signals, rates = found.values.copy(), found.rates.copy()
        signals[:, self._mask], rates[:, self._mask] = 1.0, 0.0
        return Samples(signals, rates)

    def settle(self, time: float, values: Array) -> Array:
        """``values`` moved back onto the location's constraints."""
        return self._flow.settle(time, values)
