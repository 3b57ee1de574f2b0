"""Signals as guards read them: what is zero within the tolerances is exactly zero.

Guards are written with =, > and ≥ on real numbers; on floating-point numbers each needs a margin
of its own kind: gaps in metres, speeds in metres per second, forces by the acceleration they
cause. With the signals snapped here, the formulas of `dyverse.generation.guards` hold exactly
where `dyverse.generation.switching` jumps, which a test shows by listing all edges.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dyverse.automaton.interface import Array, State
from dyverse.generation.dynamics import Dynamics, local_forces
from dyverse.generation.flow import RigidFlow
from dyverse.generation.location import Modes, Node
from dyverse.generation.names import signal_name
from dyverse.generation.tolerances import Tolerances

Signals = dict[str, float]


def read(
    dynamics: Dynamics, tolerances: Tolerances, state: State, observed: Mapping[str, float]
) -> Signals:
    """``observed`` signals at ``state``, snapped."""
    signals = dict(observed) | _found_by_node(dynamics, state)
    limits = {
        "gap": tolerances.gap,
        "normal_speed": tolerances.speed,
        "normal_acceleration": tolerances.acceleration / 4,
        "slip_speed": tolerances.slip,
        "slip_acceleration": tolerances.acceleration / 2,
    }
    for quantity, limit in limits.items():
        for contact in dynamics.contacts.names:
            name = signal_name(quantity, contact)
            signals[name] = 0.0 if abs(signals[name]) <= limit else signals[name]
    return signals | _forces(dynamics, tolerances, state)


def _found_by_node(dynamics: Dynamics, state: State) -> Signals:
    """Accelerations at the exit of a contact node, under the forces that it found."""
    place = state.location
    if not isinstance(place, Node) or place.kind == "impact" or place.place != "ex":
        return {}
    contacts = tuple(dynamics.contacts.index[name] for name in place.contacts)
    closed = dynamics.close(contacts, state.values)
    forces = local_forces(closed, state.held, dynamics.contacts.names)
    free = dynamics.free_acceleration(state.time, state.values)
    second = dynamics.accelerations(closed, forces, free)
    return _named(place.contacts, "normal_acceleration", second[:, 0]) | _named(
        place.contacts, "slip_acceleration", np.hypot(second[:, 1], second[:, 2])
    )


def _forces(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Signals:
    """Normal forces that are zero, and friction that is just at its limit, within the margin."""
    if not isinstance(state.location, Modes) or not state.location.closed:
        return {}
    motion = RigidFlow(dynamics, state, tolerances).motion(state.time, state.values)
    margin = tolerances.acceleration / 2
    normal = np.where(
        np.abs(motion.forces[:, 0]) <= margin * motion.normal_softness, 0.0, motion.forces[:, 0]
    )
    friction = np.hypot(motion.forces[:, 1], motion.forces[:, 2])
    at_limit = np.abs(friction - motion.limit) <= margin * motion.friction_softness
    contacts = state.location.contacts
    return _named(contacts, "normal_force", normal) | _named(
        contacts, "friction_force", np.where(at_limit, motion.limit, friction)
    )


def _named(contacts: tuple[str, ...], quantity: str, column: Array) -> Signals:
    names = (signal_name(quantity, contact) for contact in contacts)
    return dict(zip(names, column.tolist(), strict=True))
