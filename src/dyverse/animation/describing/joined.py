"""Joints as the page is told of them: what they hold, and along which axis."""

from __future__ import annotations

from dyverse.animation.said import Json
from dyverse.bodies.joint.joint import PlacedJoint
from dyverse.bodies.placed import PlacedBody, Scene
from dyverse.bodies.shape.interface import Triple
from dyverse.expr.rotation import matrix, times


def joints_told(scene: Scene) -> list[Json]:
    """All joints of a scene that can be seen; a stop is a formula."""
    seen = (joint for joint in scene.joints if joint.joint.kind.word != "stop")
    return [_joint(joint, scene) for joint in seen]


def _joint(placed: PlacedJoint, scene: Scene) -> Json:
    """One of them. What is held by a body that moves is told in the axes of that body."""
    joint, fitting = placed.joint, placed.fitting
    first = _moving(scene, joint.a)
    second = _moving(scene, joint.b) if isinstance(joint.b, str) else None
    sides = zip((joint.a, joint.b), (first, second), fitting.anchors, strict=True)
    ends: Json = [
        {"body": None if body is None else body.name, "at": list(_point(scene, side, body, at))}
        for side, body, at in sides
    ]
    axis = fitting.axis if first else _turned(scene.body(joint.a), fitting.axis)
    return {
        "name": joint.name,
        "kind": joint.kind.word,
        "ends": ends,
        "axis": list(axis),
        "length": fitting.length,
        "limits": None if placed.limits is None else list(placed.limits),
    }


def _moving(scene: Scene, name: str) -> PlacedBody | None:
    body = scene.body(name)
    return None if body.fixed else body


def _point(scene: Scene, side: object, moving: PlacedBody | None, at: Triple) -> Triple:
    """Where a side is held: in the axes of a body that moves, else in those of the world."""
    if moving is not None or not isinstance(side, str):
        return at
    body = scene.body(side)
    x, y, z = (r + d for r, d in zip(body.position, _turned(body, at), strict=True))
    return x, y, z


def _turned(body: PlacedBody, direction: Triple) -> Triple:
    return times(matrix(body.orientation), direction)
