"""A flow whose field has functions that switch: it stays on its side until one of them does.

`follow` asks it for one more signal per function (`Switches`), and where one of these crosses zero
the run goes on from there on other sides, without a jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from dyverse.automaton.endings import where
from dyverse.automaton.interface import (
    Array,
    Floored,
    Flow,
    Keeps,
    Limiting,
    Meeting,
    Samples,
    State,
)
from dyverse.automaton.memory import Flags
from dyverse.automaton.offering import offers
from dyverse.automaton.sides import (
    TOUCH,
    Equivalent,
    Field,
    decided,
    equivalent,
    owners,
    sides_of,
    signals,
)
from dyverse.expr.switching import Switch


class Sided(Flow, Protocol):
    """A flow that takes the values of the functions that switch."""

    def take(self, sides: Array) -> None:
        """The values from now on."""


@runtime_checkable
class Switches(Protocol):
    """A flow with functions that switch."""

    @property
    def switches(self) -> tuple[Switch, ...]:
        """These functions."""

    @property
    def sides(self) -> tuple[float, ...]:
        """Their values in this flow; not a number for those that slide."""

    @property
    def owners(self) -> tuple[int, ...]:
        """Which function each of their signals belongs to."""

    @property
    def touching(self) -> Flags:
        """Which of these signals rest, because they are at zero where the flow begins."""

    def surfaces(self, times: Array, values: Array) -> Samples:
        """Their signals, positive until they switch."""

    def beyond(self, time: float, values: Array, crossed: tuple[int, ...]) -> tuple[float, ...]:
        """The values of all functions from a point on where those in ``crossed`` switch."""


class SwitchedFlow:
    """The flow from ``state`` on, on the sides that it names or that the field decides."""

    def __init__(self, flow: Sided, field: Field, state: State) -> None:
        self._flow, self._field = flow, field
        sides = np.array(sides_of(field, state))
        self._sides, self._slides = sides, bool(np.isnan(sides).any())
        self._start, self.owners = state, owners(field)
        start = self.surfaces(np.array([state.time]), state.values[None, :]).values[0]
        self.touching: Flags = start <= TOUCH

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The functions that switch."""
        return tuple(self._field.switches)

    @property
    def sides(self) -> tuple[float, ...]:
        """Their values."""
        return tuple(self._sides.tolist())

    @property
    def resting(self) -> Flags:
        """Which watched signals are not armed yet."""
        self._take(self._start.time, self._start.values)
        return self._flow.resting

    @property
    def kept(self) -> dict[str, Array]:
        """What the flow behind it keeps."""
        return dict(self._flow.kept) if offers(self._flow, Keeps) else {}

    @property
    def floors(self) -> Array:
        """Where the signals of the flow behind it count as zero."""
        return self._flow.floors if offers(self._flow, Floored) else np.zeros(len(self.resting))

    def meets(self, signal: int, time: float, values: Array) -> bool:
        """Whether a signal that is below its floor counts as zero."""
        self._take(time, values)
        return not offers(self._flow, Meeting) or self._flow.meets(signal, time, values)

    def excess(self, values: Array, error: Array) -> float:
        """What a step errs by over what it may, as the flow behind it says."""
        return self._flow.excess(values, error) if offers(self._flow, Limiting) else 0.0

    def relaxation(self, time: float, values: Array) -> float:
        """How fast the field pulls together, as the flow behind it says."""
        self._take(time, values)
        return self._flow.relaxation(time, values) if offers(self._flow, Limiting) else 0.0

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._take(time, values).rate

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals."""
        if not self._slides:
            self._flow.take(self._sides)
            return self._flow.sample(times, values)
        rows = [self._sample(time, row) for time, row in zip(times.tolist(), values, strict=True)]
        return Samples(np.vstack([r.values for r in rows]), np.vstack([r.rates for r in rows]))

    def _sample(self, time: float, values: Array) -> Samples:
        self._take(time, values)
        return self._flow.sample(np.array([time]), values[None, :])

    def surfaces(self, times: Array, values: Array) -> Samples:
        """The signals of the functions, positive until they switch."""
        shape = len(times), len(self.owners)
        found, rates = np.empty(shape), np.empty(shape)
        for i, (time, row) in enumerate(zip(times.tolist(), values, strict=True)):
            point = equivalent(self._field, time, row, self._sides)
            found[i], rates[i] = signals(self._field, time, row, self._sides, point)
        return Samples(found, rates)

    def beyond(self, time: float, values: Array, crossed: tuple[int, ...]) -> tuple[float, ...]:
        """The values of all functions from a point on where those in ``crossed`` switch."""
        return tuple(decided(self._field, time, values, crossed).tolist())

    def settle(self, time: float, values: Array) -> Array:
        """``values`` moved back onto the location's constraints."""
        self._take(time, values)
        return self._flow.settle(time, values)

    def _take(self, time: float, values: Array) -> Equivalent:
        found = equivalent(self._field, time, values, self._sides)
        self._flow.take(found.sides)
        return found


PILED = 8  # intervals between switches that shrink, one after the other, before they pile up
SHRINK = 0.97  # each is at most this share of the one before
SOON = 1e-4  # s: where no more is left until they have piled up, a run ends


class Piling:
    """When functions have switched last; those whose switches accumulate have no run beyond."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = {}

    def note(self, time: float, switches: Sequence[Switch]) -> float | None:
        """Hear that some switch; when the switches of one of them accumulate, if that is near."""
        for switch in switches:
            times = self._times.setdefault(switch.text, [])
            times.append(time)
            del times[: -PILED - 1]
            if (end := _accumulation(times)) is not None:
                return end
        return None

    def forget(self) -> None:
        """An impact: what switches between bounces piles up where these do, and they may rest."""
        self._times.clear()


def _accumulation(times: Sequence[float]) -> float | None:
    gaps = np.diff(times)
    if len(gaps) < PILED or not (gaps[1:] <= SHRINK * gaps[:-1]).all():
        return None
    share = gaps[-1] / gaps[-2] if gaps[-2] > 0 else 0.0
    left = float(gaps[-1] * share / (1 - share))
    return float(times[-1]) + left if left <= SOON else None


INSTEAD = (
    "write friction as that of a contact, a switch as a `discontinuous` automaton, or the function"
    " as a steep one without a jump, such as tanh(1000*x) for sign(x)"
)


ENDLESS, ACCUMULATES, NO_SIDE, NOT_LINEAR, MANY = range(1, 6)  # as in ``native/c/switches.h``


def switching_message(
    reason: int, switches: Sequence[Switch], end: float, state: State, count: int = 0
) -> str:
    """Why a run cannot go on beyond a switch, or does not: which functions, where, what instead."""
    names, place = ", ".join(switch.text for switch in switches), where(state)
    match reason:
        case reason if reason == ENDLESS:
            told = f"{names} changes sides without end in {place}"
        case reason if reason == ACCUMULATES:
            told = f"switches of {names} accumulate at {end:.9g} s, in {place}"
        case reason if reason == NOT_LINEAR:
            told = f"the field is not linear in {names}, which stays at its jump in {place}"
        case reason if reason == MANY:
            return f"as many switches as events were allowed by {place}, the last of {names}"
        case _:
            told = f"no side of {names} can be kept in {place}"
    return f"{told}; {INSTEAD}"
