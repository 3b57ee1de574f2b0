"""The automaton as a Graphviz drawing: locations as ovals, computation nodes as boxes.

With ``inside`` each computation node is a cluster with its places and the edges between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.errors import ExportError
from dyverse.expr.printing import formula_text
from dyverse.generation.counts import counted
from dyverse.generation.location import Node, RigidLocation
from dyverse.generation.node import ForceNode
from dyverse.generation.skeleton import RigidEdge, Skeleton

LIMIT = 5000


def dot(
    skeleton: Skeleton, *, inside: bool = False, guards: bool = False, limit: int = LIMIT
) -> str:
    """The drawing as DOT text; ``guards`` writes them on the edges."""
    edges = counted(skeleton).edges
    if edges > limit:
        raise ExportError(
            f"the automaton has {edges} edges, too many to draw (limit {limit}); "
            "export a listing, or raise the limit"
        )
    return "\n".join(dot_lines(skeleton, inside=inside, guards=guards)) + "\n"


def dot_lines(skeleton: Skeleton, *, inside: bool = False, guards: bool = False) -> Iterator[str]:
    """The lines of the drawing, made one by one."""
    yield "digraph automaton {"
    yield "  rankdir=LR;"
    for location in skeleton.locations():
        yield f"  {quoted(str(location))} [shape=ellipse];"
    for number, node in enumerate(skeleton.nodes()):
        yield from _cluster(skeleton, node, number, guards) if inside else _box(node)
    for edge in skeleton.edges():
        yield "  " + _arrow(edge, inside=inside, guards=guards)
    yield "}"


def _box(node: ForceNode) -> Iterator[str]:
    yield f"  {quoted(node.name)} [shape=box];"


def _cluster(skeleton: Skeleton, node: ForceNode, number: int, guards: bool) -> Iterator[str]:
    yield f"  subgraph cluster_{number} {{"
    yield f"    label={quoted(node.name)};"
    for place in node.places():
        yield f"    {quoted(str(place))} [shape=box, label={quoted(place.place)}];"
    for place in node.places():
        if place.place != "ex":
            for edge in skeleton.outgoing(place):
                yield "    " + _arrow(edge, inside=True, guards=guards)
    yield "  }"


def _arrow(edge: RigidEdge, *, inside: bool, guards: bool) -> str:
    label = formula_text(edge.guard) if guards else edge.rule
    ends = f"{_end(edge.source, inside)} -> {_end(edge.target, inside)}"
    return f"{ends} [label={quoted(label)}];"


def _end(location: RigidLocation, inside: bool) -> str:
    whole = isinstance(location, Node) and not inside
    return quoted(location.name if whole and isinstance(location, Node) else str(location))


def quoted(text: str) -> str:
    """``text`` as a DOT string: in double quotes, with quotes and backslashes escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
