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
from dyverse.generation.flow import RigidFlow
from dyverse.generation.location import Modes, Node
from dyverse.generation.names import signal_name
from dyverse.generation.tolerances import Tolerances
from dyverse.generation.visiting import found_accelerations
from dyverse.mechanics.dynamics import Dynamics

Signals = dict[str, float]


def read(
    dynamics: Dynamics, tolerances: Tolerances, state: State, observed: Mapping[str, float]
) -> Signals:
    """``observed`` signals at ``state``, snapped.

    While a contact pulls, what touches is not yet pressed: that is read once the pull is over.
    """
    signals = dict(observed) | _found_by_node(dynamics, tolerances, state)
    forces = _forces(dynamics, tolerances, state)
    pulls = any(force < 0 for name, force in forces.items() if name.startswith("normal_force"))
    for contact in dynamics.contacts.names:
        limits = _limits(tolerances, state, contact)
        for quantity, limit in limits.items():
            name = signal_name(quantity, contact)
            if abs(signals[name]) <= limit:
                signals[name] = 0.0
        drive, least = signal_name("normal_acceleration", contact), limits["normal_acceleration"]
        if _is_open(state, contact) and (pulls or (contact in state.held and signals[drive] == 0)):
            signals[drive] = max(signals[drive], least)
    return signals | forces


def _is_open(state: State, contact: str) -> bool:
    return isinstance(state.location, Modes) and contact not in state.location.contacts


def _limits(tolerances: Tolerances, state: State, contact: str) -> dict[str, float]:
    """What counts as zero at a contact; slip that is beginning has to begin first."""
    location = state.location
    begins = isinstance(location, Modes) and contact in location.having("trans")
    return {
        "gap": tolerances.gap,
        "normal_speed": tolerances.speed,
        "normal_acceleration": tolerances.acceleration / 4,
        "slip_speed": tolerances.slip * (1 - 1e-9) if begins else tolerances.standstill,
        "slip_acceleration": tolerances.acceleration / 2,
    }


def _found_by_node(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Signals:
    """Accelerations at the exit of a contact node, under the forces that it found."""
    place = state.location
    if not isinstance(place, Node) or place.kind == "impact" or place.place != "ex":
        return {}
    contacts = tuple(dynamics.contacts.index[name] for name in place.contacts)
    closed = dynamics.close(contacts, state.values)
    apart, away = found_accelerations(dynamics, tolerances, closed, state)
    return _named(place.contacts, "normal_acceleration", apart) | _named(
        place.contacts, "slip_acceleration", away
    )


def _forces(dynamics: Dynamics, tolerances: Tolerances, state: State) -> Signals:
    """Normal forces that are zero, and friction that is just at its limit, within the margin."""
    if not isinstance(state.location, Modes) or not state.location.closed:
        return {}
    motion = RigidFlow(dynamics, state, tolerances).motion(state.time, state.values)
    margin = tolerances.acceleration / 2 * motion.softness
    normal, reserve = np.moveaxis(np.where(np.abs(motion.slack) <= margin, 0.0, motion.slack), 1, 0)
    rubs = np.hypot(motion.forces[:, 1], motion.forces[:, 2])
    friction = np.where(np.isinf(reserve), rubs, motion.limit - reserve)
    contacts = state.location.contacts
    return _named(contacts, "normal_force", normal) | _named(contacts, "friction_force", friction)


def _named(contacts: tuple[str, ...], quantity: str, column: Array) -> Signals:
    names = (signal_name(quantity, contact) for contact in contacts)
    return dict(zip(names, column.tolist(), strict=True))
