"""Impulses of redundant contacts: the shortest ones that obey the laws."""

import numpy as np
import pytest

from dyverse.contact.law.problem import Array, ContactProblem, contact_problem, contact_residuals
from dyverse.contact.law.solve import solve
from dyverse.contact.law.spreading import spread


def landing(mu: float, slip: tuple[float, float, float]) -> ContactProblem:
    """Four corners of a square plate of 1 kg that falls flat with 1 m/s and slips."""
    corners = [(x, z) for x in (-1.0, 1.0) for z in (-1.0, 1.0)]
    W = np.zeros((6, 12))
    for k, (x, z) in enumerate(corners):
        for row, way in enumerate(np.eye(3)[[1, 0, 2]]):
            W[:3, 3 * k + row] = way
            W[3:, 3 * k + row] = np.cross((x, -0.2, z), way)
    velocity = np.array([slip[0], -1.0, slip[1], 0, slip[2], 0])
    return contact_problem(W.T @ (np.diag([1.0, 1, 1, 3, 3, 3]) @ W), W.T @ velocity, mu)


@pytest.mark.parametrize(
    "slip",
    [(0.0, 0.0, 0.0), (5.0, 1.0, 2.0), (0.01, 0.0, 0.02), (0.2, 0.2, 0.0), (0.28, 0.08, 0.0)],
)
def test_spread_impulses_obey_the_laws_wherever_they_came_from(
    slip: tuple[float, float, float],
) -> None:
    problem = landing(0.3, slip)
    found: list[Array] = []
    for seed in range(3):
        start = np.abs(np.random.default_rng(seed).normal(size=(4, 3))) * (1, 0, 0)
        impulses = solve(problem, start=start).forces  # type: ignore[union-attr]
        found.append(spread(problem, impulses))
        assert contact_residuals(problem, found[-1]).max() < 1e-11
        assert np.linalg.norm(found[-1]) <= np.linalg.norm(impulses) * (1 + 1e-9)
    assert found[1] == pytest.approx(found[0], abs=1e-12)
    assert found[2] == pytest.approx(found[0], abs=1e-12)


def test_many_contacts_keep_their_impulses() -> None:
    plate, start = landing(0.3, (5.0, 1.0, 2.0)), np.tile((2.0, 0, 0), (13, 1)) / 13
    rows = np.concatenate([3 * (k % 4) + np.arange(3) for k in range(13)])
    problem = contact_problem(plate.matrix[np.ix_(rows, rows)], plate.free[rows], 0.3)
    impulses = solve(problem, start=start).forces  # type: ignore[union-attr]
    assert spread(problem, impulses) is impulses


def test_independent_contacts_keep_their_impulses() -> None:
    problem = contact_problem(np.diag([1.0, 2, 2] * 2), [-1, 3, 0, -2, 0, 0], 0.5)
    impulses = solve(problem).forces  # type: ignore[union-attr]
    assert spread(problem, impulses) is impulses
