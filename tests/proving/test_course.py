import math

import casadi as ca
import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.enclosure.program import program
from dyverse.proving.course import Undrafted, step
from dyverse.proving.floats import run
from dyverse.proving.grid import Grid

x, v, k = ca.SX.sym("x"), ca.SX.sym("v"), ca.SX.sym("k")
RATE = program([ca.vertcat(x, v), k], [ca.vertcat(v, -k * x)])
VALUES = np.array([[1.0, 4.0, 9.0]])
START = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])


def rate(states: Array) -> Array:
    return run(RATE, states, np.broadcast_to(VALUES[:, None], (1, *states.shape[1:])))[0]


def test_all_runs_take_their_own_steps() -> None:
    pace = np.array([0.2, 0.15, 0.1])
    course = step(rate, START, pace)
    times = np.array([-1.0, -0.3, 0.5, 1.0])
    for i, w in enumerate((1, 2, 3)):
        expected = [math.cos(w * pace[i] * (s + 1)) for s in times]
        assert course.at(times)[0, :, i] == pytest.approx(expected, abs=1e-14)
    assert course.end == pytest.approx(course.at(times)[:, -1])


def test_powers_have_the_digits_of_a_series() -> None:
    """Coefficients of cos(w(s + 1)) about the middle of the step, each to its own last digits."""
    pace = np.array([0.2, 0.15, 0.1])
    found = step(rate, START, pace).powers(RATE, VALUES)
    for i, w in enumerate(np.array([1, 2, 3]) * pace):
        exact = [w**n * math.cos(w + n * math.pi / 2) / math.factorial(n) for n in range(13)]
        assert found[0, :13, i] == pytest.approx(exact, abs=1e-17, rel=1e-13)


@pytest.mark.parametrize("fast", [3.0, 15.0])
def test_what_time_alone_moves_tells_how_fast_it_turns(fast: float) -> None:
    """x'' = sin(wt + 1): the slopes of the field have no eigenvalue but zero."""

    def pushed(states: Array) -> Array:
        return np.stack([states[1], np.sin(fast * states[2] + 1), np.ones_like(states[2])])

    for angle in (1.0, 2.0, 4.0):
        course = step(pushed, np.zeros((3, 1)), np.array([angle / fast / 2]))
        assert 0.7 * angle < course.turns < 2 * angle


def test_a_fall_turns_nowhere() -> None:
    course = step(lambda states: np.stack([states[1], -9.81 + 0 * states[1]]), START, np.ones(3))
    assert course.turns < 0.5


def test_a_step_too_long_is_not_drafted() -> None:
    with pytest.raises(Undrafted):
        step(lambda states: states**3 * 1e3, START + 1, np.full(3, 50.0))


@pytest.mark.parametrize("degrees", [(6,), (4, 3), (2, 2, 2), ()])
def test_a_grid_gives_back_the_coefficients(degrees: tuple[int, ...]) -> None:
    grid = Grid(degrees)
    shape = tuple(degree + 1 for degree in degrees)
    numbers = np.random.default_rng(0).normal(size=shape)
    values = [
        sum(c * np.prod(point ** np.array(power)) for power, c in np.ndenumerate(numbers))
        for point in grid.points
    ]
    assert grid.coefficients(np.array(values)) == pytest.approx(numbers.ravel(), abs=1e-12)
    assert all(np.unravel_index(place, shape)[i] == 1 for i, place in enumerate(grid.linear))
