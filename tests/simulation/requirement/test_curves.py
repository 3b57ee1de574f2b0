"""Cubics that change their sign, and the least of two curves."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.simulation.requirement.curves import lower, roots, turns
from tests.simulation.lines import Line, cells_of, curve_of


def test_a_cubic_changes_its_sign_where_it_does() -> None:
    """(u - 0.2)(u - 0.5)(u - 0.9), by its Bernstein coefficients."""
    shares = np.array([0.2, 0.5, 0.9])
    power = np.poly(shares)[::-1]  # 1, u, u², u³
    value = np.array([[power[0], power[0] + power[1] / 3, 0.0, power.sum()]])
    value[0, 2] = power[0] + 2 * power[1] / 3 + power[2] / 3
    assert roots(value, np.zeros(1))[0] == pytest.approx(shares, abs=1e-14)
    inner = np.roots(np.polyder(np.poly(shares)))
    assert turns(value)[0] == pytest.approx(sorted(inner), abs=1e-14)


def test_the_least_of_two_remembers_whose_it_is_and_when() -> None:
    """x falls from 3 to -3 and y rises from -3 to 3: they meet at 1."""
    lines: list[Line] = [[(0.0, {"x": 3.0, "y": -3.0}), (2.0, {"x": -3.0, "y": 3.0})]]
    cells = cells_of(lines)
    mine, other = curve_of(lines, "x"), curve_of(lines, "y")
    other.atom[:] = 1
    found = lower(mine, other, cells)
    assert found.atom.tolist() == [1, 1, 0, 0]
    assert found.start.tolist() == pytest.approx([0, 0, 1, 2])
    assert found.value[1:3, [0, 3]].ravel().tolist() == pytest.approx([-3, 0, 0, -3])
    assert found.at[1:3].ravel().tolist() == pytest.approx([0, 1, 1, 2])
