"""Which jumps a network can make: internal edges, handshakes and broadcasts.

In come the components' places and the edges whose guards hold; out go the joint jumps, after the
rules for committed places and priorities. Nothing is listed but what leaves the present places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, product
from math import prod

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Channel, Component, NetworkEdge, Place
from dyverse.expr.formula import Formula, both

KEPT = 4096  # locations whose edges are remembered
Holds = Callable[["Half"], bool]
Lands = Callable[["Move"], bool]


class Places(tuple[str, ...]):
    """A location of a network: the place of each component, in order."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(self)

    def moved(self, halves: Iterable[Half]) -> Places:
        """The places after the edges ``halves``."""
        places = list(self)
        for half in halves:
            places[half.component] = half.edge.target
        return Places(places)


@dataclass(frozen=True, slots=True)
class Half:
    """One component's edge; ``number`` is its place among all edges of the network."""

    component: int
    number: int
    edge: NetworkEdge


@dataclass(frozen=True, slots=True)
class Move:
    """A jump of the network: one edge, or a sending edge followed by those that receive."""

    source: Places
    target: Places
    halves: tuple[Half, ...]

    @property
    def guard(self) -> Formula:
        """Where all its edges are allowed, but for the conditions of procedures."""
        return both(*(half.edge.guard for half in self.halves))

    @property
    def reset(self) -> tuple[Assignment, ...]:
        """What it assigns, but for procedures."""
        return tuple(chain.from_iterable(half.edge.reset for half in self.halves))

    @property
    def action(self) -> str:
        """What it is called: its channel, or the name of its edge."""
        edges = [half.edge for half in self.halves]
        return next((edge.action.channel if edge.action else edge.name for edge in edges), "")

    @property
    def weight(self) -> float:
        """How often a draw chooses it, against others."""
        return prod(half.edge.weight for half in self.halves)

    @property
    def components(self) -> tuple[int, ...]:
        """Who takes part, the sender first."""
        return tuple(half.component for half in self.halves)


@dataclass(slots=True)
class Offers:
    """The edges that leave the present places, by what they need."""

    alone: list[Half] = field(default_factory=list)  # internal edges and broadcasts
    senders: dict[str, list[Half]] = field(default_factory=dict)  # of handshakes
    receivers: dict[str, list[Half]] = field(default_factory=dict)  # of all channels
    committed: frozenset[int] = frozenset()
    urgent: tuple[int, ...] = ()  # components in whose place no time passes


