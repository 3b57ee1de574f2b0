"""Hand-written automata and networks in the native engine: whether they can run there, and how."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from dyverse.automaton.interface import HybridAutomaton, State
from dyverse.automaton.network import most_jumps
from dyverse.automaton.run import Run
from dyverse.native.automata.engine import simulate_automaton
from dyverse.native.automata.options import POINTS
from dyverse.native.automata.options import Options as NativeOptions
from dyverse.native.automata.sheet import Automaton, is_followed, is_supported
from dyverse.simulation.choice import Chooser, Priority, is_weighted
from dyverse.simulation.options import Options
from dyverse.simulation.recorder import IDLE


def can_run(
    automaton: HybridAutomaton, start: State | None, options: Options
) -> TypeGuard[Automaton]:
    """Whether the native engine knows all that is asked for."""
    return is_followed(automaton) and 2 <= options.follow.detection.points <= POINTS


def can_run_many(automaton: HybridAutomaton, options: Options) -> TypeGuard[Automaton]:
    """Whether many runs can be made at once: no Python is called in them."""
    return (
        is_supported(automaton)
        and isinstance(options.choice, Priority)
        and 2 <= options.follow.detection.points <= POINTS
    )


def run_natively(automaton: Automaton, start: State | None, until: float, options: Options) -> Run:
    """One run of the native engine."""
    chosen = native_options(options, start, weighted=is_weighted(automaton))
    chosen = replace(chosen, max_jumps=most_jumps(automaton, options.max_jumps))
    return simulate_automaton(automaton, start, until=until, options=chosen)


def native_options(
    options: Options, start: State | None = None, *, weighted: bool = False
) -> NativeOptions:
    """The same choices, as the native engine takes them for a run from ``start``."""
    accuracy, detection = options.follow.accuracy, options.follow.detection
    memory = None if start is None else start.memory
    chooser = Chooser(options.choice, memory, weighted=weighted)
    return NativeOptions(
        relative=accuracy.relative,
        absolute=accuracy.absolute,
        longest_step=accuracy.longest_step,
        points=detection.points,
        together=detection.together,
        graze=detection.graze,
        depth=detection.depth,
        lift=detection.lift,
        max_events=options.max_events,
        max_jumps=options.max_jumps,
        idle=IDLE,
        tick=options.tick,
        endpoints=options.invariant == "endpoints",
        pick=None if isinstance(options.choice, Priority) else chooser.pick,
        waits=chooser.waits,
        how=chooser.how,
        draw=chooser.drawn,
        progress=options.progress,
    )
