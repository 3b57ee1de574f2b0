"""Every signal of every contact at one state: the one numeric definition behind the formulas."""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.generation.dynamics import Dynamics
from dyverse.generation.flow import RigidFlow
from dyverse.generation.location import Modes
from dyverse.generation.names import signal_name
from dyverse.generation.tolerances import Tolerances


def contact_signals(dynamics: Dynamics, tolerances: Tolerances, state: State) -> dict[str, float]:
    """Gaps, speeds, accelerations and forces by name; open contacts have no force."""
    every = dynamics.close(tuple(range(len(dynamics.contacts))), state.values)
    acceleration, forces, limits = _accelerations(dynamics, tolerances, state)
    second = (every.W.T @ acceleration + every.bias).reshape(-1, 3)
    columns = {
        "gap": every.gap,
        "normal_speed": every.speed[:, 0],
        "normal_acceleration": second[:, 0],
        "slip_speed": every.slip_speed,
        "slip_acceleration": np.hypot(second[:, 1], second[:, 2]),
        "normal_force": forces[:, 0],
        "friction_force": np.hypot(forces[:, 1], forces[:, 2]),
        "friction_limit": limits,
        "friction_reserve": limits - np.hypot(forces[:, 1], forces[:, 2]),
    }
    return {
        signal_name(quantity, contact): number
        for quantity, column in columns.items()
        for contact, number in zip(dynamics.contacts.names, column.tolist(), strict=True)
    }


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
