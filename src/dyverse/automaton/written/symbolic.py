"""A hand-written automaton with its numbers left open: see `dyverse.automaton.symbolic`."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array, Edge, Location
from dyverse.automaton.symbolic import symbolic_depth, symbolic_reset
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX, symbolic


class SymbolicWritten:
    """``settings`` are parameters, or variables whose first value is meant; all unless chosen."""

    def __init__(self, automaton: WrittenAutomaton, settings: Sequence[str] | None = None) -> None:
        self.automaton = automaton
        first = dict(zip(automaton.variables, automaton.start().values.tolist(), strict=True))
        self._numbers = dict(automaton.parameters) | first
        self.settings = tuple(self._numbers if settings is None else settings)
        self._check()
        self.time, self.state = ca.SX.sym("t"), ca.SX.sym("x", len(automaton.variables))
        self.values, self.memory = ca.SX.sym("p", len(self.settings)), ca.SX.sym("m", 0)
        self._unknown = {name: self.values[i] for i, name in enumerate(self.settings)}
        self.table = self._table()

    @property
    def numbers(self) -> Array:
        """The values of the settings in the automaton."""
        return np.array([self._numbers[name] for name in self.settings], dtype=np.float64)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the state's entries."""
        return self.automaton.variables

    def start(self) -> SX:
        """The first values of the variables."""
        return column([self._expression(name) for name in self.variables])

    def rate(self, location: Location) -> SX:
        """dx/dt in ``location``; what has no rate stands still."""
        place = next(place for place in self.automaton.locations if place.name == location)
        rates = {rate.target: symbolic(rate.value, self.table) for rate in place.rates}
        return column([rates.get(name, ca.SX(0)) for name in self.variables])

    def signals(self, location: Location) -> dict[str, SX]:
        """The names that guards and rates use; they are the same in every location."""
        return self.table

    def guard(self, edge: Edge) -> SX:
        """Negative before ``edge`` is enabled; an equality a == b counts a - b."""
        return symbolic_depth(edge.guard, self.table, reached=True)

    def reset(self, edge: Edge) -> SX:
        """The state after ``edge``."""
        return symbolic_reset(edge.reset, self.variables, self.table)

    def _expression(self, name: str) -> SX:
        return self._unknown.get(name, ca.SX(self._numbers[name]))

    def _table(self) -> dict[str, SX]:
        table = {name: self._expression(name) for name, _ in self.automaton.parameters}
        table |= {"t": self.time}
        return table | {name: self.state[i] for i, name in enumerate(self.variables)}

    def _check(self) -> None:
        unknown = [name for name in self.settings if name not in self._numbers]
        if unknown:
            hints = ((name, did_you_mean(name, self._numbers)) for name in unknown)
            problems = [Problem(f"no parameter or variable {name!r}{hint}") for name, hint in hints]
            raise ModelError(problems, file=self.automaton.name)
