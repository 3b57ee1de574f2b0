"""Everything that is known about bodies along an arc: each state with its signals by name.

States are taken many at a time, because one costs nearly as much as thirty. Of many contacts only
those are looked at whose signals are asked for, and forces only if somebody asks for what needs
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.automaton.run import Arc
from dyverse.bodies.signals import MODES
from dyverse.expr.switching import Switch
from dyverse.generation.signals import (
    MOVING,
    QUANTITIES,
    contact_names,
    contact_signals,
    mode_signals,
    moving_signals,
    pushes,
)
from dyverse.generation.skeleton.names import signal_parts
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.dynamics import Dynamics
from dyverse.mechanics.joint.reactions import Reactions

ROWS = 32  # more would not be quicker, and many contacts take much room


def survey(
    dynamics: Dynamics,
    tolerances: Tolerances,
    arc: Arc,
    names: Collection[str] | None = None,
    driven: Array | None = None,
) -> Iterator[dict[str, float]]:
    """Variables, time, energy, inputs and contact signals at each state of an arc.

    If there are ``names``, of contacts only those signals and what costs nothing more. Each state
    may be ``driven`` by settings of its own.
    """
    these = dynamics.contacts.all if names is None else tuple(_contacts(dynamics, names))
    contacts = tuple(dynamics.contacts.names[contact] for contact in these)
    modes = mode_signals(contacts, arc.location)
    layout = dynamics.layout
    own = (*layout.variables, *layout.derived, "t", "energy", *dynamics.system.inputs)
    reacting = _reactions(dynamics, names)
    forced = bool(these) and (names is None or _are_forced(names))
    named = contact_names(contacts, QUANTITIES if forced else MOVING)
    columns = (*own, *(reacting.names if reacting else ()), *named)
    for first, piece in zip(range(0, len(arc.times), ROWS), pieces(arc), strict=True):
        given = None if driven is None else driven[first : first + ROWS]
        for numbers in _table(dynamics, tolerances, piece, given, these, forced, reacting).tolist():
            yield dict(zip(columns, numbers, strict=True)) | modes


def pieces(arc: Arc) -> Iterator[Arc]:
    """An arc in pieces that are worked out at once."""
    for first in range(0, len(arc.times), ROWS):
        rows = slice(first, first + ROWS)
        yield Arc(start=arc.start, times=arc.times[rows], states=arc.states[rows])


def is_settled(state: State, switches: Sequence[Switch]) -> bool:
    """Whether functions that switch keep the values that ``state`` names on its arc: none slides.

    Then all states of the arc can be worked out at once.
    """
    return len(state.sides) == len(switches) and not np.isnan(state.sides).any()


def _reactions(dynamics: Dynamics, names: Collection[str] | None) -> Reactions | None:
    """The reactions of joints, if there are any and someone asks for them."""
    found = dynamics.reactions
    asked = found is not None and (names is None or not set(found.names).isdisjoint(names))
    return found if asked else None


def _contacts(dynamics: Dynamics, names: Collection[str]) -> Iterator[int]:
    """The contacts whose signals are among ``names``, each once."""
    seen = (dynamics.contacts.index.get(signal_parts(name)[1]) for name in names)
    return (contact for contact in dict.fromkeys(seen) if contact is not None)


def _are_forced(names: Collection[str]) -> bool:
    """Whether signals of contacts are among ``names`` that forces have a part in."""
    return any("[" in name and signal_parts(name)[0] not in (*MOVING, *MODES) for name in names)


def _table(
    dynamics: Dynamics,
    tolerances: Tolerances,
    arc: Arc,
    driven: Array | None,
    these: tuple[int, ...],
    forced: bool,
    reacting: Reactions | None,
) -> Array:
    """One row per state, one column per signal."""
    pushed_on = forced or reacting is not None  # else nobody asks how bodies accelerate
    loads = dynamics.loads(arc.times, arc.states, driven, joined=pushed_on)
    energy, derived = dynamics.energy(arc.states, loads), dynamics.derived(arc.states)
    own = [arc.states, derived, arc.times, energy, loads.inputs]
    if reacting:
        pushed = pushes(dynamics, tolerances, arc.start, arc.states, loads.acceleration)
        rows = zip(arc.states, loads.unjoined + pushed, strict=True)
        own.append(np.array([reacting.at(state, free) for state, free in rows]))
    if forced:
        free = loads.acceleration
        own.append(contact_signals(dynamics, tolerances, arc.start, arc.states, free, these))
    elif these:
        own.append(moving_signals(dynamics, arc.states, these))
    return np.column_stack(own)
