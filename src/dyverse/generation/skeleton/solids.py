"""From a world to its skeleton: what the contact combination graph may know of the geometry."""

from __future__ import annotations

from dyverse.bodies.pairs import leaders
from dyverse.bodies.placed import Scene
from dyverse.bodies.world import Body, World
from dyverse.contact.geometry import Geometry
from dyverse.contact.graph import CompleteGraph, FeasibleGraph
from dyverse.contact.tied import tied
from dyverse.expr.term import Term, symbols
from dyverse.generation.skeleton.counts import GraphName
from dyverse.generation.skeleton.rules import RuleSet
from dyverse.generation.skeleton.skeleton import Skeleton
from dyverse.mechanics.dynamics import is_smooth


def skeleton_of(
    world: World, scene: Scene, *, rules: RuleSet, graph: GraphName = "complete"
) -> Skeleton:
    """The symbolic half of a scene's automaton over one of the contact combination graphs."""
    contacts = tuple(pair.name for pair in scene.contacts)
    moving = tuple(body.name for body in scene.moving)
    motions = tuple(body.motion for body in scene.moving)
    smooth = tuple(pair.name for pair in scene.contacts if is_smooth(pair.friction))
    leader = {name: contacts[k] for name, k in zip(contacts, leaders(scene.contacts), strict=True)}
    leading = tuple(dict.fromkeys(leader.values()))
    joined: CompleteGraph | FeasibleGraph = CompleteGraph(leading)
    if graph == "feasible":
        joined = FeasibleGraph(leading, geometry(world, scene))
    return Skeleton(contacts, tied(joined, leader), rules, moving, smooth, motions)


def geometry(world: World, scene: Scene) -> Geometry:
    """The solids of a scene; a number that depends on an uncertain parameter is not certain."""
    loose = _uncertain(world)
    found = (
        (placed.name, placed.shape.solid(placed.position, certain=_is_certain(body, loose)))
        for placed, body in zip(scene.bodies, world.bodies, strict=True)
    )
    return Geometry(tuple((name, solid) for name, solid in found if solid is not None))


def _uncertain(world: World) -> set[str]:
    """Parameters with a range, and those that are defined by them."""
    loose = {p.name for p in world.parameters if p.limits is not None}
    for _ in world.parameters:
        loose |= {p.name for p in world.parameters if _mentions(p.value, loose)}
    return loose


def _mentions(term: Term, names: set[str]) -> bool:
    return any(symbol.name in names for symbol in symbols(term))


def _is_certain(body: Body, loose: set[str]) -> bool:
    return not body.is_driven and not _uses(body, loose)


def _uses(body: Body, names: set[str]) -> bool:
    """Whether the shape of a body depends on them, or where it is for ever."""
    place = body.position if body.shape.never_moves else ()
    return any(_mentions(term, names) for term in (*body.shape.numbers, *place))
