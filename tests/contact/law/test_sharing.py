"""Loads that several contacts share, against linear programmes, closed forms and brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import NonlinearConstraint, linprog, minimize

from dyverse.contact.law.problem import Array
from dyverse.contact.law.sharing import Load, least, share

MARGIN = 1e-9
SEEDS = st.integers(0, 9999)


def planar_load(seed: int) -> Load:
    """Some contacts of a plane: friction along the first tangent only."""
    random = np.random.default_rng(seed)
    n, k = int(random.integers(2, 7)), int(random.integers(1, 4))
    forces = random.normal(size=(n, 3)) * (1, 1, 0)
    forces[:, 0] += random.uniform(-1, 3)
    changes = random.normal(size=(k, n, 3)) * (1, 1, 0)
    mu = random.uniform(0.1, 1.5, size=n)
    sticking = random.random(n) < 0.7
    return load(forces, changes, mu, sticking, random.uniform(0.2, 5, size=(n, 2)))


def spatial_load(seed: int) -> Load:
    random = np.random.default_rng(seed)
    n, k = int(random.integers(2, 6)), int(random.integers(1, 4))
    forces = random.normal(size=(n, 3)) + np.array([3, 0, 0])
    changes = random.normal(size=(k, n, 3))
    mu = random.uniform(0.2, 1.5, size=n)
    return load(forces, changes, mu, np.ones(n, dtype=bool), random.uniform(0.2, 5, size=(n, 2)))


def load(
    forces: Array, changes: Array, mu: Array, sticking: NDArray[np.bool_], softness: Array
) -> Load:
    """A load whose friction is tied to the normal force where it does not stick."""
    forces, changes = forces.copy(), changes.copy()
    for rows in (forces, *changes):
        rows[~sticking, 1] = -mu[~sticking] * rows[~sticking, 0]
        rows[~sticking, 2] = 0
    return Load(forces=forces, changes=changes, friction=mu, sticking=sticking, softness=softness)


def by_linear_programme(problem: Load) -> float:
    """The reserve of a plane load: -1 ≤ λ_T/(μ λ_N) ≤ 1 are two inequalities; capped as there."""
    n, k = len(problem.forces), len(problem.changes)
    rows, right = [], []
    for j in range(n):
        signs: list[tuple[float, float, int]] = [(1.0, 0.0, 0)]
        if problem.sticking[j]:
            signs += [(problem.friction[j], -1.0, 1), (problem.friction[j], 1.0, 1)]
        for normal, tangent, which in signs:
            part = np.array([normal, tangent, 0.0])
            slope = problem.changes[:, j] @ part
            rows.append(np.append(-slope, problem.softness[j, which]))
            right.append(float(problem.forces[j] @ part))
    cap = np.abs(problem.forces).max() / problem.softness.max()
    bounds = [(None, None)] * k + [(None, cap)]
    found = linprog(np.append(np.zeros(k), -1.0), A_ub=rows, b_ub=right, bounds=bounds)
    assert found.x is not None
    return float(found.x[-1])


@given(seed=SEEDS)
@settings(max_examples=60, deadline=None)
def test_the_reserve_is_that_of_a_linear_programme(seed: int) -> None:
    problem = planar_load(seed)
    exact, found = by_linear_programme(problem), share(problem, margin=MARGIN)
    if exact > MARGIN:
        assert exact / 2.5 <= found.reserve <= exact * (1 + 1e-9)
        assert problem.spare(found.forces).min() >= found.reserve * (1 - 1e-9)
    else:
        assert found.reserve < 0


def corner(torque: float, *, mu: float = 0.5, g: float = 9.81, radius: float = 0.1) -> Load:
    """A ball of 1 kg in the corner of a floor and a wall at +x, under a torque about -z.

    Rows: normal, tangent to +x on the floor and up on the wall. One force f can be exchanged: the
    wall presses by f, the floor rubs by f, and both turn the ball.
    """
    turn = torque / radius / 2
    forces = np.array([[g - turn, turn, 0], [turn, turn, 0]])
    changes = np.array([[[1, 1, 0], [1, -1, 0]]]) / 2
    return Load(
        forces=forces,
        changes=changes,
        friction=np.full(2, mu),
        sticking=np.ones(2, dtype=bool),
        softness=np.ones((2, 2)),
    )


@pytest.mark.parametrize("mu", [0.2, 0.5, 0.8])
def test_a_ball_in_a_corner_slips_at_its_torque(mu: float) -> None:
    """τ = R μ m g (1 + μ)/(1 + μ²)."""
    limit = 0.1 * mu * 9.81 * (1 + mu) / (1 + mu**2)
    assert share(corner(limit * (1 - 1e-8), mu=mu), margin=MARGIN).reserve > 0
    assert share(corner(limit * (1 + 1e-8), mu=mu), margin=MARGIN).reserve < -MARGIN
    assert share(corner(limit, mu=mu), margin=MARGIN).reserve == pytest.approx(0, abs=MARGIN / 4)


def test_a_load_that_hangs_together_by_a_thread_is_admissible() -> None:
    """Without torque the wall may carry nothing at all: one distribution, none to spare."""
    found = share(corner(0.0), margin=MARGIN)
    assert found.reserve == pytest.approx(0, abs=MARGIN / 4)
    assert least(corner(0.0), found, margin=MARGIN) == pytest.approx(
        np.array([[9.81, 0, 0], [0, 0, 0]]), abs=1e-8
    )


def test_a_wedged_ball_has_no_more_to_spare_than_its_load() -> None:
    """Between parallel walls any pressure will do; the reserve is capped."""
    problem = Load(
        forces=np.array([[1.0, 0.1, 0], [1.0, 0.1, 0]]),
        changes=np.array([[[1.0, 0, 0], [1.0, 0, 0]]]),
        friction=np.array([0.5, 0.5]),
        sticking=np.ones(2, dtype=bool),
        softness=np.ones((2, 2)),
    )
    assert 0.4 < share(problem, margin=MARGIN).reserve < 1.0


@given(seed=SEEDS, force=st.floats(1e-6, 1e6), mass=st.floats(1e-6, 1e6))
@settings(max_examples=30, deadline=None)
def test_units_do_not_matter(seed: int, force: float, mass: float) -> None:
    one = spatial_load(seed)
    other = Load(
        forces=force * one.forces,
        changes=one.changes,
        friction=one.friction,
        sticking=one.sticking,
        softness=mass * one.softness,
    )
    expected = force / mass * share(one, margin=1e-6).reserve
    found = share(other, margin=force / mass * 1e-6).reserve
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-7 * force / mass)


@given(seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_the_least_forces_are_admissible_and_no_others_are_smaller(seed: int) -> None:
    """Against a general solver, which may stop early but never below the minimum."""
    problem = spatial_load(seed)
    inside = share(problem, margin=MARGIN)
    if inside.reserve < 1e-3:
        return
    found = least(problem, inside, margin=MARGIN)
    assert problem.spare(found).min() >= -1e-9
    changes = problem.changes.reshape(len(problem.changes), -1)
    start = np.linalg.lstsq(changes.T, (inside.forces - problem.forces).ravel())[0]

    def size(z: Array) -> float:
        return float(np.sum((problem.forces.ravel() + z @ changes) ** 2))

    def spare(z: Array) -> Array:
        return problem.spare(problem.forces + (z @ changes).reshape(-1, 3)).ravel()

    admissible = NonlinearConstraint(spare, 0, np.inf)
    other = minimize(size, start.tolist(), constraints=admissible, method="SLSQP", tol=1e-12)
    assert np.sum(found**2) <= other.fun * (1 + 1e-6)
