"""The checks of a world that was built in Python: the same as for text."""

from __future__ import annotations

from dyverse.bodies.check.structure import misplaced, misused, nested
from dyverse.bodies.describe import describe
from dyverse.bodies.scene import scene_problems
from dyverse.bodies.world import World
from dyverse.errors import Problem


def check(world: World) -> tuple[Problem, ...]:
    """Everything wrong with ``world``: names, cycles, contacts, and numbers at their own values."""
    model = describe(world)
    if deep := tuple(nested(model)):
        return deep
    return (*misplaced(model), *misused(model), *scene_problems(world))
