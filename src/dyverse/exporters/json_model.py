"""The automaton as plain data for JSON: formulas and terms as text in the model language.

Counts, Init, F and definitions are always there, the last three as the lines of the listing;
locations, nodes and edges only if the automaton is small.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from dyverse.automaton.interface import Assignment
from dyverse.bodies.world import World
from dyverse.exporters.listed.mechanics import definitions, flow, initial
from dyverse.exporters.listing import mode_names
from dyverse.expr.printing import formula_text, term_text
from dyverse.generation.skeleton.counts import counted, graph_name
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.skeleton.places import ForceNode
from dyverse.generation.skeleton.skeleton import RigidEdge, Skeleton

LIMIT = 2000

Json = str | int | bool | list["Json"] | dict[str, "Json"]


def json_model(skeleton: Skeleton, world: World, *, limit: int = LIMIT) -> dict[str, Json]:
    """The automaton of ``world`` as a dictionary; with more than ``limit`` edges, not in full."""
    size = counted(skeleton)
    whole = size.edges <= limit
    answer: dict[str, Json] = {
        "graph": graph_name(skeleton.graph),
        "rules": skeleton.rules,
        "contacts": list(skeleton.contacts),
        "variables": list(skeleton.variables),
        "init": _lines(initial(world)),
        "flow": _lines(flow(world)),
        "definitions": _lines(definitions(world)),
        "counts": asdict(size),
        "whole": whole,
    }
    return answer | _parts(skeleton) if whole else answer


def _lines(lines: Iterable[str]) -> Json:
    """Lines of a section without its heading."""
    return [line for line in lines if line.startswith(" ")]


def _parts(skeleton: Skeleton) -> dict[str, Json]:
    return {
        "locations": [_location(skeleton, location) for location in skeleton.locations()],
        "nodes": [_node(skeleton, node) for node in skeleton.nodes()],
        "edges": [_edge(edge) for edge in skeleton.edges()],
    }


def _location(skeleton: Skeleton, location: Modes) -> Json:
    return {
        "name": str(location),
        "modes": dict[str, Json](location.closed),
        "domain": formula_text(skeleton.domain(location)),
        "flow": list(mode_names(skeleton, location)),
    }


def _node(skeleton: Skeleton, node: ForceNode) -> Json:
    inner = [place for place in node.places() if place.place != "ex"]
    return {
        "name": node.name,
        "kind": node.kind,
        "contacts": list(node.contacts),
        "places": [place.place for place in node.places()],
        "edges": [_edge(edge) for place in inner for edge in skeleton.outgoing(place)],
    }


def _edge(edge: RigidEdge) -> Json:
    return {
        "source": str(edge.source),
        "target": str(edge.target),
        "rule": edge.rule,
        "action": edge.action,
        "guard": formula_text(edge.guard),
        "reset": [_assignment(assignment) for assignment in edge.reset],
    }


def _assignment(assignment: Assignment) -> Json:
    return {"target": assignment.target, "value": term_text(assignment.value)}
