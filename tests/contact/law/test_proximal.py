"""Proximal points lead to forces that obey the laws, from where Newton's method is lost."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.solve import pack

from dyverse.contact.law.newton import newton
from dyverse.contact.law.problem import Solved, contact_problem, residual, scale
from dyverse.contact.law.proximal import EASING, proximal_points
from dyverse.contact.law.solve import Options, solve
from dyverse.contact.law.sorprox import sorprox


@pytest.mark.parametrize("seed", [0, 1, 6])
def test_points_come_closer_where_newton_is_lost(seed: int) -> None:
    """Each point is closer to the laws than the last by the easing of ``ρ``, nearly."""
    problem = pack(20, np.random.default_rng(seed))
    tolerance = 1e-12 * scale(problem)
    swept, _ = sorprox(problem, np.zeros((20, 3)), sweeps=8, tolerance=1e-12, relaxation=1.0)
    assert residual(problem, newton(problem, swept, tolerance=tolerance)) > 1e-6
    left = [
        residual(problem, point) for point in proximal_points(problem, swept, tolerance=tolerance)
    ]
    assert left[-1] <= 1e-11
    assert (np.diff(np.log(np.maximum(left[2:], 1e-11))) <= 1e-9).all()
    assert left[10] <= left[0] / EASING**5


@pytest.mark.parametrize("seed", [0, 1, 6])
def test_heaps_are_solved_after_the_first_sweeps(seed: int) -> None:
    found = solve(pack(20, np.random.default_rng(seed)), options=Options(hard_cap=8, max_sweeps=8))
    assert isinstance(found, Solved)
    assert (found.method, found.sweeps) == ("newton", 8)


def test_what_redundant_contacts_cannot_meet_is_accepted_if_it_is_little() -> None:
    """A ball between two walls that close on it by 1e-10 m/s²."""
    G = np.kron([[1.0, -1], [-1, 1]], np.diag([1.0, 0, 0])) + np.diag([0.0, 3.5, 3.5] * 2)
    closing = contact_problem(G, np.array([-5.0, 2, 0, 5 - 1e-10, 2, 0]), 0.3)
    few = Options(hard_cap=8, max_sweeps=8)
    assert not isinstance(solve(closing, options=few), Solved)
    found = solve(closing, options=replace(few, acceptable=2e-11))
    assert isinstance(found, Solved)
    assert 1e-12 < found.residual <= 2e-11


@pytest.mark.parametrize(("contacts", "sweeps"), [(10, 200), (20, 600)])
def test_sweeps_that_cost_less_come_before_proximal_points(contacts: int, sweeps: int) -> None:
    """Newton's method does after 200 sweeps with the first, and never with the second."""
    found = solve(pack(contacts, np.random.default_rng(1)))
    assert isinstance(found, Solved)
    assert (found.method, found.sweeps) == ("newton", sweeps)
