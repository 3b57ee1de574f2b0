"""Flows with known events, followed by each solver."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Samples
from dyverse.flow.follow import Followed, Options, _is_resolved, follow
from dyverse.flow.grid import Grid
from dyverse.flow.solver import solver
from dyverse.flow.step import Accuracy, IntegrationError

each_solver = pytest.mark.parametrize("name", ["reference", "cvode"])
G = 9.81


@dataclass
class Ball:
    """Height and speed above a floor."""

    rates: bool = True
    resting: NDArray[np.bool_] = field(default_factory=lambda: np.array([False]))
    settled: int = 0

    def rate(self, time: float, values: Array) -> Array:
        return np.array([values[1], -G])

    def sample(self, times: Array, values: Array) -> Samples:
        speeds = values[:, 1:] if self.rates else np.full((len(times), 1), np.nan)
        return Samples(values[:, :1], speeds)

    def settle(self, time: float, values: Array) -> Array:
        self.settled += 1
        return values


@dataclass
class Spheres:
    """Two free spheres of radius 0.5 in the plane: positions, then velocities."""

    resting: NDArray[np.bool_] = field(default_factory=lambda: np.array([False]))

    def rate(self, time: float, values: Array) -> Array:
        return np.concatenate((values[4:], np.zeros(4)))

    def sample(self, times: Array, values: Array) -> Samples:
        apart, relative = values[:, 2:4] - values[:, :2], values[:, 6:] - values[:, 4:6]
        distance = np.linalg.norm(apart, axis=1, keepdims=True)
        return Samples(distance - 1, (apart * relative).sum(axis=1, keepdims=True) / distance)

    def settle(self, time: float, values: Array) -> Array:
        return values


@dataclass
class Pendulum:
    """A point on a circle of radius 1, in Cartesian coordinates; drift is projected away."""

    project: bool = True
    resting: NDArray[np.bool_] = field(default_factory=lambda: np.array([], dtype=bool))

    def rate(self, time: float, values: Array) -> Array:
        r, v = values[:2], values[2:]
        pull = (v @ v - G * r[1]) / (r @ r)
        return np.array([v[0], v[1], -pull * r[0], -G - pull * r[1]])

    def sample(self, times: Array, values: Array) -> Samples:
        return Samples(np.empty((len(times), 0)), np.empty((len(times), 0)))

    def settle(self, time: float, values: Array) -> Array:
        if not self.project:
            return values
        r = values[:2] / np.linalg.norm(values[:2])
        return np.concatenate((r, values[2:] - (values[2:] @ r) * r))


def drop(
    name: str, height: float = 10.0, speed: float = 0.0, *, until: float = 5.0, rest: bool = False
) -> Followed:
    ball = Ball(resting=np.array([rest]))
    return follow(ball, solver(name), 0.0, np.array([height, speed]), until=until)


@each_solver
def test_a_falling_ball_meets_the_floor(name: str) -> None:
    """From 10 m: t = √(2h/g), v = -√(2gh)."""
    path = drop(name)
    assert path.crossing is not None
    assert path.crossing.signals == (0,)
    assert path.crossing.time == pytest.approx(math.sqrt(20 / G), abs=1e-9)
    assert path.crossing.values == pytest.approx([0, -math.sqrt(20 * G)], abs=1e-8)
    assert path.times[-1] == path.crossing.time
    assert np.array_equal(path.states[-1], path.crossing.values)
    assert not path.stopped


def test_the_reference_meets_the_floor_to_the_last_digits() -> None:
    path = drop("reference")
    assert path.crossing is not None
    assert path.crossing.time == pytest.approx(math.sqrt(20 / G), rel=1e-14)
    assert path.crossing.values[0] <= 0


@each_solver
def test_without_event_the_path_ends_exactly_at_until(name: str) -> None:
    path = drop(name, until=1.1)
    assert path.crossing is None
    assert path.times[-1] == 1.1
    assert path.states[-1] == pytest.approx([10 - G / 2 * 1.21, -G * 1.1], abs=1e-8)


@each_solver
def test_rows_follow_the_closed_form(name: str) -> None:
    path = drop(name, speed=3.0)
    times = path.times
    assert times[0] == 0.0
    assert np.all(np.diff(times) > 0)
    assert path.states[:, 0] == pytest.approx(10 + 3 * times - G / 2 * times**2, abs=1e-8)
    assert not path.times.flags.writeable
    assert not path.states.flags.writeable


@each_solver
def test_a_path_of_no_time_has_one_row(name: str) -> None:
    path = drop(name, until=0.0)
    assert (path.times.tolist(), path.states.tolist()) == ([0.0], [[10.0, 0.0]])
    assert (path.crossing, path.steps) == (None, 0)


@each_solver
def test_a_start_outside_is_an_event_without_a_step(name: str) -> None:
    path = drop(name, height=-1.0)
    assert path.crossing is not None
    assert (path.crossing.time, path.crossing.signals, path.steps) == (0.0, (0,), 0)
    assert len(path.times) == 1


@each_solver
@given(duration=st.floats(1e-5, 3.0))
@settings(max_examples=20, deadline=None)
def test_a_hop_of_any_length_lands(name: str, duration: float) -> None:
    path = drop(name, 0.0, G * duration / 2, rest=True)
    assert path.crossing is not None
    allowed = 2e-11 / duration + 1e-9 if name == "cvode" else 1e-13 + 1e-10 * duration
    assert path.crossing.time == pytest.approx(duration, abs=allowed)


@each_solver
def test_a_tiny_hop_inside_a_long_first_step_lands(name: str) -> None:
    """Three microseconds, 1.1e-11 m high; the flow's own flags are used."""
    path = drop(name, -1e-16, G * 1.5e-6, rest=True)
    assert path.crossing is not None
    assert path.crossing.time == pytest.approx(3e-6, abs=2e-7 if name == "cvode" else 1e-11)


