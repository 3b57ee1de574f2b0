"""An ellipsoid and a sphere."""

from __future__ import annotations

import casadi as ca

from dyverse.contact.pair.kinematics import SX, Pair, Touch

STEPS = 12  # of Newton's method; ten leave 2e-14 of one for axes up to 1 : 30
TINY = 1e-300  # no division by zero where a ball sits in the very middle


def touch(r_a: SX, r_b: SX, ellipsoid: SX, radius: SX) -> Touch:
    """``g = ±‖y - x‖ - ρ`` with x the point of the ellipsoid nearest to the ball's centre y.

    In its own axes a, ``x_i = a_i² y_i / (a_i² + t)`` with the root t of ``Σ (x_i / a_i)² = 1``,
    which is negative inside, where a point that touches may be by rounding. The normal is along
    x_i / a_i², so that it is known where y and x are one. The iteration has converged, and so have
    its derivatives.
    """
    axes, turned = ellipsoid[:3], ca.reshape(ellipsoid[3:], 3, 3)
    own = turned.T @ (r_b - r_a)
    root = _root(axes, own)
    nearest = axes**2 * own / (axes**2 + root)
    slope = nearest / axes**2
    away = slope / (ca.norm_2(slope) + TINY)
    apart = ca.dot(own - nearest, away)
    normal = turned @ away
    return Touch(apart - radius, normal, turned @ nearest, -radius * normal)


def _root(axes: SX, own: SX) -> SX:
    """The greatest root of ``Σ (a_i y_i / (a_i² + t))² = 1``, by Newton's method on ``1/√Σ``.

    That is concave and nearly straight, and grows: from a start to the left of the root, where one
    addend alone is one, all steps are to the right and none is too long.
    """
    scaled, least = axes * own, -(1 - 1e-6) * ca.mmin(axes**2)
    root = ca.fmax(ca.mmax(ca.fabs(scaled) - axes**2), least)
    for _ in range(STEPS):
        parts = scaled / (axes**2 + root)
        square = ca.sumsqr(parts)
        slope = ca.sum1(parts**2 / (axes**2 + root))
        root = ca.fmax(root + square / (slope + TINY) * (ca.sqrt(square) - 1), least)
    return root


LISTED = (
    "gap[α,β] = dot(position[B] - nearest[A,α,β], normal[α,β]) - radius[B]",
    "normal[α,β] = unit(own_x[A,α,β] / (own_a[A]^2 + root[A,α,β]) * axis_x[A]"
    " + own_y[A,α,β] / (own_b[A]^2 + root[A,α,β]) * axis_y[A]"
    " + own_z[A,α,β] / (own_c[A]^2 + root[A,α,β]) * axis_z[A])",
    "arm[A,α,β] = nearest[A,α,β] - position[A]",
    "nearest[A,α,β] = position[A]"
    " + own_a[A]^2 * own_x[A,α,β] / (own_a[A]^2 + root[A,α,β]) * axis_x[A]"
    " + own_b[A]^2 * own_y[A,α,β] / (own_b[A]^2 + root[A,α,β]) * axis_y[A]"
    " + own_c[A]^2 * own_z[A,α,β] / (own_c[A]^2 + root[A,α,β]) * axis_z[A]",
    "(own_x[A,α,β], own_y[A,α,β], own_z[A,α,β]) = (dot(axis_x[A], position[B] - position[A]),"
    " dot(axis_y[A], position[B] - position[A]), dot(axis_z[A], position[B] - position[A]))",
    "(own_a[A], own_b[A], own_c[A]) = axes[A]",
    "level[A,α,β] = (own_a[A] * own_x[A,α,β] / (own_a[A]^2 + root[A,α,β]))^2"
    " + (own_b[A] * own_y[A,α,β] / (own_b[A]^2 + root[A,α,β]))^2"
    " + (own_c[A] * own_z[A,α,β] / (own_c[A]^2 + root[A,α,β]))^2",
    "root[A,α,β] = greatest(level[A,α,β] = 1)",
)
ELLIPSOID_SPHERE = Pair("ellipsoid_sphere", touch, (3, 1), LISTED)
