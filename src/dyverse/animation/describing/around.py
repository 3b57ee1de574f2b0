"""The surroundings of a location: where the next edges lead. Large automata are explored so.

For bodies the computation nodes in between are left out: an edge leads to where their exits do.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from dyverse.animation.asked import Refused
from dyverse.animation.parts import Parts
from dyverse.animation.said import Json
from dyverse.automaton.interface import Location
from dyverse.automaton.network.component import Component
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.skeleton.location import EXIT, MODES, Mode, Modes, Node

MOST = 16  # neighbours that are told
EXITS = 4  # of one computation node
Link = tuple[Modes, str]  # to where, by what


def around(parts: Parts, component: str, location: str | None, now: Location) -> dict[str, Json]:
    """What is next to ``location`` of a component, or to where it is ``now``."""
    lanes = parts.lanes(now)
    if component == "bodies" and parts.rigid is not None:
        names = parts.rigid.contacts
        closed = {name: lanes[name] for name in names if name in lanes}
        here = _modes(parts.rigid, closed if location is None else _read(location))
        return _of_bodies(parts.rigid, here)
    found = next((item for item in parts.components if item.name == component), None)
    if found is None:
        raise Refused(f"there is no component {component!r}")
    return _of_automaton(found, lanes[component] if location is None else location)


def _of_automaton(item: Component, here: str) -> dict[str, Json]:
    if here not in {place.name for place in item.places}:
        raise Refused(f"{item.name!r} has no location {here!r}")
    touching = [edge for edge in item.edges if here in (edge.source, edge.target)]
    touching.sort(key=lambda edge: edge.source != here)  # those that leave come first
    near = dict.fromkeys([here, *(end for edge in touching for end in (edge.source, edge.target))])
    names = [*near][: MOST + 1]
    edges: list[Json] = [
        {"source": edge.source, "target": edge.target, "label": str(edge.action or edge.name or "")}
        for edge in touching
        if edge.source in names and edge.target in names
    ]
    nodes: list[Json] = [{"id": name, "location": name, "closed": []} for name in names]
    return {"nodes": nodes, "edges": edges, "current": here}


def _of_bodies(rigid: RigidBodyAutomaton, here: Modes) -> dict[str, Json]:
    links: dict[Modes, str] = {}
    for target, label in islice(_links(rigid, here), MOST * EXITS):
        if target != here:
            links.setdefault(target, label)
    near = [*islice(links.items(), MOST)]
    edges: list[Json] = [
        {"source": str(here), "target": str(target), "label": label} for target, label in near
    ]
    nodes: list[Json] = [_node(location) for location in (here, *(target for target, _ in near))]
    return {"nodes": nodes, "edges": edges, "current": str(here)}


def _node(location: Modes) -> Json:
    closed: list[Json] = [{"contact": name, "mode": mode} for name, mode in location.closed]
    return {"id": str(location), "location": str(location), "closed": closed}


def _links(rigid: RigidBodyAutomaton, here: Modes) -> Iterator[Link]:
    """The dynamical locations next to ``here``, and the node on the way, if there is one."""
    for edge in rigid.outgoing(here):
        match edge.target:
            case Modes() as target:
                yield target, edge.action
            case Node() as node:
                ends = islice(_exits(rigid, node, frozenset()), EXITS)
                yield from ((target, node.name) for target in ends)


def _exits(rigid: RigidBodyAutomaton, node: Node, before: frozenset[Node]) -> Iterator[Modes]:
    """Where a node leads, perhaps through others: an impact may leave contacts to be solved."""
    last = Node(node.kind, node.contacts, EXIT)
    if last in before:
        return
    for edge in rigid.outgoing(last):
        match edge.target:
            case Modes() as target:
                yield target
            case Node() as further:
                yield from _exits(rigid, further, before | {last})


def _read(text: str) -> dict[str, str]:
    """The mode of each closed contact, from what pages call a location."""
    inside = text.removeprefix("{").removesuffix("}")
    pairs = (part.rpartition(": ") for part in inside.split(", ") if part)
    return {contact: mode for contact, _, mode in pairs}


def _modes(rigid: RigidBodyAutomaton, closed: dict[str, str]) -> Modes:
    modes: dict[str, Mode] = {mode: mode for mode in MODES}
    if unknown := [name for name, mode in closed.items() if mode not in modes]:
        raise Refused(f"{unknown[0]!r} is in no mode")
    if not closed.keys() <= frozenset(rigid.contacts):
        raise Refused("there is no such location")
    return Modes(tuple((name, modes[closed[name]]) for name in rigid.contacts if name in closed))
