"""From a world to its skeleton: what the contact combination graph may know of the geometry."""

from __future__ import annotations

from dyverse.bodies.scene import Ball, PlacedBody, Scene, Wall
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.world import Body, World
from dyverse.contact.geometry import Ball as SolidBall
from dyverse.contact.geometry import Geometry, Plane, Solid
from dyverse.contact.graph import CompleteGraph, ContactGraph, FeasibleGraph
from dyverse.expr.term import Term, symbols
from dyverse.generation.counts import GraphName
from dyverse.generation.dynamics import is_smooth
from dyverse.generation.rules import RuleSet
from dyverse.generation.skeleton import Skeleton


def skeleton_of(
    world: World, scene: Scene, *, rules: RuleSet, graph: GraphName = "complete"
) -> Skeleton:
    """The symbolic half of a scene's automaton over one of the contact combination graphs."""
    contacts = tuple(pair.name for pair in scene.contacts)
    moving = tuple(body.name for body in scene.bodies if not body.fixed)
    smooth = tuple(pair.name for pair in scene.contacts if is_smooth(pair.friction))
    joined: ContactGraph = CompleteGraph(contacts)
    if graph == "feasible":
        joined = FeasibleGraph(contacts, geometry(world, scene))
    return Skeleton(contacts, joined, rules, moving, smooth)


def geometry(world: World, scene: Scene) -> Geometry:
    """The solids of a scene; a number that depends on an uncertain parameter is not certain."""
    loose = _uncertain(world)
    return Geometry(
        tuple(
            (placed.name, _solid(placed, not _uses(body, loose)))
            for placed, body in zip(scene.bodies, world.bodies, strict=True)
        )
    )


def _uncertain(world: World) -> set[str]:
    """Parameters with a range, and those that are defined by them."""
    loose = {p.name for p in world.parameters if p.limits is not None}
    for _ in world.parameters:
        loose |= {p.name for p in world.parameters if _mentions(p.value, loose)}
    return loose


def _mentions(term: Term, names: set[str]) -> bool:
    return any(symbol.name in names for symbol in symbols(term))


def _uses(body: Body, names: set[str]) -> bool:
    match body.shape:
        case Sphere(radius=radius):
            return _mentions(radius, names)
        case HalfSpace(normal=normal):
            return any(_mentions(term, names) for term in (*normal, *body.position))


def _solid(body: PlacedBody, certain: bool) -> Solid:
    match body.shape:
        case Ball(radius=radius):
            return SolidBall(radius, certain)
        case Wall(normal=normal):
            return Plane(normal, body.position, certain)
