"""Hybrid automata written down by hand: a value, checked when built, never changed.

In come names, terms and formulas; out goes an answer to the `HybridAutomaton` interface, so that a
hand-written automaton is simulated, falsified and drawn like a generated one. How guards are read
at their boundary is said in `dyverse.automaton.guard.truth`.

`dyverse.automaton.written.writing` builds the same from text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from dyverse.automaton.guard.arrival import behind, reached
from dyverse.automaton.guard.truth import Reading
from dyverse.automaton.guard.waiting import Waiting
from dyverse.automaton.interface import (
    Assignment,
    Edge,
    Event,
    Flow,
    Jump,
    Location,
    State,
    Visit,
)
from dyverse.automaton.node import ENTRANCE, EXIT, ComputationNode, NodePlace
from dyverse.automaton.run import Arc
from dyverse.automaton.sides import sides_of, values_at
from dyverse.automaton.sweeping import Sweeper
from dyverse.automaton.switched import SwitchedFlow
from dyverse.automaton.written.check import problems_of
from dyverse.automaton.written.compiled import Compiled, CompiledFlow, Watch, watch
from dyverse.automaton.written.naming import written_events
from dyverse.automaton.written.smoothed import Smoothed, smoothed
from dyverse.errors import ModelError
from dyverse.expr.formula import FALSE, TRUE, Formula
from dyverse.expr.value import holds


@dataclass(frozen=True, slots=True)
class WrittenLocation:
    """A dynamical location: time passes while ``invariant`` holds; no rate means standing still."""

    name: str
    rates: tuple[Assignment, ...] = ()
    invariant: Formula = TRUE

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEdge:
    """A jump from ``source`` to ``target``, allowed where ``guard`` holds (E, G, R).

    The name of a computation node stands for its entrance as a target, for its exit as a source.
    """

    source: str | NodePlace
    target: str | NodePlace
    guard: Formula = TRUE
    reset: tuple[Assignment, ...] = ()  # variables left out keep their value
    action: str = ""  # what the event is called

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"


@dataclass(frozen=True, slots=True)
class Start:
    """Init: a location, and values by name; variables left out start at zero."""

    location: str
    values: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class WrittenAutomaton:
    """A hand-written hybrid automaton H = (S, E, X, Dom, F, Init, G, R).

    ``margin``, in the units of the signals, is how close to its boundary a guard counts as there.
    ``period`` (s) is after which time everything that depends on ``t`` repeats, if it is given.
    """

    variables: tuple[str, ...]  # X
    locations: tuple[WrittenLocation, ...]  # S, Dom, F
    edges: tuple[WrittenEdge, ...] = ()  # E, G, R
    initial: Start  # Init
    parameters: tuple[tuple[str, float], ...] = ()
    nodes: tuple[ComputationNode, ...] = ()
    name: str = "automaton"
    margin: float = 1e-9
    period: float | None = None

    def __post_init__(self) -> None:
        if problems := problems_of(self):
            raise ModelError(problems, file=self.name)

    def __getstate__(self) -> dict[str, object]:
        """Only what was written; what was compiled is compiled again."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @property
    def grain(self) -> float:
        """Of its times, as of a network's: there is none."""
        return 0.0

    @property
    def limits(self) -> tuple[tuple[float, float], ...]:
        """Between what each variable stays, as of a network's: anything."""
        return ((-math.inf, math.inf),) * len(self.variables)

    def start(self) -> State:
        """Init: where a run begins."""
        given = dict(self.initial.values)
        values = np.array([given.get(name, 0.0) for name in self.variables], dtype=np.float64)
        return State(0.0, self.initial.location, values)

    def is_dynamical(self, location: Location) -> bool:
        """Whether ``location`` is no place in a computation node."""
        return not isinstance(location, NodePlace)

    def domain(self, location: Location) -> Formula:
        """Dom: the invariant; in a computation node no time may pass."""
        return self._places[location].invariant if self.is_dynamical(location) else FALSE

    def outgoing(self, location: Location) -> Iterator[Edge]:
        """E: the edges that leave ``location``; from a place in a node, the node's own."""
        if isinstance(location, NodePlace) and location.place != EXIT:
            return iter(self._node(location).outgoing(location.place))
        return iter(self._leaving(location))

    def watched(self, location: Location) -> tuple[str, ...]:
        """One signal per guard, ``guard[on,off]``, and ``invariant[on]`` if there is one."""
        return tuple(watched.name for watched in self._compiled(location).watches)

    def enabled(self, state: State) -> tuple[WrittenEdge, ...]:
        """The edges whose guards hold at ``state``, in the order written."""
        edges = self._leaving(state.location)
        if self.is_dynamical(state.location):
            read = self._reader(state)
            return tuple(
                edge
                for i, edge in enumerate(edges)
                if read(i).holds or (i in state.reached and read(i).here)
            )
        known = self._known(state)
        return tuple(edge for edge in edges if holds(edge.guard, known, margin=self.margin))

    def flow(self, state: State) -> Flow:
        """The continuous behaviour from ``state`` on."""
        return self._flow(state)[0]

    def _flow(self, state: State) -> tuple[Flow, list[Reading]]:
        """The same, and how guards and invariants read at its start."""
        compiled = self._compiled(state.location)
        if not compiled.switches:
            found = CompiledFlow(compiled, state)
            return found, found.readings
        state = replace(state, sides=sides_of(compiled, state))
        found = CompiledFlow(compiled, state)
        return SwitchedFlow(found, compiled, state), found.readings

    def waiting(self, state: State) -> Waiting:
        """What to watch from ``state`` on, while its enabled edges are left alone."""
        (flow, readings), names = self._flow(state), self.watched(state.location)
        guards = np.arange(len(names)) < len(self._leaving(state.location))
        holding = np.array([reading.after for reading in readings], dtype=bool) & guards
        here = np.array([reading.here for reading in readings], dtype=bool) & guards
        return Waiting(flow, names, holding, here, guards, lasting=bool(holding.any()))

    def arrive(self, arc: Arc) -> State:
        """The end of ``arc``, with the edges that it has reached for that instant."""
        return replace(arc.end, reached=reached(arc, self._numbers(arc), self._reader))

    def left_behind(self, arc: Arc) -> frozenset[int]:
        """Where time goes on after ``arc``: the edges that it has not been away from yet."""
        return behind(arc, self._numbers(arc), self._reader)

    def _numbers(self, arc: Arc) -> range:
        return range(len(self._leaving(arc.location)))

    def _reader(self, state: State) -> Callable[[int], Reading]:
        compiled = self._compiled(state.location)
        sides = values_at(compiled, state)
        return compiled.readings(state.time, state.values, sides).__getitem__

    def visit(self, state: State) -> Visit:
        """Pass through the computation node whose entrance is ``state.location``."""
        assert isinstance(state.location, NodePlace)
        return self._sweepers[state.location.node].visit(state)

    def events(
        self,
        before: State,
        visits: tuple[Visit, ...],
        after: State,
        jumps: tuple[Jump, ...] = (),
    ) -> tuple[Event, ...]:
        """One event per jump between dynamical locations, named by the action of its edges."""
        return tuple(written_events(jumps, visits))

    def observe(self, state: State) -> dict[str, float]:
        """Variables, parameters, the time ``t``, and the watched signals of the location."""
        known = self._known(state)
        if self.is_dynamical(state.location):
            sample = self.flow(state).sample(np.array([state.time]), state.values[None, :])
            known |= dict(zip(self.watched(state.location), sample.values[0].tolist(), strict=True))
        return known

    def _known(self, state: State) -> dict[str, float]:
        values = dict(zip(self.variables, state.values.tolist(), strict=True))
        return {**dict(self.parameters), "t": state.time, **values}

    def _node(self, location: NodePlace) -> ComputationNode:
        return next(node for node in self.nodes if node.name == location.node)

    def _leaving(self, location: Location) -> tuple[WrittenEdge, ...]:
        return self._edges.get(location, ())

    def field(self, location: Location) -> Compiled:
        """The vector field of a dynamical location on numbers."""
        return self._compiled(location)

    def _compiled(self, location: Location) -> Compiled:
        """Compile a location when it is first needed."""
        if location not in self._cache:
            place, found = self._places[location], self.smoothed
            self._cache[location] = Compiled(
                self.variables,
                dict(self.parameters),
                found.rates[place.name],
                self._watches(place),
                switches=tuple(found.switches[i] for i in found.active[place.name]),
                margin=self.margin,
            )
        return self._cache[location]

    def _watches(self, place: WrittenLocation) -> Iterator[Watch]:
        seen: list[str] = []
        for edge in self._leaving(place.name):
            name = f"guard[{edge.source},{edge.target}]"
            count = seen.count(name)
            seen.append(name)
            number = f",{count + 1}" if count else ""
            yield watch(f"{name[:-1]}{number}]", edge.guard, is_guard=True)
        if place.invariant != TRUE:
            yield watch(f"invariant[{place.name}]", place.invariant, is_guard=False)

    @cached_property
    def _places(self) -> dict[Location, WrittenLocation]:
        return {location.name: location for location in self.locations}

    @cached_property
    def _edges(self) -> dict[Location, tuple[WrittenEdge, ...]]:
        """The edges by where they leave, names of nodes replaced by their places."""
        nodes = {node.name for node in self.nodes}
        found: dict[Location, tuple[WrittenEdge, ...]] = {}
        for edge in self.edges:
            source = NodePlace(str(edge.source), EXIT) if edge.source in nodes else edge.source
            target = NodePlace(str(edge.target), ENTRANCE) if edge.target in nodes else edge.target
            found[source] = (*found.get(source, ()), replace(edge, source=source, target=target))
        return found

    @cached_property
    def _sweepers(self) -> dict[str, Sweeper]:
        constants = dict(self.parameters)
        return {node.name: Sweeper(node, self.variables, constants) for node in self.nodes}

    @cached_property
    def smoothed(self) -> Smoothed[str]:
        """The rates of all locations, with functions that switch taken out."""
        moving = (rate.target for place in self.locations for rate in place.rates)
        return smoothed(((place.name, place.rates) for place in self.locations), moving)

    @cached_property
    def _cache(self) -> dict[Location, Compiled]:
        return {}
