"""Signals at the sampled states of a run: each state is observed once, for all who ask.

To work signals out from a state is the costly part of a frame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from dyverse.automaton.interface import Array, HybridAutomaton
from dyverse.automaton.run import Arc, Run, observed

Seen = tuple[tuple[Mapping[str, float], ...], ...]  # of each arc, each state


def seen(run: Run, names: Collection[str]) -> Seen:
    """Some signals at all sampled states; nothing if there are no names."""
    arcs = run.arcs if names else ()
    return tuple(tuple(observed(run.automaton, arc, names)) for arc in arcs)


def unsaid(automaton: HybridAutomaton, names: Collection[str]) -> set[str]:
    """Those signals that states do not say by themselves."""
    return set(names).difference(automaton.variables) if names else set()


def sampled(
    run: Run, names: Collection[str], known: Seen | None = None
) -> tuple[Array, Mapping[str, Array]]:
    """The times of all sampled states of a run, and the values of some signals there.

    Those that states do not say are looked for in what is ``known``, if they were observed before.
    """
    arcs, others = run.arcs, unsaid(run.automaton, names)
    times = np.concatenate([arc.times for arc in arcs]) if arcs else np.empty(0)
    index = {name: i for i, name in enumerate(run.automaton.variables)} if names else {}
    found = {name: _column(arcs, index[name]) for name in names if name not in others}
    rows = [row for arc in (known or seen(run, others)) for row in arc] if others else []
    for name in others:
        found[name] = np.array([row.get(name, np.nan) for row in rows])
    return times, found


def _column(arcs: Iterable[Arc], column: int) -> Array:
    return np.concatenate([arc.states[:, column] for arc in arcs])
