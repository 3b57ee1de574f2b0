"""Simulation of automata with the native engine: the run of the reference engine, sooner.

`simulate_automaton` is the driver: it puts numbers into the C runtime, lets it run in pieces of
some milliseconds, and makes a `Run` of the log, so that tables, plots and properties work as they
are. The steps are those of the reference solver up to rounding, and so are events and states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dyverse.automaton import endings
from dyverse.automaton.guard.waiting import keeps_invariant
from dyverse.automaton.interface import State
from dyverse.automaton.jump import jump
from dyverse.automaton.memory import Memory
from dyverse.automaton.network.columns import HURRIED
from dyverse.automaton.network.component import Fault
from dyverse.automaton.run import Arc, Run, Stop, interruption
from dyverse.automaton.switched import MANY, Switches, switching_message
from dyverse.errors import SolverError
from dyverse.expr.switching import Switch
from dyverse.native.automata.host import Host
from dyverse.native.automata.library import Engine
from dyverse.native.automata.log import Log
from dyverse.native.automata.memory import go_on, memory_of, translation, with_more
from dyverse.native.automata.model import AutomatonModel, automaton_model
from dyverse.native.automata.options import DEFAULTS, Options
from dyverse.native.automata.record import Recorder
from dyverse.native.automata.sheet import Automaton
from dyverse.native.library import NATIVE
from dyverse.native.running import Code
from dyverse.native.stops import INTERRUPTED, STOPS, WRONG

GO_ON = (Stop.HORIZON, Stop.INTERRUPTED, Stop.MAX_EVENTS)  # more time or events, and it goes on
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

    The automaton must be one that `dyverse.native.automata.sheet.is_followed`. Raises
    `NativeError` where there is no native engine: then use the reference engine.
    """
    model = automaton_model(automaton)
    begin = start or automaton.start()
    engine = prepared(model, automaton, begin, options)
    host = Host(automaton, model, engine, options)
    engine.keep_log()
    if begin.memory is not None:
        waiting = begin.memory.waiting
        words = translation(automaton, model, begin.location, waiting=waiting)
        go_on(engine, words, begin, tick=options.tick)

    def memory() -> Memory:
        location, waiting = model.location(engine.positions), engine.remembered().waiting
        words = translation(automaton, model, location, waiting=waiting)
        return with_more(memory_of(engine, words, tick=options.tick), options.draw())

    log = Log(Recorder(automaton, begin, options.how))
    return recorded(engine, log, until, options, host, memory)


def prepared(model: AutomatonModel, automaton: Automaton, start: State, options: Options) -> Engine:
    """An engine with the automaton's numbers, about to begin at ``start``."""
    chosen = options.in_c(automaton.margin, automaton.grain)
    engine = Engine(model.library, model.structure, chosen)
    positions = model.positions(start.location)
    engine.set(model.numbers(automaton), start.time, start.values, positions)
    return engine


def recorded(
    engine: Engine,
    log: Log,
    until: float,
    options: Options,
    host: Host,
    memory: Callable[[], Memory],
) -> Run:
    """The run of an engine that is about to begin; ``host`` answers what C cannot."""
    engine.set_host(host.c)
    try:
        stop, message = _followed(engine, log, until, options, host)
    except KeyboardInterrupt:

        def so_far() -> Run:
            log.add(engine.take_log())
            log.end_with(memory)
            return log.read().run(Stop.INTERRUPTED, INTERRUPTED)

        raise interruption(so_far) from None
    if stop in GO_ON or engine.is_flowing:
        log.end_with(memory)
    if stop is Stop.HORIZON:
        return Run.later(log.automaton, log, stop, NATIVE)
    recorder = log.read()
    if stop not in GO_ON:
        recorder.tell_midway()
    return recorder.run(stop, message)


