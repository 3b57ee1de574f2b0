"""Contact problems in local coordinates: what is asked, what is answered, how wrong an answer is.

In come the Delassus matrix ``G = Wᵀ M⁻¹ W``, the free motion ``c`` of the contacts and their
friction; out go forces, or impulses, ``λ`` with ``ξ = G λ + c`` that obey the laws of Section 2 of
[navarro2018]: ``0 ≤ λ_N ⟂ ξ_N ≥ 0`` and ``‖λ_T‖ ≤ μ λ_N``, with ``ξ_T = 0`` inside the disc and
``λ_T`` opposing ``ξ_T`` on its rim. For a contact ``ξ`` is an acceleration; for an impact it is
``γ⁺ + e γ⁻``. Nothing here knows about bodies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dyverse.errors import SolverError

Array = NDArray[np.float64]
Method = Literal["balance", "sorprox", "newton", "lcp", "sequence"]

TINY = float(np.finfo(float).tiny)
EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContactProblem:
    """Find ``λ`` with ``ξ = G λ + c``: Signorini's law on the normals, Coulomb's on the tangents.

    Rows go normal, tangent 1, tangent 2, contact by contact. A contact that already slips has its
    friction given, ``λ_T = -μ λ_N d``: its row of ``sliding`` is the unit slip direction ``d``, and
    the rows of all others are NaN. A normal force that is ``granted`` besides, and is in ``c``
    already, lets friction be so much larger: ``‖λ_T‖ ≤ μ (λ_N + granted)``.
    """

    matrix: Array  # G, (3n, 3n), symmetric positive semidefinite
    free: Array  # c, (3n,)
    friction: Array  # μ, (n,)
    sliding: Array  # d, (n, 2)
    granted: Array  # (n,)
    normal_scale: Array = field(init=False, repr=False)  # a_j = G_NN,j > 0
    tangent_scale: Array = field(init=False, repr=False)  # c_j = largest eigenvalue of G_TT,j
    directed: NDArray[np.bool_] = field(init=False, repr=False)  # has a row of sliding

    def __post_init__(self) -> None:
        n = len(self.friction)
        shapes = (self.matrix.shape, self.free.shape, self.sliding.shape, self.granted.shape)
        if shapes != ((3 * n, 3 * n), (3 * n,), (n, 2), (n,)):
            raise SolverError(f"a problem of {n} contacts cannot have arrays of shapes {shapes}")
        if not (np.isfinite(self.free).all() and np.isfinite(self.matrix).all()):
            raise SolverError("a contact problem has numbers that are not finite")
        normal = self.matrix.diagonal()[0::3]
        if not (normal > 0).all():
            stuck = np.flatnonzero(~(normal > 0)).tolist()
            raise SolverError(f"contacts {stuck} join bodies that cannot move apart (G_NN = 0)")
        object.__setattr__(self, "normal_scale", normal)
        object.__setattr__(self, "tangent_scale", _tangent_scale(self.matrix, normal))
        object.__setattr__(self, "directed", ~np.isnan(self.sliding[:, 0]))

    def __len__(self) -> int:
        return len(self.friction)


def _tangent_scale(matrix: Array, normal: Array) -> Array:
    """Largest eigenvalue of each 2×2 block ``G_TT,j``; ``G_NN,j`` where that block is zero."""
    diagonal, beside = matrix.diagonal(), matrix.diagonal(1)[1::3]
    first, second = diagonal[1::3], diagonal[2::3]
    largest: Array = (first + second) / 2 + np.hypot((first - second) / 2, beside)
    return np.where(largest > 0, largest, normal)


def contact_problem(
    matrix: ArrayLike,
    free: ArrayLike,
    mu: ArrayLike,
    *,
    sliding: ArrayLike | None = None,
    granted: ArrayLike = 0.0,
) -> ContactProblem:
    """Build a problem from anything array-like; ``free`` may be ``(n, 3)``, ``mu`` one number."""
    c = np.array(free, dtype=float).reshape(-1)
    n = len(c) // 3
    return ContactProblem(
        matrix=np.array(matrix, dtype=float),
        free=c,
        friction=np.broadcast_to(np.asarray(mu, dtype=float), (n,)).copy(),
        sliding=np.full((n, 2), np.nan) if sliding is None else np.array(sliding, dtype=float),
        granted=np.broadcast_to(np.asarray(granted, dtype=float), (n,)).copy(),
    )


def impact_problem(
    matrix: ArrayLike, approach: ArrayLike, e_N: ArrayLike, e_T: ArrayLike, mu: ArrayLike
) -> ContactProblem:
    """Newton's impact law as a contact problem: ``c = (1 + e) γ⁻``.  [navarro2018] Eqs. (A1), (A2).

    The paper prints a minus before ``1 + e``; with it an approaching pair would be pulled together.
    ``approach`` is ``γ⁻``, ``(n, 3)``: normal, tangent 1, tangent 2. Units: m/s.
    """
    gamma = np.asarray(approach, dtype=float).reshape(-1, 3)
    return contact_problem(matrix, (1 + restitution(len(gamma), e_N, e_T)) * gamma, mu)


def restitution(n: int, e_N: ArrayLike, e_T: ArrayLike) -> Array:
    """Return the diagonal of ``E`` as ``(n, 3)``: ``e_N, e_T, e_T`` for each contact."""
    columns = (np.broadcast_to(np.asarray(e, dtype=float), (n,)) for e in (e_N, e_T, e_T))
    return np.stack(list(columns), axis=1)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Solved:
    """Forces that obey the laws to the tolerance asked for, and who found them."""

    forces: Array  # (n, 3)
    sweeps: int
    residual: float
    method: Method


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NotConverged:
    """The best forces found; they do *not* obey the laws at the ``worst`` contacts, worst first."""

    forces: Array
    sweeps: int
    residual: float
    worst: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inconsistent:
    """No forces obey the laws (Painlevé's paradox, or contacts that ask for contrary motions)."""

    contacts: tuple[int, ...]
    why: str


Solution = Solved | NotConverged | Inconsistent


def response(problem: ContactProblem, forces: Array) -> Array:
    """Return ``ξ = G λ + c`` as ``(n, 3)``."""
    return (problem.matrix @ forces.reshape(-1) + problem.free).reshape(-1, 3)


def disc(points: Array, radii: Array) -> Array:
    """Nearest points of the discs of the given radii about zero.  [navarro2018] Eq. (A6)."""
    lengths = np.hypot(points[:, 0], points[:, 1])
    shrink = radii / np.maximum(np.maximum(lengths, radii), TINY)
    return np.where((lengths > radii)[:, None], points * shrink[:, None], points)


def feasible(problem: ContactProblem, forces: Array) -> Array:
    """Return the nearest admissible forces: ``λ_N ≥ 0``, ``λ_T`` in its disc or as given."""
    normal = np.maximum(forces[:, 0], 0.0)
    return np.column_stack([normal, _friction(problem, normal, forces[:, 1:])])


def _friction(problem: ContactProblem, normal: Array, tangent: Array) -> Array:
    """``tangent``, pulled back to the disc of radius ``μ λ_N``; ``-μ λ_N d`` where it is given."""
    radii = problem.friction * (np.maximum(normal, 0.0) + problem.granted)
    nearest = disc(tangent, radii)
    if not problem.directed.any():
        return nearest
    return np.where(problem.directed[:, None], -radii[:, None] * problem.sliding, nearest)


def contact_residuals(problem: ContactProblem, forces: Array) -> Array:
    """How far each contact is from its laws, in units of ``ξ``: the natural map, times its scale.

    With ``a = G_NN`` and ``c`` the largest eigenvalue of ``G_TT`` (of the contact's own blocks),

        normal      a |λ_N - max(0, λ_N - ξ_N / a)| = |min(a λ_N, ξ_N)|
        tangential  c ‖λ_T - P(λ_T - ξ_T / c)‖,  P projecting on the disc of radius μ max(0, λ_N),
                    or c ‖λ_T + μ max(0, λ_N) d‖ where the slip direction is given,

    and the larger of the two counts. Both vanish exactly at the solutions.
    """
    xi = response(problem, forces)
    normal, tangent = forces[:, 0], forces[:, 1:]
    wrong_normal = np.abs(np.minimum(problem.normal_scale * normal, xi[:, 0]))
    if not problem.friction.any() and not tangent.any():
        return wrong_normal
    estimate = tangent - xi[:, 1:] / problem.tangent_scale[:, None]
    off = tangent - _friction(problem, normal, estimate)
    wrong_tangent = problem.tangent_scale * np.hypot(off[:, 0], off[:, 1])
    return np.maximum(wrong_normal, wrong_tangent)


def scale(problem: ContactProblem) -> float:
    """Return ``max_j |c_N,j|``, what residuals are relative to.

    The tangential part of ``c`` is left out: where nothing is pressed together there is no force
    however fast it slides, so forces are as large as ``c_N``, and a ball that skims at 10 m/s
    and lands at 1 nm/s is still solved to twelve digits of the nanometre.
    """
    return float(np.abs(problem.free[0::3]).max(initial=TINY))


def residual(problem: ContactProblem, forces: Array) -> float:
    """Return the largest of `contact_residuals` over `scale`: the same number in all units."""
    worst = contact_residuals(problem, forces).max(initial=0.0)
    return float(worst / scale(problem))


def rounding(problem: ContactProblem, forces: Array) -> float:
    """Bound the rounding error of ``ξ`` itself, ``8 ε max(|G| |λ| + |c|)`` over `scale`.

    No smaller residual means anything: ``c`` was rounded before it came here, and the sum that
    gives ``ξ`` is rounded again.
    """
    size = np.abs(problem.matrix) @ np.abs(forces).reshape(-1) + np.abs(problem.free)
    return 8 * EPSILON * float(size.max(initial=0.0)) / scale(problem)
