"""Events on steps whose dense output is a known function, so that every root is known too."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.interface import Array, Samples
from dyverse.errors import SolverError
from dyverse.flow.events import Crossing, Detection, Found, first_crossing

Signal = tuple[Callable[[Array], Array], Callable[[Array], Array]]  # value and rate over time


@dataclass(frozen=True)
class Clock:
    """A step whose only state is the time."""

    start: float
    end: float
    proposal: float | None = None

    @property
    def first(self) -> Array:
        return np.array([self.start])

    @property
    def last(self) -> Array:
        return np.array([self.end])

    def at(self, times: Array) -> Array:
        return times[:, None].copy()


class Watch:
    """Samples signals that are functions of time; counts how often it is asked."""

    def __init__(self, *signals: Signal, rates: bool = True) -> None:
        self.signals = signals
        self.rates = rates
        self.calls = 0

    def __call__(self, times: Array, states: Array) -> Samples:
        self.calls += 1
        values = np.column_stack([value(states[:, 0]) for value, _ in self.signals])
        rates = np.column_stack([rate(states[:, 0]) for _, rate in self.signals])
        return Samples(values, rates if self.rates else np.full_like(rates, np.nan))


def line(root: float, slope: float = -1.0) -> Signal:
    return (lambda t: slope * (t - root)), (lambda t: np.full_like(t, slope))


def throw(speed: float, height: float = 0.0, gravity: float = 9.81) -> Signal:
    return (
        lambda t: height + speed * t - gravity / 2 * t**2,
        lambda t: speed - gravity * t,
    )


def bowl(bottom: float, least: float, bend: float = 1.0) -> Signal:
    return (lambda t: least + bend * (t - bottom) ** 2), (lambda t: 2 * bend * (t - bottom))


def passage(speed: float, miss: float, nearest: float, size: float = 1.0) -> Signal:
    """The gap to a sphere that flies past at a distance."""

    def far(t: Array) -> Array:
        return np.hypot(speed * (t - nearest), miss)

    return (lambda t: far(t) - size), (lambda t: speed**2 * (t - nearest) / far(t))


def look(
    *signals: Signal,
    end: float = 1.0,
    resting: tuple[int, ...] = (),
    rates: bool = True,
    detection: Detection | None = None,
) -> Found:
    flags = np.array([j in resting for j in range(len(signals))], dtype=bool)
    return first_crossing(
        Clock(0.0, end), Watch(*signals, rates=rates), resting=flags, detection=detection
    )


def event(found: Found) -> Crossing:
    assert found.crossing is not None
    return found.crossing


# Roots


@pytest.mark.parametrize("rates", [True, False])
def test_a_crossing_is_found_to_the_last_digit(rates: bool) -> None:
    crossing = event(look(throw(0.0, height=1.0), rates=rates))
    exact = math.sqrt(2 / 9.81)
    assert crossing.time == pytest.approx(exact, rel=1e-15)
    assert crossing.signals == (0,)
    assert crossing.values == [crossing.time]


@given(root=st.floats(1e-6, 1.0), slope=st.floats(1e-3, 1e6))
def test_at_the_crossing_the_signal_is_no_longer_positive(root: float, slope: float) -> None:
    signal = line(root, -slope)
    crossing = event(look(signal))
    assert signal[0](crossing.values)[0] <= 0
    assert crossing.time == pytest.approx(root, rel=1e-14)


def test_a_signal_that_rises_through_zero_was_outside_at_the_start() -> None:
    assert event(look(line(0.5, slope=1.0))).time == 0.0


def test_no_signal_no_event() -> None:
    samples = Samples(np.empty((9, 0)), np.empty((9, 0)))
    found = first_crossing(
        Clock(0.0, 1.0), lambda times, states: samples, resting=np.array([], dtype=bool)
    )
    assert found.crossing is None


def test_a_quiet_step_is_sampled_once() -> None:
    watch = Watch(bowl(0.5, 2.0), line(30.0), throw(5.0, height=1.0))
    found = first_crossing(Clock(0.0, 1.0), watch, resting=np.zeros(3, dtype=bool))
    assert found.crossing is None
    assert watch.calls == 1


def test_the_earliest_of_many_crossings_is_reported() -> None:
    crossing = event(look(line(0.9), line(0.31), line(0.32), passage(1e4, 0.0, 0.3)))
    assert crossing.signals == (3,)
    assert crossing.time == pytest.approx(0.3 - 1e-4, rel=1e-12)


def test_crossings_behind_the_first_cost_nothing() -> None:
    watch = Watch(line(0.51), *(line(0.52 + 1e-4 * k) for k in range(200)))
    first_crossing(Clock(0.0, 1.0), watch, resting=np.zeros(201, dtype=bool))
    assert watch.calls < 10


def test_a_signal_that_is_not_a_number_is_an_error() -> None:
    with pytest.raises(SolverError, match="signal 1 is not a number at t = 0 s"):
        look(line(0.5), (lambda t: t * np.nan, lambda t: t))


@pytest.mark.parametrize("rates", [True, False])
def test_a_signal_may_be_undefined_behind_the_event(rates: bool) -> None:
    root = (lambda t: np.sqrt(0.8 - t) - 0.5, lambda t: -0.5 / np.sqrt(0.8 - t))
    assert event(look(root, rates=rates)).time == pytest.approx(0.55, rel=1e-14)


def test_a_signal_that_ends_without_an_event_is_an_error() -> None:
    with pytest.raises(SolverError, match=r"signal 0 is not a number at t = 0\.8"):
        look((lambda t: np.sqrt(0.8 - t) + 0.5, lambda t: -0.5 / np.sqrt(0.8 - t)))


def test_a_rate_may_be_undefined_at_a_single_time() -> None:
    """The centres of two spheres meet exactly where the search looks."""
    assert event(look(passage(1e4, 0.0, 0.5))).time == pytest.approx(0.5 - 1e-4, rel=1e-12)
    assert event(look(passage(1e4, 0.0, 0.0625))).time == pytest.approx(0.0624, rel=1e-12)


# Skipped collisions


@given(
    ratio=st.floats(1.0, 1e6),
    miss=st.floats(0.0, 0.999),
    nearest=st.floats(0.01, 0.99),
    rates=st.booleans(),
)
def test_no_passage_is_stepped_over(ratio: float, miss: float, nearest: float, rates: bool) -> None:
    """The step is up to a million times longer than the passage."""
    speed = 200 * ratio
    found = look(passage(speed, miss, nearest), rates=rates)
    exact = nearest - math.sqrt(1 - miss**2) / speed
    assert event(found).time == pytest.approx(exact, rel=1e-11, abs=1e-13)


def test_a_dip_of_the_finest_kind_is_found() -> None:
    crossing = event(look(bowl(0.37, -1e-14)))
    assert crossing.time == pytest.approx(0.37 - 1e-7, abs=1e-9)


@pytest.mark.parametrize("points", [3, 5, 9, 17])
def test_fewer_points_find_the_same(points: int) -> None:
    crossing = event(look(passage(1e4, 0.5, 0.3), detection=Detection(points=points)))
    assert crossing.time == pytest.approx(0.3 - math.sqrt(0.75) / 1e4, rel=1e-12)


def test_a_signal_that_turns_twice_in_an_interval_is_looked_at_closely() -> None:
    """Falling at both ends of an interval, and yet below zero and back between them."""

    def value(t: Array) -> Array:
        return 1.0 - 10 * t - 1.5 * np.sin(2 * np.pi * t / 0.125) + 10 * t

    def rate(t: Array) -> Array:
        return -1.5 * 2 * np.pi / 0.125 * np.cos(2 * np.pi * t / 0.125)

    crossing = event(look((value, rate)))
    assert crossing.time == pytest.approx(math.asin(1 / 1.5) * 0.125 / (2 * math.pi), rel=1e-12)


@given(
    sizes=st.lists(st.floats(-2, 2), min_size=3, max_size=3),
    phases=st.lists(st.floats(0, 6.3), min_size=3, max_size=3),
    turns=st.lists(st.floats(0, 12.5), min_size=3, max_size=3),
    offset=st.floats(0.3, 3.0),
)
@settings(max_examples=200)
def test_no_crossing_of_a_wavy_signal_is_missed_or_late(
    sizes: list[float], phases: list[float], turns: list[float], offset: float
) -> None:
    """Against twenty thousand samples of the same signal, with up to two periods in the step."""
    a, p, w = np.array(sizes), np.array(phases), np.array(turns)

    def value(t: Array) -> Array:
        return np.asarray(offset + np.sin(np.outer(t, w) + p) @ a)

    def rate(t: Array) -> Array:
        return np.asarray(np.cos(np.outer(t, w) + p) @ (a * w))

    times = np.linspace(0, 1, 20_001)
    below = np.flatnonzero(value(times) <= 0)
    found = look((value, rate))
    if below.size:
        crossing = event(found)
        assert crossing.time <= times[below[0]] + 1e-12
        assert crossing.time == 0 or value(crossing.values)[0] == pytest.approx(0, abs=1e-12)
    elif found.crossing is not None:  # a dip between two of the samples
        assert value(found.crossing.values)[0] <= 1e-12


# Simultaneous events


def test_signals_that_cross_together_are_one_event() -> None:
    crossing = event(look(line(0.5), line(0.5 + 1e-12, -3.0), line(0.6), line(0.5 - 1e-13)))
    assert crossing.signals == (0, 1, 3)
    assert crossing.time == pytest.approx(0.5 - 1e-13, abs=1e-15)


def test_signals_on_both_sides_of_a_grid_point_are_one_event() -> None:
    assert event(look(line(0.5 + 1e-11), line(0.5 - 1e-11))).signals == (0, 1)


def test_signals_on_both_sides_of_the_end_of_the_step_are_one_event() -> None:
    assert event(look(line(1 + 1e-11), line(1 - 1e-11))).signals == (0, 1)


def test_the_time_that_counts_as_together_is_a_choice() -> None:
    signals = line(0.5), line(0.5 + 1e-5)
    assert event(look(*signals)).signals == (0,)
    assert event(look(*signals, detection=Detection(together=1e-4))).signals == (0, 1)


def test_a_short_step_tells_more_events_apart() -> None:
    signals = line(1e-8), line(1e-8 + 5e-10)
    assert event(look(*signals, end=2e-8)).signals == (0,)


def test_two_hops_of_the_same_height_land_together() -> None:
    found = look(throw(1e-5), throw(1e-5), throw(2e-5), resting=(0, 1, 2))
    assert event(found).signals == (0, 1)


# Resting signals


def test_a_resting_signal_does_not_fire_at_the_start() -> None:
    found = look(throw(20.0, height=-1e-16), resting=(0,))
    assert found.crossing is None
    assert not found.resting.any()


@pytest.mark.parametrize("rates", [True, False])
@pytest.mark.parametrize("offset", [0.0, -1e-16, 1e-17])
def test_a_hop_within_the_first_interval_is_found(rates: bool, offset: float) -> None:
    """Three microseconds and 1e-11 high, in a step of one second."""
    speed = 9.81 * 1.5e-6
    crossing = event(look(throw(speed, height=offset), resting=(0,), rates=rates))
    assert crossing.time == pytest.approx(3e-6, abs=1.1e-16 / speed + 1e-20)


@given(duration=st.floats(1e-6, 0.99) | st.integers(1, 7).map(lambda i: i / 8))
def test_hops_of_any_length_are_found(duration: float) -> None:
    crossing = event(look(throw(9.81 * duration / 2), resting=(0,)))
    assert crossing.time == pytest.approx(duration, rel=1e-12)


@pytest.mark.parametrize("later", [0.05, 0.2, 0.77])
def test_a_hop_from_rest_in_the_middle_of_a_step_is_found(later: float) -> None:
    """At rest, then lifted for a tenth of an interval, then pressed down again."""
    width = 0.012

    def value(t: Array) -> Array:
        u = (t - later) / width
        return np.where(u < 0, 0.0, np.where(u < 1, u * (1 - u), (1 - u))) * 1e-3

    def rate(t: Array) -> Array:
        u = (t - later) / width
        return np.where(u < 0, 1e-9, np.where(u < 1, 1 - 2 * u, -1.0)) * 1e-3 / width

    crossing = event(look((value, rate), resting=(0,)))
    assert crossing.time == pytest.approx(later + width, rel=1e-12)


def test_a_hop_that_turns_up_again_is_found() -> None:
    """Up, down through zero and up again, all within the first interval: rising at both ends."""

    def value(t: Array) -> Array:
        return t * (t - 0.02) * (t - 0.06)

    def rate(t: Array) -> Array:
        return 3 * t**2 - 0.16 * t + 0.0012

    assert event(look((value, rate), resting=(0,))).time == pytest.approx(0.02, rel=1e-12)


@pytest.mark.parametrize("rounding", [0.0, 2e-16, -2e-16])
def test_a_hop_that_begins_without_speed_is_found(rounding: float) -> None:
    """Lifted by a force alone, up to where that pulls down: a rate of rounding does not sink it."""

    def value(t: Array) -> Array:
        return rounding * t + t**2 * (0.05 - t) - 1e-11

    def rate(t: Array) -> Array:
        return rounding + 0.1 * t - 3 * t**2

    assert event(look((value, rate), resting=(0,))).time == pytest.approx(0.05, rel=1e-6)


def test_a_signal_that_stays_at_zero_stays_at_rest() -> None:
    noise = (lambda t: 1e-16 * np.sin(1e4 * t), lambda t: 1e-12 * np.cos(1e4 * t))
    found = look(noise, throw(0.0, gravity=0.0), line(2.0), resting=(0, 1))
    assert found.crossing is None
    assert found.resting.tolist() == [True, True, False]


@pytest.mark.parametrize("speed", [0.0, -1e-3, -1e-18, 1e-18])
def test_a_signal_that_sinks_without_rising_fires_at_the_start(speed: float) -> None:
    assert event(look(throw(speed), resting=(0,))).time == pytest.approx(0.0, abs=1e-17)


def test_a_signal_that_sinks_and_comes_back_within_an_interval_fires_at_the_start() -> None:
    assert event(look(bowl(0.03, -9e-4), resting=(0,))).time == 0.0


def test_sinking_less_than_the_depth_is_rest() -> None:
    found = look(line(0.0, -5e-10), resting=(0,))
    assert found.crossing is None
    assert found.resting.all()


def test_a_signal_that_dips_and_then_rises_is_armed_again() -> None:
    """From rest with a rate of rounding, up to 0.06 and down again at 0.5."""

    def value(t: Array) -> Array:
        return -1e-17 * t + t * (0.5 - t)

    crossing = event(look((value, lambda t: 0.5 - 2 * t - 1e-17), resting=(0,)))
    assert crossing.time == pytest.approx(0.5, rel=1e-15)


def test_a_reset_slightly_above_zero_is_still_at_rest() -> None:
    found = look(line(1e-3, -1e-10), resting=(0,))
    assert found.crossing is None
    assert found.resting.all()


def test_a_resting_signal_does_not_join_an_event_of_others() -> None:
    assert event(look(throw(20.0, height=-1e-16), line(1e-9), resting=(0,))).signals == (1,)


# Grazing


@pytest.mark.parametrize("rates", [True, False])
def test_a_near_miss_is_a_graze_and_no_event(rates: bool) -> None:
    found = look(bowl(0.37, 4e-10), rates=rates)
    assert found.crossing is None
    (graze,) = found.grazes
    assert graze.signal == 0
    assert graze.time == pytest.approx(0.37, abs=1e-6)
    assert graze.value == pytest.approx(4e-10, rel=1e-3)


def test_a_wider_miss_is_nothing() -> None:
    found = look(bowl(0.37, 2e-9))
    assert found.grazes == ()
    assert len(look(bowl(0.37, 2e-9), detection=Detection(graze=1e-8)).grazes) == 1


def test_grazes_after_the_event_are_not_reported() -> None:
    found = look(bowl(0.3, 1e-10), bowl(0.33, 1e-10), line(0.31))
    assert [graze.signal for graze in found.grazes] == [0]
    assert event(found).signals == (2,)


def test_touching_zero_is_an_event() -> None:
    assert event(look(bowl(0.5, 0.0))).time == pytest.approx(0.5, abs=1e-7)
