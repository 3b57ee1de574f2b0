"""Event-driven simulation of any hybrid automaton.

In comes an automaton and a time; out goes a run. The loop knows nothing of rigid bodies: it
takes enabled edges and passes through computation nodes until nothing more happens in this
instant, then lets time pass to the next event. All knowledge is behind `HybridAutomaton`. The same
loop also exists as compiled C, for rigid bodies, for hand-written automata and networks, and for
both together: the solver ``native``.

With a ``tick`` δ, time passes in steps of exactly δ and edges are taken only between them, until
none is enabled: the δ-semantics of [amnell2000] §2.3. It is what sampling a system shows, and tends
to the exact run as δ tends to zero. Impacts of rigid bodies keep their exact times.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

from dyverse.automaton.interface import HybridAutomaton, State
from dyverse.automaton.run import Run, Stop, interruption
from dyverse.errors import ArgumentError, SolverError, did_you_mean
from dyverse.flow.solver import SOLVERS, solver
from dyverse.given import check_kind, check_time
from dyverse.interrupts import insist
from dyverse.native.errors import NativeError
from dyverse.native.library import NATIVE
from dyverse.simulation import native
from dyverse.simulation.explaining import explained
from dyverse.simulation.native import Follow
from dyverse.simulation.options import Options as Options
from dyverse.simulation.recorder import INTERRUPTED, Ended, Recorder

DEFAULTS = Options()


def simulate(
    automaton: HybridAutomaton,
    start: State | None = None,
    *,
    until: float,
    options: Options = DEFAULTS,
) -> Run:
    """Follow one run from ``start`` to time ``until``, or say why it ended earlier.

    The solver ``native`` runs rigid bodies, hand-written automata and networks, and bodies with
    automata, as compiled C. What it cannot run (automata in Python of another kind) and machines
    without a compiler get the reference solver, in the second case with a warning; ``Run.solver``
    says who it was. Ctrl-C raises `dyverse.automaton.run.Interrupted`, which has the run so far;
    when the options' ``progress`` says no, that run is returned, and its stop says so.
    """
    insist()
    _check(automaton, start, until, options)
    check_solver(options.solver)
    try:
        run = ENGINES[options.solver](automaton, start, until, options)
    except NativeError as error:
        message = f"{error}; the reference engine runs instead"
        warnings.warn(NoNativeEngineWarning(message), stacklevel=2)
        run = None
    if run is None:
        return simulate(automaton, start, until=until, options=replace(options, solver="reference"))
    return explained(run)


def _check(automaton: HybridAutomaton, start: State | None, until: float, options: Options) -> None:
    """Refuse what nobody can follow."""
    if not hasattr(automaton, "flow"):
        hint = "a model makes one, model.automaton(), and so does generate(world)"
        check_kind(automaton, (), "an automaton", hint)
    check_time(until, "'until'")
    check_kind(options, Options, "Options")
    if start is None:
        return
    check_kind(start, State, "a state to start from", "such as run.end or automaton.start()")
    if len(start.values) != (count := len(automaton.variables)):
        there = f"the start has {len(start.values)} values"
        raise ArgumentError(f"{there}, and the automaton {count} variables")


def _follow(automaton: HybridAutomaton, start: State | None, until: float, options: Options) -> Run:
    """The loop, with one of the solvers in Python."""
    integrator, state = solver(options.solver), start or automaton.start()
    recorder = Recorder(automaton, state, options)
    try:
        while True:
            state = recorder.settle(state)
            if recorder.is_over(state, until):
                return recorder.run(Stop.HORIZON)
            state = recorder.flow(state, integrator, recorder.ahead(state, until))
    except Ended as end:
        return recorder.run(end.stop, end.message)
    except KeyboardInterrupt:
        raise interruption(lambda: recorder.run(Stop.INTERRUPTED, INTERRUPTED)) from None


ENGINES: dict[str, Follow] = {NATIVE: native.follow, **dict.fromkeys(SOLVERS, _follow)}


def check_solver(name: str) -> None:
    """Refuse a solver that is not known, with the names that are."""
    if name not in ENGINES:
        hint = did_you_mean(name, ENGINES)
        raise SolverError(f"unknown solver {name!r}{hint} (known: {', '.join(ENGINES)})")


class NoNativeEngineWarning(UserWarning):
    """The native engine was asked for, but cannot be used on this machine."""
