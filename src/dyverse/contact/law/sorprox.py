"""SORPROX: Gauss-Seidel sweeps with proximal projection, [navarro2018] Appendix A.

In comes a `ContactProblem` and a guess, out go better forces. The four small functions are the
locations of a computation node; `sweep` runs them through, all normals before all tangentials.

Departures from the paper: the sums over ``B`` include ``n = j`` (it is zero for spheres only), and
the tangential step divides by the largest eigenvalue of ``C_jj`` instead of multiplying by
``C_jj⁻¹``: where ``C_jj`` is anisotropic the paper's friction opposes ``C_jj⁻¹ ξ_T``, not ``ξ_T``.
For spheres ``C_jj`` is a multiple of the identity and the two are the same.
"""

from __future__ import annotations

import math

import numpy as np

from dyverse.contact.law.problem import Array, ContactProblem, contact_residuals, scale

Pair = tuple[float, float]


def normal_estimate(
    problem: ContactProblem, forces: Array, j: int, *, relaxation: float = 1.0
) -> float:
    """``Φ_N = λ_N - ω ξ_N / A_jj``.  [navarro2018] Eqs. (A1), (A3).

    ``ξ_N`` with the newest forces holds all the sums of the paper, and ``A_jj λ_N`` besides.
    """
    xi = problem.matrix[3 * j].dot(forces.reshape(-1)) + problem.free[3 * j]
    return float(forces[j, 0] - relaxation * xi / problem.normal_scale[j])


def normal_projection(estimate: float) -> float:
    """``λ_N = max(0, Φ_N)``.  [navarro2018] Eq. (A5)."""
    return max(0.0, estimate)


def tangential_estimate(
    problem: ContactProblem, forces: Array, j: int, *, relaxation: float = 1.0
) -> Pair:
    """``Φ_T = λ_T - ω ξ_T / c_j``, with this sweep's normals.  [navarro2018] Eqs. (A2), (A4)."""
    rows = slice(3 * j + 1, 3 * j + 3)
    xi = problem.matrix[rows].dot(forces.reshape(-1)) + problem.free[rows]
    step = relaxation / problem.tangent_scale[j]
    return float(forces[j, 1] - step * xi[0]), float(forces[j, 2] - step * xi[1])


def tangential_projection(
    problem: ContactProblem, normal_force: float, estimate: Pair, j: int
) -> Pair:
    """``λ_T = Φ_T``, pulled back to the disc ``μ λ_N``.  [navarro2018] Eq. (A6), misprint mended.

    Where the slip direction is given the estimate is ignored: ``λ_T = -μ λ_N d``.
    """
    radius = float(problem.friction[j]) * (normal_force + float(problem.granted[j]))
    if problem.directed[j]:
        return float(-radius * problem.sliding[j, 0]), float(-radius * problem.sliding[j, 1])
    length = math.hypot(*estimate)
    if length <= radius:
        return estimate
    return radius * (estimate[0] / length), radius * (estimate[1] / length)


def sweep(problem: ContactProblem, forces: Array, *, relaxation: float = 1.0) -> Array:
    """One sweep over all contacts, normals first; ``forces`` ``(n, 3)`` is left as it was."""
    new = forces.copy()
    for j in range(len(problem)):
        new[j, 0] = normal_projection(normal_estimate(problem, new, j, relaxation=relaxation))
    for j in np.flatnonzero(problem.friction).tolist():
        estimate = tangential_estimate(problem, new, j, relaxation=relaxation)
        new[j, 1:] = tangential_projection(problem, float(new[j, 0]), estimate, j)
    return new


def sorprox(
    problem: ContactProblem,
    forces: Array,
    *,
    sweeps: int,
    tolerance: float,
    relaxation: float = 1.0,
) -> tuple[Array, int]:
    """Sweep until the complementarity residual is at most ``tolerance``; say how many it took.

    The paper stops on the increment, Eq. (A7). Slow convergence makes small steps far from the
    solution, so that test can pass at fifty times the tolerance; the residual cannot be fooled.
    A diverging iteration (Painlevé) stops early.
    """
    limit = tolerance * scale(problem)
    stiffness = max(float(problem.normal_scale.max()), float(problem.tangent_scale.max()))
    near, far = 1e3 * limit / stiffness, 1e12 * scale(problem) / stiffness
    for done in range(1, sweeps + 1):
        old, forces = forces, sweep(problem, forces, relaxation=relaxation)
        change = float(np.abs(forces - old).max())
        if change <= near and contact_residuals(problem, forces).max() <= limit:
            return forces, done  # (a residual can cost more than a sweep: not while far away)
        if not change < far:
            return forces, done
    return forces, sweeps
