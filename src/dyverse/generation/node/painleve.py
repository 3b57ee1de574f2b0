"""Impacts without collision: contacts that slip in Painlevé's way jam, if the model lets them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.contact.law.lcp import paradoxical
from dyverse.contact.law.problem import contact_problem
from dyverse.generation.node.forces import rubbing
from dyverse.generation.node.found import Found
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import Closed
from dyverse.mechanics.dynamics import Dynamics

JAMMED = "impact without collision"


def jamming(
    dynamics: Dynamics, tolerances: Tolerances, closed: Closed, found: Found
) -> NDArray[np.bool_]:
    """Which contacts jam where there are no forces, if the model lets them, (n,).

    All of an island in which one slips in Painlevé's way, if impulses that stop them obey the laws:
    an impact without collision, [genot1999].
    """
    jams = np.zeros(len(closed.contacts), dtype=bool)
    if found.method != "inconsistent" or not dynamics.without_collision:
        return jams
    mu, sliding = rubbing(dynamics, tolerances, closed)
    for members in dynamics.contacts.places(closed.contacts):
        rows = (3 * members[:, None] + np.arange(3)).ravel()
        G, speed = closed.delassus[np.ix_(rows, rows)], closed.speed[members]
        problem = contact_problem(G, speed, mu[members], sliding=sliding[members])
        jams[members] = paradoxical(problem).any() and _obeys(stopping(G, speed), mu[members])
    return jams


def stopping(matrix: Array, speed: Array) -> Array:
    """Impulses, the least ones, that stop contacts with these speeds, (n, 3) each."""
    return np.asarray(-np.linalg.lstsq(matrix, speed.ravel(), rcond=1e-10)[0].reshape(-1, 3))


def _obeys(impulses: Array, mu: Array) -> bool:
    """Whether impulses push, and friction is not too large."""
    rubs = np.hypot(impulses[:, 1], impulses[:, 2])
    return bool((rubs <= mu * impulses[:, 0] * (1 + 1e-9)).all())


def jammed(dynamics: Dynamics, closed: Closed, jams: NDArray[np.bool_], values: Array) -> Array:
    """``values`` with the contacts that jam at a standstill."""
    still = values.copy()
    for members in dynamics.contacts.places(closed.contacts):
        if jams[members].any():
            rows = (3 * members[:, None] + np.arange(3)).ravel()
            G = closed.delassus[np.ix_(rows, rows)]
            impulses = stopping(G, closed.speed[members])
            still[dynamics.layout.v] += closed.MW[:, rows] @ impulses.ravel()
    return still
