"""Semismooth Newton on the natural map of a contact problem [alart1991], for when sweeps crawl.

In come forces near a solution (the sweeps' best), out go better ones. Redundant contacts make
the Jacobian singular; each step is then the shortest of the least-squares steps, so forces that
the laws leave open stay where the sweeps put them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dyverse.contact.law.problem import TINY, Array, ContactProblem, disc, feasible


@dataclass(frozen=True, slots=True, eq=False)
class NaturalMap:
    """``F(x) = 0`` at ``x_N = a λ_N``, ``x_T = c λ_T``: all in units of ``ξ``.

    ``F_N = min(x_N, ξ_N)`` and ``F_T = x_T - P(x_T - ξ_T)``, ``P`` the projection on the disc of
    radius ``R = r max(0, x_N)``, ``r = μ c / a``; ``|F|`` is what `contact_residuals` measures.
    (And ``R`` is so much more as a normal force that is granted allows.)
    """

    problem: ContactProblem
    weights: Array  # (n, 3): a, c, c
    H: Array  # dξ/dx, (n, 3, 3n)
    identity: Array  # dx/dx, (n, 3, 3n)
    slope: Array  # r, (n,)
    least: Array  # of R, where a normal force is granted, (n,)

    def value(self, x: Array) -> tuple[Array, Array]:
        """``F`` and an element ``J`` of its generalised Jacobian."""
        n = len(self.slope)
        X = x.reshape(n, 3)
        xi = (self.H @ x) + self.problem.free.reshape(n, 3)
        F, J = np.empty((n, 3)), np.empty((n, 3, 3 * n))
        F[:, 0] = np.minimum(X[:, 0], xi[:, 0])
        pressed = X[:, 0] > xi[:, 0]
        J[:, 0] = np.where(pressed[:, None], self.H[:, 0], self.identity[:, 0])
        F[:, 1:], J[:, 1:] = self._tangential(X, xi)
        return F.reshape(-1), J.reshape(3 * n, 3 * n)

    def _tangential(self, X: Array, xi: Array) -> tuple[Array, Array]:
        """Stick: ``F_T = ξ_T``. Slip: ``F_T = x_T - R u``, ``u = y/‖y‖`` and ``y = x_T - ξ_T``.

        ``d(R u) = u dR + (R/‖y‖)(I - u uᵀ) dy``; where slip is given ``u = -d``, and ``dy`` is out.
        """
        directed = self.problem.directed
        y = X[:, 1:] - xi[:, 1:]
        length = np.hypot(y[:, 0], y[:, 1])
        radius = self.slope * np.maximum(X[:, 0], 0.0) + self.least
        target, u = disc(y, radius), y / np.maximum(length, TINY)[:, None]
        turn = radius / np.maximum(np.maximum(length, radius), TINY)
        if directed.any():
            u = np.where(directed[:, None], -self.problem.sliding, u)
            target = np.where(directed[:, None], radius[:, None] * u, target)
            turn = np.where(directed, 0.0, turn)
        dR = (self.slope * (X[:, 0] > 0))[:, None] * self.identity[:, 0]
        dy = self.identity[:, 1:] - self.H[:, 1:]
        along = u[:, 0, None] * dy[:, 0] + u[:, 1, None] * dy[:, 1]
        turned = turn[:, None, None] * (dy - u[:, :, None] * along[:, None, :])
        slipping = self.identity[:, 1:] - u[:, :, None] * dR[:, None, :] - turned
        stuck = ~directed & (length <= radius) & (radius > 0)
        return X[:, 1:] - target, np.where(stuck[:, None, None], self.H[:, 1:], slipping)


def natural_map(problem: ContactProblem) -> NaturalMap:
    """Prepare what all evaluations of ``F`` share."""
    n, c = len(problem), problem.tangent_scale
    weights = np.stack([problem.normal_scale, c, c], axis=1)
    return NaturalMap(
        problem,
        weights,
        (problem.matrix / weights.reshape(-1)).reshape(n, 3, 3 * n),
        np.eye(3 * n).reshape(n, 3, 3 * n),
        problem.friction * c / problem.normal_scale,
        problem.friction * c * problem.granted,
    )


def newton(
    problem: ContactProblem, forces: Array, *, tolerance: float, iterations: int = 40
) -> Array:
    """Newton steps with line search until ``‖F‖ ≤ tolerance`` or it stops falling.

    ``tolerance`` is absolute, in the units of ``ξ``. Once it is met one more step is taken, unless
    it was met by far: at quadratic convergence that polishes the forces to rounding.
    """
    function = natural_map(problem)
    x = (forces * function.weights).reshape(-1)
    F, J = function.value(x)
    left = float(np.linalg.norm(F))
    for _ in range(iterations):
        met = left <= tolerance
        step: Array = -np.linalg.lstsq(J, F, rcond=1e-13)[0].astype(np.float64, copy=False)
        found = _searched(function, x, step, left)
        if found is None:
            break
        x, F, J, left = found
        if met or left <= 1e-3 * tolerance:
            break
    return feasible(problem, x.reshape(-1, 3) / function.weights)


def _searched(
    function: NaturalMap, x: Array, step: Array, before: float
) -> tuple[Array, Array, Array, float] | None:
    """Return the first ``x + step/2ᵏ`` that lowers ``‖F‖``, with ``F``, ``J`` and ``‖F‖`` there."""
    share = 1.0
    while share > 1e-3:
        there = x + share * step
        F, J = function.value(there)
        left = float(np.linalg.norm(F))
        if left <= (1 - 1e-4 * share) * before:
            return there, F, J, left
        share /= 2
    return None
