"""How a run of a hand-written automaton changes with its settings.

Guards, resets and rates are differentiated as they are written; for computation nodes see
`dyverse.simulation.variation.written_sweeps`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array, Edge, Location, State, Visit
from dyverse.automaton.jump import jump
from dyverse.automaton.node import ENTRANCE, NodePlace
from dyverse.automaton.run import Arc
from dyverse.automaton.symbolic import symbolic_depth
from dyverse.automaton.written.compiled import watch
from dyverse.automaton.written.symbolic import SymbolicWritten
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.expr.buffered import Buffered, buffered, column
from dyverse.expr.formula import Formula
from dyverse.expr.symbolic import SX, symbolic
from dyverse.simulation.variation.switched_variation import (
    SidedVariation,
    Surfaces,
    surfaces,
    switched,
)
from dyverse.simulation.variation.variation import Cause, Field, Linear, Passage, event_time, linear
from dyverse.simulation.variation.written_sweeps import Sweeps

MOST = 64  # jumps of one instant that are followed


class WrittenVariation:
    """An answer to `dyverse.simulation.variation.variation.Variation`."""

    def __init__(self, automaton: WrittenAutomaton, names: Sequence[str]) -> None:
        self._automaton = automaton
        self._symbols = SymbolicWritten(automaton, names)
        self._size, self._numbers = len(automaton.variables), self._symbols.numbers
        self._fields = lru_cache(maxsize=64)(lambda place: self._ready(self._symbols.rate(place)))
        self._sided = lru_cache(maxsize=64)(self._sided_field)
        self._resets = lru_cache(maxsize=64)(lambda edge: self._ready(self._symbols.reset(edge)))
        self._depths = lru_cache(maxsize=64)(
            lambda formula: self._ready(symbolic_depth(formula, self._symbols.table))
        )

    def start(self) -> Array:
        """∂x(0)/∂p."""
        slopes = ca.jacobian(self._symbols.start(), self._symbols.values)
        return np.asarray(ca.Function("s", [self._symbols.values], [slopes])(self._numbers))

    def field(self, state: State) -> Field:
        """The rates of a location, linearised."""
        if self._automaton.field(state.location).switches:
            return self._on_sides(state)
        compiled = self._fields(state.location)
        return lambda time, values: self._at(compiled, time, values)

    def _on_sides(self, state: State) -> SidedVariation:
        """The rates of a location with functions that switch."""
        compiled, found = self._sided(state.location)

        def base(time: float, values: Array, sides: Array) -> Linear:
            value, slopes = compiled(time, values, self._numbers, sides)
            return linear(value.copy(), slopes.reshape(-1, len(value)).T.copy(), self._size)

        field = self._automaton.field(state.location)
        return SidedVariation.at(base, found, self._numbers, state, field)

    def _sided_field(self, location: Location) -> tuple[Buffered, Surfaces]:
        """The rates as a function of the values of functions that switch, and these functions."""
        symbols, switches = self._symbols, self._automaton.field(location).switches
        v = ca.SX.sym("v", len(switches))
        table = symbols.table | {switch.name: v[i] for i, switch in enumerate(switches)}
        rates = self._automaton.smoothed.rates[str(location)]
        names = self._automaton.variables
        rate = column([symbolic(rates[n], table) if n in rates else ca.SX(0) for n in names])
        arguments = [symbols.time, symbols.state, symbols.values]
        slopes = ca.jacobian(rate, ca.vertcat(*arguments))
        return buffered([*arguments, v], [rate, slopes]), surfaces(switches, table, [*arguments, v])

    def beginning(self, arc: Arc) -> Array:
        """None: hand-written rates are what they are."""
        return np.empty(0)

    def ending(self, arc: Arc, after: State | None) -> Array:
        """None."""
        return np.empty(0)

    def begin(self, X: Array, visits: tuple[Visit, ...], after: State) -> Passage:
        """The jumps at the start."""
        start = self._automaton.start()
        path = self._path(start, visits, after)
        still = np.zeros(X.shape[1])
        return Passage(still, X, self._along(path, start, X, still))

    def passage(
        self,
        arc: Arc,
        S: Array,
        visits: tuple[Visit, ...],
        after: State,
        *,
        fixed: Array | None,
    ) -> Passage:
        """The jumps at the end of an arc."""
        end = arc.end
        rate = self.field(arc.start)(end.time, end.values).value
        if switched(arc.start, after):
            return self._across(arc, S, after, rate)
        path = self._path(end, visits, after)
        causes = self._causes(path[0], end) if path and not isinstance(path[0], Visit) else ()
        time, remarks = event_time(causes, rate, S, fixed)
        X = S + np.outer(rate, time)
        return Passage(time, X, self._along(path, end, X, time), tuple(remarks))

    def _across(self, arc: Arc, S: Array, after: State, rate: Array) -> Passage:
        """No variable jumps where the field does."""
        causes = self._on_sides(arc.start).causes(arc.end, after)
        time, remarks = event_time(causes, rate, S, None)
        X = S + np.outer(rate, time)
        return Passage(time, X, X, tuple(remarks))

    def depth(self, formula: Formula, state: State) -> Linear:
        """How deep inside ``formula`` a state is."""
        return self._at(self._depths(formula), state.time, state.values)

    def _along(self, path: list[Edge | Visit], state: State, X: Array, time: Array) -> Array:
        """The derivative behind all edges and nodes of an instant."""
        for taken in path:
            if isinstance(taken, Visit):
                X = self._through(taken, X, time)
                state = taken.after
            else:
                reset = self._resets(taken)  # type: ignore[arg-type]  # edges are values
                X = self._at(reset, state.time, state.values).moved(X, time)
                state = jump(self._automaton, taken, state)
        return X

    def _causes(self, edge: Edge, state: State) -> Iterator[Cause]:
        """The comparisons of a guard that are just becoming true."""
        for part in watch("", edge.guard, is_guard=True).atoms(self._automaton.margin):
            compiled = self._ready(symbolic(part.depth, self._symbols.table))
            yield Cause(f"guard of {edge}", self._at(compiled, state.time, state.values))

    def _path(self, state: State, visits: tuple[Visit, ...], after: State) -> list[Edge | Visit]:
        """The edges and nodes by which the run went from ``state`` to ``after``."""
        return self._search(state, visits, after, MOST) or []

    def _search(
        self, state: State, visits: tuple[Visit, ...], after: State, most: int
    ) -> list[Edge | Visit] | None:
        """The first way, by edges that are enabled, that uses up the visits and ends there."""
        if isinstance(state.location, NodePlace) and state.location.place == ENTRANCE:
            rest = self._search(visits[0].after, visits[1:], after, most) if visits else None
            return None if rest is None else [visits[0], *rest]
        for edge in self._automaton.enabled(state) if most else ():
            rest = self._search(jump(self._automaton, edge, state), visits, after, most - 1)
            if rest is not None:
                return [edge, *rest]
        there = not visits and state.location == after.location
        return [] if there and np.array_equal(state.values, after.values) else None

    def _through(self, visit: Visit, X: Array, time: Array) -> Array:
        """The derivative behind a computation node."""
        place = visit.before.location
        assert isinstance(place, NodePlace)
        node = next(node for node in self._automaton.nodes if node.name == place.node)
        return Sweeps(node, self._symbols, visit.before.time).through(visit, X, time)

    def _ready(self, expression: SX) -> Buffered:
        symbols = self._symbols
        arguments = [symbols.time, symbols.state, symbols.values]
        slopes = ca.jacobian(expression, ca.vertcat(*arguments))
        return buffered(arguments, [expression, slopes])

    def _at(self, compiled: Buffered, time: float, values: Array) -> Linear:
        value, slopes = compiled(time, values, self._numbers)
        matrix = slopes.reshape(-1, len(value)).T
        return linear(value.copy(), matrix.copy(), self._size)
