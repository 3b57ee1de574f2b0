"""A run that is there: a live view, a debugger, a notebook or a co-simulation goes on with it.

In come a model and its settings; the session then stands at one state and goes on when asked. A run
in pieces is the same run as in one piece, whatever was looked at, saved and restored in between:
what a run remembers is in its state (`dyverse.automaton.memory`), so a snapshot is a value that can
be kept, sent away, and gone on from by any engine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Protocol, runtime_checkable

from dyverse.automaton import endings
from dyverse.automaton.guard.waiting import arrived
from dyverse.automaton.interface import Edge, HybridAutomaton, State
from dyverse.automaton.network.component import Fault
from dyverse.automaton.run import Arc, Interrupted, Moment, Run, Stop, observed
from dyverse.errors import SolverError
from dyverse.given import check_kind, check_time
from dyverse.session.asking import Answers, Asking, Question, place_of
from dyverse.session.foresight import MOST, Ahead, ahead
from dyverse.session.hands import Hears, anew, carried, jumped, placed
from dyverse.simulation.choice import Ask, First, Seeded
from dyverse.simulation.simulate import Options, check_solver, simulate

Settings = Mapping[str, float]
DEFAULTS = Options(solver="native")
KEPT = 8  # automata at other settings
FAR = 1e4  # s: how far to look for the next event, if not told


@runtime_checkable
class Makes(Protocol):
    """A model, which has an automaton at any settings."""

    def automaton(self, settings: Settings | None = None) -> HybridAutomaton:
        """Its automaton."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Snapshot:
    """All that a session is at one time; it never changes, and can be pickled."""

    state: State
    settings: Settings = field(default_factory=dict)
    stop: Stop | None = None  # why the run cannot go on
    message: str = ""
    answers: Answers = ()  # choices made in this instant, while others are open


def open_session(
    model: Makes | HybridAutomaton,
    settings: Settings | None = None,
    *,
    solver: str | None = None,
    seed: int | None = None,
    asks: bool = False,
    options: Options = DEFAULTS,
) -> Session:
    """A session at the start of ``model``, with parameters, inputs or starts set by name.

    ``seed`` lets a generator choose among enabled edges; with ``asks`` the run stops wherever there
    is a choice, and goes on when `Session.take` or `Session.wait` has made it.
    """
    if not isinstance(model, Makes) and not hasattr(model, "flow"):
        check_kind(model, (), "a model or an automaton", "generate(world) makes one of a world")
    chosen = options if solver is None else replace(options, solver=solver)
    check_solver(chosen.solver)
    if seed is not None:
        chosen = replace(chosen, choice=Seeded(seed))
    if isinstance(chosen.choice, Ask | First) or (asks and seed is not None):
        raise SolverError("a session asks by itself: open it with asks=True, and without a choice")
    return Session(Automata(model), settings or {}, chosen, asks=asks)


class Automata:
    """The automata of a model, by settings; those used last are kept."""

    def __init__(self, model: Makes | HybridAutomaton) -> None:
        self._model = model
        self._made = lru_cache(maxsize=KEPT)(self._make)

    def __call__(self, settings: Settings) -> HybridAutomaton:
        """The automaton at these settings."""
        return self._made(tuple(sorted(settings.items())))

    def _make(self, settings: tuple[tuple[str, float], ...]) -> HybridAutomaton:
        if isinstance(self._model, Makes):
            return self._model.automaton(dict(settings))
        if settings:
            raise SolverError("an automaton has its numbers already; open its model to set others")
        return self._model


