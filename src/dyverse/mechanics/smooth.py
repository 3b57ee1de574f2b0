"""What acts on bodies, with functions that switch taken out: their values become settings.

In comes a world; out go the same world with ``sign(ball.wz)`` replaced by the name of a setting,
and the functions that were replaced. So loads are compiled as ever, and whoever follows a run gives
these settings the values of the side that it is on (`dyverse.automaton.sides`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import casadi as ca

from dyverse.bodies.world import Input, Load, Spring, World
from dyverse.expr.buffered import column
from dyverse.expr.switching import Separator, Switch
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import Vector
from dyverse.mechanics.layout import Layout
from dyverse.mechanics.loads import names


@dataclass(frozen=True, slots=True)
class Smooth:
    """A world without jumps, and the functions that jumped, or have a kink."""

    world: World
    switches: tuple[Switch, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The settings that stand for their values."""
        return tuple(switch.name for switch in self.switches)


@lru_cache(maxsize=64)
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
        return replace(item, vector=vector(item.vector))

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
    )
    return Smooth(changed, separate.switches)


@lru_cache(maxsize=64)
def surface_function(world: World, layout: Layout, settings: tuple[str, ...]) -> Any:
    """The CasADi function (t, x, settings, x', settings') -> (switching functions, their rates).

    The settings end with those that stand for the values of the functions.
    """
    found = smooth(world)
    known = names(found.world, layout, settings)
    surfaces = column([symbolic(switch.function, known.table) for switch in found.switches])
    rates = [
        ca.SX.sym(name, symbol.numel())
        for name, symbol in (("f", known.state), ("g", known.settings))
    ]
    speeds = ca.jtimes(surfaces, known.time, ca.SX(1))
    for symbol, rate in zip((known.state, known.settings), rates, strict=True):
        speeds += ca.jtimes(surfaces, symbol, rate)
    arguments = [known.time, known.state, known.settings, *rates]
    return ca.Function("surfaces", arguments, [ca.densify(surfaces), ca.densify(speeds)])
