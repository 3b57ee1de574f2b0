"""Parts of a world, in whatever order they were written, gathered into a world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from dyverse.bodies.joint.joint import Drive, Joint
from dyverse.bodies.world import (
    ORIGIN,
    Body,
    ContactRule,
    Input,
    Load,
    Parameter,
    Property,
    Spring,
    World,
)
from dyverse.expr.term import Term, Vector

Part = Parameter | Body | Input | Load | Spring | Joint | Drive | ContactRule | Property

PARTS = get_args(Part)


def gather(
    parts: Sequence[Part],
    *,
    gravity: Vector = ORIGIN,
    impact: str = "newton",
    without_collision: bool = False,
    planar: int | None = None,
    horizon: Term | None = None,
) -> World:
    """The world made of ``parts``, each kind in the order given."""
    return World(
        parameters=tuple(part for part in parts if isinstance(part, Parameter)),
        gravity=gravity,
        impact=impact,
        without_collision=without_collision,
        planar=planar,
        bodies=tuple(part for part in parts if isinstance(part, Body)),
        inputs=tuple(part for part in parts if isinstance(part, Input)),
        loads=tuple(part for part in parts if isinstance(part, Load)),
        springs=tuple(part for part in parts if isinstance(part, Spring)),
        joints=tuple(part for part in parts if isinstance(part, Joint)),
        drives=tuple(part for part in parts if isinstance(part, Drive)),
        contacts=tuple(part for part in parts if isinstance(part, ContactRule)),
        properties=tuple(part for part in parts if isinstance(part, Property)),
        horizon=horizon,
    )
