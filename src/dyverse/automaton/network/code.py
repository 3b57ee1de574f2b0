"""The rates, guards and invariants of a network, compiled once for all its locations.

A location enters as numbers that select among the components' places, so a network of a hundred
components is one function that grows with their sum, not a function for each element of their
product. How guards are read at their boundary is said in `dyverse.automaton.guard.truth`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.guard.robustness import Atom, fold
from dyverse.automaton.guard.truth import Reading, every, read, some
from dyverse.automaton.interface import Array
from dyverse.automaton.network.component import Component, Variable
from dyverse.automaton.network.moves import Half, Places
from dyverse.automaton.network.timed import exact, moving_names, timed_clocks
from dyverse.automaton.written.compiled import Watch, approached, inside, watch
from dyverse.automaton.written.smoothed import smoothed
from dyverse.expr.buffered import buffered, column
from dyverse.expr.formula import TRUE
from dyverse.expr.symbolic import SX, symbolic
from dyverse.expr.term import symbols

Numbers = NDArray[np.intp]
FAR = 1e6  # how deep inside a formula is that time cannot make false


@dataclass(frozen=True, slots=True)
class Outside:
    """A variable that moves by laws of its own, such as those of bodies; ``rate`` may be one too.

    Components read it. Where its rate is none of these variables, it is given with the state.
    """

    name: str
    rate: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Where a network is looked at."""

    time: float
    values: Array
    selected: Array  # the number of the present place of each component
    outside: Array  # values of the variables outside
    pushed: Array  # their rates
    sides: Array  # values of all functions of the rates that switch


class Truth:
    """Whether edges and invariants hold at one point; atoms are looked at when asked for."""

    def __init__(self, code: NetworkCode, point: Point) -> None:
        self._code = code
        self._rows = [result.tolist() for result in code.depths(point)]

    def __call__(self, number: int) -> Reading:
        """How the watched formula of that number reads."""
        first, watched = self._code.watches[number]
        places = iter(range(first, first + len(self._code.atoms)))
        return fold(watched.formula, lambda _: self._atom(next(places)), every, some)

    def _atom(self, place: int) -> Reading:
        depth, first, second = (row[place] for row in self._rows)
        return read(self._code.atoms[place].sense, depth, first, second, margin=self._code.margin)


