"""The shortest impulses within cones of friction, of those that differ by known changes.

In come the shortest of all, ``λ0``, and orthonormal changes ``ν``; out goes the shortest
``λ0 + Σ z ν`` that every cone admits. With ``P`` the projection on the cones it is
``λ0 + Σ ν (ν·P(u))`` for the ``u ⟂ ν`` with ``E P(u) = λ0``, ``E = I - Σ ν νᵀ``: there the convex
``θ(u) = ½‖P(u)‖² - λ0·u`` is least. Newton's method on that dual [qi2006] ends on the faces of the
cones themselves, so that who takes nothing takes exactly nothing.
"""

from __future__ import annotations

import math

import numpy as np

from dyverse.contact.law.problem import TINY, Array

TURNS = 30
MET = 1e-14  # of the impulses: what may be left
CLOSE = 1e-12  # and where steps get no further
EASE = 1e-12  # keeps systems regular where there is more than one u, at least;
FAR = 0.1  # times what is left far away,
MOST = 1e-2  # at most
SHORTEST = 1e-6  # of a step


def shortest_within(least: Array, changes: Array, friction: Array) -> Array | None:
    """The shortest that is admissible, (n, 3), or none if it is not found.

    ``changes`` are (k, 3n); without ``friction`` a contact has the ray of its normal for a cone.
    """
    start, E = least.ravel(), np.eye(least.size) - changes.T @ changes
    u, size = start, max(float(np.abs(least).max()), TINY)
    near, slope = _nearest(friction, u)
    left = start - E @ near
    for _ in range(TURNS):
        missed, value = np.abs(left).max(), near @ near / 2 - start @ u
        if missed <= MET * size:
            break
        ease = max(EASE, min(MOST, FAR * missed / size))
        step = np.linalg.solve(np.eye(u.size) - (1 - ease) * E @ (np.eye(u.size) - slope), left)
        promise, share = float(left @ step), 1.0
        while share > SHORTEST:
            there = u + share * step
            near, slope = _nearest(friction, there)
            left = start - E @ near
            lower = near @ near / 2 - start @ there <= value - 1e-4 * share * promise
            if lower or np.abs(left).max() <= missed / 4:
                break
            share /= 2
        u = there
    if not np.abs(left).max() <= CLOSE * size:
        return None
    return np.asarray(start + (changes @ near) @ changes).reshape(-1, 3)


def _nearest(friction: Array, u: Array) -> tuple[Array, Array]:
    """``P(u)``, (3n,), and its derivative, (3n, 3n)."""
    near, slope = np.zeros_like(u), np.zeros((u.size, u.size))
    for j, mu in enumerate(friction.tolist()):
        own = slice(3 * j, 3 * j + 3)
        near[own], slope[own, own] = _nearest_in_cone(mu, u[own])
    return near, slope


def _nearest_in_cone(mu: float, u: Array) -> tuple[Array, Array]:
    """The nearest force with ``‖t‖ ≤ μ n``, and its derivative."""
    size = math.hypot(u[1], u[2])
    if mu * size <= -u[0]:
        return np.zeros(3), np.zeros((3, 3))
    if size <= mu * u[0]:
        return u, np.eye(3)
    along = (u[0] + mu * size) / (1 + mu**2)
    axis = np.array([1.0, mu * u[1] / size, mu * u[2] / size])
    across = np.array([0.0, -u[2], u[1]]) / size
    slope = np.outer(axis, axis) / (1 + mu**2) + mu * along / size * np.outer(across, across)
    return along * axis, slope
