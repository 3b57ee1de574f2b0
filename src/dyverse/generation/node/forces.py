"""Forces of closed contacts at one moment: Signorini and Coulomb on the acceleration level."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, State
from dyverse.contact.law.problem import ContactProblem, Solved, scale
from dyverse.contact.law.solve import Options, solve
from dyverse.generation.balance.balance import contact_balance
from dyverse.generation.balance.distribution import Distribution
from dyverse.generation.node.found import Answer, Found, Indices, by_islands
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed, led, local_forces
from dyverse.mechanics.contacts import HEAP
from dyverse.mechanics.dynamics import Dynamics

PASSABLE = 1e3  # times the tolerance of accelerations: forces are taken if no others are found


def contact_forces(
    dynamics: Dynamics,
    tolerances: Tolerances,
    closed: Closed,
    time: float,
    values: Array,
    start: Mapping[str, Array],
    *,
    looser: float = 1.0,
) -> Found:
    """Signorini and Coulomb on the acceleration level, with the direction of slip given.

    Who can stay at rest, stays: if there are forces that keep all contacts of an island closed, and
    those at rest sticking, the smallest of them are taken; only if not, others are looked for, from
    those at ``start`` (world axes): of several answers, nodes of one instant give the same. Those
    of heaps may leave so many times more of accelerations as is ``looser``.
    """
    guess = local_forces(closed, start, dynamics.contacts.names)
    acceleration = dynamics.free_acceleration(time, values)
    free = closed.W.T @ acceleration + closed.bias
    mu, sliding = rubbing(dynamics, tolerances, closed)
    kept, stays = _kept(dynamics, tolerances, closed, acceleration, sliding)
    company = dynamics.contacts.company(closed.contacts)

    def island(members: Indices, matrix: Array) -> Answer:
        c = free.reshape(-1, 3)[members].ravel()
        if stays[members].all():
            return Solved(forces=kept[members], sweeps=0, residual=0.0, method="balance")
        problem = ContactProblem(
            matrix=matrix,
            free=c,
            friction=mu[members],
            sliding=sliding[members],
            granted=np.zeros(len(members)),
        )
        unit = tolerances.acceleration / scale(problem)
        times = looser if company[members[0]] >= HEAP else 1.0
        options = Options(acceptable=unit / 8, passable=times * PASSABLE * unit)
        return solve(problem, start=guess[members], options=options)

    G = led(closed, closed.delassus)
    return by_islands(dynamics, closed, G, island, involved=free[0::3] < 0)


def _kept(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, free: Array, sliding: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Forces that keep the contacts as they are, (n, 3), and which contacts they keep so."""
    smooth = np.array([dynamics.is_frictionless(contact) for contact in closed.contacts])
    sticking = np.isnan(sliding[:, 0]) & ~smooth
    distribution = Distribution(dynamics, closed.contacts, tolerances.acceleration)
    ways = np.where(np.isnan(sliding), 0.0, sliding)
    balance = contact_balance(dynamics, closed, free, sticking, ways)
    motion = distribution.least(distribution.motion(balance))
    return motion.forces, distribution.stays(motion)


def found_accelerations(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, state: State
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """At the exit of a contact node: how fast contacts part, and begin to slip, (n,) each.

    Who stays at rest does not begin to slip, whatever rounding leaves of its acceleration; nor who
    has friction to spare that could do more: where no forces are right to the last digit, the
    larger of both is the truth. The last says who slips, but briefly so far, and gains speed: it is
    still beginning to.
    """
    forces = local_forces(closed, state.held, dynamics.contacts.names)
    free = dynamics.free_acceleration(state.time, state.values)
    second = dynamics.accelerations(closed, forces, free)
    away = np.hypot(second[:, 1], second[:, 2])
    least = tolerances.acceleration / 2
    if (away > least).any():
        _, sliding = rubbing(dynamics, tolerances, closed)
        stays = _kept(dynamics, tolerances, closed, free, sliding)[1]
        away = np.where(stays & np.isnan(sliding[:, 0]), 0.0, away)
        away = np.where(away > _spared(dynamics, closed, forces), away, 0.0)
    gains = slip_gains(dynamics, closed, state.time, state.values, forces)
    company = rubbing_company(dynamics, closed.contacts)
    brief = closed.slip_speed <= tolerances.standstill + tolerances.brief(gains, company)
    return second[:, 0], away, brief & (gains > least) & (tolerances.unseen(company) > 0)


def _spared(dynamics: Dynamics, closed: Closed, forces: Array) -> Array:
    """The acceleration along its surface that each contact's friction has to spare, (n,)."""
    mu = dynamics.frictions(closed.contacts, np.zeros(len(closed.contacts)))
    spare = mu * forces[:, 0] - np.hypot(forces[:, 1], forces[:, 2])
    return np.asarray(spare * np.diag(closed.delassus)[1::3])


def slip_gains(
    dynamics: Dynamics, closed: Closed, time: float, values: Array, forces: Array
) -> Array:
    """How fast slips gain speed (m/s²) under forces, none where there is no slip, (n,)."""
    second = dynamics.accelerations(closed, forces, dynamics.free_acceleration(time, values))
    slip = np.maximum(closed.slip_speed, np.finfo(float).tiny)
    return np.asarray(np.sum(closed.speed[:, 1:] * second[:, 1:], axis=1) / slip)


def rubbing_company(dynamics: Dynamics, contacts: tuple[int, ...]) -> NDArray[np.intp]:
    """How many bodies share contacts with those that rub: where many do, brief slips are none."""
    smooth = np.array([dynamics.is_frictionless(contact) for contact in contacts], dtype=bool)
    return np.asarray(dynamics.contacts.company(contacts) * ~smooth)


def rubbing(dynamics: Dynamics, tolerances: Tolerances, closed: Closed) -> tuple[Array, Array]:
    """μ of each contact, and the direction of those that slip (n, 2), not a number for others."""
    slips = closed.slip_speed
    slipping = slips > tolerances.standstill
    mu = dynamics.frictions(closed.contacts, np.where(slipping, slips, 0.0))
    sliding = np.full((len(slips), 2), np.nan)
    sliding[slipping] = closed.speed[slipping, 1:] / slips[slipping, None]
    return mu, sliding
