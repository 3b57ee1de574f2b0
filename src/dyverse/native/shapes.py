"""Which shapes meet in a contact, and in which order the code takes them: the sphere first."""

from __future__ import annotations

from dyverse.bodies.scene import Scene
from dyverse.bodies.shape.half_space import HalfSpace


def ordered(scene: Scene, a: str, b: str) -> tuple[str, str]:
    """The two bodies of a contact with the sphere first."""
    return (b, a) if isinstance(scene.body(a).shape, HalfSpace) else (a, b)


def shapes_of(scene: Scene, a: str, b: str) -> tuple[type, type]:
    """The kinds of shapes that meet in a contact."""
    first, second = ordered(scene, a, b)
    return type(scene.body(first).shape), type(scene.body(second).shape)


def shape_numbers(scene: Scene, body: str) -> tuple[float, ...]:
    """What a pair function wants to know of a body's shape."""
    return scene.body(body).shape.numbers
