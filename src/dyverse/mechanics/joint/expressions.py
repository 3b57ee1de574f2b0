"""Joints taken out of the mechanics in expressions: see `dyverse.mechanics.joint.elimination`.

There is no singular value decomposition of expressions. Of constraints that imply each other, those
that tell them apart at the start are kept: the motion is the same, away from places where a
mechanism can change its way.

`symbolic_joints` takes the reactions out. `free_speeds` takes speeds out instead, by which the
others move: with Wᵀ v = 0 solved for as many of them, v = N u, and

    M⁻¹ becomes N (Nᵀ M N)⁻¹ Nᵀ.

That is the same where the speeds that are taken out do follow from the others, which a loop need
not allow all the way round; and it is much better conditioned for small bodies on long arms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import casadi as ca
import numpy as np
import scipy.linalg

from dyverse.automaton.interface import Array
from dyverse.expr.symbolic import SX
from dyverse.mechanics.dynamics import Dynamics
from dyverse.mechanics.joint.elimination import REDUNDANT, Joints
from dyverse.mechanics.layout import DOF

HALF = DOF // 2  # speeds of a body that are velocities, and as many that are turns
TURNS = 1e-3  # of what its direction is long a turn counts, where speeds are chosen


class SymbolicJoints(Protocol):
    """What is left of the mechanics."""

    @property
    def inverse_mass(self) -> SX:
        """What takes the place of M⁻¹, (v, v)."""

    def acceleration(self, loads: SX, free: SX) -> SX:
        """The acceleration under loads that would cause ``free`` without joints."""


@dataclass(frozen=True, slots=True, eq=False)
class Reactions:
    """Independent constraints of joints, whose reactions are solved for."""

    inverse_mass: SX
    directions: SX  # W, (v, r)
    bias: SX  # β, (r)
    pull: SX  # M⁻¹ W (Wᵀ M⁻¹ W)⁻¹, (v, r)

    def acceleration(self, loads: SX, free: SX) -> SX:
        """See `SymbolicJoints`."""
        return free - self.pull @ (self.directions.T @ free + self.bias)


@dataclass(frozen=True, slots=True, eq=False)
class FreeSpeeds:
    """Speeds that are free, and how all others follow from them; some are told, or held."""

    inverse_mass: SX
    mass: SX  # M, nothing for speeds that are told
    taken: SX  # W⁻ᵀ of the speeds that follow, in the rows of these, (v, r)
    directions: SX
    bias: SX
    told: tuple[int, ...]

    def acceleration(self, loads: SX, free: SX) -> SX:
        """See `SymbolicJoints`."""
        imposed = ca.SX(free.numel(), 1)
        for row in self.told:
            imposed[row] = free[row]
        imposed -= self.taken @ (self.directions.T @ imposed + self.bias)
        return imposed + self.inverse_mass @ (loads - self.mass @ imposed)


def symbolic_joints(
    dynamics: Dynamics, state: SX, numbers: SX, inverse_mass: SX
) -> SymbolicJoints | None:
    """The joints of a scene, if there are any, at a ``state`` that is an expression."""
    if dynamics.joints is None:
        return None
    W, bias = _constraints(dynamics, dynamics.joints, state, numbers)
    MW = inverse_mass @ W
    pull = ca.solve(W.T @ MW, MW.T).T
    return Reactions(inverse_mass - pull @ W.T @ inverse_mass, W, bias, pull)


def free_speeds(
    dynamics: Dynamics, state: SX, numbers: SX, inverse_mass: SX
) -> SymbolicJoints | None:
    """The same by speeds that are free, velocities rather than turns being taken out."""
    joints = dynamics.joints
    if joints is None:
        return None
    W, bias = _constraints(dynamics, joints, state, numbers)
    size, count = W.shape
    told = tuple(i for i in range(size) if inverse_mass[i, i].is_zero())
    others = [i for i in range(size) if i not in told]
    there = joints.at(joints.start).W[:, kept_constraints(joints)]
    follow, order = _following(there[others])
    after, free = [others[i] for i in follow], sorted({*others} - {others[i] for i in follow})
    solved = _solved(W[after, :].T[order, :], ca.SX.eye(count)[order, :])
    ways, taken = ca.SX(size, len(free)), ca.SX(size, count)
    for k, row in enumerate(free):
        ways[row, k] = 1
    back = solved @ W[free, :].T
    for k, row in enumerate(after):
        ways[row, :], taken[row, :] = -back[k, :], solved[k, :]
    mass = _mass(inverse_mass, told)
    left = ways @ _solved(ways.T @ mass @ ways, ways.T)
    return FreeSpeeds(ca.sparsify(left), mass, ca.sparsify(taken), W, bias, told)


def kept_constraints(joints: Joints) -> list[int]:
    """Which constraints to keep, by a factorisation with pivots where the bodies start."""
    unit = joints.unit_directions(joints.start)
    _, upper, order = scipy.linalg.qr(unit, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(upper))
    rank = int((sizes > REDUNDANT * sizes[0]).sum())
    return sorted(order[:rank].tolist())


def _constraints(dynamics: Dynamics, joints: Joints, state: SX, numbers: SX) -> tuple[SX, SX]:
    """W and β of the constraints that are kept."""
    _, W, bias = dynamics.system.joints.rows(state, numbers)
    kept = kept_constraints(joints)
    return ca.sparsify(W[:, kept]), bias[kept]


def _following(directions: Array) -> tuple[list[int], list[int]]:
    """Speeds that follow from the others, and in which order to solve the constraints for them."""
    size, count = directions.shape
    weights = np.where(np.arange(size) % DOF < HALF, 1.0, TURNS)
    order = scipy.linalg.qr((weights[:, None] * directions).T, mode="r", pivoting=True)[1]
    follow = sorted(order[:count].tolist())
    permuted = scipy.linalg.lu(directions[follow].T, p_indices=True)[0]
    return follow, np.argsort(permuted).tolist()


def _mass(inverse: SX, told: tuple[int, ...]) -> SX:
    """M, block by block, with nothing for speeds that are told."""
    found = ca.SX(*inverse.shape)
    for first in range(0, inverse.shape[0], HALF):
        rows = [i for i in range(first, first + HALF) if i not in told]
        if rows:
            block = ca.sparsify(inverse[rows, rows])
            found[rows, rows] = _solved(block, ca.SX.eye(len(rows)))
    return ca.sparsify(found)


def _solved(matrix: SX, right: SX) -> SX:
    """matrix⁻¹ right by elimination in the order of the rows."""
    n, A, B = matrix.shape[0], ca.SX(matrix), ca.SX(right)
    for k in range(n):
        for i in range(k + 1, n):
            if not A[i, k].is_zero():
                share = A[i, k] / A[k, k]
                A[i, k + 1 :] -= share * A[k, k + 1 :]
                B[i, :] -= share * B[k, :]
    found: list[SX] = [ca.SX(0)] * n
    for k in reversed(range(n)):
        left = B[k, :]
        for i in range(k + 1, n):
            if not A[k, i].is_zero():
                left -= A[k, i] * found[i]
        found[k] = left / A[k, k]
    return ca.vertcat(*found) if n else ca.SX(0, right.shape[1])
