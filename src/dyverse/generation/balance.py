"""The forces in a location: [navarro2018] Eqs. (14) and (15), on numbers.

M q̈ = h + W λ, with λ_T of slipping contacts tied to λ_N and the normal and sticking constraints
held on the acceleration level. The friction columns of slipping contacts are inside the matrix of
(15), which the paper leaves out; constraints may be redundant, hence the pseudo-inverse.

All this can be asked at several states at once; every array then has a leading axis for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.generation.dynamics import REDUNDANT, Closed, Dynamics


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Forces and accelerations at one state of a location."""

    closed: Closed
    forces: Array  # λ per closed contact: normal, tangent 1, tangent 2, (…, n, 3)
    acceleration: Array  # q̈
    limit: Array  # μ λ_N per closed contact
    sticking: NDArray[np.bool_]
    inverse: Array  # of the matrix of (15)

    @property
    def normal_softness(self) -> Array:
        """Force taken away per acceleration gained (kg), (…, n)."""
        return np.abs(_diagonal(self.inverse)[..., : len(self.sticking)])

    @property
    def friction_softness(self) -> Array:
        """The same along the surface; that of the contact alone where it does not stick."""
        rubbing = 1 / _diagonal(self.closed.delassus)[..., 1::3]
        softness = np.abs(_diagonal(self.inverse)[..., len(self.sticking) :])
        rubbing[..., self.sticking] = np.maximum(softness[..., 0::2], softness[..., 1::2])
        return rubbing


def contact_motion(
    dynamics: Dynamics,
    closed: Closed,
    free: Array,
    sticking: NDArray[np.bool_],
    slip: Array,
    held: Array,
) -> Motion:
    """Solve (15): normal forces of all contacts, friction of the sticking ones.

    ``slip`` (n, 2) is the direction in which each other contact slips or begins to, zero without
    friction; of all solutions of redundant constraints the one nearest to ``held`` (n, 3) is taken,
    so that forces agree with those of the contact node that led here.
    """
    word = _word(tuple(sticking.tolist()))
    mu = dynamics.frictions(closed.contacts, np.where(sticking, 0.0, closed.slip_speed))
    T = _unknowns(word, -mu[..., None] * slip)
    D = closed.delassus[..., word.unknowns, :] @ T
    right = (_times(closed.W.mT, free) + closed.bias)[..., word.unknowns]
    start = _flat(held)[..., word.unknowns]
    inverse = _inverse(D)
    y = start - _times(inverse, right + _times(D, start))
    forces = _times(T, y).reshape(closed.speed.shape)
    acceleration = free + _times(closed.MW, _flat(forces))
    return Motion(closed, forces, acceleration, mu * forces[..., 0], sticking, inverse)


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """Which of the 3n force components of a location are unknown, and which follow from them."""

    unknowns: NDArray[np.intp]  # all normal ones, then both tangential ones of sticking contacts
    spread: Array  # (3n, unknowns): one where a component is an unknown
    slipping: NDArray[np.intp]  # the contacts whose friction is tied to their normal force


@lru_cache(maxsize=256)
def _word(sticking: tuple[bool, ...]) -> Word:
    n, sticks = len(sticking), np.array(sticking, dtype=bool)
    tangential = 3 * np.flatnonzero(sticks)[:, None] + [1, 2]
    unknowns = np.concatenate([3 * np.arange(n), tangential.ravel()])
    spread = np.zeros((3 * n, len(unknowns)))
    spread[unknowns, np.arange(len(unknowns))] = 1
    return Word(unknowns, spread, np.flatnonzero(~sticks))


def _unknowns(word: Word, friction: Array) -> Array:
    """The matrix that spreads (λ_N of all, λ_T of sticking contacts) over all 3n components."""
    T = np.empty((*friction.shape[:-2], *word.spread.shape))
    T[:] = word.spread
    for i in (0, 1):
        T[..., 3 * word.slipping + 1 + i, word.slipping] = friction[..., word.slipping, i]
    return T


def _times(matrix: Array, vector: Array) -> Array:
    """Matrix times vector, at each state."""
    return np.asarray((matrix @ vector[..., None])[..., 0])


def _flat(rows: Array) -> Array:
    """(…, n, 3) as (…, 3n)."""
    return rows.reshape(*rows.shape[:-2], -1)


def _diagonal(matrix: Array) -> Array:
    return np.diagonal(matrix, axis1=-2, axis2=-1)


def _inverse(D: Array) -> Array:
    """D⁺; the plain inverse of a well-conditioned system."""
    if D.shape[-1] == 1:
        return 1 / D
    try:
        inverse = np.asarray(np.linalg.inv(D), dtype=np.float64)
    except np.linalg.LinAlgError:
        inverse = np.full_like(D, np.inf)
    poor = np.abs(inverse).max(axis=(-2, -1)) * np.abs(D).max(axis=(-2, -1)) > 1e8
    if poor.any():  # singular, or nearly so
        inverse[poor] = np.linalg.pinv(D[poor], rcond=REDUNDANT)
    return inverse
