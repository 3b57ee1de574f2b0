"""Every signal of every contact at one state: the one numeric definition behind the formulas."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.generation.dynamics import Dynamics
from dyverse.generation.flow import RigidFlow
from dyverse.generation.location import Modes
from dyverse.generation.names import SIGNALS, signal_name
from dyverse.generation.tolerances import Tolerances

QUANTITIES = (*SIGNALS, "friction_reserve")


def contact_signals(dynamics: Dynamics, tolerances: Tolerances, state: State) -> dict[str, float]:
    """Gaps, speeds, accelerations and forces by name; open contacts have no force."""
    contacts = dynamics.contacts
    rows = contacts.kinematics(contacts.bodies(state.values), contacts.all)
    acceleration, forces, limits = _accelerations(dynamics, tolerances, state)
    second = contacts.accelerations(rows, contacts.all, acceleration)
    friction = np.hypot(forces[:, 1], forces[:, 2])
    columns = (
        rows.gap,
        rows.speed[:, 0],
        second[:, 0],
        np.hypot(rows.speed[:, 1], rows.speed[:, 2]),
        np.hypot(second[:, 1], second[:, 2]),
        forces[:, 0],
        friction,
        limits,
        limits - friction,
    )
    return dict(zip(_names(contacts.names), np.concatenate(columns).tolist(), strict=True))


@lru_cache(maxsize=64)
def _names(contacts: tuple[str, ...]) -> tuple[str, ...]:
    """The signals' names, quantity by quantity."""
    return tuple(signal_name(quantity, contact) for quantity in QUANTITIES for contact in contacts)


def _accelerations(
    dynamics: Dynamics, tolerances: Tolerances, state: State
) -> tuple[Array, Array, Array]:
    """q̈, and per contact λ in its frame and μ λ_N, zero for open ones."""
    forces, limits = np.zeros((len(dynamics.contacts), 3)), np.zeros(len(dynamics.contacts))
    if not isinstance(state.location, Modes) or not state.location.closed:
        return dynamics.free_acceleration(state.time, state.values), forces, limits
    motion = RigidFlow(dynamics, state, tolerances).motion(state.time, state.values)
    closed = list(motion.closed.contacts)
    forces[closed], limits[closed] = motion.forces, motion.limit
    return motion.acceleration, forces, limits
