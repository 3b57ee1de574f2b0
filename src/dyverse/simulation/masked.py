"""A flow with some of its watched signals taken out, or turned around.

Sampled semantics do not look at guards while time passes. Who leaves an enabled edge alone waits
for its guard to cease to hold: its signal is not positive, so it is turned around.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.guard.waiting import Waiting
from dyverse.automaton.interface import Array, Floored, Flow, Keeps, Limiting, Meeting, Samples
from dyverse.automaton.memory import Stretch
from dyverse.automaton.offering import offers
from dyverse.automaton.switched import Switches
from dyverse.expr.switching import Switch

GUARDS = ("guard[", "sync[")
INVARIANTS = ("invariant[",)
LOCKS = (*INVARIANTS, "urgent[")  # watched signals that forbid time to pass
Flags = NDArray[np.bool_]


def masked(flow: Flow, names: tuple[str, ...], left_out: tuple[str, ...]) -> MaskedFlow:
    """The same flow without the signals whose names begin with one of ``left_out``."""
    out = np.array([name.startswith(left_out) for name in names], dtype=bool)
    return MaskedFlow(flow, out, np.zeros(len(names), dtype=bool), flow.resting & ~out)


def loosened(flow: Flow, names: tuple[str, ...], margin: float) -> MaskedFlow:
    """The same flow, in which invariants hold up to ``margin``."""
    slack = np.array([margin * name.startswith(INVARIANTS) for name in names])
    if not isinstance(flow, MaskedFlow):
        none = np.zeros(len(names), dtype=bool)
        return MaskedFlow(flow, none, none, flow.resting, slack)
    return MaskedFlow(flow._flow, flow._out, flow.turned, flow.resting, slack)


def patient(
    waiting: Waiting, time: float, values: Array, out: Flags, going_on: Stretch | None
) -> MaskedFlow:
    """The flow of one who waits; ``out`` are signals not to look at.

    A guard at its boundary rests: it is about to be left, or to hold for some time. A stretch of
    waiting that goes on is ``holding`` and ``resting`` as it was.
    """
    if going_on is not None and going_on.holding is not None:
        return MaskedFlow(waiting.flow, out, going_on.holding, going_on.resting)
    flow = MaskedFlow(waiting.flow, out, waiting.holding, out)
    start = flow.sample(np.array([time]), values[None, :]).values[0]
    left = waiting.here & ~waiting.holding
    resting = waiting.flow.resting | waiting.guards & ((start <= 0) | left)
    return MaskedFlow(waiting.flow, out, waiting.holding, resting & ~out)


class MaskedFlow:
    """The same flow, with the signals ``out`` always at 1, and those ``turned`` with minus sign.

    ``slack`` is added to each: how far beyond zero it may go.
    """

    def __init__(
        self, flow: Flow, out: Flags, turned: Flags, resting: Flags, slack: Array | float = 0.0
    ) -> None:
        self._flow, self._out, self._resting, self.turned = flow, out, resting, turned
        self._signs, self._slack = np.where(turned, -1.0, 1.0), slack

    @property
    def kept(self) -> Mapping[str, Array]:
        """What the flow behind it keeps."""
        return self._flow.kept if offers(self._flow, Keeps) else {}

    @property
    def resting(self) -> Flags:
        """Of the signals that are left, those that have just been reset."""
        return self._resting

    @property
    def floors(self) -> Array:
        """Where signals count as zero; those turned around, where they are zero."""
        none = np.zeros(len(self._out))
        return (
            np.where(self._signs > 0, self._flow.floors, 0.0)
            if offers(self._flow, Floored)
            else none
        )

    def excess(self, values: Array, error: Array) -> float:
        """What a step errs by over what it may, as the flow behind it says."""
        return self._flow.excess(values, error) if isinstance(self._flow, Limiting) else 0.0

    def relaxation(self, time: float, values: Array) -> float:
        """How fast the field pulls together, as the flow behind it says."""
        return self._flow.relaxation(time, values) if isinstance(self._flow, Limiting) else 0.0

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The functions that switch, as those of the flow behind it."""
        return self._flow.switches if offers(self._flow, Switches) else ()

    @property
    def sides(self) -> tuple[float, ...]:
        """Their values."""
        return self._flow.sides if offers(self._flow, Switches) else ()

    @property
    def owners(self) -> tuple[int, ...]:
        """Which function each of their signals belongs to."""
        return self._flow.owners if offers(self._flow, Switches) else ()

    @property
    def touching(self) -> Flags:
        """Which of their signals rest."""
        none = np.zeros(0, dtype=bool)
        return self._flow.touching if offers(self._flow, Switches) else none

    def surfaces(self, times: Array, values: Array) -> Samples:
        """Their signals."""
        if offers(self._flow, Switches):
            return self._flow.surfaces(times, values)
        return Samples(np.empty((len(times), 0)), np.empty((len(times), 0)))

    def beyond(self, time: float, values: Array, crossed: tuple[int, ...]) -> tuple[float, ...]:
        """Their values beyond a point where some of them switch."""
        if offers(self._flow, Switches):
            return self._flow.beyond(time, values, crossed)
        return ()

    def meets(self, signal: int, time: float, values: Array) -> bool:
        """Whether a signal that is below its floor counts as zero."""
        return not offers(self._flow, Meeting) or self._flow.meets(signal, time, values)

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._flow.rate(time, values)

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals and their rates; 1 and 0 for those left out."""
        if self._out.all():
            shape = len(times), len(self._out)
            return Samples(np.ones(shape), np.zeros(shape))
        found = self._flow.sample(times, values)
        signals = found.values * self._signs + self._slack
        rates = found.rates * self._signs
        signals[:, self._out], rates[:, self._out] = 1.0, 0.0
        return Samples(signals, rates)

    def settle(self, time: float, values: Array) -> Array:
        """``values`` moved back onto the location's constraints."""
        return self._flow.settle(time, values)
