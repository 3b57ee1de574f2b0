"""What bodies of any shape are given in Python, besides the measures of the shape."""

from __future__ import annotations

from typing import TypedDict

from dyverse.bodies.quantity import Quantities, Quantity, as_inertia, as_optional, as_vector
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.world import ORIGIN, Body
from dyverse.expr.term import Term


class Given(TypedDict, total=False):
    """The words of a body; see `dyverse.bodies.world.Body`."""

    mass: Quantity | None
    density: Quantity | None
    inertia: Quantity | Quantities
    position: Quantities
    rotation: Quantities
    velocity: Quantities
    spin: Quantities
    fixed: bool
    moves: Quantities
    turns: Quantities


def body_of(name: str, shape: Shape[Term], given: Given) -> Body:
    """A body of that shape."""
    moves, turns = given.get("moves"), given.get("turns")
    return Body(
        name=name,
        shape=shape,
        mass=as_optional(given.get("mass")),
        density=as_optional(given.get("density")),
        inertia=as_inertia(given.get("inertia")),
        position=as_vector(given.get("position", ORIGIN), "position"),
        rotation=as_vector(given.get("rotation", ORIGIN), "rotation"),
        velocity=as_vector(given.get("velocity", ORIGIN), "velocity"),
        spin=as_vector(given.get("spin", ORIGIN), "spin"),
        fixed=given.get("fixed", False),
        moves=None if moves is None else as_vector(moves, "moves"),
        turns=None if turns is None else as_vector(turns, "turns"),
    )
