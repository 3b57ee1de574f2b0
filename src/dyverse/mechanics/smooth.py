"""What acts on bodies, with functions that switch taken out: their values become settings.

In comes a world; out go the same world with ``sign(ball.wz)`` replaced by the name of a setting,
and the functions that were replaced. So loads are compiled as ever, and whoever follows a run gives
these settings the values of the side that it is on (`dyverse.automaton.sides`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dyverse.bodies.world import ZERO, Input, Load, Spring, World
from dyverse.expr.switching import Separator, Switch
from dyverse.expr.term import Vector


@dataclass(frozen=True, slots=True)
class Smooth:
    """A world without jumps, and the functions that jumped, or have a kink."""

    world: World
    switches: tuple[Switch, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The settings that stand for their values."""
        return tuple(switch.name for switch in self.switches)


def smooth(world: World) -> Smooth:
    """Take the functions that switch out of everything that acts on the bodies."""
    ports = {item.name for item in world.inputs if item.formula is None}
    fixed = {body.name for body in world.bodies if body.fixed}
    still = {"pi", *ports, *(item.name for item in world.parameters)}
    separate = Separator(lambda name: name in still or name.partition(".")[0] in fixed)

    def vector(terms: Vector) -> Vector:
        x, y, z = map(separate, terms)
        return x, y, z

    def load(item: Load) -> Load:
        at = None if item.at is None else vector(item.at)
        return replace(item, vector=vector(item.vector), at=at)

    def spring(item: Spring) -> Spring:
        other = item.other if isinstance(item.other, str) else vector(item.other)
        return replace(
            item,
            other=other,
            stiffness=separate(item.stiffness),
            length=separate(item.length),
            damping=separate(item.damping),
        )

    def given(item: Input) -> Input:
        return item if item.formula is None else replace(item, formula=separate(item.formula))

    changed = replace(
        world,
        gravity=vector(world.gravity),
        inputs=tuple(map(given, world.inputs)),
        loads=tuple(map(load, world.loads)),
        springs=tuple(map(spring, world.springs)),
        joints=tuple(replace(item, damping=ZERO, friction=ZERO) for item in world.joints),
        drives=tuple(replace(d, amount=separate(d.amount)) for d in world.all_drives),
    )
    return Smooth(changed, separate.switches)
