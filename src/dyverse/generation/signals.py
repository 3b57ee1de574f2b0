"""Every signal of every contact: the one definition behind the formulas.

In come some states of one location, out goes a row of numbers for each; what a signal is says
`quantities`, for numbers and expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from dyverse.automaton.interface import Array, Location, State
from dyverse.bodies.signals import MODES
from dyverse.generation.flow import RigidFlow
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.skeleton.names import SIGNALS, signal_name
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.dynamics import Dynamics

QUANTITIES = (*SIGNALS, "friction_reserve")
MOVING = ("gap", "normal_speed", "slip_speed")  # those that need no forces
T = Any  # arrays, or CasADi expressions, which have no types


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
    speed, second, force = (
        np.moveaxis(part, -1, 0) for part in (rows.speed, second, forces[:, list(these)])
    )
    found = quantities(rows.gap, speed, second, force, limits[:, list(these)], np.hypot)
    return np.hstack([found[name] for name in QUANTITIES])


def moving_signals(dynamics: Dynamics, values: Array, these: tuple[int, ...]) -> Array:
    """Gaps and speeds alone: forces that several contacts share take a hundred times as long."""
    contacts = dynamics.contacts
    rows = contacts.kinematics(contacts.bodies(values), these)
    found = motions(rows.gap, np.moveaxis(rows.speed, -1, 0), np.hypot)
    return np.hstack([found[name] for name in MOVING])


def motions(gap: T, speed: T, length: Callable[[T, T], T]) -> dict[str, T]:
    """The signals of a contact that follow from where bodies are and how they move."""
    return {"gap": gap, "normal_speed": speed[0], "slip_speed": length(speed[1], speed[2])}


def quantities(
    gap: T, speed: T, acceleration: T, force: T, limit: T, length: Callable[[T, T], T]
) -> dict[str, T]:
    """What each signal of a contact is, in numbers or expressions.

    In come γ, γ̇ and λ as normal, tangent 1 and tangent 2, μ λ_N, and the length of two components.
    """
    rubs = length(force[1], force[2])
    return motions(gap, speed, length) | {
        "normal_acceleration": acceleration[0],
        "slip_acceleration": length(acceleration[1], acceleration[2]),
        "normal_force": force[0],
        "friction_force": rubs,
        "friction_limit": limit,
        "friction_reserve": limit - rubs,
    }


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
def contact_names(contacts: tuple[str, ...], which: tuple[str, ...]) -> tuple[str, ...]:
    """The signals' names, quantity by quantity."""
    return tuple(signal_name(quantity, contact) for quantity in which for contact in contacts)


def pushes(
    dynamics: Dynamics, tolerances: Tolerances, start: State, values: Array, free: Array
) -> Array:
    """How closed contacts would accelerate the bodies if there were no joints, (…, v)."""
    if not isinstance(start.location, Modes) or not start.location.closed:
        return np.zeros_like(free)
    motion = RigidFlow(dynamics, start, tolerances).afresh(values, free)
    flat = motion.forces.reshape(*motion.forces.shape[:-2], -1, 1)
    return dynamics.mass.solve_columns(motion.closed.W @ flat)[..., 0]


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
