"""Receivers of broadcasts for a checker that lets them have no guards.

TChecker takes along whoever has an edge, so it refuses guards there. A component that listens with
guards is made to take part always: where none of its guards holds, by a jump that changes nothing.
While it is in a committed place this lets others send who could not, which only adds behaviour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dyverse.automaton.guard.robustness import normal
from dyverse.automaton.network.component import Action, Component, NetworkEdge
from dyverse.automaton.network.network import Network
from dyverse.expr.formula import FALSE, TRUE, Not, either

Listener = tuple[str, str]  # a component and a channel


def attentive(network: Network) -> tuple[Network, frozenset[Listener]]:
    """The network, and who takes part in every broadcast on which channel."""
    found = frozenset(
        (item.name, edge.action.channel)
        for item in network.components
        for edge in item.edges
        if _listens(network, edge) and edge.action and normal(edge.guard) != TRUE
    )
    components = tuple(_attentive(item, found) for item in network.components)
    return replace(network, components=components), found


def _listens(network: Network, edge: NetworkEdge) -> bool:
    action = edge.action
    return action is not None and not action.sends and _is_broadcast(network, action)


def _is_broadcast(network: Network, action: Action) -> bool:
    return network.moves.channel(action.channel).broadcast


def _attentive(item: Component, found: frozenset[Listener]) -> Component:
    channels = [channel for name, channel in sorted(found) if name == item.name]
    return replace(item, edges=(*item.edges, *_ignoring(item, channels)))


def _ignoring(item: Component, channels: list[str]) -> Iterator[NetworkEdge]:
    for channel in channels:
        hears = Action(channel, False)
        for place in (p.name for p in item.places):
            guards = [e.guard for e in item.edges if e.source == place and e.action == hears]
            rest = normal(Not(either(*guards))) if guards else TRUE
            if rest != FALSE:
                yield NetworkEdge(source=place, target=place, guard=rest, action=hears)
