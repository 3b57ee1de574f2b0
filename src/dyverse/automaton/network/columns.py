"""What is watched in one location of a network, signal by signal.

One signal belongs to each internal edge, one to each sender of a handshake (with its best partner),
one to each invariant, and one, never positive, to places that are urgent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.network.code import NetworkCode
from dyverse.automaton.network.component import Component
from dyverse.automaton.network.moves import Half, Moves, Places

HURRIED = "urgent[synchronisation]"  # the signal where a jump is ready and time must not pass


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What is watched in one location, in this order; numbers are those of the watched formulas."""

    alone: tuple[Half, ...]  # internal edges and broadcasts
    senders: tuple[Half, ...]  # of handshakes with a partner in sight
    partners: tuple[tuple[Half, ...], ...]  # receiving edges of other components, per sender
    heard: tuple[Half, ...]  # receiving edges by themselves, while edges are left alone
    invariants: tuple[tuple[int, int], ...]  # component, number
    urgent: tuple[int, ...]  # components in whose place no time passes
    hurried: bool = False  # whether an urgent jump could be made, if its target let it

    @property
    def size(self) -> int:
        """How many signals there are."""
        return self._guards + len(self.invariants) + self.is_urgent

    @property
    def is_urgent(self) -> bool:
        """Whether no time passes."""
        return bool(self.urgent) or self.hurried

    @property
    def guards(self) -> NDArray[np.bool_]:
        """Which of them are those of guards."""
        return np.arange(self.size) < self._guards

    @property
    def _guards(self) -> int:
        return len(self.alone) + len(self.senders) + len(self.heard)

    def halves(self) -> Iterator[Half]:
        """Every edge that is watched, some more than once."""
        yield from self.alone
        yield from self.senders
        yield from self.heard
        for partners in self.partners:
            yield from partners

    def names(self, components: tuple[Component, ...], places: Places) -> Iterator[str]:
        """``guard[ball,fall,fall]``, ``sync[hit,ball,fall,fall]``, ``invariant[ball,fall]``."""
        for half in (*self.alone, *self.senders, *self.heard):
            channel = f"{half.edge.action.channel}," if half.edge.action else ""
            ends = f"{half.edge.source},{half.edge.target}"
            word = "sync" if channel else "guard"
            yield f"{word}[{channel}{components[half.component].name},{ends}]"
        for component, _ in self.invariants:
            yield f"invariant[{components[component].name},{places[component]}]"
        if self.urgent:
            where = ",".join(f"{components[i].name},{places[i]}" for i in self.urgent)
            yield f"urgent[{where}]"
        elif self.hurried:
            yield HURRIED


def columns(
    moves: Moves,
    code: NetworkCode,
    places: Places,
    *,
    waiting: bool = False,
    hurried: bool = False,
) -> Columns:
    """What is watched in ``places``; receiving edges by themselves only while edges wait.

    Where a jump is ``hurried``, no time passes.
    """
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
        heard=tuple(chain.from_iterable(offers.receivers.values())) if waiting else (),
        invariants=tuple((i, number) for i, number in found if number is not None),
        urgent=offers.urgent,
        hurried=hurried,
    )
