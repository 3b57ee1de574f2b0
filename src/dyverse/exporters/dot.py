"""The automaton as a Graphviz drawing: locations as ovals, computation nodes as boxes.

With ``inside`` each computation node is a cluster with its places and the edges between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.dot import arrow, cluster, digraph, node
from dyverse.errors import ExportError
from dyverse.expr.printing import formula_text
from dyverse.generation.skeleton.counts import counted
from dyverse.generation.skeleton.location import Node, RigidLocation
from dyverse.generation.skeleton.places import ForceNode
from dyverse.generation.skeleton.skeleton import RigidEdge, Skeleton

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
    return digraph("automaton", _parts(skeleton, inside, guards))


def _parts(skeleton: Skeleton, inside: bool, guards: bool) -> Iterator[str]:
    for location in skeleton.locations():
        yield node(str(location), "ellipse")
    for number, force in enumerate(skeleton.nodes()):
        if inside:
            yield from cluster(number, force.name, _places(skeleton, force, guards))
        else:
            yield node(force.name, "box")
    for edge in skeleton.edges():
        yield _arrow(edge, inside=inside, guards=guards)


def _places(skeleton: Skeleton, force: ForceNode, guards: bool) -> Iterator[str]:
    for place in force.places():
        yield node(str(place), "box", label=place.place)
    for place in force.places():
        if place.place != "ex":
            for edge in skeleton.outgoing(place):
                yield _arrow(edge, inside=True, guards=guards)


def _arrow(edge: RigidEdge, *, inside: bool, guards: bool) -> str:
    label = formula_text(edge.guard) if guards else edge.rule
    return arrow(_end(edge.source, inside), _end(edge.target, inside), label)


def _end(location: RigidLocation, inside: bool) -> str:
    return location.name if isinstance(location, Node) and not inside else str(location)
