"""Heaps for which no forces are found: they jam, and if they do not, slower slips end.

What a jam is says `dyverse.generation.node.jamming`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State
from dyverse.generation.node.forces import contact_forces, rubbing_company
from dyverse.generation.node.found import Found, blows, names_of
from dyverse.generation.node.jamming import JAMS, jam
from dyverse.generation.node.painleve import JAMMED
from dyverse.generation.node.standstill import at_standstill, halted, touching
from dyverse.generation.node.striking import approach
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed
from dyverse.mechanics.contacts import HEAP
from dyverse.mechanics.dynamics import Dynamics

LONGER = 4.0  # from one to the next of the ways that slips of a heap are let go in vain
LOOSER = 9  # so often
LOOSEST = 1e5  # times more that forces of a heap may leave of accelerations then


def lost_in_heaps(dynamics: Dynamics, closed: Closed, found: Found) -> NDArray[np.bool_]:
    """Which contacts are of heaps for which no forces were found, (n,)."""
    company = dynamics.contacts.company(closed.contacts)
    return np.asarray(np.isin(np.arange(len(company)), found.lost) & (company >= HEAP))


def through_jams(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    values: Array,
    found: Found,
    state: State,
) -> tuple[Closed, Array, Found, set[str]]:
    """Where a heap has no forces: it jams until there are some; those parted by it are left out.

    Contacts that touch and part take part too: pushed together by it, they would be next in the
    same instant, and so for ever.

    The last are the contacts that took an impulse; see `dyverse.generation.node.jamming`.
    """
    struck = set[str]()
    for _ in range(JAMS):
        if not lost_in_heaps(dynamics, closed, found).any():
            break
        around = touching(dynamics, tolerances, names_of(dynamics, closed), values)
        closed = dynamics.close(around, values)
        pushed = _heaps_jammed(dynamics, tolerances, closed, values, found, state.time)
        hit = blows(tolerances, closed, pushed)
        struck |= {name for name, one in zip(names_of(dynamics, closed), hit, strict=True) if one}
        values = values.copy()
        values[dynamics.layout.v] += closed.MW @ pushed.ravel()
        speed = dynamics.close(closed.contacts, values).speed[:, 0]
        stays = np.flatnonzero(speed <= tolerances.speed).tolist()
        contacts = tuple(sorted(closed.contacts[k] for k in stays))
        values = at_standstill(dynamics, tolerances, contacts, values)
        closed = dynamics.close(contacts, values)
        found = contact_forces(dynamics, tolerances, closed, state.time, values, state.held)
        if not pushed.any():
            break
    closed, values, found = _slowed(dynamics, tolerances, closed, values, found, state)
    if struck and found.failure is None:
        found = replace(found, method="shock", remarks=(JAMMED,))
    return closed, values, found, struck


def _slowed(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    values: Array,
    found: Found,
    state: State,
) -> tuple[Closed, Array, Found]:
    """Where a heap has no forces and does not jam: slower slips end, until there are forces.

    First those that go four times the way that is not followed in a heap, then 16 times, and so on;
    and so many times more may forces leave of accelerations.
    """
    company = rubbing_company(dynamics, closed.contacts)
    for turn in range(LOOSER):
        lost = lost_in_heaps(dynamics, closed, found)
        if not lost.any():
            break
        free = closed.W.T @ dynamics.free_acceleration(state.time, values) + closed.bias
        drive = np.full(len(company), LONGER ** (turn + 1) * np.abs(free[0::3]).max(initial=0.0))
        slip = closed.slip_speed
        halts = lost & (slip > tolerances.standstill) & (slip <= tolerances.brief(drive, company))
        if halts.any():
            values = halted(dynamics, tolerances, closed, halts, values)
            closed = dynamics.close(closed.contacts, values)
        found = contact_forces(
            dynamics,
            tolerances,
            closed,
            state.time,
            values,
            state.held,
            looser=min(LONGER ** (turn + 1), LOOSEST),
        )
    return closed, values, found


def _heaps_jammed(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    values: Array,
    found: Found,
    time: float,
) -> Array:
    """Impulses by which the islands of heaps without forces jam, none elsewhere, (n, 3)."""
    pushed = np.zeros((len(closed.contacts), 3))
    free = closed.W.T @ dynamics.free_acceleration(time, values) + closed.bias
    drives = np.where(closed.follows[:, None], 0.0, free.reshape(-1, 3))
    speed, mu = approach(closed), dynamics.frictions(closed.contacts, closed.slip_speed)
    company = dynamics.contacts.company(closed.contacts)
    for members in dynamics.contacts.places(closed.contacts):
        if not np.isin(members, found.lost).any() or company[members[0]] < HEAP:
            continue
        rows = (3 * members[:, None] + np.arange(3)).ravel()
        G, rubs = closed.delassus[np.ix_(rows, rows)], ~closed.follows[members] * mu[members]
        impulses = jam(G, speed[members], drives[members], rubs, tolerances)
        if impulses is not None:
            pushed[members] = impulses
    return pushed
