"""Vector fields of bodies, alone or with automata, with their functions that switch."""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.network.code import NetworkCode
from dyverse.automaton.network.field import NetworkField
from dyverse.automaton.switched import Sided
from dyverse.expr.switching import Switch
from dyverse.mechanics.dynamics import Dynamics


class RigidField:
    """The field of one visit to a location; an answer to `dyverse.automaton.sides.Field`."""

    def __init__(self, dynamics: Dynamics, flow: Sided) -> None:
        self._dynamics, self._flow = dynamics, flow
        self.switches: tuple[Switch, ...] = dynamics.switches
        self.loaded = len(self.switches)

    def rate(self, time: float, values: Array, sides: Array) -> Array:
        """The vector field."""
        self._flow.take(sides)
        return self._flow.rate(time, values)

    def surfaces(
        self, time: float, values: Array, sides: Array, rate: Array
    ) -> tuple[Array, Array]:
        """The switching functions, and their rates."""
        return self._dynamics.surfaces(time, values, sides, rate)


class CoupledField:
    """The same of bodies with automata: first the functions of the bodies' loads."""

    def __init__(
        self, dynamics: Dynamics, code: NetworkCode, places: NetworkField, flow: Sided
    ) -> None:
        self._dynamics, self._code, self._places, self._flow = dynamics, code, places, flow
        self._size, self.loaded = len(dynamics.layout.variables), len(dynamics.switches)
        self.switches: tuple[Switch, ...] = (*dynamics.switches, *places.switches)

    def rate(self, time: float, values: Array, sides: Array) -> Array:
        """The vector field."""
        self._flow.take(sides)
        return self._flow.rate(time, values)

    def surfaces(
        self, time: float, values: Array, sides: Array, rate: Array
    ) -> tuple[Array, Array]:
        """The switching functions, and their rates."""
        (bodies, others), (pushed, driven) = (np.split(a, [self._size]) for a in (values, rate))
        own, places = np.split(sides, [self.loaded])
        self._dynamics.drive(others)
        first = self._dynamics.surfaces(time, bodies, own, pushed, driven)
        second = self._places.surfaces_at(time, others, places, bodies, pushed)
        return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])
