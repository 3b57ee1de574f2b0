"""An ellipsoid and a half-space."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch, facing


def touch(r_a: SX, r_b: SX, ellipsoid: SX, plane: SX) -> Touch:
    """``g = N·(r_a - r_b) - √(Nᵀ A N)`` with ``A = R diag(a²) Rᵀ``; it touches at ``-A N / √…``."""
    outward = facing(plane)
    axes, turned = ellipsoid[:3], ca.reshape(ellipsoid[3:], 3, 3)
    pressed = turned @ (axes**2 * (turned.T @ outward))
    reach = ca.sqrt(ca.dot(outward, pressed))
    gap = ca.dot(outward, r_a - r_b) - reach
    arm = -pressed / reach
    return Touch(gap, -outward, arm, r_a + arm - gap * outward - r_b)


LISTED = (
    "gap[α,β] = dot(outward[B], position[A] - position[B]) - norm(support[A,α,β])",
    "normal[α,β] = -outward[B]",
    "arm[A,α,β] = -(dot(axes[A], (1, 0, 0))^2 * dot(axis_x[A], outward[B]) * axis_x[A]"
    " + dot(axes[A], (0, 1, 0))^2 * dot(axis_y[A], outward[B]) * axis_y[A]"
    " + dot(axes[A], (0, 0, 1))^2 * dot(axis_z[A], outward[B]) * axis_z[A])"
    " / norm(support[A,α,β])",
    "support[A,α,β] = (dot(axes[A], (1, 0, 0)) * dot(axis_x[A], outward[B]),"
    " dot(axes[A], (0, 1, 0)) * dot(axis_y[A], outward[B]),"
    " dot(axes[A], (0, 0, 1)) * dot(axis_z[A], outward[B]))",
)
ELLIPSOID_HALF_SPACE = Pair("ellipsoid_half_space", touch, (3, 3), LISTED)
