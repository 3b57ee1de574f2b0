"""The vector field of a network in one location, with those of its functions that switch there."""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.network.code import NetworkCode, Point
from dyverse.automaton.network.moves import Places
from dyverse.expr.switching import Switch

NOTHING: Array = np.empty(0)


class NetworkField:
    """An answer to `dyverse.automaton.sides.Field`."""

    def __init__(self, code: NetworkCode, places: Places) -> None:
        self._code, self._places = code, places
        self._active = code.active(places)
        self.switches: tuple[Switch, ...] = tuple(code.switches[i] for i in self._active.tolist())

    def spread(self, sides: Array) -> Array:
        """Values of those that switch here, among those of the whole network."""
        whole = np.zeros(len(self._code.switches))
        whole[self._active] = sides
        return whole

    def rate(self, time: float, values: Array, sides: Array) -> Array:
        """The vector field."""
        selected = self._code.selected(self._places)
        point = Point(time, values, selected, NOTHING, NOTHING, self.spread(sides))
        return self._code.rate(point)

    def surfaces(
        self, time: float, values: Array, sides: Array, rate: Array
    ) -> tuple[Array, Array]:
        """The switching functions, and their rates."""
        return self.surfaces_at(time, values, sides, NOTHING, NOTHING)

    def surfaces_at(
        self, time: float, values: Array, sides: Array, outside: Array, pushed: Array
    ) -> tuple[Array, Array]:
        """The same, where variables ``outside`` have these values and rates."""
        selected = self._code.selected(self._places)
        point = Point(time, values, selected, outside, pushed, self.spread(sides))
        found, speeds = self._code.surfaces(point)
        return found[self._active], speeds[self._active]
