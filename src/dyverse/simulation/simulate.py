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
from typing import TypeGuard

from dyverse.automaton.interface import HybridAutomaton, State
from dyverse.automaton.run import Run, Stop, interruption
from dyverse.errors import SolverError, did_you_mean
from dyverse.flow.solver import SOLVERS, solver
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.interrupts import insist
from dyverse.native.engine import Options as NativeOptions
from dyverse.native.engine import simulate_native
from dyverse.native.errors import NativeError
from dyverse.native.library import NATIVE
from dyverse.simulation.explaining import explained
from dyverse.simulation.native_automata import can_run, run_natively
from dyverse.simulation.native_coupled import can_run_coupled, run_coupled
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
    if options.solver == NATIVE:
        return _simulate_native(automaton, start, until, options)
    return explained(_simulate(automaton, start, until, options))


def _simulate(
    automaton: HybridAutomaton, start: State | None, until: float, options: Options
) -> Run:
    """With the loop below, by one of the solvers in Python."""
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


def check_solver(name: str) -> None:
    """Refuse a solver that is not known, with the names that are."""
    if name not in (NATIVE, *SOLVERS):
        known = ", ".join((NATIVE, *SOLVERS))
        hint = did_you_mean(name, (NATIVE, *SOLVERS))
        raise SolverError(f"unknown solver {name!r}{hint} (known: {known})")


def _simulate_native(
    automaton: HybridAutomaton, start: State | None, until: float, options: Options
) -> Run:
    try:
        if _is_rigid(automaton):  # ticks change nothing: all its events keep their exact times
            chosen = _native_options(options)
            return explained(simulate_native(automaton, start, until=until, options=chosen))
        if can_run(automaton, start, options):
            return explained(run_natively(automaton, start, until, options))
        if can_run_coupled(automaton, start, options):
            return explained(run_coupled(automaton, start, until, options))
    except NativeError as error:
        message = f"{error}; the reference engine runs instead"
        warnings.warn(NoNativeEngineWarning(message), stacklevel=3)
    return simulate(automaton, start, until=until, options=replace(options, solver="reference"))


def _is_rigid(automaton: HybridAutomaton) -> TypeGuard[RigidBodyAutomaton]:
    """Whether it is the automaton of rigid bodies."""
    return isinstance(automaton, RigidBodyAutomaton)


def _native_options(options: Options) -> NativeOptions:
    accuracy = options.follow.accuracy
    return NativeOptions(
        relative=accuracy.relative,
        absolute=accuracy.absolute,
        longest_step=accuracy.longest_step,
        max_events=options.max_events,
        max_jumps=options.max_jumps,
        progress=options.progress,
    )


class NoNativeEngineWarning(UserWarning):
    """The native engine was asked for, but cannot be used on this machine."""
