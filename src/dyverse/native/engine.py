"""Simulation with the native engine: the same run as the reference engine gives, sooner.

`simulate_native` is the driver: it puts a scene into the C runtime, lets it run in pieces of some
milliseconds, and makes a `Run` of the log, so that tables, plots and properties work as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.automaton.run import Run, Stop
from dyverse.errors import SolverError
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.location import Modes
from dyverse.native.library import Code, COptions, Engine, defaults
from dyverse.native.model import NativeModel, native_model
from dyverse.native.record import MODES, Recorder

Progress = Callable[[float, int], bool]  # (time reached, events so far) -> whether to go on

INTERRUPTED = "interrupted; what was computed is kept"
LOG = 200_000  # numbers; and at least enough for the longest record
STEPS = 4000  # per call, over the number of contacts: Ctrl-C is heard between calls

STOPS = {
    Code.HORIZON: Stop.HORIZON,
    Code.MAX_EVENTS: Stop.MAX_EVENTS,
    Code.NOT_CONVERGED: Stop.NOT_CONVERGED,
    Code.INCONSISTENT: Stop.INCONSISTENT,
    Code.LIVELOCK: Stop.LIVELOCK,
    Code.DEADLOCK: Stop.DEADLOCK,
    Code.SOLVER: Stop.SOLVER,
}
WRONG = {
    Code.UNDEFINED: "a watched signal is not a number",
    Code.TOO_MANY: "more contacts are closed at once than there is room for",
    Code.STUCK: "a contact joins bodies that cannot move apart (G_NN = 0)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to simulate; the same meanings as in `dyverse.simulation.simulate` and `flow`."""

    relative: float = 1e-10
    absolute: float = 1e-12
    longest_step: float = math.inf
    samples: int = 8  # rows per step in the run
    max_events: int = 100_000
    max_jumps: int = 200
    progress: Progress | None = None


DEFAULTS = Options()


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
    model = native_model(automaton.world, automaton.scene)
    begin = start or automaton.start()
    engine = prepared(model, automaton, begin, options)
    recorder = Recorder(automaton, begin)
    size, contacts = model.structure.size, model.structure.contacts
    log = np.empty(LOG + 4 * ((options.samples + 4) * (size + 3) + 6 * contacts + 200))
    try:
        stop, message = _followed(engine, recorder, log, until, options)
    except KeyboardInterrupt:
        recorder.take(log[: engine.logged])
        stop, message = Stop.INTERRUPTED, INTERRUPTED
    return recorder.run(stop, message)


def prepared(
    model: NativeModel, automaton: RigidBodyAutomaton, start: State, options: Options
) -> Engine:
    """An engine with the automaton's numbers, about to begin at ``start``."""
    engine = Engine(model.library, model.structure, c_options(model, automaton, options))
    engine.set(model.numbers(automaton.scene), np.ascontiguousarray(start.values), start.time)
    if isinstance(start.location, Modes) and start.location.closed:
        _enter(engine, automaton, start, start.location)
    return engine


def _enter(engine: Engine, automaton: RigidBodyAutomaton, start: State, location: Modes) -> None:
    index = {name: j for j, name in enumerate(automaton.contacts)}
    modes = np.zeros(len(index), dtype=np.int32)
    held = np.zeros((len(index), 3))
    for name, mode in location.closed:
        modes[index[name]] = 1 + MODES.index(mode)
        held[index[name]] = start.held.get(name, 0.0)
    if (code := engine.set_location(modes, held)) is not Code.OK:
        raise SolverError(WRONG[code])


def c_options(model: NativeModel, automaton: RigidBodyAutomaton, options: Options) -> COptions:
    """The runtime's options: its own, the automaton's tolerances, and the choices made here."""
    chosen = defaults(model.library)
    for name in ("gap", "speed", "slip", "acceleration", "rest"):
        setattr(chosen, name, getattr(automaton.tolerances, name))
    for name in ("relative", "absolute", "longest_step", "samples", "max_events", "max_jumps"):
        setattr(chosen, name, getattr(options, name))
    chosen.relative = max(options.relative, 1e-14)
    alone = max(1, STEPS // (1 + model.structure.contacts))
    chosen.max_steps = alone if options.progress is None else 1
    return chosen


def _followed(
    engine: Engine, recorder: Recorder, log: Array, until: float, options: Options
) -> tuple[Stop, str]:
    """Run in pieces; why it ended."""
    engine.begin_log(log)
    while True:
        code = engine.run(until) if _goes_on(engine, options) else None
        if code is Code.PAUSED:
            continue
        recorder.take(log[: engine.logged])
        engine.begin_log(log)
        if code is None:
            return Stop.INTERRUPTED, INTERRUPTED
        if code in WRONG:
            raise SolverError(f"{WRONG[code]} at t = {engine.time:.17g} s")
        if code is not Code.LOG_FULL:
            return STOPS[code], _message(code, engine, recorder, options)


def _goes_on(engine: Engine, options: Options) -> bool:
    return options.progress is None or options.progress(engine.time, engine.counts["events"])


def _message(code: Code, engine: Engine, recorder: Recorder, options: Options) -> str:
    time, where = engine.time, recorder.state.location
    match code:
        case Code.MAX_EVENTS:
            return f"{len(recorder.events)} events by {time} s"
        case Code.NOT_CONVERGED | Code.INCONSISTENT:
            failed = recorder.parts[-1]
            return f"at {time:.9g} s: {getattr(failed, 'failure', '')}"
        case Code.LIVELOCK:
            return f"over {options.max_jumps} jumps, or no time passes, in {where} at {time} s"
        case Code.DEADLOCK:
            return f"no edge is enabled in {where} at {time} s, but time ends"
        case Code.SOLVER:
            return (
                f"integration stopped at t = {time:.17g} s (step too small, or a rate not finite)"
            )
        case _:
            return ""
