"""A hybrid automaton whose numbers are left open: CasADi expressions with exact derivatives.

`SymbolicAutomaton` is what rigid bodies (`dyverse.generation.symbolic.bodies`) and hand-written
automata (`dyverse.automaton.written.symbolic`) both answer, so that sensitivities and falsification
treat them alike. The unknowns are the time, the state, the settings that were chosen, and what a
flow remembers of its start; everything else is an expression of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Protocol

import casadi as ca

from dyverse.automaton.guard.robustness import atom, fold, greatest, least, normal, staying
from dyverse.automaton.interface import Array, Assignment, Location
from dyverse.expr.buffered import column
from dyverse.expr.formula import Compare, Formula
from dyverse.expr.symbolic import SX, symbolic


class SymbolicAutomaton(Protocol):
    """Expressions of ``time``, ``state``, ``values`` and ``memory``, which are symbols."""

    time: SX
    state: SX  # x, (n, 1)
    values: SX  # of the settings, (k, 1)
    memory: SX  # what a flow remembers of its start; mostly empty

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the unknowns: parameters, ports and starts."""

    @property
    def numbers(self) -> Array:
        """What the automaton has in their place, (k,)."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the state's entries."""

    @property
    def table(self) -> Mapping[str, SX]:
        """Every name that is defined in all locations: variables, parameters, inputs, ``t``."""

    def start(self) -> SX:
        """x(0), of the settings alone."""

    def rate(self, location: Location) -> SX:
        """dx/dt in a dynamical location."""

    def signals(self, location: Location) -> Mapping[str, SX]:
        """The table, and what is defined in this location only."""


def symbolic_depth(formula: Formula, known: Mapping[str, SX], *, reached: bool = False) -> SX:
    """How deep inside ``formula`` the state is: `robustness` as an expression.

    ``a == b`` counts -|a - b|; if it is to be ``reached``, it counts a - b, which changes sign.
    """

    def leaf(comparison: Compare) -> SX:
        read = atom if reached else staying
        return symbolic(read(comparison, margin=0.0).depth, known)

    def every(parts: list[SX]) -> SX:
        return least(parts) if parts else ca.SX(math.inf)

    def some(parts: list[SX]) -> SX:
        return greatest(parts) if parts else ca.SX(-math.inf)

    return fold(normal(formula), leaf, every, some)


def symbolic_reset(
    assignments: Iterable[Assignment], variables: tuple[str, ...], known: Mapping[str, SX]
) -> SX:
    """The state after ``assignments``, which all happen at once."""
    changed = {a.target: symbolic(a.value, known) for a in assignments}
    return column([changed.get(name, known[name]) for name in variables])
