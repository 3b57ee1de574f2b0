"""Linear complementarity, ``0 ≤ z ⟂ M z + q ≥ 0``, by Lemke's pivots in lexicographic order.

A contact problem is linear when every contact is frictionless or has its slip direction given:
then ``λ_T = -μ λ_N d`` and only normals are unknown. ``M`` need not be symmetric or regular, and
there may be no solution at all (Painlevé); a ray that proves it comes out instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dyverse.contact.law.problem import Array, ContactProblem

Indices = NDArray[np.intp]
ENUMERABLE = 10  # contacts; 2¹⁰ small systems take some 10 ms


@dataclass(frozen=True, slots=True, eq=False)
class Ray:
    """Lemke's method ran off to infinity along ``z = direction``."""

    direction: Array


def lemke(M: Array, q: Array) -> Array | Ray | None:
    """Solve ``0 ≤ z ⟂ M z + q ≥ 0``, or return a `Ray`; ``None`` if the pivots went astray.

    Lemke's method, [cottle2009] Algorithm 4.4.5, with ties broken lexicographically, Section 4.9.
    For ``M`` positive semidefinite a ray means that no ``z ≥ 0`` has ``M z + q ≥ 0``.
    """
    n = len(q)
    if n == 0 or q.min() >= 0:
        return np.zeros(n)
    tableau = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])
    basis = np.arange(n)
    row = int(n - 1 - np.argmin(q[::-1]))  # the last of equals is lexicographically least
    entering = 2 * n
    for _ in range(50 * n + 50):
        leaving = int(basis[row])
        _pivot(tableau, row, entering)
        basis[row] = entering
        if leaving == 2 * n:
            return _read(basis, tableau[:, -1], n)
        entering = leaving + n if leaving < n else leaving - n
        rows = _leaving_rows(tableau, entering, basis)
        if len(rows) == 0:
            artificial = float(tableau[basis == 2 * n, -1].sum())
            if artificial <= 1e-11 * float(np.abs(q).max()):  # zero but for rounding: solved
                return _read(basis, tableau[:, -1], n)
            return Ray(_direction(basis, tableau[:, entering], entering, n))
        row = int(rows[0])
    return None


def _pivot(tableau: Array, row: int, column: int) -> None:
    tableau[row] /= tableau[row, column]
    factors = tableau[:, column].copy()
    factors[row] = 0.0
    tableau -= np.outer(factors, tableau[row])


def _leaving_rows(tableau: Array, entering: int, basis: Indices) -> Indices:
    """Rows of the lexicographic minimum ratio: one, or none when the entering variable is free."""
    n = len(basis)
    column = tableau[:, entering]
    rows = np.flatnonzero(column > 1e-11 * max(1.0, float(np.abs(column).max())))
    for k in (2 * n + 1, *range(n)):
        if len(rows) <= 1:
            break
        ratios = tableau[rows, k] / column[rows]
        least = ratios.min()
        rows = rows[ratios <= least + 1e-12 * max(1.0, abs(least))]
        if k > n and (basis[rows] == 2 * n).any():  # the artificial variable may leave: done
            rows = rows[basis[rows] == 2 * n]
    return rows


def _read(basis: Indices, values: Array, n: int) -> Array:
    z = np.zeros(2 * n + 1)
    z[basis] = values
    return np.maximum(z[n : 2 * n], 0.0)


def _direction(basis: Indices, column: Array, entering: int, n: int) -> Array:
    along = np.zeros(2 * n + 1)
    along[basis] = -column
    along[entering] = 1.0
    return np.maximum(along[n : 2 * n], 0.0)


def is_linear(problem: ContactProblem) -> bool:
    """Say whether every contact is frictionless or has its slip direction given."""
    return bool((problem.directed | (problem.friction == 0)).all())


def reduced(problem: ContactProblem) -> tuple[Array, Array]:
    """``D`` and ``c_N`` of the normals alone, ``D = A - B diag(μ d)``.  [navarro2018] Eq. (15).

    With the friction columns of slipping contacts inside ``D``, which the paper leaves out.
    """
    G = problem.matrix.reshape(len(problem), 3, len(problem), 3)[:, 0]
    D = G[:, :, 0] + np.einsum("jnt,nt->jn", G[:, :, 1:], slip_forces(problem))
    return D, problem.free[0::3]


def paradoxical(problem: ContactProblem) -> NDArray[np.bool_]:
    """Contacts that slip with so much friction that their own normal force presses them together.

    Painlevé's case, [painleve1895]: ``A_jj - μ B_jj·d ≤ 0``.
    """
    D, _ = reduced(problem)
    return np.asarray(problem.directed & (np.diag(D) <= 0))


