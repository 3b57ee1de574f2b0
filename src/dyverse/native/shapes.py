"""Which shapes meet in a contact, and in which order the code takes them: the sphere first."""

from __future__ import annotations

from dyverse.bodies.scene import Scene, Wall


def ordered(scene: Scene, a: str, b: str) -> tuple[str, str]:
    """The two bodies of a contact with the sphere first."""
    return (b, a) if isinstance(scene.body(a).shape, Wall) else (a, b)


def shapes_of(scene: Scene, a: str, b: str) -> tuple[type, type]:
    """The kinds of shapes that meet in a contact."""
    first, second = ordered(scene, a, b)
    return type(scene.body(first).shape), type(scene.body(second).shape)


def shape_numbers(scene: Scene, body: str) -> tuple[float, ...]:
    """What a pair function wants to know of a body's shape."""
    shape = scene.body(body).shape
    return shape.normal if isinstance(shape, Wall) else (shape.radius,)
