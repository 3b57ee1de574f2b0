"""A location of a hand-written automaton, compiled: vector field, signals, truth of guards.

The watched signal of a guard is minus its robustness, that of an invariant its robustness: both are
positive while time may pass. They and their rates come from the terms by exact differentiation.

A guard is read *from now on*: it holds here if it would hold right after, were time to pass. At the
boundary of an atom (within the margin) the first rate along the flow that is not zero decides, so
``x < 0`` is taken at x = 0 if x falls there and ``x >= 0`` is not. Of two guards that negate each
other exactly one is enabled, and a ball that has just bounced off ``y <= 0`` does not bounce again
before it has left the floor. A hop lower than `HOP` counts as none, so that jumps which accumulate
end as jumps without end in one instant. An equality ``a == b`` is never true for long: it holds
where |a - b| is within the margin, and its event is the change of sign of a - b. (A guard such as
``a <= b and a >= b`` is met in one point only and counts as a graze: write ``a == b``.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Samples
from dyverse.automaton.robustness import (
    Atom,
    Sense,
    atom,
    fold,
    greatest,
    least,
    leaves,
    normal,
    staying,
)
from dyverse.expr.buffered import buffered, column
from dyverse.expr.formula import And, Formula, Or
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import Term

HOP = 1e-12  # in the units of the signal: a boundary left for less than this is not left


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


def from_now_on(sense: Sense, depth: float, first: float, second: float, *, margin: float) -> bool:
    """Whether an atom with this depth and these rates holds from now on."""
    if sense == "reached":
        return abs(depth) <= margin
    if abs(depth) > margin:
        return depth > 0
    turns = first * second < 0 and first * first <= 2 * abs(second) * HOP
    slope = second if first == 0 or turns else first
    return slope > 0 if sense == "strict" else slope >= 0


def approached(atoms: Sequence[Atom], depths: SX, sides: SX) -> list[SX]:
    """The depth of each atom; of one to be reached, positive once it has changed sides."""
    reached = [found.sense == "reached" for found in atoms]
    return [-sides[i] * depths[i] if r else depths[i] for i, r in enumerate(reached)]


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
        margin: float,
    ) -> None:
        self.watches, self._margin = tuple(watches), margin
        self._atoms = [a for w in self.watches for a in w.atoms(margin)]
        time, x, sides = ca.SX.sym("t"), ca.SX.sym("x", len(variables)), self._sides()
        known = {name: ca.SX(number) for name, number in constants.items()} | {"t": time}
        known |= {name: x[i] for i, name in enumerate(variables)}
        field = column([symbolic(rates[v], known) if v in rates else ca.SX(0) for v in variables])

        def along(signals: SX) -> SX:
            """The rate of ``signals`` along the flow."""
            return ca.jtimes(signals, time, ca.SX(1)) + ca.jtimes(signals, x, field)

        depths = column([symbolic(a.depth, known) for a in self._atoms])
        signals = column(self._signals(depths, sides))
        first = along(depths)
        self._rate = buffered([time, x], [field])
        self._depths = buffered([time, x], [depths, first, along(first)])
        self._sample = buffered([time, x, sides], [signals, along(signals)])

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._rate(time, values)[0].copy()

    def truths(self, time: float, values: Array) -> list[bool]:
        """Whether each watched formula holds from now on."""
        rows = zip(*(result.tolist() for result in self._depths(time, values)), strict=True)
        senses = (found.sense for found in self._atoms)
        truths = iter(
            [from_now_on(s, *row, margin=self._margin) for s, row in zip(senses, rows, strict=True)]
        )
        return [fold(w.formula, lambda _: next(truths), all, any) for w in self.watches]

    def sides(self, time: float, values: Array) -> Array:
        """From which side each equality will be reached: the sign of its difference from now on."""
        depth, first, _ = self._depths(time, values)
        now = np.where(np.abs(depth) > self._margin, depth, first)
        return np.where(now < 0, -1.0, 1.0)

    def sample(self, times: Array, values: Array, sides: Array) -> Samples:
        """The watched signals and their rates, one row per time."""
        shape = len(times), len(self.watches)
        signals, rates = np.empty(shape), np.empty(shape)
        for i, (time, row) in enumerate(zip(times.tolist(), values, strict=True)):
            signals[i], rates[i] = self._sample(time, row, sides)
        return Samples(signals, rates)

    def _sides(self) -> SX:
        return ca.SX.sym("side", len(self._atoms))

    def _signals(self, depths: SX, sides: SX) -> list[SX]:
        entries = iter(approached(self._atoms, depths, sides))
        signs = (-1 if w.is_guard else 1 for w in self.watches)
        return [
            sign * inside(w.formula, entries) for sign, w in zip(signs, self.watches, strict=True)
        ]


class CompiledFlow:
    """One visit to a location; remembers from which side equalities are reached, and who rests."""

    def __init__(self, compiled: Compiled, time: float, values: Array) -> None:
        self._compiled = compiled
        self._sides = compiled.sides(time, values)
        start = self.sample(np.array([time]), values[None, :]).values[0]
        truths = compiled.truths(time, values)
        passes = [holds != w.is_guard for holds, w in zip(truths, compiled.watches, strict=True)]
        self._resting: NDArray[np.bool_] = (start <= 0) & np.array(passes, dtype=bool)

    @property
    def resting(self) -> NDArray[np.bool_]:
        """Guards and invariants at their boundary that the flow is about to leave to the inside."""
        return self._resting

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        return self._compiled.rate(time, values)

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals and their rates."""
        return self._compiled.sample(times, values, self._sides)

    def settle(self, time: float, values: Array) -> Array:
        """The same: a hand-written location has no constraints to drift from."""
        return values
