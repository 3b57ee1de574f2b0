"""Lemke against brute force, and against problems that have no answer."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dyverse.contact.law.lcp import Ray, contradiction, enumerated, is_linear, lemke, solve_linear
from dyverse.contact.law.problem import Array, contact_problem, residual

from .models import random_problem, rod, stack, weights

SEEDS = st.integers(0, 9999)


def wrong(M: Array, q: Array, z: Array) -> float:
    return float(np.abs(np.minimum(z, M @ z + q)).max())


def all_solutions(M: Array, q: Array) -> list[Array]:
    """Solve for every choice of pressed contacts, each with its own small system."""
    found = []
    for choice in product([False, True], repeat=len(q)):
        on = np.flatnonzero(choice)
        z = np.zeros(len(q))
        z[on] = np.linalg.solve(M[np.ix_(on, on)], -q[on])
        if wrong(M, q, z) < 1e-9:
            found.append(z)
    return found


@given(seed=SEEDS, n=st.integers(1, 3))
def test_regular_problems_agree_with_brute_force(seed: int, n: int) -> None:
    random = np.random.default_rng(seed)
    W = random.normal(size=(n + 1, n))
    M, q = W.T @ W, random.normal(size=n)
    (expected,) = all_solutions(M, q)
    found = lemke(M, q)
    assert isinstance(found, np.ndarray)
    assert found == pytest.approx(expected, abs=1e-8 * max(1, expected.max()))


@given(seed=SEEDS, n=st.integers(1, 4))
def test_asymmetric_problems_are_solved_when_brute_force_can(seed: int, n: int) -> None:
    random = np.random.default_rng(seed)
    M, q = random.normal(size=(n, n)), random.normal(size=n)
    found = lemke(M, q)
    if not isinstance(found, np.ndarray):  # Lemke is not complete for such matrices
        found = enumerated(M, q)
    assert (found is not None) == bool(all_solutions(M, q))
    if found is not None:
        assert wrong(M, q, found) < 1e-8 * max(1, found.max())


@given(seed=SEEDS, n=st.integers(2, 12), rank=st.integers(1, 4))
@example(seed=3468, n=6, rank=3)  # feasible at one point only: rounding makes a ray
def test_redundant_problems_have_solutions(seed: int, n: int, rank: int) -> None:
    random = np.random.default_rng(seed)
    W = random.normal(size=(rank, n))
    M, q = W.T @ W, W.T @ random.normal(size=rank)
    found = lemke(M, q)
    assert isinstance(found, np.ndarray)
    assert wrong(M, q, found) < 1e-9


def test_ray_of_a_jammed_body_proves_it() -> None:
    """Two walls closing on one body: ``M y = 0`` and ``q·y < 0`` for ``y = (1, 1)``."""
    found = lemke(np.array([[1.0, -1], [-1, 1]]), np.array([-1.0, -1]))
    assert isinstance(found, Ray)
    assert found.direction == pytest.approx([1, 1])


@pytest.mark.parametrize("n", [30, 100])
def test_stacks_in_one_go(n: int) -> None:
    forces = solve_linear(stack(n))
    assert forces is not None
    assert forces[:, 0] == pytest.approx(weights(n), rel=1e-10)
    assert residual(stack(n), forces) < 1e-12


def test_rod_of_little_friction_has_its_force() -> None:
    forces = solve_linear(rod(mu=1.0, c_N=-9.81))
    assert forces == pytest.approx(np.array([[9.81 / 0.4, -9.81 / 0.4, 0]]))


@given(mu=st.floats(1.4, 10), c_N=st.floats(-100, -0.01))
def test_rod_of_much_friction_has_none(mu: float, c_N: float) -> None:
    problem = rod(mu=mu, c_N=c_N)
    assert solve_linear(problem) is None
    assert contradiction(problem) == (0,)


@given(seed=SEEDS, n=st.integers(1, 6), dof=st.integers(3, 18))
def test_no_contradiction_is_invented(seed: int, n: int, dof: int) -> None:
    """Such problems have solutions without friction, and friction only enlarges the choice."""
    assert contradiction(random_problem(seed, n, dof, mu=0.8)) == ()


def test_contradiction_names_only_the_culprits() -> None:
    matrix = np.kron(np.diag([1.0, 1, 1]), np.eye(3))
    matrix[3, 6] = matrix[6, 3] = -1.0  # contacts 1 and 2 squeeze one body
    problem = contact_problem(matrix, [-1, 0, 0] * 3, 0.0)
    assert contradiction(problem) == (1, 2)


def test_linear_means_frictionless_or_given() -> None:
    assert is_linear(stack(3))
    assert is_linear(rod(1.0, 1.0))
    assert not is_linear(stack(3, mu=0.1))
