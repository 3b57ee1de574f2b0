"""Joints taken out of the mechanics in expressions: see `dyverse.mechanics.joint.elimination`.

There is no singular value decomposition of expressions. Of constraints that imply each other, those
that tell them apart at the start are kept: the motion is the same, away from places where a
mechanism can change its way.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np
import scipy.linalg

from dyverse.expr.symbolic import SX
from dyverse.mechanics.dynamics import Dynamics
from dyverse.mechanics.joint.elimination import REDUNDANT, Joints


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicJoints:
    """Independent constraints of joints in expressions."""

    directions: SX  # W, (v, r)
    bias: SX  # β, (r)
    pull: SX  # M⁻¹ W (Wᵀ M⁻¹ W)⁻¹, (v, r)


def symbolic_joints(
    dynamics: Dynamics, state: SX, numbers: SX, inverse_mass: SX
) -> SymbolicJoints | None:
    """The joints of a scene, if there are any, at a ``state`` that is an expression."""
    if dynamics.joints is None:
        return None
    _, W, bias = dynamics.system.joints.rows(state, numbers)
    kept = _independent(dynamics.joints)
    W, bias = ca.sparsify(W[:, kept]), bias[kept]
    MW = inverse_mass @ W
    return SymbolicJoints(W, bias, ca.solve(W.T @ MW, MW.T).T)


def _independent(joints: Joints) -> list[int]:
    """Which constraints to keep, by a factorisation with pivots where the bodies start."""
    unit = joints.unit_directions(joints.start)
    _, upper, order = scipy.linalg.qr(unit, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(upper))
    rank = int((sizes > REDUNDANT * sizes[0]).sum())
    return sorted(order[:rank].tolist())
