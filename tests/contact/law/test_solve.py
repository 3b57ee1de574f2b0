"""The laws hold, whoever found the forces."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.contact.law.problem import (
    Array,
    ContactProblem,
    Inconsistent,
    NotConverged,
    Solved,
    contact_problem,
    contact_residuals,
    impact_problem,
    residual,
    response,
)
from dyverse.contact.law.solve import Options, solve

from .models import GRAVITY, mixed, random_impact, random_problem, rod, stack, weights

SEEDS = st.integers(0, 9999)


def solved(problem: ContactProblem) -> Solved:
    found = solve(problem)
    assert isinstance(found, Solved), found
    return found


def check_laws(problem: ContactProblem, forces: Array) -> None:
    """Signorini and Coulomb, spelt out without the natural map."""
    xi = response(problem, forces)
    size, unit = np.abs(problem.free).max(), 1e-9
    normal, tangent = forces[:, 0], forces[:, 1:]
    slip, rub = np.linalg.norm(xi[:, 1:], axis=1), np.linalg.norm(tangent, axis=1)
    reach = problem.friction * normal
    assert (normal >= 0).all()
    assert (xi[:, 0] >= -unit * size).all()
    assert (np.minimum(normal * problem.normal_scale, xi[:, 0]) <= unit * size).all()
    assert (rub <= reach * (1 + 1e-12) + unit * size / problem.tangent_scale).all()
    work = np.sum(tangent * xi[:, 1:], axis=1)
    assert (np.abs(work + reach * slip) <= unit * size * (1 + rub + slip)).all()  # opposes slip


def test_nothing_pressed_needs_no_force() -> None:
    found = solved(contact_problem(np.eye(3), [0.0, 5.0, 0.0], 0.3))
    assert (found.sweeps, found.residual) == (0, 0)
    assert not found.forces.any()


def test_no_contacts_is_a_problem_too() -> None:
    assert solved(contact_problem(np.zeros((0, 0)), np.zeros(0), 0.0)).forces.shape == (0, 3)


def test_sphere_on_a_slope_sticks_or_slips() -> None:
    """A sphere rolls: it sticks up to ``tan α = 7/2 μ``, ``λ_T = 2/7 m g sin α``."""
    stick = solved(stack(1, mu=0.3, side=2.0)).forces[0]
    assert stick[0] == pytest.approx(GRAVITY)
    assert np.hypot(stick[1], stick[2]) == pytest.approx(2 / 7 * 2.0)
    slip = solved(stack(1, mu=0.3, side=20.0)).forces[0]
    assert np.hypot(slip[1], slip[2]) == pytest.approx(0.3 * GRAVITY)


@settings(deadline=None)
@given(seed=SEEDS, n=st.integers(1, 6), dof=st.integers(6, 30), mu=st.floats(0, 0.6))
def test_random_problems_obey_the_laws(seed: int, n: int, dof: int, mu: float) -> None:
    problem = random_problem(seed, n, dof, mu)
    check_laws(problem, solved(problem).forces)


@settings(deadline=None)
@given(seed=SEEDS, n=st.integers(3, 9), mu=st.floats(0, 0.3))
def test_more_contacts_than_freedoms(seed: int, n: int, mu: float) -> None:
    problem = random_problem(seed, n, 6, mu)
    check_laws(problem, solved(problem).forces)


def test_table_on_four_legs() -> None:
    """One body, four contacts: forces are not unique, but their sum and the motion are."""
    feet = np.array([[x, y, -1.0] for x in (-1, 1) for y in (-1, 1)])
    axes = np.eye(3)[[2, 0, 1]]
    columns = [np.concatenate([a, np.cross(r, a)]) for r in feet for a in axes]
    W = np.array(columns).T
    problem = contact_problem(W.T @ W, W.T @ [1, 0, -GRAVITY, 0, 0, 0], 0.4)
    forces = solved(problem).forces
    check_laws(problem, forces)
    assert forces.sum(axis=0) == pytest.approx([GRAVITY, -1, 0], abs=1e-9)
    assert response(problem, forces) == pytest.approx(np.zeros((4, 3)), abs=1e-10)


@pytest.mark.parametrize("n", [2, 10, 30, 100])
@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_stacks_bear_their_weight(n: int, mu: float) -> None:
    found = solved(stack(n, mu=mu, side=mu))
    assert found.residual <= 1e-12
    assert found.forces[:, 0] == pytest.approx(weights(n), rel=1e-10)


@settings(deadline=None)
@given(seed=SEEDS, n=st.integers(2, 6))
def test_order_of_contacts_does_not_matter(seed: int, n: int) -> None:
    problem = random_problem(seed, n, 4 * n, mu=0.2)
    order = np.random.default_rng(seed).permutation(n)
    rows = (3 * order[:, None] + [0, 1, 2]).reshape(-1)
    shuffled = contact_problem(
        problem.matrix[np.ix_(rows, rows)], problem.free[rows], problem.friction[order]
    )
    expected = response(problem, solved(problem).forces)[order]
    size = np.abs(problem.free).max()
    assert response(shuffled, solved(shuffled).forces) == pytest.approx(expected, abs=1e-8 * size)


def planar_solutions(problem: ContactProblem) -> list[Array]:
    """All solutions of a problem in the plane: each contact open, sticking, or slipping ±."""
    n = len(problem)
    found: list[Array] = []
    for word in product(("open", "stick", -1.0, 1.0), repeat=n):
        rows, right = np.eye(3 * n), np.zeros(3 * n)
        for j, mode in enumerate(word):
            closed = [] if mode == "open" else [3 * j, 3 * j + 1] if mode == "stick" else [3 * j]
            rows[closed], right[closed] = problem.matrix[closed], -problem.free[closed]
            if isinstance(mode, float):  # λ_T = -μ λ_N along the slip
                rows[3 * j + 1, 3 * j] = mode * problem.friction[j]
        if np.linalg.cond(rows) < 1e12:
            forces: Array = np.linalg.solve(rows, right).astype(np.float64).reshape(n, 3)
            if residual(problem, forces) < 1e-8:
                found.append(forces)
    return found


@settings(deadline=None)
@given(seed=SEEDS, n=st.integers(1, 3), mu=st.floats(0, 1))
def test_forces_are_among_those_that_enumeration_finds(seed: int, n: int, mu: float) -> None:
    G, v = random_impact(seed, n, 3 * n)
    flat = np.tile([True, True, False], n)
    G[~flat], G[:, ~flat], v[:, 2] = 0, 0, 0
    problem = contact_problem(G, v, mu)
    found = response(problem, solved(problem).forces)
    distances = [np.abs(response(problem, f) - found).max() for f in planar_solutions(problem)]
    assert min(distances) < 1e-7 * np.abs(v).max()


def test_a_fast_skimming_ball_is_solved_to_its_own_scale() -> None:
    """Landing at 1 nm/s while sliding at 10 m/s, on a shape that couples the two."""
    G = np.array([[2.0, 0.5, 0.1], [0.5, 3.0, 0.2], [0.1, 0.2, 1.0]])
    problem = contact_problem(G, [-1e-9, 10.0, 0.0], 0.3)
    forces = solved(problem).forces
    assert abs(response(problem, forces)[0, 0]) < 1e-18
    assert np.hypot(*forces[0, 1:]) == pytest.approx(0.3 * forces[0, 0])


def test_anisotropic_friction_opposes_slip_itself() -> None:
    """The paper's ``C_jj⁻¹`` would oppose ``C_jj⁻¹ ξ_T`` here."""
    problem = contact_problem(np.diag([1.0, 1.0, 5.0]), [-1.0, 3.0, 3.0], 0.5)
    forces = solved(problem).forces
    slip = response(problem, forces)[0, 1:]
    assert forces[0, 1:] == pytest.approx(-0.5 * slip / np.linalg.norm(slip))


