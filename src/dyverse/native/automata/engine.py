"""Simulation of automata with the native engine: the run of the reference engine, sooner.

`simulate_automaton` is the driver: it puts numbers into the C runtime, lets it run in pieces of
some milliseconds, and makes a `Run` of the log, so that tables, plots and properties work as they
are. The steps are those of the reference solver up to rounding, and so are events and states.
"""

from __future__ import annotations

from dyverse.automaton import endings
from dyverse.automaton.component import Fault
from dyverse.automaton.interface import State
from dyverse.automaton.jump import jump
from dyverse.automaton.run import Run, Stop
from dyverse.errors import SolverError
from dyverse.native.automata.library import Code, Engine
from dyverse.native.automata.model import automaton_model
from dyverse.native.automata.options import DEFAULTS, Options
from dyverse.native.automata.record import Recorder
from dyverse.native.automata.sheet import Automaton

INTERRUPTED = "interrupted; what was computed is kept"
STOPS = {
    Code.HORIZON: Stop.HORIZON,
    Code.MAX_EVENTS: Stop.MAX_EVENTS,
    Code.NOT_CONVERGED: Stop.NOT_CONVERGED,
    Code.LIVELOCK: Stop.LIVELOCK,
    Code.DEADLOCK: Stop.DEADLOCK,
    Code.SOLVER: Stop.SOLVER,
    Code.TIMELOCK: Stop.TIMELOCK,
    Code.FAULT: Stop.FAULT,
}
REASONS = (
    "at the start",
    "after a step",
    "required step size is less than spacing between numbers",
)


def simulate_automaton(
    automaton: Automaton,
    start: State | None = None,
    *,
    until: float,
    options: Options = DEFAULTS,
) -> Run:
    """Follow one run to time ``until``, or say why it ended earlier.

    The automaton must be one that `dyverse.native.automata.sheet.is_supported`. Raises
    `NativeError` where there is no native engine: then use the reference engine.
    """
    model = automaton_model(automaton)
    begin = start or automaton.start()
    engine = Engine(model.library, model.structure, options.in_c(automaton.margin))
    positions = model.positions(begin.location)
    engine.set(model.numbers(automaton), begin.time, begin.values, positions)
    engine.keep_log()
    recorder = Recorder(automaton, begin)
    try:
        stop, message = _followed(engine, recorder, until, options)
    except KeyboardInterrupt:
        recorder.take(engine.take_log())
        stop, message = Stop.INTERRUPTED, INTERRUPTED
    return recorder.run(stop, message)


def _followed(
    engine: Engine, recorder: Recorder, until: float, options: Options
) -> tuple[Stop, str]:
    """Run in pieces; why it ended."""
    while options.progress is None or options.progress(engine.time, engine.events):
        code = engine.run(until)
        recorder.take(engine.take_log())
        if code is Code.PAUSED:
            continue
        recorder.end_arc()
        if code is Code.NO_MEMORY:
            raise MemoryError("no memory left for the log of a run")
        if code is Code.UNDEFINED:
            which = f"watched signal {engine.failure[1]}"
            raise SolverError(f"{which} is not a number at t = {engine.time:.17g} s")
        return STOPS[code], _message(code, engine, recorder, options)
    return Stop.INTERRUPTED, INTERRUPTED


def _message(code: Code, engine: Engine, recorder: Recorder, options: Options) -> str:
    state, events = recorder.state, recorder.events
    match code:
        case Code.MAX_EVENTS:
            return endings.enough(events, state)
        case Code.NOT_CONVERGED:
            return endings.unanswered(state, getattr(recorder.parts[-1], "failure", ""))
        case Code.LIVELOCK if engine.crossed:
            return endings.idle(state)
        case Code.LIVELOCK:
            return endings.endless(events, state, most=options.max_jumps)
        case Code.DEADLOCK | Code.TIMELOCK:
            return _locked(engine, recorder)
        case Code.FAULT:
            return endings.faulty(state, _fault(recorder))
        case Code.SOLVER:
            return _stopped(engine)
        case _:
            return ""


def _locked(engine: Engine, recorder: Recorder) -> str:
    state = recorder.state
    if not recorder.automaton.is_dynamical(state.location):
        return endings.no_way_out(state)
    watched = recorder.automaton.watched(state.location)
    return endings.locked(state, [watched[signal] for signal in engine.crossed])


def _fault(recorder: Recorder) -> Exception:
    """What the reference engine says of the jump that cannot be taken."""
    state, automaton = recorder.state, recorder.automaton
    try:
        jump(automaton, automaton.enabled(state)[0], state)
    except Fault as fault:
        return fault
    return Fault("an assignment that its variable cannot take")


def _stopped(engine: Engine) -> str:
    reason, variable = engine.failure
    blame = f": the rate of variable {variable} is not finite" if variable >= 0 else ""
    return f"integration stopped at t = {engine.time:.17g} s{blame} ({REASONS[reason]})"
