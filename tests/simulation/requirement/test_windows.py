"""Margins of random requirements on random signals with jumps: by curves, and by definition."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.expr.formula import Compare
from dyverse.expr.requirement import Requirement
from dyverse.expr.term import Symbol
from dyverse.simulation.requirement.curves import Curve
from dyverse.simulation.requirement.temporal import margins, planned
from tests.simulation.lines import (
    ATOMS,
    FINE,
    STEEP,
    Line,
    cells_of,
    curve_of,
    cut,
    random_lines,
    states_of,
)
from tests.simulation.requirements import INFINITE, random_requirement

WINDOWS = [(low, low + more) for low in (0, 0, 0.25, 0.5, 1, 2) for more in (0, 0.5, 1, 2)]


def at_points(requirement: Requirement, lines: list[Line], end: float) -> Array:
    """The margins at the points of all cells, by curves."""
    plan, cells = planned(requirement, {}), cells_of(lines)
    found = margins(plan.plan, [_curve(lines, one) for one in plan.comparisons], end, cells)
    points = np.flatnonzero(cells.is_point)
    return np.asarray(found.value[np.searchsorted(found.cell, points), 0])


def _curve(lines: list[Line], comparison: Compare) -> Curve:
    """Of x >= 0, or of x < 0."""
    assert isinstance(comparison.left, Symbol)
    curve = curve_of(lines, comparison.left.name)
    return curve if comparison.relation == ">=" else -curve


@pytest.mark.parametrize("seed", range(150))
def test_margins_are_what_operators_say(seed: int) -> None:
    """As near as the second road looks: windows of it miss less than a step at each edge."""
    check(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(150, 2000, 50))
def test_margins_of_very_many_requirements_are_too(start: int) -> None:
    for seed in range(start, start + 50):
        check(seed)


def check(seed: int) -> None:
    draw = Random(seed)
    lines = random_lines(draw)
    requirement = random_requirement(draw, 3, ATOMS, WINDOWS)
    end = max(0.0, lines[-1][-1][0] - draw.choice((0, 0, 1)))
    lines = cut(lines, end)
    states, points = states_of(lines, end)
    wanted, found = states.margins(requirement)[points], at_points(requirement, lines, end)
    infinite = np.abs(wanted) >= INFINITE
    assert np.array_equal(np.sign(found[infinite]), np.sign(wanted[infinite]))
    assert np.all(np.abs(found[infinite]) >= INFINITE)
    assert found[~infinite] == pytest.approx(wanted[~infinite], abs=2 * STEEP / FINE)