def test_painleve_rod_is_inconsistent() -> None:
    found = solve(rod(mu=2.0, c_N=-GRAVITY))
    assert isinstance(found, Inconsistent)
    assert found.contacts == (0,)


def test_painleve_rod_that_lifts_by_itself_is_free() -> None:
    assert not solved(rod(mu=2.0, c_N=1.0)).forces.any()


def test_rod_just_below_the_paradox_is_solved() -> None:
    forces = solved(rod(mu=1.33, c_N=-GRAVITY)).forces
    assert forces[0, 0] == pytest.approx(GRAVITY / (1.6 - 1.2 * 1.33))


def test_jammed_body_with_friction_is_inconsistent() -> None:
    matrix = np.kron([[1.0, -1], [-1, 1]], np.diag([1.0, 0, 0])) + np.diag([0.0, 1, 1, 0, 1, 1])
    found = solve(contact_problem(matrix, [-1, 0, 0, -1, 0, 0], 0.3), options=Options(hard_cap=300))
    assert isinstance(found, Inconsistent)
    assert found.contacts == (0, 1)


def test_rounding_noise_does_not_jam() -> None:
    """A body between two walls under gravity along them, its free motion off by one rounding."""
    matrix = np.kron([[1.0, -1], [-1, 1]], np.diag([1.0, 0, 0])) + np.diag([0.0, 1, 1, 0, 1, 1])
    problem = contact_problem(matrix, [-1e-16, 9.81, 0, -1e-16, 9.81, 0], 0.3)
    assert isinstance(solve(problem), Solved)


HASTY = Options(max_sweeps=10, hard_cap=10, restarts=0)


def unsolvable() -> ContactProblem:
    """Three contacts whose unequal restitution asks for too much: nobody has found a solution."""
    return impact_problem(*mixed(4037))


def test_giving_up_says_where_and_how_wrong() -> None:
    found = solve(unsolvable(), options=HASTY)
    assert isinstance(found, NotConverged)
    left = contact_residuals(unsolvable(), found.forces)
    assert found.worst[0] == left.argmax()
    assert found.residual == residual(unsolvable(), found.forces)


def test_acceptable_is_only_by_request() -> None:
    strict = solve(unsolvable(), options=HASTY)
    assert isinstance(strict, NotConverged)
    easy = solve(unsolvable(), options=replace(HASTY, acceptable=strict.residual))
    assert isinstance(easy, Solved)
    assert easy.residual == strict.residual


def test_masses_may_differ_by_ten_thousand() -> None:
    random = np.random.default_rng(25)
    W, masses = random.normal(size=(16, 30)), 10 ** random.uniform(-2, 2, 16)
    free = W.T @ random.normal(size=16)
    problem = contact_problem(W.T @ (W / masses[:, None]), free, random.uniform(0, 1, 10))
    check_laws(problem, solved(problem).forces)
