"""What an automaton is made of: the one place that asks which kind of automaton it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.network import Network
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton


class Parts(NamedTuple):
    """Bodies, automata side by side, or both; or one automaton that was written by hand."""

    bodies: RigidBodyAutomaton | None = None
    network: Network | None = None
    written: WrittenAutomaton | None = None
    coupled: CoupledAutomaton | None = None  # of which the bodies and the network are parts

    @property
    def only_bodies(self) -> RigidBodyAutomaton | None:
        """The bodies, if there is nothing else."""
        return self.bodies if self.network is None else None

    @property
    def only_network(self) -> Network | None:
        """The automata side by side, if there is nothing else."""
        return self.network if self.bodies is None else None

    @property
    def only_automata(self) -> WrittenAutomaton | Network | None:
        """What was written by hand, if there is nothing else."""
        return self.written or self.only_network

    @property
    def is_coupled(self) -> bool:
        """Whether bodies and automata run together."""
        return self.coupled is not None

    def places(self) -> Iterator[tuple[str, str]]:
        """The places of each automaton, with its name."""
        if self.network is not None:
            for item in self.network.components:
                yield from ((item.name, place.name) for place in item.places)
        if self.written is not None:
            yield from ((self.written.name, place.name) for place in self.written.locations)


def parts_of(automaton: HybridAutomaton) -> Parts:
    """The parts of ``automaton``; none are known of one that someone else has defined."""
    match automaton:
        case RigidBodyAutomaton():
            return Parts(bodies=automaton)
        case CoupledAutomaton(rigid=rigid, network=network):
            return Parts(bodies=rigid, network=network, coupled=automaton)
        case Network():
            return Parts(network=automaton)
        case WrittenAutomaton():
            return Parts(written=automaton)
        case _:
            return Parts()


def most_jumps(automaton: HybridAutomaton, most: int) -> int:
    """How many jumps one instant may have: at least ten for each component of a network."""
    network = parts_of(automaton).only_network
    return most if network is None else max(most, 10 * len(network.components))


def is_weighted(automaton: HybridAutomaton) -> bool:
    """Whether some edges are to be drawn more often than others."""
    network = parts_of(automaton).only_network
    return network is not None and network.is_weighted
