"""A run: arcs in dynamical locations, moments between jumps, and visits to computation nodes.

They come in the order of time. Runs are where the simulator, the plots, the abstraction and the
animator meet. Arrays in a run are read-only; signals that the automaton can work out from a state
are computed when asked for. So are the parts and events of a run that comes with its `Story`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, Protocol, assert_never, runtime_checkable

import numpy as np

from dyverse.automaton.interface import (
    Array,
    Event,
    Flow,
    HybridAutomaton,
    Keeps,
    Location,
    State,
    Visit,
)
from dyverse.automaton.offering import offers
from dyverse.given import check_kind, check_time

PAIRED = re.compile(r"\[([\w.]+),([\w.]+)\]")  # the bodies of a contact
NOTEBOOK = "dyverse.animation.replays.notebook"  # who shows runs


class Ending(Enum):
    """What the end of a run means to whoever reads it."""

    REACHED = auto()  # it is what was asked for
    OVER = auto()  # the model goes no further: there is nothing behind it
    CUT = auto()  # it was given up: what is behind it is not known


class Stop(StrEnum):
    """Why a run ended."""

    HORIZON = "horizon"  # the time asked for was reached
    INTERRUPTED = "interrupted"  # by whoever hears of its progress; what was computed is kept
    MAX_EVENTS = "max_events"  # as many events as were allowed
    NOT_CONVERGED = "not_converged"  # a computation node found no answer in its sweeps
    INCONSISTENT = "inconsistent"  # the laws of contact have no solution (Painlevé)
    LIVELOCK = "livelock"  # jumps without end in one instant
    CHATTERING = "chattering"  # a function that jumps changes sides without end, or has no side
    DEADLOCK = "deadlock"  # no edge to take and no time may pass
    TIMELOCK = "timelock"  # the same, and it is an invariant or an urgent location that forbids it
    FAULT = "fault"  # an assignment left the range of its variable, or a procedure failed
    SOLVER = "solver"  # the integrator cannot go on
    CRAWLING = "crawling"  # thousands of steps in which hardly any time passes

    @property
    def ending(self) -> Ending:
        """What it means; whoever reads runs says what becomes of each."""
        match self:
            case Stop.HORIZON:
                return Ending.REACHED
            case Stop.INCONSISTENT | Stop.LIVELOCK | Stop.DEADLOCK | Stop.TIMELOCK | Stop.FAULT:
                return Ending.OVER
            case Stop.INTERRUPTED | Stop.MAX_EVENTS | Stop.NOT_CONVERGED:
                return Ending.CUT
            case Stop.CHATTERING | Stop.SOLVER | Stop.CRAWLING:
                return Ending.CUT
            case _:
                assert_never(self)

    @property
    def goes_on(self) -> bool:
        """Whether there would be more, with more time or more events."""
        return self in (Stop.HORIZON, Stop.INTERRUPTED, Stop.MAX_EVENTS)

    def covers(self, time: float, end: float) -> bool:
        """Whether nothing up to and including ``time`` is missing in a run that stopped at ``end``.

        Infinity is all that was asked. A run that did not reach what was asked for may have ended
        in the middle of an instant.
        """
        if self.ending is Ending.REACHED:
            return time <= end or time == np.inf
        return time < end


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Arc:
    """A stretch of time in one location, sampled: ``states[i]`` at ``times[i]``."""

    start: State
    times: Array
    states: Array
    last: State | None = None  # the last state, with what the run remembers there

    @classmethod
    def still(cls, state: State) -> Arc:
        """An arc without length."""
        times, states = np.array([state.time]), state.values[None, :]
        return cls(start=state, times=times, states=states, last=state)

    @property
    def location(self) -> Location:
        """Where the arc runs."""
        return self.start.location

    @property
    def end(self) -> State:
        """The last state of the arc."""
        if self.last is not None:
            return self.last
        return self.state(-1)

    def state(self, row: int) -> State:
        """One sampled state."""
        return self.made(float(self.times[row]), self.states[row])

    def made(self, time: float, values: Array) -> State:
        """A state on the way."""
        return State(time, self.location, values, self.start.held, sides=self.start.sides)


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A state between two jumps of one instant: time may pass there, but none does.

    So it is in a committed or urgent location, and in any other that a run leaves at once.
    """

    state: State


Part = Arc | Visit | Moment


