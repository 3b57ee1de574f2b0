"""Everything that is known about bodies along an arc: each state with all signals by name.

States are taken many at a time, because one costs nearly as much as thirty.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc
from dyverse.generation.dynamics import Dynamics
from dyverse.generation.signals import contact_names, contact_signals, mode_signals
from dyverse.generation.tolerances import Tolerances

ROWS = 32  # more would not be quicker, and many contacts take much room


def survey(
    dynamics: Dynamics, tolerances: Tolerances, arc: Arc, driven: Array | None = None
) -> Iterator[dict[str, float]]:
    """Variables, time, energy, inputs and contact signals at each state of an arc.

    Each may be ``driven`` by settings of its own.
    """
    names = dynamics.contacts.names
    modes = mode_signals(names, arc.location)
    columns = (*dynamics.layout.variables, "t", "energy", *dynamics.inputs, *contact_names(names))
    for first in range(0, len(arc.times), ROWS):
        rows = slice(first, first + ROWS)
        own = None if driven is None else driven[rows]
        piece = Arc(start=arc.start, times=arc.times[rows], states=arc.states[rows])
        for numbers in _table(dynamics, tolerances, piece, own).tolist():
            yield dict(zip(columns, numbers, strict=True)) | modes


def _table(dynamics: Dynamics, tolerances: Tolerances, arc: Arc, driven: Array | None) -> Array:
    """One row per state, one column per signal."""
    loads = dynamics.loads(arc.times, arc.states, driven)
    energy = dynamics.energy(arc.states, loads)
    seen = contact_signals(dynamics, tolerances, arc.start, arc.states, loads.acceleration)
    return np.column_stack([arc.states, arc.times, energy, loads.inputs, seen])
