"""Which shapes there are, and which two of them can touch."""

from __future__ import annotations

from typing import Any, NamedTuple

from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.shape.sphere import Sphere
from dyverse.contact.pair.kinematics import Pair
from dyverse.contact.pair.sphere_half_space import SPHERE_HALF_SPACE
from dyverse.contact.pair.sphere_sphere import SPHERE_SPHERE

_ALL: tuple[Any, ...] = (Sphere, HalfSpace)  # classes that take their measure and its place
SHAPES = {shape.word: shape for shape in _ALL}
PAIRS: dict[tuple[Any, Any], Pair] = {
    (Sphere, Sphere): SPHERE_SPHERE,
    (Sphere, HalfSpace): SPHERE_HALF_SPACE,
}
STILL = tuple(word for word, shape in SHAPES.items() if shape.never_moves)


class Meeting(NamedTuple):
    """Two shapes that can touch: by which pair, and whether the second is the first of it."""

    pair: Pair
    swapped: bool


def meeting(a: Shape[Any], b: Shape[Any]) -> Meeting | None:
    """How two shapes meet, if it is known."""
    if pair := PAIRS.get((type(a), type(b))):
        return Meeting(pair, swapped=False)
    if pair := PAIRS.get((type(b), type(a))):
        return Meeting(pair, swapped=True)
    return None
