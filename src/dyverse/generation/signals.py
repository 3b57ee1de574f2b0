"""Every signal of every contact: the one numeric definition behind the formulas.

In come some states of one location, out goes a row of numbers for each.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dyverse.automaton.interface import Array, Location, State
from dyverse.bodies.signals import MODES
from dyverse.generation.flow import RigidFlow
from dyverse.generation.location import Modes
from dyverse.generation.names import SIGNALS, signal_name
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.dynamics import Dynamics

QUANTITIES = (*SIGNALS, "friction_reserve")


def contact_signals(
    dynamics: Dynamics,
    tolerances: Tolerances,
    start: State,
    values: Array,
    free: Array,
    these: tuple[int, ...],
) -> Array:
    """Gaps, speeds, accelerations and forces of ``these`` contacts, a column for each name.

    There are several states, all in the location of ``start``, whose forces they hold; ``free`` is
    M⁻¹ h.
    """
    contacts = dynamics.contacts
    rows = contacts.kinematics(contacts.bodies(values), these)
    acceleration, forces, limits = _accelerations(dynamics, tolerances, start, values, free)
    second = contacts.accelerations(rows, these, acceleration)
    forces, limits = forces[:, list(these)], limits[:, list(these)]
    friction = np.hypot(forces[..., 1], forces[..., 2])
    columns = (
        rows.gap,
        rows.speed[..., 0],
        second[..., 0],
        np.hypot(rows.speed[..., 1], rows.speed[..., 2]),
        np.hypot(second[..., 1], second[..., 2]),
        forces[..., 0],
        friction,
        limits,
        limits - friction,
    )
    return np.hstack(columns)


def mode_signals(contacts: tuple[str, ...], location: Location) -> dict[str, float]:
    """Whether each contact is closed, sticks or slips, as 1 or 0."""
    modes = dict(location.closed) if isinstance(location, Modes) else {}
    found: dict[str, float] = {}
    for contact in contacts:
        mode = modes.get(contact)
        truths = (mode is not None, mode == "stick", mode in ("slip", "trans"))
        named = (signal_name(signal, contact) for signal in MODES)
        found |= dict(zip(named, map(float, truths), strict=True))
    return found


@lru_cache(maxsize=64)
def contact_names(contacts: tuple[str, ...]) -> tuple[str, ...]:
    """The signals' names, quantity by quantity."""
    return tuple(signal_name(quantity, contact) for quantity in QUANTITIES for contact in contacts)


def _accelerations(
    dynamics: Dynamics, tolerances: Tolerances, start: State, values: Array, free: Array
) -> tuple[Array, Array, Array]:
    """q̈, and per contact λ in its frame and μ λ_N, zero for open ones."""
    shape = len(values), len(dynamics.contacts)
    forces, limits = np.zeros((*shape, 3)), np.zeros(shape)
    if not isinstance(start.location, Modes) or not start.location.closed:
        return free, forces, limits
    motion = RigidFlow(dynamics, start, tolerances).afresh(values, free)
    closed = list(motion.closed.contacts)
    forces[:, closed], limits[:, closed] = motion.forces, motion.limit
    return motion.acceleration, forces, limits