def _followed(
    engine: Engine, log: Log, until: float, options: Options, host: Host
) -> tuple[Stop, str]:
    """Run in pieces; why it ended."""
    while options.progress is None or options.progress(engine.time, engine.events):
        code = host.run(until)
        log.add(engine.take_log())
        if code is Code.PAUSED:
            continue
        if code is Code.HORIZON and host.failure is None:
            return Stop.HORIZON, ""
        recorder = log.read()
        if host.failure is not None:
            return _failed(host.failure, recorder)
        if code is Code.HOST:
            raise SolverError("a function that C has called gave an answer that is none")
        if code is Code.UNDEFINED:
            which = f"watched signal {engine.failure[1]}"
            raise SolverError(f"{which} is not a number at t = {engine.time:.17g} s")
        if code in WRONG:
            raise SolverError(f"{WRONG[code]} at t = {engine.time:.17g} s")
        return STOPS[code], _message(code, engine, recorder, options)
    return Stop.INTERRUPTED, INTERRUPTED


def _failed(failure: BaseException, recorder: Recorder) -> tuple[Stop, str]:
    """What a function of the model did: a fault is an outcome, all else is wrong."""
    if not isinstance(failure, Fault):
        raise failure
    return Stop.FAULT, endings.faulty(recorder.state, failure)


def _message(code: Code, engine: Engine, recorder: Recorder, options: Options) -> str:
    state, events = recorder.state, recorder.events
    match code:
        case Code.CHATTERING:
            return switching_message(*_switching(engine, recorder), state)
        case Code.MAX_EVENTS if engine.switching[0] == MANY:
            return switching_message(*_switching(engine, recorder), state)
        case Code.MAX_EVENTS:
            return endings.enough(events, state)
        case Code.NOT_CONVERGED | Code.INCONSISTENT:
            return endings.unanswered(state, getattr(recorder.parts[-1], "failure", ""))
        case Code.LIVELOCK if engine.crossed:
            return endings.idle(state)
        case Code.LIVELOCK:
            times = endings.recent(recorder.start, events)
            return endings.endless(times, state, most=options.max_jumps)
        case Code.DEADLOCK | Code.TIMELOCK:
            return _locked(engine, recorder, options)
        case Code.FAULT:
            return endings.faulty(state, _fault(engine, recorder))
        case Code.SOLVER:
            return _stopped(engine)
        case Code.CRAWLING:
            return endings.crawling(engine.time)
        case _:
            return ""


def _locked(engine: Engine, recorder: Recorder, options: Options) -> str:
    state, automaton = recorder.state, recorder.automaton
    if not automaton.is_dynamical(state.location):
        return endings.no_way_out(state)
    watched = automaton.watched(state.location)
    names = [
        watched[signal] if signal >= 0 else HURRIED for signal in engine.crossed if signal != -1
    ]
    if options.tick is not None and names:
        return endings.within_tick(state, names)
    arc = recorder.parts[-1]
    if options.endpoints and isinstance(arc, Arc):
        broken = (s for s in (arc.state(0), arc.end) if not keeps_invariant(automaton, s))
        return endings.outside(next(broken, state))
    return endings.locked(state, names)


def _fault(engine: Engine, recorder: Recorder) -> Exception:
    """What the reference engine says of the jump that cannot be taken."""
    state, automaton = recorder.state, recorder.automaton
    try:
        automaton.enabled(state)  # bodies may be where they must not be
        jump(automaton, recorder.taken(state, engine.move(-1)), state)
    except Fault as fault:
        return fault
    return Fault("an assignment that its variable cannot take")


def _switching(engine: Engine, recorder: Recorder) -> tuple[int, list[Switch], float]:
    """Why functions of the field end a run, and which."""
    reason, functions, end = engine.switching
    flow = recorder.automaton.flow(replace(recorder.state, sides=tuple(engine.sides.tolist())))
    switches = flow.switches if isinstance(flow, Switches) else ()
    return reason, [switches[i] for i in functions], end


def _stopped(engine: Engine) -> str:
    reason, variable = engine.failure
    blame = f": the rate of variable {variable} is not finite" if variable >= 0 else ""
    return f"integration stopped at t = {engine.time:.17g} s{blame} ({REASONS[reason]})"
