"""What a residual means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.contact.law.problem import (
    contact_problem,
    contact_residuals,
    impact_problem,
    residual,
    rounding,
)
from dyverse.errors import SolverError

from .models import random_problem, rod, stack, weights


def test_impact_is_a_contact_problem_with_restituted_velocity() -> None:
    problem = impact_problem(np.eye(6), [[-1, 2, 0], [-3, 0, 4]], [0.5, 0.8], 0.25, 0.3)
    assert problem.free == pytest.approx([-1.5, 2.5, 0, -5.4, 0, 5])


@given(
    seed=st.integers(0, 999),
    n=st.integers(1, 4),
    length=st.floats(1e-3, 1e3),
    kg=st.floats(1e-3, 1e3),
)
def test_residual_is_the_same_in_all_units(seed: int, n: int, length: float, kg: float) -> None:
    problem = random_problem(seed, n, 9, mu=0.5)
    forces = np.random.default_rng(seed).normal(size=(n, 3))
    scaled = contact_problem(problem.matrix / kg, length * problem.free, problem.friction)
    assert residual(scaled, length * kg * forces) == pytest.approx(residual(problem, forces))


def test_residual_vanishes_at_the_weights_of_a_stack() -> None:
    forces = np.zeros((5, 3))
    forces[:, 0] = weights(5)
    assert residual(stack(5), forces) < 1e-14


def test_residual_is_worst_where_the_force_is_wrong() -> None:
    forces = np.zeros((5, 3))
    forces[:, 0] = weights(5)
    forces[3, 1] = 1.0  # friction where there is none
    assert contact_residuals(stack(5, mu=0.1), forces).argmax() == 3


def test_friction_on_the_rim_must_oppose_slip() -> None:
    problem = contact_problem(np.eye(3), [-1, 5, 0], 0.3)
    assert residual(problem, np.array([[1, -0.3, 0]])) == pytest.approx(0)
    assert residual(problem, np.array([[1, 0.3, 0]])) == pytest.approx(0.6)


def test_friction_of_given_direction_counts() -> None:
    problem = rod(mu=1.0, c_N=-4.0)
    assert residual(problem, np.array([[10.0, -10, 0]])) == pytest.approx(0)
    assert residual(problem, np.array([[10.0, 0, 0]])) > 1


def test_rounding_follows_the_largest_sum() -> None:
    problem = contact_problem(np.eye(3), [-1e-9, 10, 0], 0.3)
    assert rounding(problem, np.zeros((1, 3))) == pytest.approx(8 * 2.2e-16 * 1e10, rel=0.02)


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(SolverError, match="2 contacts"):
        contact_problem(np.eye(3), np.zeros(6), 0.0)


def test_contacts_between_fixed_bodies_are_refused() -> None:
    with pytest.raises(SolverError, match=r"contacts \[1\]"):
        contact_problem(np.diag([1.0, 1, 1, 0, 0, 0]), -np.ones(6), 0.0)


def test_numbers_must_be_finite() -> None:
    with pytest.raises(SolverError, match="finite"):
        contact_problem(np.eye(3), [np.nan, 0, 0], 0.0)