class Moves:
    """The edges of some components, ready to be asked for."""

    def __init__(self, components: tuple[Component, ...], channels: tuple[Channel, ...]) -> None:
        self._components = components
        self._channels = {channel.name: channel for channel in channels}
        self.halves = tuple(_halves(components))
        self._leaving: dict[tuple[int, str], list[Half]] = {}
        for half in self.halves:
            self._leaving.setdefault((half.component, half.edge.source), []).append(half)
        self._places = [{place.name: place for place in item.places} for item in components]
        self._offers: dict[Places, Offers] = {}

    def channel(self, name: str) -> Channel:
        """The channel of that name; one that is not declared is for plain handshakes."""
        return self._channels.get(name) or Channel(name)

    def place(self, component: int, name: str) -> Place:
        """A place of a component."""
        return self._places[component][name]

    def offers(self, places: Places) -> Offers:
        """The edges that leave ``places``."""
        found = self._offers.get(places)
        if found is None:
            if len(self._offers) >= KEPT:
                self._offers.clear()
            found = self._offers[places] = self._gather(places)
        return found

    def _gather(self, places: Places) -> Offers:
        found = Offers()
        for half in self.leaving(places):
            self._file(half, found)
        marked = [(i, self.place(i, name)) for i, name in enumerate(places)]
        found.committed = frozenset(i for i, place in marked if place.committed)
        found.urgent = tuple(i for i, place in marked if place.committed or place.urgent)
        return found

    def _file(self, half: Half, found: Offers) -> None:
        action = half.edge.action
        if action is not None and not action.sends:
            found.receivers.setdefault(action.channel, []).append(half)
        elif action is None or self.channel(action.channel).broadcast:
            found.alone.append(half)
        else:
            found.senders.setdefault(action.channel, []).append(half)

    def leaving(self, places: Places) -> Iterator[Half]:
        """Every edge that leaves ``places``."""
        for item in enumerate(places):
            yield from self._leaving.get(item, ())

    def hurried(self, places: Places, holds: Holds) -> bool:
        """Whether a jump that may be taken is urgent, by its edges or by its channel."""
        return any(map(self.is_urgent, chain(*(m.halves for m in self.possible(places, holds)))))

    def is_urgent(self, half: Half) -> bool:
        """Whether no time passes while this edge can be taken."""
        action = half.edge.action
        return half.edge.urgent or (action is not None and self.channel(action.channel).urgent)

    def ready(self, places: Places, holds: Holds, lands: Lands | None = None) -> tuple[Move, ...]:
        """The jumps that may be taken where ``holds`` says which edges may; in one fixed order.

        Jumps that do not land where they may (`dyverse.automaton.network.landing`) are none.
        """
        possible = self.possible(places, holds)
        found = list(possible if lands is None else filter(lands, possible))
        committed = self.offers(places).committed
        if committed:
            found = [move for move in found if committed.intersection(move.components)]
        if len(found) > 1:
            ranks = [self._rank(move) for move in found]
            highest = max(ranks)
            found = [move for move, rank in zip(found, ranks, strict=True) if rank == highest]
            found.sort(key=lambda move: [half.number for half in move.halves])
        return tuple(found)

    def possible(self, places: Places, holds: Holds) -> Iterator[Move]:
        """The same without the rules for committed places and priorities."""
        offers = self.offers(places)
        for half in offers.alone:
            if holds(half):
                yield from self._alone(places, half, offers, holds)
        for name, senders in offers.senders.items():
            receivers = [half for half in offers.receivers.get(name, ()) if holds(half)]
            for sender in senders if receivers else ():
                if holds(sender):
                    for receiver in receivers:
                        if receiver.component != sender.component:
                            yield _move(places, (sender, receiver))

    def _alone(self, places: Places, half: Half, offers: Offers, holds: Holds) -> Iterator[Move]:
        """An internal edge, or a broadcast with one edge of each component that is ready."""
        ready = [list(filter(holds, edges)) for edges in self._listeners(half, offers)]
        for choice in product(*filter(None, ready)):
            yield _move(places, (half, *choice))

    def _listeners(self, half: Half, offers: Offers) -> Iterable[list[Half]]:
        """The receiving edges of each other component that listens to a broadcast."""
        listening: dict[int, list[Half]] = {}
        for other in offers.receivers.get(half.edge.action.channel, ()) if half.edge.action else ():
            if other.component != half.component:
                listening.setdefault(other.component, []).append(other)
        return listening.values()

    def move(self, places: Places, numbers: Iterable[int]) -> Move:
        """The jump of the edges of these numbers."""
        return _move(places, tuple(self.halves[number] for number in numbers))

    def heard(self, places: Places, channel: str, holds: Holds) -> tuple[Move, ...]:
        """What happens when ``channel`` is sent from outside: whoever is ready takes part."""
        listening: dict[int, list[Half]] = {}
        for half in self.offers(places).receivers.get(channel, ()):
            if holds(half):
                listening.setdefault(half.component, []).append(half)
        return tuple(_move(places, choice) for choice in product(*listening.values()))

    def called(self, places: Places, channel: str, holds: Holds) -> tuple[Move, ...]:
        """The same as a channel of its kind has it: of a handshake one component takes part.

        It may be one that waits to send: then what is outside hears it.
        """
        if self.channel(channel).broadcast:
            return self.heard(places, channel, holds)
        offers = self.offers(places)
        halves = (*offers.receivers.get(channel, ()), *offers.senders.get(channel, ()))
        return tuple(_move(places, (half,)) for half in halves if holds(half))

    def _rank(self, move: Move) -> tuple[int, int]:
        first = move.halves[0].edge.action
        own = max(h.edge.priority + self._components[h.component].priority for h in move.halves)
        return (self.channel(first.channel).priority if first else 0, own)

    def listed(self, places: Places) -> Iterator[Move]:
        """All jumps that leave ``places``, wherever; of a broadcast, with any set of receivers."""
        offers = self.offers(places)
        for half in offers.alone:
            for choice in product(*([None, *edges] for edges in self._listeners(half, offers))):
                yield _move(places, (half, *filter(None, choice)))
        for name, senders in offers.senders.items():
            for sender, receiver in product(senders, offers.receivers.get(name, ())):
                if sender.component != receiver.component:
                    yield _move(places, (sender, receiver))


def _halves(components: tuple[Component, ...]) -> Iterator[Half]:
    edges = ((i, edge) for i, item in enumerate(components) for edge in item.edges)
    for number, (component, edge) in enumerate(edges):
        yield Half(component, number, edge)


def _move(places: Places, halves: tuple[Half, ...]) -> Move:
    return Move(places, places.moved(halves), halves)
