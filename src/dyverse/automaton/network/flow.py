"""The continuous behaviour of a network during one visit to a location.

One signal is watched per internal edge, one per sender of a handshake (with its best partner), one
per invariant, and one that is never positive where a place is urgent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.guard.truth import TOUCH, Reading
from dyverse.automaton.interface import Array, Samples, State
from dyverse.automaton.memory import APPROACH
from dyverse.automaton.network.code import NetworkCode, Point, Truth
from dyverse.automaton.network.columns import Columns
from dyverse.automaton.network.columns import columns as columns
from dyverse.automaton.network.component import Known
from dyverse.automaton.network.moves import Half
from dyverse.automaton.sides import NONE

Numbers = NDArray[np.intp]
PointAt = Callable[[float, Array, Array], Point]  # time, values, sides


class Ready:
    """Which edges may be taken at one point: guard and procedure; each is looked at once.

    The guards of those ``reached`` are read at the point itself.
    """

    def __init__(
        self, truth: Truth, known: Callable[[], Known], reached: frozenset[int] = frozenset()
    ) -> None:
        self._truth, self._known, self._reached = truth, known, reached
        self._found: dict[int, Reading] = {}
        self._numbers: Known | None = None

    def __call__(self, half: Half) -> bool:
        """Whether ``half`` may be taken, as far as it is concerned."""
        found = self.reading(half)
        return found.holds or (found.here and half.number in self._reached)

    def stays(self, half: Half) -> bool:
        """Whether it may be taken right after, were time to pass."""
        return self.reading(half).after

    def is_here(self, half: Half) -> bool:
        """Whether it may be taken at the point itself."""
        return self.reading(half).here

    def reading(self, half: Half) -> Reading:
        """How the guard reads; as false where the procedure does not allow the edge."""
        found = self._found.get(half.number)
        if found is None:
            found = self._truth(half.number)
            if found.here and not self.allows(half):
                found = Reading(after=False, here=False, instant=False)
            self._found[half.number] = found
        return found

    def allows(self, half: Half) -> bool:
        """Whether the procedure of an edge allows it; time does not change that."""
        if half.edge.procedure is None or not half.edge.procedure.asks:
            return True
        if self._numbers is None:
            self._numbers = self._known()
        return half.edge.procedure.condition(self._numbers)

    def invariant(self, number: int) -> bool:
        """Whether an invariant holds."""
        return self._truth(number).holds


class NetworkFlow:
    """One visit to a location; remembers who rests, and which procedures forbid their edge."""

    def __init__(
        self,
        code: NetworkCode,
        watched: Columns,
        ready: Ready,
        point: PointAt,
        state: State,
        sides: Array = NONE,
        spread: Callable[[Array], Array] = np.asarray,
    ) -> None:
        self._code, self._columns, self._at = code, watched, point
        self._sides, self._spread = sides, spread
        time, values, going_on = state.time, state.values, state.stretch
        self._approach = code.approach(self._point(time, values))
        if going_on is not None:
            self._approach = going_on.kept[APPROACH]
        self._blocked = _numbers(
            {half.number for half in watched.halves() if not ready.allows(half)}
        )
        self._alone = _numbers(half.number for half in watched.alone)
        self._senders = _numbers(half.number for half in watched.senders)
        self._partners = _table(watched.partners, len(code.watches))
        self._heard = _numbers(half.number for half in watched.heard)
        self._invariants = _numbers(number for _, number in watched.invariants)
        start = self.sample(np.array([time]), values[None, :]).values[0]
        fires = np.fromiter(_fires(watched, ready), bool, watched.size)
        met = start <= 0
        if ((start > 0) & (start <= code.margin)).any():
            met[watched.guards] |= np.fromiter(guards_hold(watched, ready.is_here), bool)
        self._resting: NDArray[np.bool_] = met & ~fires

    @property
    def resting(self) -> NDArray[np.bool_]:
        """Signals at their boundary that the flow is about to leave to the inside."""
        return self._resting

    @property
    def kept(self) -> dict[str, Array]:
        """From which side equalities are reached."""
        return {APPROACH: self._approach}

    @property
    def floors(self) -> Array:
        """A guard that is missed by less than a touch is met."""
        return np.where(self._columns.guards, TOUCH, 0.0)

    def meets(self, signal: int, time: float, values: Array) -> bool:
        """Whether the guard of a signal that is at its floor holds there."""
        truth = Truth(self._code, self._point(time, values))
        return list(guards_hold(self._columns, lambda half: truth(half.number).here))[signal]

    def take(self, sides: Array) -> None:
        """The values of functions that switch, from now on."""
        self._sides = self._spread(sides)

    def _point(self, time: float, values: Array) -> Point:
        return self._at(time, values, self._sides)

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._code.rate(self._point(time, values))

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals and their rates."""
        return self.watch(list(map(self._point, times.tolist(), values)))

    def watch(self, points: Sequence[Point]) -> Samples:
        """The watched signals and their rates, at points that are known."""
        shape = len(points), self._columns.size
        signals, rates = np.empty(shape), np.empty(shape)
        for i, point in enumerate(points):
            signals[i], rates[i] = self._watch(point)
        return Samples(signals, rates)

    def _watch(self, point: Point) -> tuple[Array, Array]:
        inside, rates = self._code.sample(point, self._approach)
        inside[self._blocked], rates[self._blocked] = -1.0, 0.0
        paired, paired_rates = self._paired(inside, rates)
        ends = (np.array([-1.0]), np.zeros(1)) if self._columns.is_urgent else (np.empty(0),) * 2
        heard = inside[self._heard], rates[self._heard]
        kept = inside[self._invariants], rates[self._invariants]
        return (
            np.concatenate((-inside[self._alone], -paired, -heard[0], kept[0], ends[0])),
            np.concatenate((-rates[self._alone], -paired_rates, -heard[1], kept[1], ends[1])),
        )

    def _paired(self, inside: Array, rates: Array) -> tuple[Array, Array]:
        """A handshake is as deep inside as the shallower of the sender and its best partner."""
        if not len(self._senders):
            return inside[self._senders], rates[self._senders]
        others = np.append(inside, -np.inf)[self._partners]
        best = self._partners[np.arange(len(others)), np.argmax(others, axis=1)]
        least = np.where(inside[self._senders] <= inside[best], self._senders, best)
        return inside[least], rates[least]

    def settle(self, time: float, values: Array) -> Array:
        """The same: places have no constraints to drift from."""
        return values


