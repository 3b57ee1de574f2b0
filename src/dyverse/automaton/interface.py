"""What every hybrid automaton answers: the rigid-body generator, hand-written ones, networks.

H = (S, E, X, Dom, F, Init, G, R) as in [navarro2018] §3.1. It is an interface, because a
rigid-body automaton is too large to be held: four balls have 231,284 edges and twenty more than
could be stored. So it answers three questions about a location: `outgoing` lists its edges one by
one, `watched` names the signals whose change of sign can enable one, and `enabled` gives those
whose guards hold here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.memory import Memory, Stretch
from dyverse.expr.formula import Formula
from dyverse.expr.term import Term

Location = Hashable
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Assignment:
    """``target := value``; variables without an assignment keep theirs."""

    target: str
    value: Term


class Edge(Protocol):
    """A jump from ``source`` to ``target``, allowed where ``guard`` holds (E, G, R)."""

    @property
    def source(self) -> Location:
        """Where it starts."""

    @property
    def target(self) -> Location:
        """Where it leads."""

    @property
    def guard(self) -> Formula:
        """Where it is allowed, over the signals of the source."""

    @property
    def reset(self) -> tuple[Assignment, ...]:
        """What it changes."""


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A point of a run: the time (s), the location, and the values of the automaton's variables.

    ``held`` is what the last computation node left behind for the locations after it; for rigid
    bodies, the force in world axes (N) at each closed contact, the paper's λ_N and λ_T.
    ``reached`` are the numbers of edges that time has brought the run to: for this instant, their
    guards are read at the point itself (see `dyverse.automaton.guard.arrival`). ``memory`` is there
    where a run has ended, so that it can go on; without it a run begins, with the jumps of this
    instant. ``sides`` are the values of functions that switch (see `dyverse.automaton.sides`) in
    the stretch of time that the state belongs to; without them the field decides.
    """

    time: float
    location: Location
    values: Array
    held: Mapping[str, Array] = field(default_factory=dict)
    reached: frozenset[int] = frozenset()
    memory: Memory | None = None
    sides: tuple[float, ...] = ()

    @property
    def stretch(self) -> Stretch | None:
        """The stretch of time that goes on here, if one does."""
        return None if self.memory is None else self.memory.stretch


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Visit:
    """One pass through a computation node: it takes no time and ends at the node's exit."""

    before: State
    after: State
    sweeps: int
    residual: float
    method: str
    failure: str | None = None  # why there is no answer; the run stops here
    contacts: tuple[str, ...] = ()
    result: Mapping[str, Array] = field(default_factory=dict)  # impulse or force per contact
    accumulates: float | None = None  # when impacts pile up: the time of their accumulation
    rested: tuple[str, ...] = ()  # the contacts at which they do
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """An edge that was taken, and the states around it; ``chosen`` says from how many, if so."""

    edge: Edge
    before: State
    after: State
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Samples:
    """Watched signals at some times of an arc: ``values[i, j]`` of signal j at time i.

    ``rates`` are their time derivatives, or not a number where the automaton does not know them.
    """

    values: Array
    rates: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at one instant, in the words of the field.

    ``source`` and ``target`` are the dynamical locations before and after the instant; they are
    the same for an event that changes neither, such as a graze.
    """

    time: float
    kind: str
    source: Location
    target: Location
    contacts: tuple[str, ...] = ()
    remark: str = ""
    accumulates: float | None = None  # where impacts pile up: the time of their accumulation (s)
    edges: tuple[Edge, ...] = field(default=(), compare=False, repr=False)  # of automata, taken


class Flow(Protocol):
    """The continuous behaviour of one visit to a dynamical location (F and Dom).

    It is made for one visit, because a rigid-body flow remembers the direction in which a contact
    began to slip; the automaton itself holds no state.
    """

    def rate(self, time: float, values: Array) -> Array:
        """The vector field, dx/dt."""

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals at each of ``times``, one row of ``values`` per time."""

    def settle(self, time: float, values: Array) -> Array:
        """``values`` moved back onto the location's constraints, against drift."""

    @property
    def resting(self) -> NDArray[np.bool_]:
        """Which watched signals start at zero because they have just been reset: not armed yet."""


@runtime_checkable
class Keeps(Protocol):
    """A flow that decides something where it begins, or remembers something on its way."""

    @property
    def kept(self) -> Mapping[str, Array]:
        """What a flow that goes on from here must be given, in `dyverse.automaton.memory`."""


@runtime_checkable
class Floored(Protocol):
    """A flow with floors: a signal whose minimum is at or below its floor has got to zero."""

    @property
    def floors(self) -> Array:
        """One per watched signal; zero for those that cross."""


@runtime_checkable
class Limiting(Protocol):
    """A flow that limits steps beyond what the tolerances of its variables do."""

    def excess(self, values: Array, error: Array) -> float:
        """What a step to ``values`` errs by, by its estimated ``error``, over what it may."""

    def relaxation(self, time: float, values: Array) -> float:
        """A bound of how fast the field pulls together there (1/s); zero if it is not stiff."""


@runtime_checkable
class Meeting(Protocol):
    """A flow with floors that do not always count."""

    def meets(self, signal: int, time: float, values: Array) -> bool:
        """Whether a signal that is below its floor counts as zero."""


class HybridAutomaton(Protocol):
    """One automaton type for everything; a value, never changed by running it."""

    @property
    def variables(self) -> tuple[str, ...]:
        """X: the names of the continuous variables, in the order of `State.values`."""

    def start(self) -> State:
        """Init: where a run begins."""

    def is_dynamical(self, location: Location) -> bool:
        """Whether time passes in ``location``; if not, it belongs to a computation node."""

    def domain(self, location: Location) -> Formula:
        """Dom: where the flow of ``location`` may go on."""

    def outgoing(self, location: Location) -> Iterator[Edge]:
        """E: the edges that leave ``location``, one by one."""

    def watched(self, location: Location) -> tuple[str, ...]:
        """The signals, all positive inside, whose change of sign can enable an edge."""

    def enabled(self, state: State) -> tuple[Edge, ...]:
        """The edges whose guards hold at ``state``, found without listing the others."""

    def flow(self, state: State) -> Flow:
        """The continuous behaviour from ``state`` on."""

    def visit(self, state: State) -> Visit:
        """Pass through the computation node whose entrance is ``state.location``."""

    def events(
        self,
        before: State,
        visits: tuple[Visit, ...],
        after: State,
        jumps: tuple[Jump, ...] = (),
    ) -> tuple[Event, ...]:
        """What to call the ``jumps`` of one instant, from one dynamical location to the next."""

    def observe(self, state: State) -> Mapping[str, float]:
        """Every named signal at ``state``, with the variables themselves."""
