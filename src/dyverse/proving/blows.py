"""Impacts of all runs of a grid: their impulses, and how much those can change, in floats."""

from __future__ import annotations

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array
from dyverse.certificate.bodies import Bodies, ImpactLaw
from dyverse.enclosure.program import program
from dyverse.proving.course import Undrafted
from dyverse.proving.floats import run
from dyverse.proving.pacing import NEWTON
from dyverse.proving.reduction import struck


def impulses_of(law: ImpactLaw, start: Array, states: Array, values: Array) -> Array:
    """The impulses of all runs, by Newton's method from those of one."""
    impulses = np.repeat(start[:, None], states.shape[1], axis=1)
    k, runs = impulses.shape
    for _ in range(NEWTON):
        wrong = run(law.law.equations, states, values, impulses)[0]
        slopes = run(law.law.slopes, states, values, impulses)[1]
        matrices = slopes.reshape(k, k, runs).transpose(2, 1, 0)  # listed column by column
        change = np.linalg.solve(matrices, wrong.T[:, :, None])[:, :, 0].T
        impulses = impulses - change
        if not np.abs(change).max(initial=0.0) > 1e-14 * (1 + np.abs(impulses).max(initial=0.0)):
            return impulses
    raise Undrafted("too wide: the impulses of an impact are not found")


def kicked(
    bodies: Bodies, contact: str, states: Array, values: Array, speed: float
) -> tuple[tuple[int, ...], Array]:
    """The impulses of an impact with a speed, and how much they change each state at most."""
    law = struck(bodies, ((contact, "stick"),))
    e = run(program([bodies.values], [ca.SX(law.rows[0].restitution)]), values)[0]
    G, mu = run(bodies.shape((contact,)), states, values)
    nothing = np.zeros((len(law.moving), states.shape[1]))
    kicks = run(law.law.slopes, states, values, nothing)[3]
    kicks = np.abs(kicks.reshape(len(law.moving), len(states), -1))
    weights = np.array([np.ones_like(mu[0]) if i == 0 else mu[0] for i in law.moving])
    whole = ((1 + e[0]) * speed / G[0] * (kicks * weights[:, None, :]).sum(axis=0)).max(axis=1)
    return law.moving, np.asarray(whole)