class Between:
    """The states of one arc at any time: whoever asks for many has its rates worked out once."""

    def __init__(self, automaton: HybridAutomaton, arc: Arc) -> None:
        self._automaton, self._arc = automaton, arc
        self._rates: dict[int, Array] = {}  # by the row of the sample
        self._flow: Flow | None = None  # one for all rows, if it remembers nothing

    def __call__(self, time: float) -> State:
        """The state at a time; at the ends of the arc and beyond, its first or last."""
        arc = self._arc
        row = int(np.searchsorted(arc.times, time))
        if row >= len(arc.times) or arc.times[row] == time or row == 0:
            return arc.state(min(row, len(arc.times) - 1))
        return arc.made(time, self._values(row - 1, time))

    def _values(self, row: int, time: float) -> Array:
        """On the cubic with the states and rates at both ends of a row."""
        times, states = self._arc.times, self._arc.states
        first, last = self._rate(row), self._rate(row + 1)
        length = float(times[row + 1] - times[row])
        share = (time - float(times[row])) / length
        moved = states[row + 1] - states[row]
        bent = (1 - share) * (first * length - moved) + share * (moved - last * length)
        return np.asarray(states[row] + share * moved + share * (1 - share) * bent)

    def _rate(self, row: int) -> Array:
        if row not in self._rates:
            state = self._arc.state(row)  # whose flow may depend on where it begins
            flow = self._flow or self._automaton.flow(state)
            if not _remembers(flow):
                self._flow = flow
            self._rates[row] = flow.rate(state.time, state.values)
        return self._rates[row]


def _remembers(flow: Flow) -> bool:
    """Whether it matters where a flow began; who does not say so may."""
    return not offers(flow, Keeps) or any(map(len, flow.kept.values()))


@runtime_checkable
class EndsExactly(Protocol):
    """An automaton that knows where a stretch of time ends better than numbers do."""

    def ended(self, arc: Arc) -> Arc:
        """``arc`` with its last state as it is without the errors of computation."""


@runtime_checkable
class Surveys(Protocol):
    """An automaton that observes all states of an arc at less cost than one by one."""

    def survey(
        self, arc: Arc, names: Collection[str] | None = None
    ) -> Iterator[Mapping[str, float]]:
        """Every named signal at each sampled state; if there are ``names``, at least those."""


