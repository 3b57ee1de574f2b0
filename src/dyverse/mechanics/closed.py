"""Contacts that are closed at a state: speeds, biases, frames, and what (14) and (15) are made of.

Contacts can be closed at several states at once; every array then has a leading axis for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.mechanics.joint.elimination import Joined

NO_FORCE = np.zeros(3)
REDUNDANT = 1e-10  # singular values below this share of the largest are redundant constraints


@dataclass(frozen=True, slots=True, eq=False)
class Closed:
    """Closed contacts at one state: what (14) and (15) are made of."""

    contacts: tuple[int, ...]
    gap: Array  # g_N, (…, n)
    speed: Array  # γ, (…, n, 3)
    bias: Array  # J̇ q̇, (…, 3n)
    frame: Array  # (…, n, 3, 3), columns normal, tangent 1, tangent 2
    W: Array  # (…, 6m, 3n)
    MW: Array  # M⁻¹ W
    delassus: Array  # G = Wᵀ M⁻¹ W; its blocks are A, B, C of [navarro2018] Appendix A
    leader: NDArray[np.intp]  # (n,): whose normal force each has; see contact.pair.resistance
    single: NDArray[np.bool_]  # (n,): which have one tangent only
    joined: tuple[Joined, ...] = ()  # the joints at each state; M⁻¹ is then without what they take

    @property
    def follows(self) -> NDArray[np.bool_]:
        """Which contacts have the normal force of another, (n,)."""
        return np.asarray(self.leader != np.arange(len(self.leader)))

    @property
    def slip_speed(self) -> Array:
        """‖γ_T‖, (…, n)."""
        return np.hypot(self.speed[..., 1], self.speed[..., 2])


def contact_accelerations(closed: Closed, acceleration: Array) -> Array:
    """γ̇ of the given contacts where bodies accelerate so, (n, 3)."""
    second = (closed.W.T @ acceleration + closed.bias).reshape(-1, 3)
    second[:, 0] = second[closed.leader, 0]
    return np.asarray(second)


def led(closed: Closed, matrix: Array) -> Array:
    """G in which who follows asks for the normal force of its leader, ``ξ_N = a (λ_N - λ_leader)``.

    With ``0 ≤ λ_N ⟂ ξ_N ≥ 0`` the two are the same, so that laws need not know of it.
    """
    follows = np.flatnonzero(closed.follows)
    if not follows.size:
        return matrix
    matrix = matrix.copy()
    matrix[3 * follows, 3 * closed.leader[follows]] = -matrix[3 * follows, 3 * follows]
    return matrix


def world_forces(closed: Closed, forces: Array, names: tuple[str, ...]) -> dict[str, Array]:
    """Contact forces in world axes, by contact name."""
    turned = in_world(closed, forces)
    return {names[c]: force for c, force in zip(closed.contacts, turned, strict=True)}


def local_forces(closed: Closed, held: Mapping[str, Array], names: tuple[str, ...]) -> Array:
    """Forces in world axes back in each contact's frame, zero where none is known: (n, 3)."""
    return in_frames(closed, known_forces(closed.contacts, held, names))


def known_forces(
    contacts: tuple[int, ...], held: Mapping[str, Array], names: tuple[str, ...]
) -> Array:
    """Forces in world axes, zero where none is known: (n, 3)."""
    return np.array([held.get(names[c], NO_FORCE) for c in contacts]).reshape(-1, 3)


def in_frames(closed: Closed, vectors: Array) -> Array:
    """One vector per contact (n, 3), in the frame that the contact has at each state, (…, n, 3)."""
    return np.asarray(np.einsum("...nji,nj->...ni", closed.frame, vectors))


def in_world(closed: Closed, vectors: Array) -> Array:
    """One vector per contact and state (…, n, 3) in the contact's frame, in world axes."""
    return np.asarray(np.einsum("...nij,...nj->...ni", closed.frame, vectors))


def correction(
    closed: Closed, rows: NDArray[np.intp], error: Array, weakest: float = REDUNDANT
) -> Array:
    """The smallest change of q or q̇, measured by the mass matrix, that takes ``error`` out.

    Along what is weaker than a share ``weakest`` of the largest nothing is asked.
    """
    if float(np.abs(error).max(initial=0)) == 0:
        return np.zeros(len(closed.W))
    G = closed.delassus[np.ix_(rows, rows)]
    return closed.MW[:, rows] @ (np.linalg.pinv(G, rcond=weakest, hermitian=True) @ error)


def held_rows(sticking: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The components of γ that a location holds at zero: normals, and slip where it sticks."""
    return np.flatnonzero(np.stack([np.ones_like(sticking), sticking, sticking], axis=1).ravel())
