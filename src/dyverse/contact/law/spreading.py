"""Which impulses are taken where several contacts share a blow: the shortest, as with loads.

In come impulses that obey the laws; out go those that obey them with the same contacts pressed,
sticking and slipping, the shortest of all that slip in the same directions. Where contacts are
independent these are the same.
"""

from __future__ import annotations

import numpy as np

from dyverse.contact.law.problem import Array, ContactProblem, contact_residuals, response

SAME = 1e-9  # share of the largest impulse that counts as none, or of a limit as all of it
REDUNDANT = 1e-9  # singular values below this share of the largest are none
TURNS = 60  # of directions of slip, which change with the impulses
CLOSE = 1e-15  # share of the largest impulse: no turn changes any by more


def spread(problem: ContactProblem, impulses: Array) -> Array:
    """The shortest impulses; ``impulses`` themselves where that is not to be had."""
    size = float(np.abs(impulses).max(initial=0.0))
    found = impulses
    for _ in range(TURNS if len(problem) > 1 and size > 0 else 0):
        better = _turned(problem, impulses, found, size)
        if better is None:
            return impulses
        change, found = float(np.abs(better - found).max()), better
        if change <= CLOSE * size:
            break
    left, before = (contact_residuals(problem, each).max() for each in (found, impulses))
    noise = 1e-12 * float(np.abs(problem.free).max(initial=0.0))
    return found if left <= max(before, noise) else impulses


def _turned(problem: ContactProblem, first: Array, now: Array, size: float) -> Array | None:
    """The shortest impulses with slip in the directions that it has ``now``, if they are others."""
    normal, rubs = first[:, 0], np.hypot(first[:, 1], first[:, 2])
    pressed = normal > SAME * size
    sticks = pressed & (rubs < (1 - SAME) * problem.friction * normal)
    slips = pressed & ~sticks & (problem.friction > 0)
    xi = response(problem, now)[:, 1:]
    speed = np.hypot(xi[:, 0], xi[:, 1])
    if (speed[slips] <= SAME * np.abs(problem.free).max()).any():
        return None
    places = [*(3 * np.flatnonzero(pressed)), *(3 * np.flatnonzero(sticks)[:, None] + [1, 2]).flat]
    T = np.zeros((problem.free.size, len(places)))
    T[places, np.arange(len(places))] = 1
    for column, j in enumerate(np.flatnonzero(pressed).tolist()):
        if slips[j]:
            T[3 * j + 1 : 3 * j + 3, column] = -problem.friction[j] * xi[j] / speed[j]
    unit = 1 / np.sqrt(problem.matrix.diagonal()[places])
    A = unit[:, None] * (problem.matrix[places] @ T) * unit
    U, sizes, V = np.linalg.svd(A)
    rank = int((sizes > REDUNDANT * sizes[0]).sum())
    if rank == len(places):
        return None
    y = V[:rank].T @ ((U.T[:rank] @ (-unit * problem.free[places])) / sizes[:rank])
    whole, open_ = T @ (unit * y), T @ (unit[:, None] * V[rank:].T)
    whole = whole - open_ @ np.linalg.lstsq(open_, whole)[0]
    found = whole.reshape(-1, 3)
    fits = np.hypot(found[:, 1], found[:, 2]) <= problem.friction * found[:, 0] * (1 + SAME)
    return found if (fits | ~sticks).all() and (found[:, 0] >= 0).all() else None