class Story(Protocol):
    """A record of a run, from which parts and events can be made when someone asks for them."""

    @property
    def end(self) -> State:
        """The last state."""

    def parts(self) -> tuple[Part, ...]:
        """Arcs and visits."""

    def events(self) -> tuple[Event, ...]:
        """Events."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Run:
    """What happened from the start to the end of a simulation, and why it ended."""

    automaton: HybridAutomaton = field(repr=False)
    parts: tuple[Part, ...] = field(repr=False)
    events: tuple[Event, ...]
    stop: Stop
    message: str = ""
    solver: str = ""  # who followed it
    _story: Story | None = field(default=None, init=False, repr=False)

    @classmethod
    def later(cls, automaton: HybridAutomaton, story: Story, stop: Stop, solver: str) -> Run:
        """A run whose parts and events are made when they are first asked for."""
        run, put = object.__new__(cls), object.__setattr__  # one by one: a loop takes 1 µs more
        put(run, "automaton", automaton)
        put(run, "stop", stop)
        put(run, "message", "")
        put(run, "solver", solver)
        put(run, "_story", story)
        return run

    def __reduce__(self) -> tuple[object, ...]:
        told = (self.parts, self.events, self.stop, self.message, self.solver)
        return _rebuilt, (self.automaton, *told)

    if not TYPE_CHECKING:  # or any name would do for an attribute

        def __getattr__(self, name: str) -> object:
            """What is not there yet: the parts or the events of a story."""
            if name in ("parts", "events") and self._story is not None:
                object.__setattr__(self, name, getattr(self._story, name)())
            return object.__getattribute__(self, name)

    def _repr_html_(self) -> str | None:
        """The run as a replay, for notebooks; nothing where the page has not been built."""
        from importlib import import_module  # only notebooks ask, and the animator knows runs

        return str(found) if (found := import_module(NOTEBOOK).framed(self)) else None

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The stretches of time."""
        return tuple(part for part in self.parts if isinstance(part, Arc))

    @property
    def visits(self) -> tuple[Visit, ...]:
        """The passes through computation nodes."""
        return tuple(part for part in self.parts if isinstance(part, Visit))

    @property
    def end(self) -> State:
        """The last state."""
        if self._story is not None:
            return self._story.end
        return end_of(self.parts[-1])

    def covers(self, time: float) -> bool:
        """Whether nothing up to and including ``time`` is missing; see `Stop.covers`."""
        return self.stop.covers(time, self.end.time if self.parts else 0.0)

    @property
    def final(self) -> dict[str, float]:
        """The last value of each variable, by name."""
        names = self.automaton.variables
        return {n: float(x) for n, x in zip(names, self.end.values, strict=True)}

    def times(self, kind: str) -> list[float]:
        """The times of all events of one kind."""
        return [event.time for event in self.events if event.kind == kind]

    def at(self, time: float) -> State:
        """The state at any time of the run; at the instant of a jump, the one after it."""
        check_time(time, "the time of a state")
        arcs = self.arcs
        arc = arcs[max(0, bisect_right([float(a.times[0]) for a in arcs], time) - 1)]
        return self.within(arc, time)

    def within(self, arc: Arc, time: float) -> State:
        """The state at a time of one arc; at its ends and beyond, the first or last of it."""
        return Between(self.automaton, arc)(time)

    def states(self) -> Iterator[State]:
        """Every sampled state of every arc."""
        for arc in self.arcs:
            yield from map(arc.made, arc.times.tolist(), arc.states)

    def observed(
        self, arc: Arc, names: Collection[str] | None = None
    ) -> Iterator[Mapping[str, float]]:
        """Every named signal at each sampled state of an arc, or at least those of ``names``."""
        return observed(self.automaton, arc, names)

    def seen(self, state: State, names: Collection[str] | None = None) -> Mapping[str, float]:
        """Every named signal at one state, or at least those of ``names``."""
        return next(self.observed(Arc.still(state), names))

    def signal(self, name: str) -> tuple[Array, Array]:
        """Times and values of one variable or signal; not a number where it is not defined.

        The bodies of a contact may be named either way: ``gap[ball,floor]``, ``gap[floor,ball]``.
        """
        if name in self.automaton.variables:
            column, arcs = self.automaton.variables.index(name), self.arcs
            values = np.concatenate([arc.states[:, column] for arc in arcs])
            return np.concatenate([arc.times for arc in arcs]), values
        check_kind(name, str, "the name of a signal")
        other = _other_way(name)
        seen = (known for arc in self.arcs for known in self.observed(arc, (name, other)))
        values = np.array([known.get(name, known.get(other, np.nan)) for known in seen])
        return np.concatenate([arc.times for arc in self.arcs]), values


def _other_way(name: str) -> str:
    """The same signal of a contact, its bodies in the other order; other names stay."""
    return PAIRED.sub(r"[\2,\1]", name)


def observed(
    automaton: HybridAutomaton, arc: Arc, names: Collection[str] | None = None
) -> Iterator[Mapping[str, float]]:
    """Every named signal at each sampled state of an arc, or at least those of ``names``."""
    variables = automaton.variables
    if names is not None and not set(names).difference(variables):  # a state says it by itself
        return (dict(zip(variables, row, strict=True)) for row in arc.states.tolist())
    if offers(automaton, Surveys):
        return automaton.survey(arc, names)
    return map(automaton.observe, map(arc.state, range(len(arc.times))))


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a run was followed. There is no run to go on with; ``run`` is what was followed.

    It is a `KeyboardInterrupt` to whoever does not ask, and to other processes.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        super().__init__()

    def __reduce__(self) -> tuple[type[KeyboardInterrupt], tuple[()]]:
        return KeyboardInterrupt, ()


def interruption(tell: Callable[[], Run]) -> KeyboardInterrupt:
    """What to raise when Ctrl-C has ended a run that ``tell`` tells, if it still can."""
    try:
        return Interrupted(tell())
    except Exception:  # Ctrl-C may come while a piece of the run changes hands
        return KeyboardInterrupt()


def end_of(part: Part) -> State:
    """The last state of a part."""
    match part:
        case Arc():
            return part.end
        case Visit(after=after):
            return after
        case Moment(state=state):
            return state
        case _:
            assert_never(part)


def _rebuilt(
    automaton: HybridAutomaton,
    parts: tuple[Part, ...],
    events: tuple[Event, ...],
    stop: Stop,
    message: str,
    solver: str,
) -> Run:
    told = Run(automaton=automaton, parts=parts, events=events, stop=stop)
    return replace(told, message=message, solver=solver)
