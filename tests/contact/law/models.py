"""Contact problems with known facts, built from bodies by hand."""

from collections.abc import Sequence

import numpy as np

from dyverse.contact.law.problem import Array, ContactProblem, contact_problem

GRAVITY = 9.81


def sphere_columns(bodies: int, contacts: Sequence[tuple[int, int]], normals: Array) -> Array:
    """``W`` of spheres of radius ½ m; body -1 is fixed. Six rows per body, three columns each."""
    W = np.zeros((6 * bodies, 3 * len(contacts)))
    for k, (ends, n) in enumerate(zip(contacts, normals, strict=True)):
        tangents = np.linalg.svd(n[None])[2][1:]
        for column, direction in enumerate((n, *tangents), start=3 * k):
            for body, sign in zip(ends, (-1, 1), strict=True):
                if body >= 0:
                    W[6 * body : 6 * body + 3, column] = sign * direction
                    W[6 * body + 3 : 6 * body + 6, column] = np.cross(-n / 2, direction)
    return W


def stack(n: int, *, mass: float = 1.0, mu: float = 0.0, side: float = 0.0) -> ContactProblem:
    """Spheres one upon another on a floor, with gravity and a sideways push ``side``, m/s²."""
    W = sphere_columns(n, [(k - 1, k) for k in range(n)], np.tile([0.0, 0.0, 1.0], (n, 1)))
    inverse = np.tile([1.0, 1, 1, 10, 10, 10], n) / mass
    free = np.tile([side, 0, -GRAVITY, 0, 0, 0], n)
    return contact_problem(W.T @ (inverse[:, None] * W), W.T @ free, mu)


def weights(n: int, mass: float = 1.0) -> Array:
    """Normal forces in `stack`: each contact bears all that lies above."""
    return mass * GRAVITY * np.arange(n, 0, -1, dtype=np.float64)


def random_problem(seed: int, n: int, dof: int, mu: float) -> ContactProblem:
    """``WᵀM⁻¹W`` and ``Wᵀv`` of random columns: redundant when ``3 n > dof``."""
    G, v = random_impact(seed, n, dof)
    friction = mu * np.random.default_rng(seed).uniform(0, 1, n)
    return contact_problem(G, v, friction)


def random_impact(seed: int, n: int, dof: int) -> tuple[Array, Array]:
    """Delassus matrix and contact velocities ``(n, 3)`` of a random system."""
    random = np.random.default_rng(seed)
    W = random.normal(size=(dof, 3 * n))
    masses = random.uniform(0.1, 10, dof)
    return W.T @ (W / masses[:, None]), (W.T @ random.normal(size=dof)).reshape(n, 3)


def rod(mu: float, c_N: float) -> ContactProblem:
    """Painlevé's rod, mass 1 kg, half length 1 m, leaning at ``tan φ = 2``, its foot sliding.

    ``A = 1 + 3 cos²φ = 1.6``, ``B = 3 sin φ cos φ = 1.2``, ``C = 1 + 3 sin²φ = 3.4``: the normal
    force meets ``A - μ B``, which is negative for ``μ > 4/3``.
    """
    G = np.array([[1.6, 1.2, 0], [1.2, 3.4, 0], [0, 0, 1]])
    return contact_problem(G, [c_N, 0, 0], mu, sliding=[[1.0, 0.0]])


def mixed(seed: int) -> tuple[Array, Array, Array, Array, Array]:
    """Three to five contacts, each with coefficients of its own."""
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 6))
    G, v = random_impact(seed, n, 2 * n)
    return G, v, random.uniform(0, 1, n), random.uniform(-0.5, 1, n), random.uniform(0, 1, n)
