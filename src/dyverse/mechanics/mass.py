"""Masses of the moving bodies: M is constant, with a block for each body.

In numbers it is a `Mass`; as expressions there are `inverse_mass` and `kinetic`.
"""

from __future__ import annotations

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.placed import PlacedBody, Scene
from dyverse.contact.pair.kinematics import as_matrix
from dyverse.expr.buffered import column
from dyverse.expr.rotation import times
from dyverse.expr.symbolic import SX
from dyverse.mechanics.layout import DOF


class Mass:
    """M of a scene, for vectors of its speeds: numbers on the diagonal, or a block per body."""

    def __init__(self, scene: Scene) -> None:
        moving = scene.moving
        driven = np.array([body.driven for body in moving], dtype=bool)
        each = self._driven = np.repeat(driven, DOF)
        self._inverse = np.array([m for body in moving for m in body.inverse_mass])
        self._free = np.where(each, 1.0, self._inverse)
        self._root = np.sqrt(self._inverse)
        held = self._inverse == 0  # along these no force moves anything
        self._divisor, self._root_divisor = (
            np.where(held, np.inf, part) for part in (self._inverse, self._root)
        )
        self._blocks: Array | None = None
        if not all(body.is_diagonal for body in moving):
            self._blocks = np.array([_block(body) for body in moving])
            self._set_blocks(self._blocks, ~driven[:, None, None])

    def _set_blocks(self, blocks: Array, pushed: NDArray[np.bool_]) -> None:
        """The same for whole blocks."""
        self._free_blocks = np.where(pushed, blocks, np.eye(DOF))
        found = zip(*map(_solved, self._free_blocks), strict=True)
        self._masses, self._roots, self._unroots = (np.where(pushed, part, 0.0) for part in found)

    def solve(self, loads: Array) -> Array:
        """M⁻¹ times h, (…, v); of bodies that are moved h is their acceleration."""
        if self._blocks is None:
            return np.asarray(self._free * loads)
        return _by_blocks(self._free_blocks, loads[..., None])[..., 0]

    def solve_columns(self, columns: Array) -> Array:
        """M⁻¹ times columns, (…, v, k)."""
        if self._blocks is None:
            return np.asarray(self._inverse[:, None] * columns)
        return _by_blocks(self._blocks, columns)

    def kinetic(self, speeds: Array) -> Array:
        """½ vᵀ M v (J), (…), of bodies that are not moved."""
        if self._blocks is None:
            return np.asarray(np.sum(speeds**2 / self._divisor, axis=-1) / 2)
        momentum = _by_blocks(self._masses, speeds[..., None])[..., 0]
        return np.asarray(np.sum(speeds * momentum, axis=-1) / 2)

    def unit_columns(self, columns: Array) -> Array:
        """Lᵀ times columns, (v, k), with M⁻¹ = L Lᵀ: directions where every mass is one."""
        if self._blocks is None:
            return np.asarray(self._root[:, None] * columns)
        return _by_blocks(self._roots.mT, columns)

    def eased(self, columns: Array) -> Array:
        """The same if bodies moved as easily in every direction as in the easiest, (v, k)."""
        most = np.repeat(self._root.reshape(-1, 3).max(axis=1, initial=0.0), 3)
        return np.asarray(most[:, None] * columns)

    def from_unit(self, columns: Array) -> Array:
        """L times columns, (v, k): back from where every mass is one."""
        if self._blocks is None:
            return np.asarray(self._root[:, None] * columns)
        return _by_blocks(self._roots, columns)

    def unit_vector(self, acceleration: Array) -> Array:
        """L⁻¹ times an acceleration, (v): the same acceleration where every mass is one."""
        if self._blocks is None:
            return np.asarray(acceleration / self._root_divisor)
        return _by_blocks(self._unroots, acceleration[:, None])[:, 0]

    def imposed(self, acceleration: Array) -> Array:
        """The part of an acceleration, (v), that bodies have because they are moved."""
        return np.where(self._driven, acceleration, 0.0)


def _block(body: PlacedBody) -> Array:
    """M⁻¹ of one body."""
    block = np.zeros((DOF, DOF))
    block[:3, :3], block[3:, 3:] = np.diag(body.inverse_mass[:3]), body.inverse_inertia
    return block


def _solved(block: Array) -> tuple[Array, Array, Array]:
    """M of one body, L with L Lᵀ = M⁻¹, and L⁻¹; along what guides hold all are zero."""
    if np.all(np.diag(block)[:3] > 0):
        root = np.asarray(np.linalg.cholesky(block))
        return np.asarray(np.linalg.inv(block)), root, np.asarray(np.linalg.inv(root))
    _, ways = np.linalg.eigh(block[3:, 3:])
    axis = np.outer(ways[:, -1], ways[:, -1])  # the one that it turns about
    sizes = np.append(np.diag(block)[:3], np.full(3, np.trace(block[3:, 3:])))
    kept = np.divide(1.0, sizes, out=np.zeros(DOF), where=sizes > 0)
    M, root, back = (np.diag(part) for part in (kept, np.sqrt(sizes), np.sqrt(kept)))
    for part in (M, root, back):
        part[3:, 3:] = axis * part[3, 3]
    return M, root, back


def _by_blocks(blocks: Array, columns: Array) -> Array:
    """A block for each body times columns of all speeds, (…, v, k)."""
    parts = columns.reshape(*columns.shape[:-2], len(blocks), DOF, columns.shape[-1])
    return np.asarray((blocks @ parts).reshape(columns.shape))


def inverse_mass(scene: Scene) -> SX:
    """M⁻¹ of a scene in expressions, a sparse matrix."""
    if all(body.is_diagonal for body in scene.moving):
        return ca.diag(column([ca.SX(m) for body in scene.moving for m in body.inverse_mass]))
    return ca.diagcat(*(block for body in scene.moving for block in _blocks(body)))


def _blocks(body: PlacedBody) -> list[SX]:
    """M⁻¹ of one body in expressions, piece by piece along the diagonal."""
    return [*(ca.SX(m) for m in body.inverse_mass[:3]), as_matrix(body.inverse_inertia)]


def kinetic(scene: Scene, speeds: SX) -> SX:
    """½ vᵀ M v of a scene in expressions."""
    total = ca.SX(0)
    for i, body in enumerate(scene.moving):
        if body.driven:
            continue
        velocity, spin = ca.vertsplit(speeds[DOF * i : DOF * (i + 1)], 3)
        turning = ca.dot(spin, ca.vertcat(*times(body.inertia_matrix, ca.vertsplit(spin))))
        total += (body.mass * ca.sumsqr(velocity) + turning) / 2
    return total


def free_mass(scene: Scene) -> SX:
    """What h is multiplied by: M⁻¹, and one for bodies that are moved, whose h is acceleration."""
    found = inverse_mass(scene)
    for i, body in enumerate(scene.moving):
        if body.driven:
            own = slice(DOF * i, DOF * (i + 1))
            found[own, own] = ca.SX.eye(DOF)
    return found
