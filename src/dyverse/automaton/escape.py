"""Runs that go on past the point where jumps pile up.

A ball that bounces lower and lower bounces infinitely often before it lies still. In a network this
is a place with a jump back to itself; here it gets an escape: two jumps within a short time lead
to a place of rest, where nothing that the component drives moves any more.
"""

from __future__ import annotations

from dataclasses import replace

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Component, NetworkEdge, Place, Variable
from dyverse.automaton.network.network import Network
from dyverse.expr.formula import both, compare
from dyverse.expr.term import Number

SINCE = "since"
REST = "rest"


def with_escapes(network: Network, *, within: float = 1e-3) -> Network:
    """The same network, where jumps closer than ``within`` (s) end in a place of rest."""
    changed = [_escaping(component, within) for component in network.components]
    clocks = [
        Variable(_since(new), "clock", 2 * within)
        for new, old in zip(changed, network.components, strict=True)
        if new is not old
    ]
    return replace(network, components=tuple(changed), shared=(*network.shared, *clocks))


def _since(component: Component) -> str:
    return f"{component.name}.{SINCE}"


def _escaping(component: Component, within: float) -> Component:
    loops = [edge for edge in component.edges if _accumulates(edge, component)]
    if not loops:
        return component
    places = {place.name: place for place in component.places}
    sources = dict.fromkeys(edge.source for edge in loops)
    names = {source: _fresh(f"{source}_{REST}", places) for source in sources}
    resting = tuple(_rest(places[source], names[source]) for source in sources)
    edges = [new for e in component.edges for new in _edges(e, loops, names, component, within)]
    leaving = [
        replace(edge, source=names[edge.source])
        for edge in component.edges
        if edge.source in names and edge not in loops
    ]
    return replace(component, places=(*component.places, *resting), edges=(*edges, *leaving))


def _accumulates(edge: NetworkEdge, component: Component) -> bool:
    """Whether it leads back to where it came from, and changes what moves there."""
    if edge.source != edge.target:
        return False
    place = next(place for place in component.places if place.name == edge.source)
    return bool({rate.target for rate in place.rates} & set(edge.writes))


def _fresh(name: str, taken: dict[str, Place]) -> str:
    while name in taken:
        name += "_"
    return name


def _rest(place: Place, name: str) -> Place:
    still = tuple(Assignment(rate.target, Number(0.0)) for rate in place.rates)
    return replace(place, name=name, rates=still)


def _edges(
    edge: NetworkEdge,
    loops: list[NetworkEdge],
    names: dict[str, str],
    component: Component,
    within: float,
) -> list[NetworkEdge]:
    clock = _since(component)
    again = Assignment(clock, Number(0.0))
    if edge not in loops:
        apart = Assignment(clock, Number(2 * within))
        return [replace(edge, reset=(*edge.reset, apart)) if edge.target in names else edge]
    jump = replace(
        edge,
        guard=both(edge.guard, compare(clock, ">=", within)),
        reset=(*edge.reset, again),
    )
    rest = replace(
        edge,
        target=names[edge.source],
        guard=both(edge.guard, compare(clock, "<", within)),
        reset=(),
        procedure=None,
    )
    return [jump, rest]
