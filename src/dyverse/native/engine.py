"""Simulation with the native engine: the same run as the reference engine gives, sooner.

`simulate_native` is the driver: it puts a scene into the C runtime, lets it run in pieces of some
milliseconds, and makes a `Run` of the log, so that tables, plots and properties work as they are.
What does not change from run to run is kept: the numbers of an automaton as long as it lives, and
some engines. The log of a run that reached its horizon is read only when someone asks.

Slow slip is stiff: friction turns its direction within v/(μ g). Where that makes steps short, the
runtime goes on with a Runge-Kutta-Chebyshev method, whose stability grows with the square of its
stages [sommeijer1998].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from dyverse.automaton import endings
from dyverse.automaton.interface import Array, State
from dyverse.automaton.network.component import Fault
from dyverse.automaton.run import Run, Stop, interruption
from dyverse.automaton.switched import MANY, switching_message
from dyverse.errors import SolverError
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.skeleton.location import Modes, Node
from dyverse.native.header import C
from dyverse.native.idle import Idle
from dyverse.native.library import NATIVE, Engine, Ints, Point, defaults
from dyverse.native.logged.log import Log
from dyverse.native.logged.naming import MODES
from dyverse.native.memory import remembered
from dyverse.native.model import NativeModel, native_model
from dyverse.native.owning import Owned
from dyverse.native.running import Code
from dyverse.native.stops import INTERRUPTED, STOPS, WRONG

Progress = Callable[[float, int], bool]  # (time reached, events so far) -> whether to go on

STEPS = 4000  # per call, over the number of contacts: Ctrl-C is heard between calls

# with more time or events a run goes on; None: stopped
GO_ON = (Code.HORIZON, Code.MAX_EVENTS, None)


class Options(NamedTuple):
    """How to simulate; the same meanings as in `dyverse.simulation.simulate` and `flow`."""

    relative: float = 1e-10
    absolute: float = 1e-12
    longest_step: float = math.inf
    samples: int = 8  # rows per step in the run
    max_events: int = 100_000
    max_jumps: int = 200
    progress: Progress | None = None


DEFAULTS = Options()


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    """What all runs of an automaton have in common."""

    model: NativeModel
    numbers: Array
    start: State


_READY: Owned[RigidBodyAutomaton, _Ready] = Owned()
_IDLE: Idle[tuple[object, ...], Engine] = Idle(8)


def simulate_native(
    automaton: RigidBodyAutomaton,
    start: State | None = None,
    *,
    until: float,
    options: Options = DEFAULTS,
) -> Run:
    """Follow one run to time ``until``, or say why it ended earlier.

    Raises `NativeError` where there is no native engine: then use the reference engine.
    """
    ready = _ready(automaton)
    begin, model = start or ready.start, ready.model
    assert isinstance(begin.location, Modes)  # a run begins where time passes
    key = _key(model, automaton, options)
    engine = _IDLE.take(key) or _engine(model, automaton, options)
    _begin(engine, automaton, ready.numbers, begin)
    engine.keep_log()
    if begin.memory is not None:
        _go_on(engine, model, automaton, begin)
    pieces: list[Array] = []
    try:
        code = _followed(engine, pieces, until, options)
    except KeyboardInterrupt:

        def so_far() -> Run:
            pieces.append(engine.take_log())
            log = Log(automaton, begin, tuple(pieces), engine.remembered())
            return _run(None, engine, log, options)

        raise interruption(so_far) from None
    log = Log(automaton, begin, tuple(pieces), engine.remembered() if code in GO_ON else None)
    run = _run(code, engine, log, options)
    if code is not None:
        _IDLE.put(key, engine)
    return run


def _go_on(engine: Engine, model: NativeModel, automaton: RigidBodyAutomaton, begin: State) -> None:
    """Put what ``begin`` remembers into the engine."""
    found = remembered(automaton, begin)
    if found.point is Point.FLOWING and model.code.switches:
        sides = begin.sides or (0.0,) * len(model.code.switches)
        engine.set_sides(np.array(sides))
    engine.go_on(found, holds=bool(begin.held))


def _ready(automaton: RigidBodyAutomaton) -> _Ready:
    ready = _READY.get(automaton)
    if ready is None:
        model, start = native_model(automaton.world, automaton.scene), automaton.start()
        start.values.flags.writeable = False  # runs share it
        ready = _Ready(model, model.numbers(automaton.scene), start)
        _READY.put(automaton, ready)
    return ready


def _key(model: NativeModel, automaton: RigidBodyAutomaton, o: Options) -> tuple[object, ...]:
    """All that an engine is made from."""
    chosen = (o.relative, o.absolute, o.longest_step, o.samples, o.max_events, o.max_jumps)
    watched = o.progress is not None
    return (model.library, model.structure, automaton.tolerances, automaton.rules, *chosen, watched)


def prepared(
    model: NativeModel, automaton: RigidBodyAutomaton, start: State, options: Options
) -> Engine:
    """An engine with the automaton's numbers, about to begin at ``start``."""
    engine = _engine(model, automaton, options)
    _begin(engine, automaton, model.numbers(automaton.scene), start)
    return engine


