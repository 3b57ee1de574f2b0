"""An automaton as the page shows it: bodies, if there are any, and components side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dyverse.automaton.interface import Edge, HybridAutomaton, Location, State
from dyverse.automaton.network.component import Channel, Component, NetworkEdge, Place
from dyverse.automaton.network.moves import Move, Places
from dyverse.automaton.node import NodePlace
from dyverse.automaton.written.written import WrittenAutomaton, WrittenEdge
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.jumps import Joint, JointEdge
from dyverse.generation.parts import parts_of as made_of
from dyverse.generation.skeleton.location import Modes

Lanes = dict[str, str]  # the mode of each closed contact, the place of each component
OPEN = "open"


@dataclass(frozen=True, eq=False)  # without slots: some things are found once
class Parts:
    """What an automaton is made of."""

    rigid: RigidBodyAutomaton | None
    components: tuple[Component, ...]
    channels: tuple[Channel, ...] = ()
    coupled: CoupledAutomaton | None = None  # of which the bodies are a part

    def bodies(self, state: State) -> State | None:
        """What a state says of the bodies, with what automata do to them."""
        if self.coupled is None:
            return None if self.rigid is None else state
        self.coupled.drive(state)
        return self.coupled.bodies(state)

    @cached_property
    def watched(self) -> Mapping[str, tuple[str, int]]:
        """The edge behind each watched signal of a guard: its component, and its number there."""
        found: dict[str, tuple[str, int]] = {}
        for item in self.components:
            for number, edge in enumerate(item.edges):
                channel = f"{edge.action.channel}," if edge.action else ""
                ends = f"{edge.source},{edge.target}"
                word = "sync" if channel else "guard"
                found.setdefault(f"{word}[{channel}{item.name},{ends}]", (item.name, number))
                count = sum(f"{e.source},{e.target}" == ends for e in item.edges[:number])
                again = f",{count + 1}" if count else ""
                found.setdefault(f"guard[{ends}{again}]", (item.name, number))  # of one alone
        return found

    def lanes(self, location: Location) -> Lanes:
        """What is said of ``location``: contacts that are closed, and all components."""
        bodies, places = _split(location)
        names = (item.name for item in self.components)
        closed = bodies.closed if isinstance(bodies, Modes) else ()
        return dict(closed) | dict(zip(names, places, strict=True))

    def taken(self, edge: Edge) -> Iterator[tuple[str, int]]:
        """The components that ``edge`` moves, the sender first, and by which of their edges."""
        part = edge.part if isinstance(edge, JointEdge) else edge
        if isinstance(part, Move):
            for half in part.halves:
                before = sum(len(item.edges) for item in self.components[: half.component])
                yield self.components[half.component].name, half.number - before
        elif isinstance(part, WrittenEdge):
            (component,) = self.components
            ends = str(part.source), str(part.target)
            for number, other in enumerate(component.edges):
                same = other.guard == part.guard and other.reset == part.reset
                if (other.source, other.target) == ends and same:
                    yield component.name, number
                    return


def parts_of(automaton: HybridAutomaton) -> Parts:
    """The parts of ``automaton``."""
    found = made_of(automaton)
    components = () if found.network is None else found.network.components
    if found.written is not None:
        components = (_component(found.written),)
    channels = () if found.network is None else found.network.channels
    return Parts(found.bodies, components, channels, found.coupled)


def _split(location: Location) -> tuple[object, tuple[str, ...]]:
    """Where the bodies are, and where each component is."""
    match location:
        case Joint():
            return location.bodies, location.places
        case Places():
            return None, location
        case str():
            return None, (location,)
        case NodePlace():
            return None, (location.node,)
        case _:
            return location, ()


def _component(written: WrittenAutomaton) -> Component:
    """A hand-written automaton as a component; its computation nodes are places too."""
    nodes = tuple(Place(name=node.name, urgent=True) for node in written.nodes)
    places = (
        Place(name=item.name, rates=item.rates, invariant=item.invariant)
        for item in written.locations
    )
    edges = (
        NetworkEdge(
            source=str(edge.source),
            target=str(edge.target),
            guard=edge.guard,
            reset=edge.reset,
            name=edge.action,
        )
        for edge in written.edges
    )
    return Component(
        name=written.name,
        places=(*places, *nodes),
        edges=tuple(edges),
        initial=written.initial.location,
    )
