"""What acts on bodies, with functions that switch taken out: their values become settings.

In comes a world; out go the same world with ``sign(ball.wz)`` replaced by the name of a setting,
and the functions that were replaced. So loads are compiled as ever, and whoever follows a run gives
these settings the values of the side that it is on (`dyverse.automaton.sides`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from dyverse.bodies.world import ZERO, ContactRule, Input, Load, Spring, World
from dyverse.expr.formula import And, Compare, Formula, Not, Or
from dyverse.expr.switching import Separator, Switch
from dyverse.expr.term import Call, Number, Vector


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
    """Take the functions that switch out of what acts on the bodies, and out of conditions."""
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

    def rule(item: ContactRule) -> ContactRule:
        return item if item.when is None else replace(item, when=signs(item.when, separate))

    changed = replace(
        world,
        contacts=tuple(map(rule, world.contacts)),
        gravity=vector(world.gravity),
        inputs=tuple(map(given, world.inputs)),
        loads=tuple(map(load, world.loads)),
        springs=tuple(map(spring, world.springs)),
        joints=tuple(replace(item, damping=ZERO, friction=ZERO) for item in world.joints),
        drives=tuple(replace(d, amount=separate(d.amount)) for d in world.all_drives),
    )
    return Smooth(changed, separate.switches)


def signs(formula: Formula, separate: Separator) -> Formula:
    """A condition in which every comparison is one of a sign with zero: that switches exactly."""
    match formula:
        case Compare(left=left, right=right):
            sign = separate(Call("sign", (left - right,)))
            return replace(formula, left=sign, right=Number(0.0))
        case And(parts=parts) | Or(parts=parts):
            return replace(formula, parts=tuple(signs(part, separate) for part in parts))
        case Not(part=part):
            return replace(formula, part=signs(part, separate))
        case _:
            assert_never(formula)