def slip_forces(problem: ContactProblem) -> Array:
    """Friction per unit of normal force where it is given, ``-μ d``; zero elsewhere."""
    given = -problem.friction[:, None] * problem.sliding
    return np.where(problem.directed[:, None], given, 0.0)


def solve_linear(problem: ContactProblem) -> Array | None:
    """Find the forces ``(n, 3)`` of a linear problem; ``None`` where there seem to be none."""
    D, c = reduced(problem)
    unit = 1 / np.sqrt(problem.normal_scale)  # makes the diagonal of A one, whatever the masses
    size = float(np.abs(c * unit).max(initial=0.0)) or 1.0
    M, q = unit[:, None] * D * unit, c * unit / size
    found = lemke(M, q)
    z = _polished(M, q, found) if isinstance(found, np.ndarray) else None
    if z is None and len(q) <= ENUMERABLE:
        z = enumerated(M, q)
    if z is None:
        return None
    normals = z * unit * size
    return np.hstack([normals[:, None], normals[:, None] * slip_forces(problem)])


def _polished(M: Array, q: Array, z: Array) -> Array:
    """Solve again on the pressed contacts, which sheds the rounding of the pivots."""
    pressed = np.flatnonzero(z > 0)
    better = np.zeros_like(z)
    correction = np.linalg.lstsq(
        M[np.ix_(pressed, pressed)], -(M[pressed] @ z + q[pressed]), rcond=1e-13
    )[0]
    better[pressed] = np.maximum(z[pressed] + correction, 0.0)
    return min(z, better, key=lambda x: float(np.abs(np.minimum(x, M @ x + q)).max()))


def enumerated(M: Array, q: Array, *, tolerance: float = 1e-11) -> Array | None:
    """Try every set of pressed contacts, few first: complete where Lemke's method is not."""
    n = len(q)
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            pressed = list(chosen)
            z = np.zeros(n)
            z[pressed] = np.linalg.lstsq(M[np.ix_(pressed, pressed)], -q[pressed], rcond=1e-13)[0]
            if np.abs(np.minimum(z, M @ z + q)).max() <= tolerance * max(1.0, np.abs(z).max()):
                return np.maximum(z, 0.0)
    return None


def contradiction(problem: ContactProblem) -> tuple[int, ...]:
    """Return the contacts that prove that no forces exist; nothing if no proof was found.

    Every solution has ``ξ_N ≥ 0``, ``λ_N ≥ 0`` and ``|λ_T|∞ ≤ μ λ_N``: linear inequalities
    ``P x + p ≥ 0, x ≥ 0``. They contradict each other exactly if some ``y ≥ 0`` has ``Pᵀ y ≤ 0``
    and ``p·y < 0`` (Farkas). Lemke's method on the skew matrix of that pair finds ``y`` as its ray,
    and the ray is checked here, so rounding can hide a proof but not invent one.
    """
    if problem.granted.any():
        return ()  # of such problems no proof is looked for
    P, p = _inequalities(problem)
    rows, columns = P.shape
    skew = np.block([[np.zeros((columns, columns)), -P.T], [P, np.zeros((rows, rows))]])
    found = lemke(skew, np.concatenate([np.zeros(columns), p]))
    if not isinstance(found, Ray) or not found.direction[columns:].any():
        return ()
    y = found.direction[columns:] / found.direction[columns:].sum()
    if float(p @ y) > -1e-9 or float((P.T @ y).max()) > 1e-12:
        return ()
    return tuple(np.flatnonzero(y[: len(problem)] > 1e-9).tolist())


def _inequalities(problem: ContactProblem) -> tuple[Array, Array]:
    """``P, p`` of `contradiction`, unitless; ``x`` is ``λ_N``, then the free ``λ_T + μ λ_N``."""
    n = len(problem)
    unit = 1 / np.sqrt(problem.normal_scale)
    G = problem.matrix.reshape(n, 3, n, 3)[:, 0] * unit[:, None, None] * unit[None, :, None]
    rubbing = np.flatnonzero(~problem.directed & (problem.friction > 0))
    mu = problem.friction[rubbing]
    per_normal = slip_forces(problem)
    per_normal[rubbing] = -mu[:, None]
    normals = G[:, :, 0] + np.einsum("jnt,nt->jn", G[:, :, 1:], per_normal)
    tangents = G[:, rubbing, 1:].reshape(n, -1)
    caps = np.zeros((2 * len(rubbing), n))
    caps[np.arange(2 * len(rubbing)), np.repeat(rubbing, 2)] = np.repeat(2 * mu, 2)
    P = np.block([[normals, tangents], [caps, -np.eye(2 * len(rubbing))]])
    c = problem.free[0::3] * unit
    return P, np.concatenate([c / np.abs(c).max(), np.zeros(2 * len(rubbing))])
