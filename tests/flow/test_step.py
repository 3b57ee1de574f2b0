"""What every solver keeps: closed forms, dense output, the exact end, named failures."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.automaton.interface import Array
from dyverse.errors import SolverError
from dyverse.flow.solver import solver
from dyverse.flow.step import Accuracy, IntegrationError, Rate, Step

SOLVERS = ("reference", "cvode")
each_solver = pytest.mark.parametrize("name", SOLVERS)


def oscillate(time: float, x: Array) -> Array:
    return np.array([x[1], -x[0]])


def swing(times: Array) -> Array:
    """The oscillator from (0, 1)."""
    return np.column_stack((np.sin(times), np.cos(times)))


def march(
    name: str,
    rate: Rate,
    values: list[float],
    until: float,
    *,
    time: float = 0.0,
    accuracy: Accuracy | None = None,
    first_step: float | None = None,
) -> list[Step]:
    state = np.array(values)
    steps = solver(name).steps(
        rate, time, state, until=until, accuracy=accuracy or Accuracy(), first_step=first_step
    )
    return list(steps)


@each_solver
def test_steps_join_and_end_exactly_at_until(name: str) -> None:
    steps = march(name, oscillate, [0.0, 1.0], math.pi)
    assert steps[0].start == 0.0
    assert steps[-1].end == math.pi
    for before, after in itertools.pairwise(steps):
        assert before.end == after.start
        assert np.array_equal(before.last, after.first)


@each_solver
def test_oscillator_meets_closed_form_at_every_step_and_between(name: str) -> None:
    for step in march(name, oscillate, [0.0, 1.0], 10.0):
        times = np.linspace(step.start, step.end, 17)
        assert step.at(times) == pytest.approx(swing(times), abs=2e-8 if name == "cvode" else 1e-9)


@each_solver
def test_dense_output_meets_both_ends(name: str) -> None:
    for step in march(name, oscillate, [0.0, 1.0], 3.0):
        ends = step.at(np.array([step.start, step.end]))
        assert ends == pytest.approx(np.array([step.first, step.last]), abs=4e-16)


@each_solver
@pytest.mark.parametrize("relative", [1e-6, 1e-8, 1e-10])
def test_dense_output_is_as_accurate_as_the_steps(name: str, relative: float) -> None:
    """Inside a step the error is at most a few times the error at the ends or the tolerance."""
    accuracy = Accuracy(relative=relative, absolute=relative)
    steps = march(name, oscillate, [0.0, 1.0], 6.0, accuracy=accuracy)
    for step in steps:
        ends = np.array([step.start, step.end])
        worst = np.abs(np.array([step.first, step.last]) - swing(ends)).max()
        times = np.linspace(step.start, step.end, 33)
        assert np.abs(step.at(times) - swing(times)).max() <= 3 * worst + 10 * relative


@each_solver
def test_ballistic_motion_meets_closed_form(name: str) -> None:
    def fall(time: float, x: Array) -> Array:
        return np.array([x[1], -9.81])

    last = march(name, fall, [10.0, 3.0], 2.0)[-1].last
    assert last == pytest.approx([10 + 6 - 9.81 * 2, 3 - 9.81 * 2], abs=1e-8)


@each_solver
def test_no_step_is_longer_than_allowed(name: str) -> None:
    steps = march(name, oscillate, [0.0, 1.0], 1.0, accuracy=Accuracy(longest_step=0.01))
    assert max(step.end - step.start for step in steps) <= 0.01 * (1 + 1e-12)


@each_solver
def test_the_rate_is_never_asked_beyond_until(name: str) -> None:
    asked: list[float] = []

    def note(time: float, x: Array) -> Array:
        asked.append(time)
        return oscillate(time, x)

    march(name, note, [0.0, 1.0], 1e-3)
    march(name, note, [0.0, 1.0], 1e-3, first_step=5.0)
    assert max(asked) <= 1e-3


@each_solver
def test_a_first_step_is_taken(name: str) -> None:
    step = march(name, oscillate, [0.0, 1.0], 1.0, first_step=1e-6)[0]
    assert step.end == pytest.approx(1e-6)


@each_solver
def test_there_is_no_step_without_time(name: str) -> None:
    assert march(name, oscillate, [0.0, 1.0], 0.0) == []
    assert march(name, oscillate, [0.0, 1.0], -1.0) == []


@each_solver
@given(ulps=st.integers(1, 10_000), time=st.sampled_from([0.0, 1.0, 1e3]), odd=st.floats(1.0, 1.5))
def test_the_shortest_stretches_are_followed(name: str, ulps: int, time: float, odd: float) -> None:
    until = time * odd + ulps * math.ulp(time * odd)
    steps = march(name, oscillate, [0.0, 1.0], until, time=time * odd)
    assert steps[-1].end == until
    assert steps[-1].last == pytest.approx([until - time * odd, 1.0], rel=1e-9)


@each_solver
def test_a_flow_without_variables_passes_time(name: str) -> None:
    (step,) = march(name, lambda time, x: x, [], 2.0)
    assert (step.start, step.end) == (0.0, 2.0)
    assert step.at(np.array([0.5, 1.0])).shape == (2, 0)


@each_solver
def test_a_rate_that_is_not_finite_at_the_start_is_named(name: str) -> None:
    def broken(time: float, x: Array) -> Array:
        return np.array([1.0, np.nan, 1.0])

    with pytest.raises(IntegrationError, match="variable 1 is not finite") as caught:
        march(name, broken, [0.0, 0.0, 0.0], 1.0)
    assert (caught.value.time, caught.value.variable) == (0.0, 1)
    assert isinstance(caught.value, SolverError)


@each_solver
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_rate_that_stops_being_finite_is_named(name: str, bad: float) -> None:
    def broken(time: float, x: Array) -> Array:
        return np.array([1.0, bad if time > 0.5 else 1.0])

    with pytest.raises(IntegrationError, match="variable 1 is not finite") as caught:
        march(name, broken, [0.0, 0.0], 1.0)
    assert caught.value.time == pytest.approx(0.5, abs=1e-3)
    assert caught.value.variable == 1


@each_solver
def test_a_solution_that_escapes_in_finite_time_is_an_error(name: str) -> None:
    """``x' = x²`` from 1 is ``1 / (1 - t)``."""
    with pytest.raises(IntegrationError) as caught:
        march(name, lambda time, x: x**2, [1.0], 2.0)
    assert caught.value.time == pytest.approx(1.0, abs=1e-6)


@each_solver
def test_an_exception_of_the_rate_passes_through(name: str) -> None:
    def broken(time: float, x: Array) -> Array:
        raise ZeroDivisionError("mass is zero")

    with pytest.raises(ZeroDivisionError, match="mass is zero"):
        march(name, broken, [0.0], 1.0)


@each_solver
def test_a_late_exception_of_the_rate_passes_through(name: str) -> None:
    def broken(time: float, x: Array) -> Array:
        if time > 0.5:
            raise KeyError("input")
        return np.ones(1)

    with pytest.raises(KeyError, match="input"):
        march(name, broken, [0.0], 1.0)


@each_solver
def test_states_are_not_shared_between_steps(name: str) -> None:
    steps = march(name, oscillate, [0.0, 1.0], 2.0)
    for step in steps:
        assert step.last == pytest.approx(swing(np.array([step.end]))[0], abs=1e-8)
