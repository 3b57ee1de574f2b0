"""Which slips are over, and the state without them: what counts as no speed is taken out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.generation.node.forces import rubbing_company, slip_gains
from dyverse.generation.node.found import Found, Indices, names_of
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed, correction, held_rows
from dyverse.mechanics.dynamics import Dynamics

ABOUT = 1.1  # times a speed: less is about the same
ROUNDING = 1e-13  # share of the largest below which a constraint is redundant for sure


def touching(
    dynamics: Dynamics, tolerances: Tolerances, names: tuple[str, ...], values: Array
) -> tuple[int, ...]:
    """The contacts ``names`` of an impact node, and behind them bystanders: they touch and part."""
    own = tuple(dynamics.contacts.index[name] for name in names)
    gap, _ = dynamics.contacts.approach(values)
    others = np.flatnonzero(gap <= tolerances.gap).tolist()
    return (*own, *(contact for contact in others if contact not in own))


def halting(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    time: float,
    values: Array,
    found: Found,
) -> NDArray[np.bool_]:
    """The rule of brief slip: which contacts slip so briefly from now on that it is over, (n,).

    Where bodies are piled up, under the forces ``found``: see `Tolerances.brief`. If none are found
    along the slips there are, those halt that what drives contacts together could stop as briefly.
    """
    company = rubbing_company(dynamics, closed.contacts)
    if not tolerances.unseen(company).any():
        return np.zeros(len(company), dtype=bool)
    slip, rest = closed.slip_speed, tolerances.standstill
    if found.failure is not None:
        free = closed.W.T @ dynamics.free_acceleration(time, values) + closed.bias
        drive = np.full(len(slip), np.abs(free[0::3]).max(initial=0.0))
        return np.asarray((slip > rest) & (slip <= tolerances.brief(drive, company)))
    gains = slip_gains(dynamics, closed, time, values, found.forces)
    brief = tolerances.brief(tolerances.acceleration - gains, company)
    return np.asarray((slip > rest) & (brief > 0) & (slip <= ABOUT * (rest + brief)))


def at_standstill(
    dynamics: Dynamics, tolerances: Tolerances, contacts: tuple[int, ...], values: Array
) -> Array:
    """``values`` without the speeds of closed contacts that count as none, along normal and slip.

    Where contacts share a load, even these would ask for accelerations that no force can give; and
    taken out later, when forces are known, they would turn the slip of others.
    """
    closed = dynamics.close(contacts, values)
    resting = closed.slip_speed <= tolerances.standstill
    return without(dynamics, closed, held_rows(resting), values)


def halted(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    halts: NDArray[np.bool_],
    values: Array,
) -> Array:
    """``values`` without the slip of contacts that halt.

    It can be more than counts as none, so those that touch and part are not pushed together by it.
    """
    near = touching(dynamics, tolerances, names_of(dynamics, closed), values)
    around = dynamics.close(near, values)
    own = len(closed.contacts)
    stands, slow = np.zeros(len(around.gap), dtype=bool), around.speed[:, 0] <= tolerances.speed
    stands[:own] = halts | (closed.slip_speed <= tolerances.standstill)
    slow[:own] = True
    rows = held_rows(stands)
    return without(dynamics, around, rows[slow[rows // 3]], values)


def without(dynamics: Dynamics, closed: Closed, rows: Indices, values: Array) -> Array:
    """``values`` without some components of γ, changed by as little as the masses allow.

    There are velocities without them, so that constraints nearly redundant can be met as well.
    """
    still = values.copy()
    speeds = closed.speed.ravel()[rows]
    still[dynamics.layout.v] -= correction(closed, rows, speeds, ROUNDING)
    return still
