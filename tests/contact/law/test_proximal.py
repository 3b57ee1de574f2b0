"""Proximal points lead to forces that obey the laws, from where Newton's method is lost."""

import numpy as np
import pytest
from benchmarks.solve import pack

from dyverse.contact.law.newton import newton
from dyverse.contact.law.problem import Solved, residual, scale
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