class NetworkCode:
    """The formulas of a network on numbers: first the guards of all edges, then all invariants."""

    def __init__(
        self,
        variables: tuple[Variable, ...],
        components: tuple[Component, ...],
        halves: tuple[Half, ...],
        constants: Mapping[str, float],
        outside: tuple[Outside, ...],
        *,
        margin: float,
        grain: float = 0.0,
    ) -> None:
        self.margin, self._grain = margin, grain
        self._components, self._variables = components, variables
        self._numbers = [{p.name: float(k) for k, p in enumerate(c.places)} for c in components]
        kinds = {variable.name: variable.kind for variable in variables}
        self._timed = timed_clocks(kinds, components)
        self._moving = moving_names(kinds, components) | {"t", *(item.name for item in outside)}
        self.invariants: dict[tuple[int, str], int] = {}
        self.atoms: list[Atom] = []
        self.watches: list[tuple[int, Watch]] = []  # with the place of its first atom
        self._collect(halves)
        self._smooth()
        self._compile(constants, outside)

    def _collect(self, halves: tuple[Half, ...]) -> None:
        for half in halves:
            self._add(watch("", half.edge.guard, is_guard=True))
        for i, item in enumerate(self._components):
            for place in item.places:
                if place.invariant != TRUE:
                    self.invariants[i, place.name] = len(self.watches)
                    self._add(watch("", place.invariant, is_guard=False))

    def _add(self, watched: Watch) -> None:
        self.watches.append((len(self.atoms), watched))
        self.atoms.extend(
            exact(
                found,
                grain=self._grain,
                timed=self._timed,
                moving=self._moving,
                is_guard=watched.is_guard,
            )
            for found in watched.atoms(self.margin)
        )

    def _smooth(self) -> None:
        """Take functions that switch out of the rates of each place."""
        places = (
            ((i, place.name), place.rates)
            for i, item in enumerate(self._components)
            for place in item.places
        )
        self._smoothed = smoothed(places, self._moving)
        self.switches = self._smoothed.switches

    def active(self, places: Places) -> Numbers:
        """The functions that switch in the rates of these places, by number."""
        active = self._smoothed.active
        found = set[int]().union(*(active[place] for place in enumerate(places)))
        return np.array(sorted(found), dtype=np.intp)

    def _compile(self, constants: Mapping[str, float], outside: tuple[Outside, ...]) -> None:
        time, x = ca.SX.sym("t"), ca.SX.sym("x", len(self._variables))
        selected = ca.SX.sym("s", len(self._components))
        others, pushed = (ca.SX.sym(name, len(outside)) for name in "op")
        approach = ca.SX.sym("a", len(self.atoms))
        known = {name: ca.SX(number) for name, number in constants.items()} | {"t": time}
        known |= {item.name: others[i] for i, item in enumerate(outside)}
        known |= {variable.name: x[i] for i, variable in enumerate(self._variables)}
        v = ca.SX.sym("v", len(self.switches))
        known |= {switch.name: v[i] for i, switch in enumerate(self.switches)}
        field = column(list(self._field(selected, known)))
        drift = column([known[o.rate] if o.rate else pushed[i] for i, o in enumerate(outside)])

        def along(signals: SX) -> SX:
            """The rate of ``signals`` along the flow."""
            rate = ca.jtimes(signals, time, ca.SX(1)) + ca.jtimes(signals, x, field)
            return rate + ca.jtimes(signals, others, drift) if outside else rate

        depths = column([symbolic(atom.depth, known) for atom in self.atoms])
        entries = iter(self._decided(approached(self.atoms, depths, approach), depths))
        signals = column([inside(watched.formula, entries) for _, watched in self.watches])
        first = along(depths)
        arguments = [time, x, selected, others, pushed, v]
        self._rate = buffered(arguments, [field])
        self._depths = buffered(arguments, [depths, first, along(first)])
        surfaces = column([symbolic(switch.function, known) for switch in self.switches])
        self._surfaces = buffered(arguments, [surfaces, along(surfaces)])
        self._sample = buffered([*arguments, approach], [signals, along(signals)])

    def _decided(self, entries: list[SX], depths: SX) -> Iterator[SX]:
        """Atoms that time cannot change are far from their boundary, and hide no crossing."""
        for i, (atom, entry) in enumerate(zip(self.atoms, entries, strict=True)):
            if any(symbol.name in self._moving for symbol in symbols(atom.depth)):
                yield entry
                continue
            match atom.sense:
                case "reached":
                    holds = ca.fabs(depths[i]) <= self.margin
                case "strict":
                    holds = depths[i] > self.margin
                case _:
                    holds = depths[i] >= -self.margin
            yield ca.if_else(holds, FAR, -FAR)

    def _field(self, selected: SX, known: Mapping[str, SX]) -> Iterator[SX]:
        """The rate of each variable, by the present place of the component that drives it."""
        found: dict[str, SX] = {}
        for i, item in enumerate(self._components):
            driven = dict.fromkeys(rate.target for place in item.places for rate in place.rates)
            for name in driven:
                found[name] = self._driven(name, i, selected[i], known)
        for variable in self._variables:
            yield found.get(variable.name, ca.SX(variable.kind == "clock"))

    def _driven(self, name: str, component: int, place: SX, known: Mapping[str, SX]) -> SX:
        kinds = {variable.name: variable.kind for variable in self._variables}
        otherwise = ca.SX(kinds[name] == "clock")
        total = ca.SX(0)
        for number, found in enumerate(self._components[component].places):
            term = self._smoothed.rates[component, found.name].get(name)
            rate = otherwise if term is None else symbolic(term, known)
            total += ca.if_else(place == number, rate, 0)
        return total

    def selected(self, places: Places) -> Array:
        """A location as numbers."""
        return np.array([row[name] for row, name in zip(self._numbers, places, strict=True)])

    def rate(self, point: Point) -> Array:
        """The vector field."""
        return self._rate(*_arguments(point))[0].copy()

    def surfaces(self, point: Point) -> tuple[Array, Array]:
        """The switching functions of all places, and their rates."""
        found, speeds = self._surfaces(*_arguments(point))
        return found.copy(), speeds.copy()

    def depths(self, point: Point) -> list[Array]:
        """The depth of every atom, and its first and second rate."""
        return self._depths(*_arguments(point))

    def approach(self, point: Point) -> Array:
        """From which side each equality will be reached: the sign of its difference from now on."""
        depth, first, _ = self.depths(point)
        now = np.where(np.abs(depth) > self.margin, depth, first)
        return np.where(now < 0, -1.0, 1.0)

    def sample(self, point: Point, approach: Array) -> tuple[Array, Array]:
        """How far inside each watched formula the point is, and the rate of that."""
        signals, rates = self._sample(*_arguments(point), approach)
        return signals, rates


def _arguments(point: Point) -> tuple[Array | float, ...]:
    return point.time, point.values, point.selected, point.outside, point.pushed, point.sides