@pytest.mark.parametrize("rates", [True, False])
def test_thirty_bounces_meet_the_closed_form(rates: bool) -> None:
    """h = 10 m, e = 0.8: impacts at t₁ (1 + 2 Σ eⁱ), t₁ = √(2h/g)."""
    time, state, times = 0.0, np.array([10.0, 0.0]), []
    for bounce in range(30):
        ball = Ball(rates, np.array([bounce > 0]))
        path = follow(ball, solver("reference"), time, state, until=20.0)
        assert path.crossing is not None
        time, state = path.crossing.time, path.crossing.values * [1, -0.8]
        times.append(time)
    powers = np.cumsum(0.8 ** np.arange(1, 30))
    exact = math.sqrt(20 / G) * np.concatenate(([1], 1 + 2 * powers))
    assert times == pytest.approx(exact, abs=1e-11)


@each_solver
@pytest.mark.parametrize("longest", [1e-2, 1e-1, 1.0, math.inf])
@given(speed=st.floats(0.5, 5e3), miss=st.floats(-0.999, 0.999), where=st.floats(0.05, 0.95))
@settings(max_examples=15, deadline=None)
def test_no_collision_is_stepped_over(
    name: str, longest: float, speed: float, miss: float, where: float
) -> None:
    """Two spheres meet at distance 1 at a known time, however long the steps."""
    closest = 10 * where
    start = np.array([-speed * closest, miss, 0, 0, speed, 0, 0, 0])
    options = Options(accuracy=Accuracy(longest_step=longest))
    path = follow(Spheres(), solver(name), 0.0, start, until=10.0, options=options)
    meeting = closest - math.sqrt(1 - miss**2) / speed
    assert path.crossing is not None
    assert path.crossing.time == pytest.approx(max(meeting, 0.0), abs=1e-9)


@each_solver
def test_a_near_miss_is_reported_and_does_not_stop(name: str) -> None:
    start = np.array([-5.0, 1 + 5e-10, 0, 0, 1.0, 0, 0, 0])
    path = follow(Spheres(), solver(name), 0.0, start, until=10.0)
    assert path.crossing is None
    (graze,) = path.grazes
    assert graze.time == pytest.approx(5.0, abs=1e-6)
    assert graze.value == pytest.approx(5e-10, rel=0.05)


