"""The continuous behaviour of a network during one visit to a location.

One signal is watched per internal edge, one per sender of a handshake (with its best partner), one
per invariant, and one that is never positive where a place is urgent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.component import Component, Known
from dyverse.automaton.interface import Array, Samples
from dyverse.automaton.moves import Half, Moves, Places
from dyverse.automaton.network_code import NetworkCode, Point, Truth

Numbers = NDArray[np.intp]
PointAt = Callable[[float, Array], Point]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What is watched in one location, in this order; numbers are those of the watched formulas."""

    alone: tuple[Half, ...]  # internal edges and broadcasts
    senders: tuple[Half, ...]  # of handshakes with a partner in sight
    partners: tuple[tuple[Half, ...], ...]  # receiving edges of other components, per sender
    invariants: tuple[tuple[int, int], ...]  # component, number
    urgent: tuple[int, ...]  # components in whose place no time passes

    @property
    def size(self) -> int:
        """How many signals there are."""
        return len(self.alone) + len(self.senders) + len(self.invariants) + bool(self.urgent)

    def halves(self) -> Iterator[Half]:
        """Every edge that is watched, some more than once."""
        yield from self.alone
        yield from self.senders
        for partners in self.partners:
            yield from partners

    def names(self, components: tuple[Component, ...], places: Places) -> Iterator[str]:
        """``guard[ball,fall,fall]``, ``sync[hit,ball,fall,fall]``, ``invariant[ball,fall]``."""
        for half in (*self.alone, *self.senders):
            channel = f"{half.edge.action.channel}," if half.edge.action else ""
            ends = f"{half.edge.source},{half.edge.target}"
            word = "sync" if channel else "guard"
            yield f"{word}[{channel}{components[half.component].name},{ends}]"
        for component, _ in self.invariants:
            yield f"invariant[{components[component].name},{places[component]}]"
        if self.urgent:
            where = ",".join(f"{components[i].name},{places[i]}" for i in self.urgent)
            yield f"urgent[{where}]"


def columns(moves: Moves, code: NetworkCode, places: Places) -> Columns:
    """What is watched in ``places``."""
    offers = moves.offers(places)
    pairs = [
        (
            sender,
            tuple(r for r in offers.receivers.get(name, ()) if r.component != sender.component),
        )
        for name, senders in offers.senders.items()
        for sender in senders
    ]
    pairs = [(sender, partners) for sender, partners in pairs if partners]
    found = ((i, code.invariants.get(place)) for i, place in enumerate(enumerate(places)))
    return Columns(
        alone=tuple(offers.alone),
        senders=tuple(sender for sender, _ in pairs),
        partners=tuple(partners for _, partners in pairs),
        invariants=tuple((i, number) for i, number in found if number is not None),
        urgent=offers.urgent,
    )


class Ready:
    """Which edges may be taken at one point: guard and procedure; each is looked at once."""

    def __init__(self, truth: Truth, known: Callable[[], Known]) -> None:
        self._truth, self._known = truth, known
        self._found: dict[int, bool] = {}
        self._numbers: Known | None = None

    def __call__(self, half: Half) -> bool:
        """Whether ``half`` may be taken, as far as it is concerned."""
        found = self._found.get(half.number)
        if found is None:
            found = self._truth(half.number) and self.allows(half)
            self._found[half.number] = found
        return found

    def allows(self, half: Half) -> bool:
        """Whether the procedure of an edge allows it; time does not change that."""
        if half.edge.procedure is None:
            return True
        if self._numbers is None:
            self._numbers = self._known()
        return half.edge.procedure.condition(self._numbers)

    def invariant(self, number: int) -> bool:
        """Whether an invariant holds."""
        return self._truth(number)


class NetworkFlow:
    """One visit to a location; remembers who rests, and which procedures forbid their edge."""

    def __init__(
        self,
        code: NetworkCode,
        watched: Columns,
        ready: Ready,
        point: PointAt,
        time: float,
        values: Array,
    ) -> None:
        self._code, self._columns, self._point = code, watched, point
        self._sides = code.sides(point(time, values))
        self._blocked = _numbers(
            {half.number for half in watched.halves() if not ready.allows(half)}
        )
        self._alone = _numbers(half.number for half in watched.alone)
        self._senders = _numbers(half.number for half in watched.senders)
        self._partners = _table(watched.partners, len(code.watches))
        self._invariants = _numbers(number for _, number in watched.invariants)
        start = self.sample(np.array([time]), values[None, :]).values[0]
        fires = np.fromiter(_fires(watched, ready), bool, watched.size)
        self._resting: NDArray[np.bool_] = (start <= 0) & ~fires

    @property
    def resting(self) -> NDArray[np.bool_]:
        """Signals at their boundary that the flow is about to leave to the inside."""
        return self._resting

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._code.rate(self._point(time, values))

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals and their rates."""
        shape = len(times), self._columns.size
        signals, rates = np.empty(shape), np.empty(shape)
        for i, (time, row) in enumerate(zip(times.tolist(), values, strict=True)):
            signals[i], rates[i] = self._watch(self._point(time, row))
        return Samples(signals, rates)

    def _watch(self, point: Point) -> tuple[Array, Array]:
        inside, rates = self._code.sample(point, self._sides)
        inside[self._blocked], rates[self._blocked] = -1.0, 0.0
        paired, paired_rates = self._paired(inside, rates)
        ends = (np.array([-1.0]), np.zeros(1)) if self._columns.urgent else (np.empty(0),) * 2
        kept = inside[self._invariants], rates[self._invariants]
        return (
            np.concatenate((-inside[self._alone], -paired, kept[0], ends[0])),
            np.concatenate((-rates[self._alone], -paired_rates, kept[1], ends[1])),
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
    for half in watched.alone:
        yield ready(half)
    for sender, partners in zip(watched.senders, watched.partners, strict=True):
        yield ready(sender) and any(map(ready, partners))
    for _, number in watched.invariants:
        yield not ready.invariant(number)
    if watched.urgent:
        yield True


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
