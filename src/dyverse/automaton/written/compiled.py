"""A location of a hand-written automaton, compiled: vector field, signals, truth of guards.

The watched signal of a guard is minus its robustness, that of an invariant its robustness: both are
positive while time may pass. They and their rates come from the terms by exact differentiation.

How guards are read at their boundary is said in `dyverse.automaton.guard.truth`. An equality
``a == b`` holds where |a - b| is within the margin, and its event is the change of sign of a - b. A
guard that is met in one point only, such as ``a <= b and a >= b``, has a signal that comes down to
zero and rises again: a minimum below `TOUCH` counts as zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.guard.robustness import (
    Atom,
    atom,
    fold,
    greatest,
    least,
    leaves,
    normal,
    staying,
)
from dyverse.automaton.guard.truth import TOUCH, Reading, every, read, some
from dyverse.automaton.interface import Array, Samples, State
from dyverse.automaton.memory import APPROACH
from dyverse.automaton.sides import NONE, values_at
from dyverse.expr.buffered import buffered, column
from dyverse.expr.formula import And, Formula, Or
from dyverse.expr.switching import Switch
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import Term


@dataclass(frozen=True, slots=True)
class Watch:
    """A formula in normal form that ends an arc: a guard when true, an invariant when false."""

    name: str
    formula: Formula
    is_guard: bool

    def atoms(self, margin: float) -> tuple[Atom, ...]:
        """Its comparisons; an invariant keeps its equalities, a guard reaches them."""
        read = atom if self.is_guard else staying
        return tuple(read(comparison, margin=margin) for comparison in leaves(self.formula))


def watch(name: str, formula: Formula, *, is_guard: bool) -> Watch:
    """What to watch about ``formula``."""
    return Watch(name, normal(formula), is_guard)


def approached(atoms: Sequence[Atom], depths: SX, approach: SX) -> list[SX]:
    """The depth of each atom; of one to be reached, positive once it has changed sides."""
    reached = [found.sense == "reached" for found in atoms]
    return [-approach[i] * depths[i] if r else depths[i] for i, r in enumerate(reached)]


def inside(formula: Formula, depths: Iterator[SX]) -> SX:
    """How far inside a formula in normal form one is; ``depths`` has its atoms, one by one."""
    if isinstance(formula, And | Or) and not formula.parts:
        return ca.SX(1 if isinstance(formula, And) else -1)
    return fold(formula, lambda _: next(depths), least, greatest)


class Compiled:
    """The flow of one location on numbers; made once, shared by all visits to it."""

    def __init__(
        self,
        variables: tuple[str, ...],
        constants: Mapping[str, float],
        rates: Mapping[str, Term],
        watches: Iterable[Watch],
        *,
        switches: tuple[Switch, ...] = (),
        margin: float,
    ) -> None:
        self.watches, self._margin = tuple(watches), margin
        self._atoms = [a for w in self.watches for a in w.atoms(margin)]
        self.switches = switches  # functions of the rates, which use their values by name
        time, x = ca.SX.sym("t"), ca.SX.sym("x", len(variables))
        approach = ca.SX.sym("a", len(self._atoms))
        v, f = ca.SX.sym("v", len(self.switches)), ca.SX.sym("f", len(variables))
        known = {name: ca.SX(number) for name, number in constants.items()} | {"t": time}
        known |= {name: x[i] for i, name in enumerate(variables)}
        known |= {switch.name: v[i] for i, switch in enumerate(self.switches)}
        field = column([symbolic(rates[n], known) if n in rates else ca.SX(0) for n in variables])

        def along(signals: SX) -> SX:
            """The rate of ``signals`` along the flow."""
            return ca.jtimes(signals, time, ca.SX(1)) + ca.jtimes(signals, x, field)

        depths = column([symbolic(a.depth, known) for a in self._atoms])
        signals = column(self._signals(depths, approach))
        first = along(depths)
        surfaces = column([symbolic(switch.function, known) for switch in self.switches])
        speeds = ca.jtimes(surfaces, time, ca.SX(1)) + ca.jtimes(surfaces, x, f)
        self._rate = buffered([time, x, v], [field])
        self._depths = buffered([time, x, v], [depths, first, along(first)])
        self._sample = buffered([time, x, v, approach], [signals, along(signals)])
        self._surfaces = buffered([time, x, v, f], [surfaces, speeds])

    def rate(self, time: float, values: Array, sides: Array = NONE) -> Array:
        """The vector field, where functions that switch have these values."""
        return self._rate(time, values, sides)[0].copy()

    def surfaces(
        self, time: float, values: Array, sides: Array, rate: Array
    ) -> tuple[Array, Array]:
        """The switching functions, and their rates where the field is ``rate``."""
        found, speeds = self._surfaces(time, values, sides, rate)
        return found.copy(), speeds.copy()

    def readings(self, time: float, values: Array, sides: Array = NONE) -> list[Reading]:
        """How each watched formula reads at a point."""
        found = self._depths(time, values, sides)
        rows = zip(*(result.tolist() for result in found), strict=True)
        senses = (found.sense for found in self._atoms)
        read_atoms = iter(
            [read(s, *row, margin=self._margin) for s, row in zip(senses, rows, strict=True)]
        )
        return [fold(w.formula, lambda _: next(read_atoms), every, some) for w in self.watches]

    def approach(self, time: float, values: Array, sides: Array = NONE) -> Array:
        """From which side each equality will be reached: the sign of its difference from now on."""
        depth, first, _ = self._depths(time, values, sides)
        now = np.where(np.abs(depth) > self._margin, depth, first)
        return np.where(now < 0, -1.0, 1.0)

    def sample(self, times: Array, values: Array, sides: Array, approach: Array) -> Samples:
        """The watched signals and their rates, one row per time."""
        shape = len(times), len(self.watches)
        signals, rates = np.empty(shape), np.empty(shape)
        for i, (time, row) in enumerate(zip(times.tolist(), values, strict=True)):
            signals[i], rates[i] = self._sample(time, row, sides, approach)
        return Samples(signals, rates)

    def _signals(self, depths: SX, approach: SX) -> list[SX]:
        entries = iter(approached(self._atoms, depths, approach))
        signs = (-1 if w.is_guard else 1 for w in self.watches)
        return [
            sign * inside(w.formula, entries) for sign, w in zip(signs, self.watches, strict=True)
        ]


class CompiledFlow:
    """One visit to a location; remembers from which side equalities are reached, and who rests."""

    def __init__(self, compiled: Compiled, state: State) -> None:
        self._compiled, time, values, going_on = compiled, state.time, state.values, state.stretch
        self._sides = values_at(compiled, state)
        self._approach = compiled.approach(time, values, self._sides)
        if going_on is not None:
            self._approach = going_on.kept[APPROACH]
        start = self.sample(np.array([time]), values[None, :]).values[0]
        self.readings = compiled.readings(time, values, self._sides)
        watched = list(zip(self.readings, compiled.watches, strict=True))
        passes = np.array([reading.holds != w.is_guard for reading, w in watched], dtype=bool)
        met = np.array([reading.here and w.is_guard for reading, w in watched], dtype=bool)
        self._resting: NDArray[np.bool_] = ((start <= 0) | met) & passes

    @property
    def resting(self) -> NDArray[np.bool_]:
        """Guards and invariants at their boundary that the flow is about to leave to the inside."""
        return self._resting

    @property
    def kept(self) -> dict[str, Array]:
        """From which side equalities are reached."""
        return {APPROACH: self._approach}

    @property
    def floors(self) -> Array:
        """A guard that is missed by less than a touch is met."""
        return np.array([TOUCH if w.is_guard else 0.0 for w in self._compiled.watches])

    def meets(self, signal: int, time: float, values: Array) -> bool:
        """Whether the guard of a signal that is at its floor holds there."""
        return self._compiled.readings(time, values, self._sides)[signal].here

    def take(self, sides: Array) -> None:
        """The values of functions that switch, from now on."""
        self._sides = sides

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._compiled.rate(time, values, self._sides)

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals and their rates."""
        return self._compiled.sample(times, values, self._sides, self._approach)

    def settle(self, time: float, values: Array) -> Array:
        """The same: a hand-written location has no constraints to drift from."""
        return values
