"""Sensitivities of fields with functions that switch: on one side, along a jump, and across it.

On one side the values of the functions are numbers. One that slides has the value v that keeps its
switching function s at zero, s'(z, v) = 0 with z = (t, x, p); so v moves by
dv/dz = -(∂s'/∂v)⁻¹ ∂s'/∂z, and the field by that much more. At a switch no variable jumps; its
time moves with the zero of s, or of v ± 1 where a function leaves its jump.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.automaton.sides import Field as Switched
from dyverse.automaton.sides import equivalent, literal
from dyverse.expr.buffered import Buffered, buffered, column
from dyverse.expr.switching import Switch
from dyverse.expr.symbolic import SX, symbolic
from dyverse.simulation.variation.variation import Cause, Linear, linear

Base = Callable[[float, Array, Array], Linear]  # (t, x, values of functions) -> field, linearised


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """Switching functions on numbers: (t, x, p, v, f) -> s, ∂s/∂z, s', ∂s'/∂z, ∂s'/∂f."""

    switches: tuple[Switch, ...]
    function: Buffered

    def __call__(
        self, time: float, values: Array, numbers: Array, sides: Array, rate: Array
    ) -> tuple[Array, Array, Array, Array, Array]:
        """Values and derivatives at a point."""
        rows = len(self.switches)
        s, by, speed, speed_by, speed_f = self.function(time, values, numbers, sides, rate)
        shaped = (part.reshape(-1, rows).T.copy() for part in (by, speed_by, speed_f))
        first, second, third = shaped
        return s.copy(), first, speed.copy(), second, third


def surfaces(switches: Sequence[Switch], table: dict[str, SX], arguments: Sequence[SX]) -> Surfaces:
    """Compile the switching functions over the names in ``table``, of t, x, p and v."""
    time, state, values, v = arguments
    f = ca.SX.sym("f", state.numel())
    s = column([symbolic(switch.function, table) for switch in switches])
    speed = ca.jtimes(s, time, ca.SX(1)) + ca.jtimes(s, state, f)
    z = ca.vertcat(time, state, values)
    results = [s, ca.jacobian(s, z), speed, ca.jacobian(speed, z), ca.jacobian(speed, f)]
    return Surfaces(tuple(switches), buffered([time, state, values, v, f], results))


@dataclass(frozen=True, slots=True, eq=False)
class SidedVariation:
    """The field from one state on, on its sides."""

    base: Base
    surfaces: Surfaces
    numbers: Array  # p
    sides: Array  # not a number for functions that slide

    @classmethod
    def at(
        cls, base: Base, found: Surfaces, numbers: Array, state: State, field: Switched
    ) -> SidedVariation:
        """On the sides that ``state`` names, or as they are written."""
        sides = np.array(state.sides)
        if len(sides) != len(found.switches):
            sides = literal(field, state.time, state.values)
        return cls(base, found, numbers, sides)

    def __call__(self, time: float, values: Array) -> Linear:
        """The field, linearised."""
        return self._moved(time, values)[0]

    def causes(self, state: State, after: State) -> Iterator[Cause]:
        """What becomes zero at ``state``, behind which the run is on the sides of ``after``."""
        rate, by = self._moved(state.time, state.values)
        v = self._values(state.time, state.values)
        slopes = self.surfaces(state.time, state.values, self.numbers, v, rate.value)[1]
        size, slides = len(state.values), np.flatnonzero(np.isnan(self.sides)).tolist()
        later = np.array(after.sides)
        for i, switch in enumerate(self.surfaces.switches):
            if i < len(later) and _same(self.sides[i], later[i]):
                continue
            if i in slides:
                place = slides.index(i)
                yield Cause(switch.text, linear(np.zeros(1), by[place : place + 1], size))
            else:
                yield Cause(switch.text, linear(np.zeros(1), slopes[i : i + 1], size))

    def _values(self, time: float, values: Array) -> Array:
        """The values of all functions, also of those that slide."""
        return equivalent(_Numbers(self), time, values, self.sides).sides

    def _moved(self, time: float, values: Array) -> tuple[Linear, Array]:
        """The field, and dv/dz of the functions that slide."""
        v = self._values(time, values)
        rate = self.base(time, values, v)
        here = np.flatnonzero(np.isnan(self.sides)).tolist()
        slopes = np.hstack([rate.by_time[:, None], rate.by_state, rate.by_values])
        if not here:
            return rate, np.empty((0, slopes.shape[1]))
        by_v = np.stack([self._beside(time, values, v, i) - rate.value for i in here], axis=1)
        found = self.surfaces(time, values, self.numbers, v, rate.value)
        speed_by, speed_f = found[3][here], found[4][here]
        by = np.asarray(-np.linalg.solve(speed_f @ by_v, speed_by + speed_f @ slopes), dtype=float)
        whole = slopes + by_v @ by
        return linear(rate.value, whole, len(values)), by

    def _beside(self, time: float, values: Array, v: Array, i: int) -> Array:
        """The field where one function has a value one greater."""
        one = v.copy()
        one[i] += 1
        return self.base(time, values, one).value


@dataclass(frozen=True, slots=True, eq=False)
class _Numbers:
    """The same field on numbers, as sides are decided."""

    variation: SidedVariation

    @property
    def switches(self) -> tuple[Switch, ...]:
        """Its functions."""
        return self.variation.surfaces.switches

    def rate(self, time: float, values: Array, sides: Array) -> Array:
        """The vector field."""
        return self.variation.base(time, values, sides).value

    def surfaces(
        self, time: float, values: Array, sides: Array, rate: Array
    ) -> tuple[Array, Array]:
        """The switching functions, and their rates."""
        numbers = self.variation.numbers
        found = self.variation.surfaces(time, values, numbers, sides, rate)
        return found[0], found[2]


def switched(before: State, after: State) -> bool:
    """Whether functions of the field change sides between two states of one location."""
    if not before.sides or before.location != after.location:
        return False
    pairs = zip(before.sides, after.sides, strict=False)
    return len(before.sides) == len(after.sides) and not all(_same(a, b) for a, b in pairs)


def _same(one: float, other: float) -> bool:
    return one == other or (np.isnan(one) and np.isnan(other))
