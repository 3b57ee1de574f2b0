"""The equations of rigid bodies with their derivatives, compiled: what variations evaluate.

Compiled once per world and choice of unknown settings, and kept: runs of the same world at other
values of these settings use the same functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.symbolic import symbolic_depth
from dyverse.bodies.world import World
from dyverse.expr.buffered import buffered, column
from dyverse.expr.formula import Formula
from dyverse.expr.symbolic import SX
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.symbolic.bodies import SymbolicBodies
from dyverse.generation.symbolic.impact import Granted, Outcome, SymbolicImpact, impact
from dyverse.generation.symbolic.poisson import Course, phased_impact
from dyverse.mechanics.closed import REDUNDANT
from dyverse.simulation.variation.switched_variation import Surfaces, surfaces
from dyverse.simulation.variation.variation import Linear, linear


class RigidModel:
    """One world with some settings unknown."""

    def __init__(self, bodies: SymbolicBodies) -> None:
        self.bodies = bodies
        self.size = len(bodies.variables)
        self.location = lru_cache(maxsize=256)(lambda place: LocationModel(bodies, place))
        self._contacts = lru_cache(maxsize=1024)(self._contact)
        self._impact = lru_cache(maxsize=256)(self._law)
        self._phases = lru_cache(maxsize=256)(self._phased)

    @cached_property
    def surfaces(self) -> Surfaces:
        """The functions of the loads that switch."""
        bodies = self.bodies
        arguments = [bodies.time, bodies.state, bodies.values, column(list(bodies.sides.values()))]
        return surfaces(bodies.switches, bodies.table | bodies.sides, arguments)

    def impact(self, pattern: Mapping[str, Outcome], granted: Granted) -> SymbolicImpact:
        """The law of an impact with this pattern."""
        return self._impact(tuple(pattern.items()), granted)

    def phases(self, pattern: Mapping[str, Course], granted: Granted) -> SymbolicImpact:
        """The law of an impact in two phases."""
        return self._phases(tuple(pattern.items()), granted)

    def start(self, values: Array) -> Array:
        """∂x(0)/∂p."""
        slopes = ca.jacobian(self.bodies.start(), self.bodies.values)
        return np.asarray(ca.Function("s", [self.bodies.values], [slopes])(values))

    def rows(self, name: str, x: Array, values: Array) -> Linear:
        """Gap and γ of a contact, linearised, in four rows."""
        value, slopes = self._contacts(self.bodies.contacts.index[name])(x, values)
        return linear(value.copy(), np.hstack([np.zeros((4, 1)), _matrix(slopes, 4)]), self.size)

    def _law(self, pattern: tuple[tuple[str, Outcome], ...], granted: Granted) -> SymbolicImpact:
        return impact(self.bodies, dict(pattern), granted=granted)

    def _phased(self, pattern: tuple[tuple[str, Course], ...], granted: Granted) -> SymbolicImpact:
        return phased_impact(self.bodies, dict(pattern), granted=granted)

    def _contact(self, contact: int) -> Any:
        """(x, p) -> gap and γ of a contact, four rows, and their derivatives by (x, p)."""
        rows = self.bodies.rows(contact)
        arguments = [self.bodies.state, self.bodies.values]
        whole = ca.vertcat(rows.gap, rows.speed)
        return buffered(arguments, [whole, ca.jacobian(whole, ca.vertcat(*arguments))])


class LocationModel:
    """(14) and (15) of one location.

    Forces are found in numbers, so that redundant constraints do no harm; their derivatives follow
    from the residual.
    """

    def __init__(self, bodies: SymbolicBodies, location: Modes) -> None:
        self._bodies, self._location = bodies, location
        self._equations = found = bodies.equations(location)
        self._by = ca.vertcat(bodies.time, bodies.state, bodies.values)
        self._count, self._size = found.forces.numel(), len(bodies.variables)
        self._system = buffered(bodies.arguments, [found.matrix, found.right])
        rate = bodies.moved(found.acceleration)
        slopes = [
            rate,
            ca.jacobian(rate, self._by),
            ca.jacobian(rate, found.forces),
            ca.jacobian(found.residual, self._by),
        ]
        self._slopes = buffered([*bodies.arguments, found.forces], slopes)
        self._signals = lru_cache(maxsize=64)(self._signal)
        self._depths = lru_cache(maxsize=64)(self._depth)

    def rate(self, time: float, x: Array, values: Array, memory: Array) -> Linear:
        """(q̇, v̇), linearised."""
        forces, inverse = self._forces(time, x, values, memory)
        rate, own, by_forces, tied = self._slopes(time, x, values, memory, forces)
        slopes = _matrix(own, self._size)
        if self._count:
            forced = inverse @ _matrix(tied, self._count)
            slopes = slopes - _matrix(by_forces, self._size) @ forced
        return linear(rate.copy(), slopes.copy(), self._size)

    def signal(self, name: str, time: float, x: Array, values: Array, memory: Array) -> Linear:
        """One signal of a contact, linearised, in one row."""
        forces, inverse = self._forces(time, x, values, memory)
        value, own, by_forces, tied = self._signals(name)(time, x, values, memory, forces)
        slopes = _matrix(own, 1)
        if self._count:
            slopes = slopes - by_forces[None, :] @ (inverse @ _matrix(tied, self._count))
        return linear(value.copy(), slopes.copy(), self._size)

    def depth(
        self, formula: Formula, time: float, x: Array, values: Array, memory: Array
    ) -> Linear:
        """How deep inside ``formula`` the state is, in one row."""
        value, slopes = self._depths(formula)(time, x, values, memory)
        return linear(value.copy(), _matrix(slopes, 1).copy(), self._size)

    def _forces(self, time: float, x: Array, values: Array, memory: Array) -> tuple[Array, Array]:
        """The forces and D⁺."""
        matrix, right = self._system(time, x, values, memory)
        if not self._count:
            return right, matrix
        D = _matrix(matrix, self._count)
        inverse: Array = np.asarray(np.linalg.pinv(D, rcond=REDUNDANT), dtype=np.float64)
        return -inverse @ right, inverse

    def _signal(self, name: str) -> Any:
        found = self._equations
        signal = found.signals[name]
        parts = [signal, ca.jacobian(signal, self._by), ca.jacobian(signal, found.forces)]
        tied = ca.jacobian(found.residual, self._by)
        return buffered([*self._bodies.arguments, found.forces], [*parts, tied])

    def _depth(self, formula: Formula) -> Any:
        depth: SX = symbolic_depth(formula, self._bodies.signals(self._location))
        return buffered(self._bodies.arguments, [depth, ca.jacobian(depth, self._by)])


def _matrix(column: Array, rows: int) -> Array:
    """CasADi's numbers, column by column, as a matrix."""
    return column.reshape(-1, rows).T


def rigid_model(automaton: RigidBodyAutomaton, names: Sequence[str]) -> RigidModel:
    """The model of an automaton's world with ``names`` unknown; its other settings are given."""
    unknown = tuple(names)
    given = tuple(sorted(i for i in automaton.settings.items() if i[0] not in unknown))
    shelf = _shelf(automaton.world, given, unknown)
    if not shelf:
        bodies = SymbolicBodies(automaton.world, automaton.settings, unknown, sided=True)
        shelf.append(RigidModel(bodies))
    return shelf[0]


@lru_cache(maxsize=32)
def _shelf(
    world: World, given: tuple[tuple[str, float], ...], names: tuple[str, ...]
) -> list[RigidModel]:
    """Where the model is kept; whatever the unknown settings are, it is the same."""
    return []
