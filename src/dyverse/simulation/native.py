"""The native engine behind the seam of all solvers: which automata it follows, and how.

`follow` gives a run, or nothing if C does not know what is asked for: rigid bodies, hand-written
automata and networks, and both together have an entry each, and no one else asks what an automaton
is. The same choices as the native engine takes them are `native_options`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard

from dyverse.automaton.interface import HybridAutomaton, State
from dyverse.automaton.run import Run
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.parts import is_weighted, most_jumps, parts_of
from dyverse.native.automata.engine import simulate_automaton
from dyverse.native.automata.options import POINTS
from dyverse.native.automata.options import Options as NativeOptions
from dyverse.native.automata.sheet import Automaton, is_followed, is_supported
from dyverse.native.coupled.engine import is_supported as is_supported_with_bodies
from dyverse.native.coupled.engine import simulate_coupled
from dyverse.native.engine import Options as BodyOptions
from dyverse.native.engine import simulate_native
from dyverse.simulation.choice import Chooser, Priority
from dyverse.simulation.options import Options
from dyverse.simulation.recorder import IDLE

Follow = Callable[[HybridAutomaton, State | None, float, Options], Run | None]


def follow(
    automaton: HybridAutomaton, start: State | None, until: float, options: Options
) -> Run | None:
    """One run of the native engine; None if it does not know all that is asked for."""
    for engine in ENGINES:
        if (run := engine(automaton, start, until, options)) is not None:
            return run
    return None


def _follow_bodies(
    automaton: HybridAutomaton, start: State | None, until: float, options: Options
) -> Run | None:
    """Ticks change nothing: all events of bodies keep their exact times."""
    if (bodies := parts_of(automaton).only_bodies) is None:
        return None
    accuracy = options.follow.accuracy
    chosen = BodyOptions(
        relative=accuracy.relative,
        absolute=accuracy.absolute,
        longest_step=accuracy.longest_step,
        max_events=options.max_events,
        max_jumps=options.max_jumps,
        progress=options.progress,
    )
    return simulate_native(bodies, start, until=until, options=chosen)


def _follow_automata(
    automaton: HybridAutomaton, start: State | None, until: float, options: Options
) -> Run | None:
    if not _is_followed(automaton) or not _is_fine(options):
        return None
    chosen = native_options(options, start, weighted=is_weighted(automaton))
    chosen = replace(chosen, max_jumps=most_jumps(automaton, options.max_jumps))
    return simulate_automaton(automaton, start, until=until, options=chosen)


def _follow_both(
    automaton: HybridAutomaton, start: State | None, until: float, options: Options
) -> Run | None:
    if not can_run_coupled(automaton, start, options):
        return None
    return simulate_coupled(automaton, start, until=until, options=native_options(options, start))


ENGINES: tuple[Follow, ...] = (_follow_bodies, _follow_automata, _follow_both)


def _is_followed(automaton: HybridAutomaton) -> TypeGuard[Automaton]:
    return is_followed(automaton)


def _is_fine(options: Options) -> bool:
    """Whether there is room for as many samples per step as are asked for."""
    return 2 <= options.follow.detection.points <= POINTS


def can_run_coupled(
    automaton: HybridAutomaton, start: State | None, options: Options
) -> TypeGuard[CoupledAutomaton]:
    """Whether the native engine follows bodies with these automata."""
    return (
        (coupled := parts_of(automaton).coupled) is not None
        and is_supported_with_bodies(coupled, start)
        and _is_fine(options)
    )


def can_run_many(automaton: HybridAutomaton, options: Options) -> TypeGuard[Automaton]:
    """Whether many runs can be made at once: no Python is called in them."""
    return is_supported(automaton) and isinstance(options.choice, Priority) and _is_fine(options)


def can_run_many_coupled(
    automaton: HybridAutomaton, options: Options
) -> TypeGuard[CoupledAutomaton]:
    """The same of bodies with automata."""
    return isinstance(options.choice, Priority) and can_run_coupled(automaton, None, options)


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
