"""Networks of hybrid automata over shared variables. [amnell2000] §2

In come components, variables and channels; out goes one answer to the `HybridAutomaton` interface.
A location is the tuple of the components' places. The product is never built: rates, guards and
invariants of all places are compiled once, and a state selects those that count.

- An internal edge is taken alone. A handshake takes one sending and one receiving edge of two
  components, where both guards hold, and makes all their assignments at once from the values
  before; so ``x := y`` here and ``y := x`` there swaps. On a broadcast channel the sender takes
  along every component that is ready.
- With ``assignments="sequential"`` a receiver sees what the sender has assigned, as in UPPAAL.
- With a ``grain`` clocks are read as in UPPAAL (`dyverse.automaton.network.timed`), and a jump that
  would break an invariant is not enabled (`dyverse.automaton.network.landing`).
- Of several enabled jumps only those with the highest priority remain; who chooses among these, or
  to leave them alone while time may pass, is the business of whoever follows the run.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import Literal, cast

import numpy as np

from dyverse.automaton.guard.arrival import behind, reached
from dyverse.automaton.guard.truth import Reading
from dyverse.automaton.guard.waiting import Waiting
from dyverse.automaton.interface import (
    Array,
    Edge,
    Event,
    Flow,
    Jump,
    Location,
    State,
    Visit,
)
from dyverse.automaton.network.check import network_problems
from dyverse.automaton.network.code import NetworkCode, Outside, Point, Truth
from dyverse.automaton.network.columns import Columns, columns
from dyverse.automaton.network.component import Channel, Component, Fault, Known, Variable
from dyverse.automaton.network.field import NetworkField
from dyverse.automaton.network.flow import NetworkFlow, Ready, guards_hold, known_numbers
from dyverse.automaton.network.landing import Landing, landing
from dyverse.automaton.network.moves import Half, Lands, Move, Moves, Places
from dyverse.automaton.network.timed import on_grain, timed_clocks
from dyverse.automaton.node import assigned
from dyverse.automaton.run import Arc
from dyverse.automaton.sides import NONE, sides_of, values_at
from dyverse.automaton.switched import SwitchedFlow
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import FALSE, TRUE, Formula, both
from dyverse.expr.value import holds

Assigning = Literal["concurrent", "sequential"]
NOTHING: Array = np.empty(0)


@dataclass(frozen=True, kw_only=True)
class Network:
    """Components that run together: a value, checked when built, never changed.

    ``outside`` names variables that move by laws of their own, and which components may read.
    """

    components: tuple[Component, ...]
    shared: tuple[Variable, ...] = ()  # every variable of every component
    channels: tuple[Channel, ...] = ()  # those not named here are for handshakes
    parameters: tuple[tuple[str, float], ...] = ()
    assignments: Assigning = "concurrent"
    outside: tuple[Outside, ...] = ()
    name: str = "network"
    margin: float = 1e-9
    grain: float = 0.0  # s

    def __post_init__(self) -> None:
        if problems := network_problems(self):
            raise ModelError(problems, file=self.name)

    def __getstate__(self) -> dict[str, object]:
        """Only what was written; what was compiled is compiled again."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """X: the names of all variables, in the order of `State.values`."""
        return tuple(variable.name for variable in self.shared)

    @property
    def limits(self) -> tuple[tuple[float, float], ...]:
        """Between what each variable stays, those outside first: they are free."""
        free = ((-math.inf, math.inf),) * len(self.outside)
        return (*free, *(variable.limits for variable in self.shared))

    def start(self) -> State:
        """Init: every component in its initial place."""
        values = np.array([variable.start for variable in self.shared], dtype=np.float64)
        return State(0.0, Places(item.initial for item in self.components), values)

    def arranged(self, state: State) -> State:
        """A state that was put together by hand, or a `ModelError`: kinds and ranges are kept."""
        try:
            for variable, number in zip(self.shared, state.values.tolist(), strict=True):
                variable.accepted(number)
        except Fault as fault:
            raise ModelError([Problem(str(fault))]) from None
        return state

    def fits(self, state: State) -> bool:
        """Places have no constraints that numbers could break."""
        return True

    def is_dynamical(self, location: Location) -> bool:
        """Whether ``location`` is no place in a computation node: networks have none."""
        return True

    def domain(self, location: Location) -> Formula:
        """Dom: all invariants; where a place is urgent no time may pass."""
        places = _places(location)
        if self.moves.offers(places).urgent:
            return FALSE
        found = (self.moves.place(i, name).invariant for i, name in enumerate(places))
        return both(*(invariant for invariant in found if invariant != TRUE))

    def outgoing(self, location: Location) -> Iterator[Move]:
        """E: the jumps that leave ``location``, one by one."""
        return self.moves.listed(_places(location))

    def watched(self, location: Location) -> tuple[str, ...]:
        """One signal per internal edge, per sender with a partner, and per invariant."""
        places = _places(location)
        found = columns(self.moves, self.code, places)
        return tuple(found.names(self.components, places))

    def enabled(self, state: State) -> tuple[Move, ...]:
        """The jumps that may be taken at ``state``, in the order written."""
        ready = self._ready(state, state.reached)
        return self.moves.ready(_places(state.location), ready, self._lands(state))

    def called(self, state: State, channel: str) -> tuple[Move, ...]:
        """The jumps that may be taken if something outside takes part in ``channel``."""
        found = self.moves.called(_places(state.location), channel, self._ready(state))
        lands = self._lands(state)
        return found if lands is None else tuple(filter(lands, found))

    def held_back(self, state: State) -> bool:
        """Whether there are jumps whose guards hold, but which lead where they must not."""
        if not self.landing.doubtful:
            return False
        ready = self._ready(state, state.reached)
        return any(self.moves.possible(_places(state.location), ready))

    def _lands(self, state: State) -> Lands | None:
        """Whether the invariants hold behind a jump from ``state``, if that is open at all."""
        doubtful = self.landing.doubtful
        if not doubtful:
            return None
        known = self.known(state)

        def lands(move: Move) -> bool:
            if not any(doubtful[half.number] for half in move.halves):
                return True
            try:
                changes = self.changes(move, known)
            except Fault:
                return True  # it is taken, and ends the run with this fault
            return self._keeps(move, ChainMap(changes, known))

        return lands

    def _keeps(self, move: Move, known: Known) -> bool:
        written = chain.from_iterable(half.edge.writes for half in move.halves)
        concerned = self.landing.concerned(written).union(move.components)
        found = (self.moves.place(i, move.target[i]).invariant for i in concerned)
        return all(holds(invariant, known, margin=self.margin) for invariant in found)

    def flow(self, state: State) -> Flow:
        """The continuous behaviour from ``state`` on."""
        return self._flow(state, columns(self.moves, self.code, _places(state.location)))

    def _flow(self, state: State, watched: Columns) -> Flow:
        selected = self.code.selected(_places(state.location))

        def point(time: float, values: Array, sides: Array) -> Point:
            return Point(time, values, selected, NOTHING, NOTHING, sides)

        field = self.field(state)
        if field is None or not field.switches:
            sides = NONE if field is None else field.spread(NONE)
            return NetworkFlow(self.code, watched, self._ready(state), point, state, sides)
        state = replace(state, sides=sides_of(field, state))
        sides = field.spread(values_at(field, state))
        ready = self._ready(state)
        flow = NetworkFlow(self.code, watched, ready, point, state, sides, field.spread)
        return SwitchedFlow(flow, field, state)

    def field(self, state: State) -> NetworkField | None:
        """The vector field in the places of ``state``; None if nothing ever switches."""
        return NetworkField(self.code, _places(state.location)) if self.code.switches else None

    def waiting(self, state: State) -> Waiting:
        """What to watch from ``state`` on, while its enabled edges are left alone."""
        places, ready = _places(state.location), self._ready(state, state.reached)
        hurried = self.moves.hurried(places, ready)
        watched = columns(self.moves, self.code, places, waiting=True, hurried=hurried)
        guards = watched.guards
        holding, here = np.zeros((2, watched.size), dtype=bool)
        holding[guards] = list(guards_hold(watched, ready.stays))
        here[guards] = list(guards_hold(watched, ready.is_here))
        names = tuple(watched.names(self.components, places))
        lasting = bool(self.moves.ready(places, ready.stays, self._lands(state)))
        flow = self._flow(state, watched)
        return Waiting(flow, names, holding, here, guards, lasting, hurried)

    def ended(self, arc: Arc) -> Arc:
        """``arc`` with times and timed clocks as multiples of the grain, if there is one."""
        if not self.grain or len(arc.times) < 2:
            return arc
        times, states = arc.times.copy(), arc.states.copy()
        times[-1] = max(times[-2], on_grain(times[-1:], self.grain)[0])
        states[-1, self._timed] = on_grain(states[-1, self._timed], self.grain)
        return replace(arc, times=times, states=states)

    def arrive(self, arc: Arc) -> State:
        """The end of ``arc``, with the edges that it has reached for that instant."""
        return replace(arc.end, reached=reached(arc, self._numbers(arc), self._reader))

    def left_behind(self, arc: Arc) -> frozenset[int]:
        """Where time goes on after ``arc``: the edges that it has not been away from yet."""
        return behind(arc, self._numbers(arc), self._reader)

    def _numbers(self, arc: Arc) -> tuple[int, ...]:
        return tuple(half.number for half in self.moves.leaving(_places(arc.location)))

    def _reader(self, state: State) -> Callable[[int], Reading]:
        ready = self._ready(state)
        return lambda number: ready.reading(self.moves.halves[number])

    def visit(self, state: State) -> Visit:
        """There are no computation nodes to pass through."""
        raise AssertionError(f"{state.location} is not in a computation node")

    def take(self, edge: Edge, state: State) -> State:
        """The state after ``edge``, or a `Fault` if a variable cannot have its new value."""
        assert isinstance(edge, Move)
        changes = self.changes(edge, self.known(state))
        values = state.values.copy() if changes else state.values
        for name, number in changes.items():
            values[self.index[name]] = number
        left = frozenset(n for n in state.reached if not self._takes_part(n, edge))
        return State(state.time, edge.target, values, state.held, left)

    def _takes_part(self, number: int, move: Move) -> bool:
        return self.moves.halves[number].component in move.components

    def changes(self, move: Move, known: Known) -> dict[str, float]:
        """The new values that ``move`` gives to variables."""
        found: dict[str, float] = {}
        first = cast(MutableMapping[str, float], known)  # never written to
        seen: Known = ChainMap(found, first) if self.assignments == "sequential" else known
        for half in move.halves:
            for name, number in self._changed(half, seen).items():
                if self.assignments == "concurrent" and found.get(name, number) != number:
                    raise Fault(f"{name} is assigned {found[name]:.9g} and {number:.9g} at once")
                found[name] = number
        return found

    def _changed(self, half: Half, known: Known) -> dict[str, float]:
        found = assigned(half.edge.reset, known)
        if half.edge.procedure is not None:
            found |= half.edge.procedure.apply(known)
        return {name: self.shared[self.index[name]].accepted(x) for name, x in found.items()}

    def events(
        self,
        before: State,
        visits: tuple[Visit, ...],
        after: State,
        jumps: tuple[Jump, ...] = (),
    ) -> tuple[Event, ...]:
        """One event per jump: its channel or name, and who took part."""
        return tuple(self.event(jump) for jump in jumps)

    def event(self, jump: Jump) -> Event:
        """What a jump is called."""
        assert isinstance(jump.edge, Move)
        first, *others = (self.components[i].name for i in jump.edge.components)
        who = f"{first} to {', '.join(others)}" if others else first
        return Event(
            time=jump.after.time,
            kind=jump.edge.action or "jump",
            source=jump.before.location,
            target=jump.after.location,
            remark="; ".join(filter(None, (who, jump.chosen))),
            edges=(jump.edge,),
        )

    def observe(self, state: State) -> dict[str, float]:
        """Variables, parameters, the time, and ``component.place``, 1 for the present places."""
        known = self.known(state)
        for item, present in zip(self.components, _places(state.location), strict=True):
            known |= {f"{item.name}.{p.name}": float(p.name == present) for p in item.places}
        return known

    def known(self, state: State) -> dict[str, float]:
        """Variables, parameters and the time by name."""
        return known_numbers(self.variables, dict(self.parameters), state.time, state.values)

    def point(self, state: State) -> Point:
        """A state as what was compiled takes it."""
        selected, field = self.code.selected(_places(state.location)), self.field(state)
        sides = NONE if field is None else field.spread(values_at(field, state))
        return Point(state.time, state.values, selected, NOTHING, NOTHING, sides)

    def _ready(self, state: State, reached: frozenset[int] = frozenset()) -> Ready:
        return Ready(Truth(self.code, self.point(state)), lambda: self.known(state), reached)

    @cached_property
    def moves(self) -> Moves:
        """The edges, ready to be asked for."""
        return Moves(self.landing.components, self.channels)

    @cached_property
    def landing(self) -> Landing:
        """The components with guards that see where their edges lead, if there is a grain."""
        if not self.grain:
            return Landing(self.components)
        known = {channel.name: channel for channel in self.channels}
        return landing(self.components, lambda name: known.get(name) or Channel(name))

    @cached_property
    def code(self) -> NetworkCode:
        """Rates, guards and invariants on numbers."""
        return NetworkCode(
            self.shared,
            self.components,
            self.moves.halves,
            dict(self.parameters),
            self.outside,
            margin=self.margin,
            grain=self.grain,
        )

    @cached_property
    def is_weighted(self) -> bool:
        """Whether some edges are to be drawn more often than others."""
        return any(edge.weight != 1.0 for item in self.components for edge in item.edges)

    @cached_property
    def _timed(self) -> list[int]:
        clocks = timed_clocks({v.name: v.kind for v in self.shared}, self.components)
        return [self.index[name] for name in clocks]

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each variable among the values of a state."""
        return {name: i for i, name in enumerate(self.variables)}


def _places(location: Location) -> Places:
    assert isinstance(location, Places)
    return location
