"""Simulation of bodies with automata in the native engine: the reference engine's run, sooner."""

from __future__ import annotations

from dyverse.automaton.interface import State
from dyverse.automaton.memory import AHEAD, Memory
from dyverse.automaton.run import Run
from dyverse.errors import SolverError
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.coupled.jumps import joint
from dyverse.generation.skeleton.location import Modes
from dyverse.native.automata.engine import recorded
from dyverse.native.automata.host import Host, Seen
from dyverse.native.automata.library import Engine
from dyverse.native.automata.log import Log
from dyverse.native.automata.memory import (
    Translation,
    go_on,
    memory_of,
    translation,
    with_more,
)
from dyverse.native.automata.options import DEFAULTS, Options
from dyverse.native.coupled.library import (
    bodies_ahead,
    bodies_go_on,
    coupled_engine,
    set_bodies,
    set_location,
)
from dyverse.native.coupled.model import CoupledModel, coupled_model
from dyverse.native.coupled.record import coupled_recorder
from dyverse.native.engine import Options as BodyOptions
from dyverse.native.engine import c_options, modes_of
from dyverse.native.memory import directions, remembered
from dyverse.native.running import Code
from dyverse.native.stops import WRONG


def simulate_coupled(
    automaton: CoupledAutomaton,
    start: State | None = None,
    *,
    until: float,
    options: Options = DEFAULTS,
) -> Run:
    """Follow one run to time ``until``, or say why it ended earlier.

    The automaton must be one that `is_supported`. Raises `NativeError` where there is no native
    engine: then use the reference engine.
    """
    begin, model = start or automaton.start(), coupled_model(automaton)
    engine = prepared(model, automaton, begin, options)
    log = Log(coupled_recorder(automaton, begin, options.how))

    def look(count: int) -> Seen:
        log.add(engine.take_log())
        recorder = log.read()
        moves = (engine.move(number) for number in range(count))
        return recorder.state, tuple(recorder.taken(recorder.state, move) for move in moves)

    def memory() -> Memory:
        return _memory(model, automaton, engine, log.read().state, options)

    host = Host(automaton.network, model.automata, engine, options, look)
    engine.keep_log()
    _go_on(model, automaton, engine, begin, options)
    return recorded(engine, log, until, options, host, memory)


def _go_on(
    model: CoupledModel, automaton: CoupledAutomaton, engine: Engine, begin: State, options: Options
) -> None:
    """Put what ``begin`` remembers into the engine."""
    if begin.memory is not None:
        found = remembered(automaton.rigid, automaton.bodies(begin))
        bodies_go_on(model.library, engine, found.ahead, holds=bool(begin.held))
        go_on(engine, _words(model, automaton, begin), begin, tick=options.tick)


def _words(model: CoupledModel, automaton: CoupledAutomaton, state: State) -> Translation:
    here = joint(state)
    outside = len(automaton.rigid.watched(here.bodies))
    return translation(automaton.network, model.automata, here.places, outside=outside)


def _memory(
    model: CoupledModel, automaton: CoupledAutomaton, engine: Engine, end: State, options: Options
) -> Memory:
    """What the run remembers at its end."""
    here = joint(end)
    assert isinstance(here.bodies, Modes)
    found = memory_of(engine, _words(model, automaton, end), tick=options.tick)
    ahead = bodies_ahead(model.library, engine, len(automaton.rigid.contacts))
    kept = {AHEAD: directions(ahead, automaton.rigid, here.bodies)}
    return with_more(found, options.draw(), kept)


def is_supported(automaton: CoupledAutomaton, start: State | None = None) -> bool:
    """Whether the native engine can run it: no Python functions, and not from inside an instant."""
    edges = (edge for item in automaton.network.components for edge in item.edges)
    here = None if start is None else joint(start)
    between = here is None or (
        isinstance(here.bodies, Modes) and not here.offered and here.underway is None
    )
    return between and all(edge.procedure is None for edge in edges)


def made(model: CoupledModel, automaton: CoupledAutomaton, options: Options) -> Engine:
    """An engine of bodies with automata, without numbers."""
    bodies = c_options(model.bodies, automaton.rigid, BodyOptions(max_jumps=options.max_jumps))
    return coupled_engine(
        model.library,
        (model.bodies.structure, bodies),
        (model.automata.structure, options.in_c(automaton.network.margin)),
        model.links,
        len(model.bodies.code.switches),
    )


def prepared(
    model: CoupledModel, automaton: CoupledAutomaton, start: State, options: Options
) -> Engine:
    """An engine with the automaton's numbers, about to begin at ``start``."""
    engine = made(model, automaton, options)
    numbers, here = model.bodies.numbers(automaton.scene), joint(start)
    x = start.values[: model.bodies.structure.size]
    set_bodies(model.library, engine, numbers, start.time, x)
    if isinstance(here.bodies, Modes) and here.bodies.closed:
        modes = modes_of(automaton.rigid, here.bodies, start)
        if (code := set_location(model.library, engine, *modes)) is not Code.OK:
            raise SolverError(WRONG[code])
    positions = model.automata.positions(here.places)
    engine.set(model.automata.numbers(automaton.network), start.time, start.values, positions)
    return engine
