"""Masses of the moving bodies: M is constant, with a block for each body.

In numbers it is a `Mass`; as expressions there are `inverse_mass` and `kinetic`.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.scene import Scene
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX
from dyverse.mechanics.layout import DOF


class Mass:
    """M of a scene, for vectors of its speeds."""

    def __init__(self, scene: Scene) -> None:
        self._inverse = np.array([m for body in scene.moving for m in body.inverse_mass])
        self._root = np.sqrt(self._inverse)

    def solve(self, vectors: Array) -> Array:
        """M⁻¹ times vectors, (…, v)."""
        return np.asarray(self._inverse * vectors)

    def solve_columns(self, columns: Array) -> Array:
        """M⁻¹ times columns, (…, v, k)."""
        return np.asarray(self._inverse[:, None] * columns)

    def kinetic(self, speeds: Array) -> Array:
        """½ vᵀ M v (J), (…)."""
        return np.asarray(np.sum(speeds**2 / self._inverse, axis=-1) / 2)

    def unit_columns(self, columns: Array) -> Array:
        """Lᵀ times columns, (v, k), with M⁻¹ = L Lᵀ: directions where every mass is one."""
        return np.asarray(self._root[:, None] * columns)

    def unit_vector(self, acceleration: Array) -> Array:
        """L⁻¹ times an acceleration, (v): the same acceleration where every mass is one."""
        return np.asarray(acceleration / self._root)


def inverse_mass(scene: Scene) -> SX:
    """M⁻¹ of a scene in expressions, a sparse matrix."""
    return ca.diag(column([ca.SX(m) for body in scene.moving for m in body.inverse_mass]))


def kinetic(scene: Scene, speeds: SX) -> SX:
    """½ vᵀ M v of a scene in expressions."""
    total = ca.SX(0)
    for i, body in enumerate(scene.moving):
        velocity, spin = ca.vertsplit(speeds[DOF * i : DOF * (i + 1)], 3)
        turning = ca.dot(ca.vertcat(*body.inertia), spin**2)
        total += (body.mass * ca.sumsqr(velocity) + turning) / 2
    return total