def _fires(watched: Columns, ready: Ready) -> Iterator[bool]:
    """For each signal, whether it ends the visit at once if it is not positive."""
    yield from guards_hold(watched, ready)
    for _, number in watched.invariants:
        yield not ready.invariant(number)
    if watched.is_urgent:
        yield True


def guards_hold(watched: Columns, holds: Callable[[Half], bool]) -> Iterator[bool]:
    """For each signal of a guard, whether it holds where ``holds`` tells that of single edges."""
    for half in watched.alone:
        yield holds(half)
    for sender, partners in zip(watched.senders, watched.partners, strict=True):
        yield holds(sender) and any(map(holds, partners))
    yield from map(holds, watched.heard)


def _numbers(numbers: Iterable[int]) -> Numbers:
    return np.array(list(numbers), dtype=np.intp)


def _table(partners: tuple[tuple[Half, ...], ...], dummy: int) -> Numbers:
    """One row of numbers per sender, filled up with a number that stands for no one."""
    width = max(map(len, partners), default=0)
    rows = [[*(half.number for half in row), *([dummy] * (width - len(row)))] for row in partners]
    return np.array(rows, dtype=np.intp).reshape(len(partners), width)


def known_numbers(
    names: tuple[str, ...], constants: Mapping[str, float], time: float, values: Array
) -> dict[str, float]:
    """Every variable and parameter by name, and the time."""
    return {**constants, "t": time, **dict(zip(names, values.tolist(), strict=True))}