class Session:
    """One run, at one state; `open_session` makes it."""

    def __init__(
        self, automata: Automata, settings: Settings, options: Options, *, asks: bool = False
    ) -> None:
        self._automata, self.options, self.asks = automata, options, asks
        self.settings = dict(settings)
        self.automaton = automata(settings)
        self._at = Snapshot(state=self.automaton.start(), settings=self.settings)
        self.question: Question | None = None  # a choice to make before time goes on

    @property
    def state(self) -> State:
        """Where the run is."""
        return self._at.state

    @property
    def time(self) -> float:
        """When the run is (s)."""
        return self._at.state.time

    @property
    def stop(self) -> Stop | None:
        """Why the run cannot go on; None if it can."""
        return self._at.stop

    @property
    def message(self) -> str:
        """What is said of the reason."""
        return self._at.message

    def advance(self, until: float) -> Run:
        """Go on to time ``until``, or as far as it goes; what happened on the way."""
        check_time(until, "the time to advance to")
        return self._follow(self._at, until, self.options)

    def tick(self, length: float) -> Run:
        """Go on by ``length`` seconds."""
        check_time(length, "the length of a tick")
        return self.advance(self.time + length)

    def next_event(self, until: float = math.inf) -> Run:
        """Go on to the end of the first instant in which something happens, at most to ``until``.

        If there is one, the run that comes back has the stop `Stop.MAX_EVENTS`. Without an end the
        session looks `FAR` ahead; if nothing happens there it stays where it is, and the run has
        the stop `Stop.HORIZON`.
        """
        before, endless = self._at, until == math.inf
        if not endless:
            check_time(until, "the time to look to")
        end = self.time + FAR if endless else until
        run = self._follow(before, end, replace(self.options, max_events=1))
        if endless and run.stop is Stop.HORIZON:
            self._at = before
        return run

    def enabled(self) -> tuple[Edge, ...]:
        """The edges that can be taken here and now."""
        if self.question is not None:
            return self.question.edges
        return () if self.stop is not None else self.automaton.enabled(self.state)

    def take(self, edge: Edge) -> Run:
        """Take ``edge`` now, then whatever else happens in this instant."""
        place_of(edge, self.enabled())
        if self.question is not None:
            return self._answer(edge)
        at = replace(self._at, state=anew(self.state))
        if self.asks:
            return self._follow(replace(at, answers=(edge,)), self.time, self.options)
        assert not isinstance(self.options.choice, First)
        options = replace(self.options, choice=First(edge, self.options.choice))
        return self._follow(at, self.time, options)

    def called(self, channel: str) -> tuple[Edge, ...]:
        """The jumps that are possible here if something outside takes part in ``channel``."""
        if not isinstance(self.automaton, Hears):
            raise SolverError(f"there are no channels here, and no {channel!r}")
        return () if self.stop is not None else self.automaton.called(self.state, channel)

    def signal(self, channel: str) -> Run:
        """Take part in ``channel`` from outside now; what happens in this instant.

        On a broadcast everybody hears it who is ready, on any other channel one of them. If nobody
        does, nothing happens.
        """
        if self.question is not None:
            raise SolverError(f"a choice is open at {self.time:.9g} s: take an edge, or wait")
        edges, at = self.called(channel), self._at
        if not edges:
            return _nothing(self.automaton, at)
        try:
            taken = jumped(self.automaton, at.state, edges, self.options.choice)
        except Fault as fault:
            self._at = replace(at, stop=Stop.FAULT, message=endings.faulty(at.state, fault))
            return _nothing(self.automaton, self._at)
        run = self._follow(replace(at, state=taken.after), self.time, self.options)
        told = self.automaton.events(at.state, (), taken.after, (taken,))
        parts = (Moment(at.state), *run.parts)
        return replace(run, parts=parts, events=(*told, *run.events))

    def place(self, values: Settings) -> None:
        """Go on from here with other values of some variables; contacts are found anew."""
        state = placed(self.automaton, self.state, values)
        self._at, self.question = Snapshot(state=state, settings=self.settings), None

    def wait(self) -> Run:
        """Leave the edges alone that are asked about; what else happens in this instant."""
        if self.question is None or not self.question.may_wait:
            why = "nothing is asked" if self.question is None else "no time may pass"
            raise SolverError(f"there is nothing to wait for at {self.time:.9g} s: {why}")
        return self._answer(None)

    def observe(self, *names: str) -> dict[str, float]:
        """The values of these signals now; not a number where one is not defined."""
        index, values = self._index, self.state.values
        if all(name in index for name in names):
            return {name: float(values[index[name]]) for name in names}
        known = next(observed(self.automaton, Arc.still(self.state), names))
        return {name: known.get(name, math.nan) for name in names}

    @cached_property
    def _index(self) -> dict[str, int]:
        """Where each variable is: at the same place for all settings."""
        return {name: i for i, name in enumerate(self.automaton.variables)}

    def ahead(self, length: float, *, most: int = MOST) -> tuple[Ahead, ...]:
        """When watched signals come to zero within ``length`` seconds, each as if it were first.

        The first of them is when something happens next. At most some ``most`` are looked for.
        """
        check_time(length, "how far to look ahead")
        if self.stop is not None or self.question is not None:
            return ()
        until = self.time + length
        return tuple(ahead(self.automaton, self.state, until, self.options, most=most))

    def snapshot(self) -> Snapshot:
        """All that the session is now."""
        return self._at

    def restore(self, snapshot: Snapshot) -> None:
        """Be where ``snapshot`` was taken, in this session or in another one of the same model."""
        check_kind(snapshot, Snapshot, "a snapshot", "session.snapshot() takes one")
        if snapshot.settings != self.settings:
            self._set(snapshot.settings)
        self._at, self.question = snapshot, None
        if self.asks and _is_open(snapshot.state):
            self.advance(self.time)  # until it asks again

    def fork(self, settings: Settings | None = None) -> Session:
        """Another session from here on, with some ``settings`` changed; this one stays."""
        made = Session(self._automata, self.settings, self.options, asks=self.asks)
        made.restore(self._at)
        if settings:
            made.change(settings)
        return made

    def change(self, settings: Settings) -> None:
        """Go on with other values of parameters and inputs, from this instant on."""
        changed = {**self.settings, **settings}
        state = carried(self._automata(changed), self.state)
        self._set(changed)
        self._at, self.question = Snapshot(state=state, settings=self.settings), None

    def set_input(self, **values: float) -> None:
        """The same, where names are words of Python."""
        self.change(values)

    def _set(self, settings: Settings) -> None:
        self.automaton = self._automata(settings)
        self.settings = dict(settings)

    def _answer(self, edge: Edge | None) -> Run:
        at = replace(self._at, answers=(*self._at.answers, edge))
        return self._follow(at, self.time, self.options)

    def _follow(self, at: Snapshot, until: float, options: Options) -> Run:
        """Go on from ``at``; a choice that is asked for ends the run before its instant."""
        if at.stop is not None or (self.question is not None and at is self._at):
            return _nothing(self.automaton, at)
        asking = Asking(at.answers)
        if self.asks:
            options = replace(options, choice=asking.choice())
        begin = at.state
        if begin.reached:  # only the engines in Python begin in the middle of an instant
            options, until = replace(options, solver="reference"), begin.time
        try:
            run = simulate(self.automaton, begin, until=max(until, begin.time), options=options)
        except Interrupted as interrupted:
            if asking.question is None:
                raise
            run = interrupted.run
        self.question = asking.question
        same = self.question is not None and run.end.time == begin.time
        self._at = replace(
            at,
            state=begin if same else _alone(self._reached(run)),
            stop=None if run.stop.goes_on else run.stop,
            message=run.message,
            answers=at.answers if same else (),
        )
        return run

    def _reached(self, run: Run) -> State:
        """Where a run has ended; where it asks, with the edges that time has brought it to."""
        arc = run.parts[-1] if self.question is not None else None
        if not isinstance(arc, Arc):
            return run.end
        return replace(run.end, reached=arrived(self.automaton, arc).reached)


def _alone(state: State) -> State:
    """The state with numbers of its own: a part of a run's numbers would keep all of them."""
    if state.values.base is None:
        return state
    values = state.values.copy()
    values.flags.writeable = state.values.flags.writeable
    return replace(state, values=values)


def _is_open(state: State) -> bool:
    """Whether a run has stopped before the jumps of its instant."""
    return state.memory is not None and not state.memory.settled


def _nothing(automaton: HybridAutomaton, at: Snapshot) -> Run:
    """A run in which nothing happens."""
    parts, stop = (Arc.still(at.state),), at.stop or Stop.INTERRUPTED
    return Run(automaton=automaton, parts=parts, events=(), stop=stop, message=at.message)
