"""Bodies with automata in the native engine: whether they can run there, and how."""

from __future__ import annotations

from typing import TypeGuard

from dyverse.automaton.interface import HybridAutomaton, State
from dyverse.automaton.run import Run
from dyverse.generation.coupled import CoupledAutomaton
from dyverse.native.automata.options import POINTS
from dyverse.native.coupled.engine import is_supported, simulate_coupled
from dyverse.simulation.choice import Priority
from dyverse.simulation.native_automata import native_options
from dyverse.simulation.options import Options


def can_run_coupled(
    automaton: HybridAutomaton, start: State | None, options: Options
) -> TypeGuard[CoupledAutomaton]:
    """Whether the native engine knows all that is asked for."""
    return (
        isinstance(automaton, CoupledAutomaton)
        and is_supported(automaton, start)
        and 2 <= options.follow.detection.points <= POINTS
    )


def can_run_many_coupled(
    automaton: HybridAutomaton, options: Options
) -> TypeGuard[CoupledAutomaton]:
    """Whether many runs can be made at once: no Python is called in them."""
    return isinstance(options.choice, Priority) and can_run_coupled(automaton, None, options)


def run_coupled(
    automaton: CoupledAutomaton, start: State | None, until: float, options: Options
) -> Run:
    """One run of the native engine."""
    chosen = native_options(options, start)
    return simulate_coupled(automaton, start, until=until, options=chosen)
