"""The mechanics of a world as one symbolic value: what numbers, C and expressions are made from.

In comes a world; out go the places of its variables, and CasADi functions of time t, state x and
settings p: the vector h of [navarro2018] Eq. (14), the energy, the functions that switch. It is
made once; the numbers for it are those of a scene (`dyverse.bodies.scene`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import casadi as ca

from dyverse.automaton.guard.robustness import symbolic_truth
from dyverse.bodies.contact_list import ContactList
from dyverse.bodies.joint.links import links
from dyverse.bodies.pairs import Sort, TouchingPair, touching_pairs
from dyverse.bodies.world import Body, World
from dyverse.expr.buffered import column
from dyverse.expr.formula import Formula
from dyverse.expr.switching import Switch
from dyverse.expr.symbolic import SX, symbolic
from dyverse.mechanics.joint.equations import JointEquations
from dyverse.mechanics.layout import Layout
from dyverse.mechanics.loads import Names, loads, turn, with_inputs
from dyverse.mechanics.seen import written_out
from dyverse.mechanics.smooth import Smooth, smooth
from dyverse.mechanics.turning import variables


@dataclass(frozen=True, eq=False)  # without slots: its functions are worked out once
class System:
    """The equations of ``world``; ``settings`` are the names of p, see `Scene.settings`."""

    world: World
    settings: tuple[str, ...]

    @cached_property
    def layout(self) -> Layout:
        """Where each quantity sits in the state."""
        return Layout.of(self.world.bodies, self.world.joints)

    @cached_property
    def contacts(self) -> ContactList[Body, Sort, TouchingPair]:
        """The contact list."""
        index = {body.name: i for i, body in enumerate(self.world.bodies)}
        others = ((index[one.a.name], index[one.b.name], one.sort) for one in links(self.world))
        return touching_pairs(self.world).followed_by(others)

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that have a formula."""
        return tuple(item.name for item in self.world.inputs if item.formula is not None)

    @cached_property
    def _acting(self) -> World:
        """The world, where what acts on bodies names no signals."""
        return written_out(self.world)

    @cached_property
    def _smooth(self) -> Smooth:
        return smooth(self._acting)

    @property
    def switches(self) -> tuple[Switch, ...]:
        """Functions of the loads that switch."""
        return self._smooth.switches

    @cached_property
    def names(self) -> Names:
        """Symbols for time, state and settings, and what every name of the world is in them."""
        time, state = ca.SX.sym("t"), ca.SX.sym("x", len(self.layout.variables))
        values = ca.SX.sym("p", len(self.settings))
        table: dict[str, SX] = {"t": time}
        table |= variables(self.layout, state)
        table |= {name: values[i] for i, name in enumerate(self.settings)}
        table |= self._joints(state, values, table).derived
        return Names(time, state, values, with_inputs(self._acting, table))

    @cached_property
    def joints(self) -> JointEquations:
        """What joints ask for, as expressions of the state and the settings."""
        return self._joints(self.names.state, self.names.settings, self.names.table)

    def _joints(self, state: SX, settings: SX, table: dict[str, SX]) -> JointEquations:
        return JointEquations(self.world, self.layout, state, settings, table)

    @cached_property
    def driven(self) -> Any:
        """The function (t, p) -> positions, velocities, turns of bodies that are moved.

        A turn is a quaternion and the spin in body axes; no number of one that does not turn.
        """
        time, table = self.names.time, self.names.table
        found = [self.world.bodies[i].driven for i in self.layout.moving]
        vectors = [
            column([symbolic(term, table) for driven in found if driven for term in driven[k]])
            for k in (0, 1)
        ]
        moved = [body for i in self.layout.moving if (body := self.world.bodies[i]).driven]
        vectors.append(column([part for body in moved for part in turn(body, table)[:7]]))
        return ca.Function("driven", [time, self.names.settings], list(map(ca.densify, vectors)))

    @cached_property
    def conditions(self) -> tuple[Formula, ...]:
        """What contacts are switched by."""
        return tuple(dict.fromkeys(rule.when for rule in self.world.contacts if rule.when))

    @cached_property
    def enabled(self) -> Any:
        """The function (p, s) -> whether each of these holds, as 1 or 0."""
        rules = zip(self.world.contacts, self._smooth.world.contacts, strict=True)
        sided = {rule.when: other.when for rule, other in rules if rule.when and other.when}
        known, sides = self._sided
        found = column([symbolic_truth(sided[when], known.table) for when in self.conditions])
        return ca.Function("enabled", [known.settings, *sides], [ca.densify(found)])

    @cached_property
    def written(self) -> Any:
        """The CasADi function (t, x, p) -> (h, energy of springs and gravity, inputs)."""
        return self._function("loads", self._acting, self.names, [])

    @cached_property
    def loads(self) -> Any:
        """The same as (t, x, p, s), where s are the values of functions that switch."""
        return self._function("loads", self._smooth.world, *self._sided)

    @cached_property
    def surfaces(self) -> Any:
        """The function (t, x, p, s, x', p') -> (functions that switch, their rates)."""
        known, sides = self._sided
        found = column([symbolic(switch.function, known.table) for switch in self.switches])
        rates = [ca.SX.sym(n, v.numel()) for n, v in (("f", known.state), ("g", known.settings))]
        speeds = ca.jtimes(found, known.time, ca.SX(1))
        for symbol, rate in zip((known.state, known.settings), rates, strict=True):
            speeds += ca.jtimes(found, symbol, rate)
        arguments = [known.time, known.state, known.settings, *sides, *rates]
        return ca.Function("surfaces", arguments, [ca.densify(found), ca.densify(speeds)])

    @cached_property
    def _sided(self) -> tuple[Names, list[SX]]:
        """The names where functions that switch have the values of symbols."""
        plain, sides = self.names, ca.SX.sym("s", len(self.switches))
        inputs = set(self.inputs)
        table = {name: value for name, value in plain.table.items() if name not in inputs}
        table |= {name: sides[i] for i, name in enumerate(self._smooth.names)}
        known = with_inputs(self._smooth.world, table)
        return Names(plain.time, plain.state, plain.settings, known), [sides]

    def _function(self, name: str, world: World, known: Names, sides: list[SX]) -> Any:
        arguments = [known.time, known.state, known.settings, *sides]
        inputs = column([known.table[name] for name in self.inputs])
        results = (*loads(world, self.layout, known, self.joints), inputs)
        return ca.Function(name, arguments, [ca.densify(result) for result in results])


@lru_cache(maxsize=64)
def system_of(world: World, settings: tuple[str, ...]) -> System:
    """The system of a world, made once: the same world has the same system."""
    return System(world, settings)