def _engine(model: NativeModel, automaton: RigidBodyAutomaton, options: Options) -> Engine:
    return Engine(model.library, model.structure, c_options(model, automaton, options))


def _begin(engine: Engine, automaton: RigidBodyAutomaton, numbers: Array, start: State) -> None:
    engine.set(numbers, np.ascontiguousarray(start.values), start.time)
    if isinstance(start.location, Modes) and start.location.closed:
        _enter(engine, automaton, start, start.location)


def _enter(engine: Engine, automaton: RigidBodyAutomaton, start: State, location: Modes) -> None:
    if (code := engine.set_location(*modes_of(automaton, location, start))) is not Code.OK:
        raise SolverError(WRONG[code])


def modes_of(automaton: RigidBodyAutomaton, location: Modes, start: State) -> tuple[Ints, Array]:
    """The mode of every contact, and the forces of its node, (contacts, 3)."""
    index = {name: j for j, name in enumerate(automaton.contacts)}
    modes = np.zeros(len(index), dtype=np.int32)
    held = np.zeros((len(index), 3))
    for name, mode in location.closed:
        modes[index[name]] = 1 + MODES.index(mode)
        held[index[name]] = start.held.get(name, 0.0)
    return modes, held


def c_options(model: NativeModel, automaton: RigidBodyAutomaton, options: Options) -> C:
    """The runtime's options: its own, the automaton's tolerances, and the choices made here."""
    chosen = defaults(model.library)
    for name in ("gap", "speed", "slip", "acceleration", "rest", "heap"):
        setattr(chosen, name, getattr(automaton.tolerances, name))
    for name in ("relative", "absolute", "longest_step", "samples", "max_events", "max_jumps"):
        setattr(chosen, name, getattr(options, name))
    chosen.relative = max(options.relative, 1e-14)
    chosen.printed = automaton.rules == "paper"
    alone = max(1, STEPS // (1 + model.structure.contacts))
    chosen.max_steps = alone if options.progress is None else 1
    return chosen


def _followed(engine: Engine, pieces: list[Array], until: float, options: Options) -> Code | None:
    """Run to the end, taking the log in ``pieces``; why it ended, or None if it was told to."""
    code: Code | None = Code.PAUSED
    while code is Code.PAUSED:
        code = engine.run(until) if _goes_on(engine, options) else None
        pieces.append(engine.take_log())
    return code


def _goes_on(engine: Engine, options: Options) -> bool:
    return options.progress is None or options.progress(engine.time, engine.counts["events"])


def _run(code: Code | None, engine: Engine, log: Log, options: Options) -> Run:
    """What the log says; one that did not reach its horizon is read at once."""
    if code is Code.HORIZON:
        return Run.later(log.automaton, log, Stop.HORIZON, NATIVE)
    if code in WRONG:
        raise SolverError(f"{WRONG[code]} at t = {engine.time:.17g} s")
    stop = Stop.INTERRUPTED if code is None else STOPS[code]
    run = Run(automaton=log.automaton, parts=log.parts(), events=log.events(), stop=stop)
    switches = _ready(log.automaton).model.code.switches
    if code is Code.CHATTERING or (code is Code.MAX_EVENTS and switches):
        reason, functions, end = engine.switching
        if code is Code.CHATTERING or reason == MANY:
            told = switching_message(reason, [switches[i] for i in functions], end, run.end)
            return replace(run, message=told, solver=NATIVE)
    return replace(run, message=_message(code, engine, run, options), solver=NATIVE)


def _faulty(run: Run) -> str:
    """What the reference engine says of bodies that are where they must not be."""
    try:
        run.automaton.enabled(run.end)
    except Fault as fault:
        return endings.faulty(run.end, fault)
    return ""


def _message(code: Code | None, engine: Engine, run: Run, options: Options) -> str:
    time, where = engine.time, run.end.location
    match code:
        case None:
            return INTERRUPTED
        case Code.MAX_EVENTS:
            return f"{len(run.events)} events by {time} s"
        case Code.NOT_CONVERGED | Code.INCONSISTENT:
            return f"at {time:.9g} s: {getattr(run.parts[-1], 'failure', '')}"
        case Code.LIVELOCK:
            return f"over {options.max_jumps} jumps, or no time passes, in {where} at {time} s"
        case Code.DEADLOCK if isinstance(where, Node):
            return endings.no_way_out(run.end)
        case Code.DEADLOCK:
            return f"no edge is enabled in {where} at {time} s, but time ends"
        case Code.FAULT:
            return _faulty(run)
        case Code.SOLVER:
            return (
                f"integration stopped at t = {time:.17g} s (step too small, or a rate not finite)"
            )
        case Code.CRAWLING:
            return endings.crawling(time)
        case _:
            return ""