@pytest.mark.parametrize(("name", "until"), [("reference", 100.0), ("cvode", 5.0)])
def test_a_pendulum_stays_on_its_circle(name: str, until: float) -> None:
    start = np.array([1.0, 0.0, 0.0, 0.0])
    path = follow(Pendulum(), solver(name), 0.0, start, until=until)
    radius = np.linalg.norm(path.states[:, :2], axis=1)
    assert path.times[-1] == until
    assert np.abs(radius - 1).max() < 1e-9
    energy = (path.states[:, 2:] ** 2).sum(axis=1) / 2 + G * path.states[:, 1]
    assert np.abs(energy).max() < 1e-6


def test_a_multistep_solver_is_not_held_up_by_settling() -> None:
    """At 30 m/s a step errs by more than the drift allowed, and yet it is not its last."""
    start = np.array([0.0, -1.0, 30.0, 0.0])
    free = follow(Pendulum(project=False), solver("cvode"), 0.0, start, until=1.0)
    held = follow(Pendulum(), solver("cvode"), 0.0, start, until=1.0)
    assert held.steps < 1.5 * free.steps
    assert np.abs(np.linalg.norm(held.states[:, :2], axis=1) - 1).max() < 1e-9


def test_settling_does_not_slow_the_solver_down() -> None:
    start = np.array([1.0, 0.0, 0.0, 0.0])
    free = follow(Pendulum(project=False), solver("reference"), 0.0, start, until=20.0)
    held = follow(Pendulum(), solver("reference"), 0.0, start, until=20.0)
    assert held.steps < 1.2 * free.steps


def test_the_flow_settles_after_every_step() -> None:
    ball = Ball()
    path = follow(ball, solver("reference"), 0.0, np.array([10.0, 0.0]), until=1.0)
    assert ball.settled == path.steps


def test_the_last_row_of_a_step_is_settled() -> None:
    class Snapped(Ball):
        def settle(self, time: float, values: Array) -> Array:
            return np.array([values[0], -G * time + 1e-6])

    path = follow(Snapped(), solver("reference"), 0.0, np.array([10.0, 0.0]), until=1.0)
    assert path.states[-1, 1] == -G + 1e-6


@each_solver
def test_on_step_hears_every_step_and_may_stop(name: str) -> None:
    heard: list[float] = []

    def listen(time: float, values: Array) -> bool:
        heard.append(time)
        return len(heard) < 3

    ball = Ball()
    path = follow(ball, solver(name), 0.0, np.array([10.0, 0.0]), until=1.0, on_step=listen)
    assert path.stopped
    assert path.steps == len(heard) == 3
    assert path.times[-1] == heard[-1] < 1.0


@each_solver
def test_signals_at_rest_stay_at_rest_over_many_steps(name: str) -> None:
    class Held(Ball):
        def rate(self, time: float, values: Array) -> Array:
            return np.zeros(2)

    held = Held(resting=np.array([True]))
    options = Options(accuracy=Accuracy(longest_step=0.1))
    path = follow(held, solver(name), 0.0, np.array([-1e-16, 0.0]), until=2.0, options=options)
    assert path.crossing is None
    assert path.resting.all()


@each_solver
def test_a_failing_solver_says_when(name: str) -> None:
    class Escaping(Ball):
        def rate(self, time: float, values: Array) -> Array:
            return np.array([values[0] ** 2, 0.0])

    with pytest.raises(IntegrationError, match="stopped at t = "):
        follow(Escaping(), solver(name), 0.0, np.array([1.0, 0.0]), until=2.0)


def test_noise_far_from_zero_is_no_swing() -> None:
    """A switching function that is held 1e-9 off its zero, as one was where a joint rests."""
    times, signs = np.linspace(0.0, 0.04, 9), np.array([1, -1] * 5)[:9, None]
    values, rates = 1e-9 + 1e-11 * signs, 2e-10 * np.roll(signs, 2)
    blind = np.zeros(1, dtype=bool)
    held = Grid(times, np.zeros((9, 1)), values, rates, blind)
    near = Grid(times, np.zeros((9, 1)), values - 1e-9, rates, blind)
    assert _is_resolved(held, 0)
    assert not _is_resolved(near, 0)
