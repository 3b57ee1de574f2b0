"""Joints taken out of the mechanics at a state: what is left moves as they allow.

Where every mass is one (M⁻¹ = L Lᵀ), the directions of joints, each at length one, are
B = U Σ Vᵀ. Constraints that others imply, as in every planar loop in space, show as singular values
next to zero; they are left out. With K = L U the mechanics is as before with

    P = M⁻¹ - K Kᵀ  instead of  M⁻¹,

and a = a₀ - K Σ⁻¹ Vᵀ (Wᵀ a₀ + β) instead of a₀ = M⁻¹ h. The reactions are the smallest, each
measured by the acceleration that it causes. Nothing else has to know of joints.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.expr.buffered import Buffered
from dyverse.mechanics.joint.equations import JointEquations
from dyverse.mechanics.mass import Mass

KEPT = 1_000_000  # numbers of W that are kept
OUTSIDE = 1e-9  # of the length of a direction: so little of it, the rest out of the plane, is none
REDUNDANT = 3e-5  # singular values of unit constraints below this share of the largest are none


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """All joints at one state."""

    error: Array  # c, (m)
    W: Array  # generalised directions, (v, m)
    bias: Array  # β, (m)
    K: Array  # directions that are taken, orthonormal by M, (v, r)
    unit: Array  # U, (v, r)
    solve: Array  # Σ⁻¹ Vᵀ for conditions as they are, (r, m)

    def taken(self, columns: Array) -> Array:
        """K Kᵀ times columns: what joints take away of M⁻¹ times them."""
        return self.K @ (self.K.T @ columns)

    def left(self, columns: Array) -> Array:
        """Columns where every mass is one, without what joints take."""
        return columns - self.unit @ (self.unit.T @ columns)

    def acceleration(self, free: Array) -> Array:
        """The acceleration under loads that would cause ``free`` without joints."""
        return free - self.K @ (self.solve @ (self.W.T @ free + self.bias))

    def imposed(self, unit: Array) -> Array:
        """The part of an acceleration, ``unit`` where masses are one, that joints alone decide."""
        return self.K @ (self.unit.T @ unit)

    def back(self, error: Array) -> Array:
        """The smallest change of q or v, measured by M, that takes ``error`` of c or ċ out."""
        return -self.K @ (self.solve @ error)

    def reactions(self, free: Array) -> Array:
        """λ, (m): what joints exert where all else would cause the acceleration ``free``."""
        return -self.solve.T @ (self.solve @ (self.W.T @ free + self.bias))


class Joints:
    """The joints of a scene on numbers."""

    def __init__(self, equations: JointEquations, mass: Mass, numbers: Array, start: Array) -> None:
        self.start = start  # where the bodies are then
        self.equations, self._mass, self._numbers = equations, mass, numbers.copy()
        self._rows, self._following = Buffered(equations.rows), Buffered(equations.following)
        one: int = equations.directions.numel()  # of a state; those of an arc are asked for in turn
        self._latest = lru_cache(maxsize=max(4, min(512, KEPT // max(one, 1))))(self._one)

    def at(self, values: Array) -> Joined:
        """The joints at one state; it is often asked for again."""
        return self._latest(values.tobytes())

    def _one(self, values: bytes) -> Joined:
        found = self._rows(np.frombuffer(values), self._numbers)
        error, flat, bias = (part.copy() for part in found)
        W = flat.reshape(len(error), -1).T
        unit, norms = self._unit(W)
        U, sizes, V = np.linalg.svd(unit, full_matrices=False)
        rank = int((sizes > REDUNDANT * sizes[0]).sum()) if len(sizes) else 0
        U, solve = U[:, :rank], V[:rank] / sizes[:rank, None] / norms
        return Joined(error, W, bias, self._mass.from_unit(U), U, solve)

    def _unit(self, W: Array) -> tuple[Array, Array]:
        """B, and the lengths of its columns before."""
        B = self._mass.unit_columns(W)
        norms = np.sqrt(np.sum(B**2, axis=0))
        moves = norms > OUTSIDE * np.sqrt(np.sum(self._mass.eased(W) ** 2, axis=0))
        norms = np.where(moves, norms, 1.0)
        return np.where(moves, B / norms, 0.0), norms

    def unit_directions(self, values: Array) -> Array:
        """B at a state."""
        return self._unit(self.at(values).W)[0]

    def follow(self, values: Array) -> tuple[Array, Array, Array]:
        """What is derived of joints, the rates of their angles, and these up to whole turns."""
        derived, rates, angles = self._following(values, self._numbers)
        return derived.copy(), rates.copy(), angles.copy()
