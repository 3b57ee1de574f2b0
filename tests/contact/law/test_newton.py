"""Newton finishes what sweeps begin."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dyverse.contact.law.newton import natural_map, newton
from dyverse.contact.law.problem import contact_residuals, residual
from dyverse.contact.law.sorprox import sorprox

from .models import random_problem, rod, stack, weights

SEEDS = st.integers(0, 9999)


@given(seed=SEEDS, n=st.integers(1, 4))
def test_map_is_what_the_residual_measures(seed: int, n: int) -> None:
    problem = random_problem(seed, n, 9, mu=0.8)
    forces = np.random.default_rng(seed).normal(size=(n, 3))
    function = natural_map(problem)
    F = function.value((forces * function.weights).reshape(-1))[0].reshape(n, 3)
    measured = np.maximum(np.abs(F[:, 0]), np.hypot(F[:, 1], F[:, 2]))
    assert measured == pytest.approx(contact_residuals(problem, forces))


@given(seed=SEEDS, n=st.integers(1, 4))
def test_jacobian_is_the_derivative(seed: int, n: int) -> None:
    function = natural_map(random_problem(seed, n, 12, mu=0.8))
    x = np.random.default_rng(seed).normal(size=3 * n)
    _, J = function.value(x)
    step = 1e-6
    columns = [
        (function.value(x + step * e)[0] - function.value(x - step * e)[0]) / (2 * step)
        for e in np.eye(3 * n)
    ]
    nearby = [function.value(x + 10 * step * e)[1] for e in (*np.eye(3 * n), *-np.eye(3 * n))]
    assume(all(np.abs(other - J).max() < 1e-3 for other in nearby))  # away from kinks
    np.testing.assert_allclose(np.array(columns).T, J, atol=1e-4)


def test_jacobian_knows_given_slip() -> None:
    function = natural_map(rod(mu=0.5, c_N=-1.0))
    x = np.array([2.0, 1.0, 0.5])
    F, J = function.value(x)
    assert function.value(x - np.linalg.solve(J, F))[0] == pytest.approx(np.zeros(3))


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_stacks_that_sweeps_cannot_finish(n: int, mu: float) -> None:
    problem = stack(n, mu=mu, side=mu)
    start, _ = sorprox(problem, np.zeros((n, 3)), sweeps=20, tolerance=1e-12)
    forces = newton(problem, start, tolerance=1e-11)
    assert residual(problem, forces) < 1e-12
    assert forces[:, 0] == pytest.approx(weights(n), rel=1e-10)
