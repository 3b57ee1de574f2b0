"""Atoms between the samples of a run: looked at closely where that matters, and only there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.simulation.requirement.curves import at_share
from dyverse.simulation.requirement.pieces import done
from dyverse.simulation.requirement.strips import HALVINGS, Strip, monotone


class Looked:
    """A margin over time, and how often it was looked at."""

    def __init__(self, margin: object) -> None:
        self._margin, self.count = margin, 0

    def __call__(self, time: float) -> Array:
        self.count += 1
        return np.array([self._margin(time)])  # type: ignore[operator]


def strip(looked: Looked, count: int, *, size: float = 1.0, end: float = 3.0) -> Strip:
    times = np.linspace(0, end, count)
    return Strip(times, np.array([looked(time) for time in times]), looked, np.array([size]))


def pieces(found: Strip) -> tuple[Array, Array, Array]:
    """Starts, ends and values of all that only rises or only falls."""
    stretch = np.zeros(len(found.times) - 1, dtype=np.intp)
    sizes = np.zeros(len(stretch))
    return monotone(found.cubics[:, :, 0], found.times[:-1], found.times[1:], stretch, sizes)[1:]


def lowest(found: Strip) -> float:
    _, _, value = pieces(found)
    return float(value[:, [0, 3]].min())


def settled(found: Strip) -> float:
    while done(found.look_closer(lowest(found))):
        pass
    return lowest(found)


def test_a_minimum_between_samples_is_exact() -> None:
    looked = Looked(lambda t: math.cos(2 * t))
    assert settled(strip(looked, 12)) == pytest.approx(-1, abs=1e-10)


def test_what_is_far_from_the_level_is_not_looked_at() -> None:
    looked = Looked(lambda t: math.cos(2 * t) + t)
    found = strip(looked, 300)
    before = looked.count
    settled(found)
    assert looked.count - before < 30


def test_a_short_strip_is_looked_at_as_a_whole() -> None:
    """Two samples say nothing of what is in between."""
    looked = Looked(lambda t: (t - 1) ** 2 * (3 - t) * t - 0.1 * t)
    found = strip(looked, 2)
    assert lowest(found) == pytest.approx(-0.3)
    times = np.linspace(0, 3, 100_001)
    least = min(float(looked(time)[0]) for time in times)
    assert settled(found) == pytest.approx(least, abs=1e-8)


def test_a_jump_is_found_by_halving() -> None:
    """It jumps at √2."""
    looked = Looked(lambda t: 1.0 if t < math.sqrt(2) else -1.0)
    found = strip(looked, 12)
    while done(found.look_closer(0.0)):
        pass
    low, high, value = pieces(found)
    crossing = np.flatnonzero(value[:, 0] * value[:, 3] < 0)
    assert len(crossing) == 1
    assert low[crossing[0]] == pytest.approx(math.sqrt(2), abs=1e-12)
    assert high[crossing[0]] == pytest.approx(math.sqrt(2), abs=1e-12)


def test_noise_is_not_followed_for_ever() -> None:
    draw = np.random.default_rng(0)
    looked = Looked(lambda t: float(draw.normal(0, 1e-6)))
    found = strip(looked, 12)
    while done(found.look_closer(0.0)):
        pass
    assert looked.count < 12 + 6 * HALVINGS


def test_rounding_is_no_reason_to_look_closer() -> None:
    """The margin is the difference of numbers of size 1e6, each rounded."""
    looked = Looked(lambda t: (1e6 + math.sin(t)) - 1e6)
    found = strip(looked, 40, size=1e6)
    before = looked.count
    settled(found)
    assert looked.count - before < 40


TURN = (math.pi - math.asin(0.15)) / 2  # where 2 sin 2t = 0.3
LEAST = math.cos(2 * TURN) + 0.3 * TURN


def test_samples_in_a_row_that_a_cubic_is_close_to_are_one_at_first() -> None:
    looked = Looked(lambda t: math.cos(2 * t) + 0.3 * t)
    found = strip(looked, 3001)
    assert len(found.times) < 100
    assert np.isin(found.times, np.linspace(0, 3, 3001)).all()
    assert settled(found) == pytest.approx(LEAST, abs=1e-10)
    assert len(found.times) < 150  # only what matters was taken apart


def test_a_jump_among_many_samples_stays_where_it_is() -> None:
    found = strip(Looked(lambda t: -1.0 if 1 < t < 1.01 else 1.0), 3001)
    assert settled(found) == -1
    start, end, value = pieces(found)
    below = (value < 0).any(axis=1)
    assert start[below].min() == pytest.approx(1, abs=1e-9)
    assert end[below].max() == pytest.approx(1.01, abs=1e-9)


@pytest.mark.parametrize("count", [700, 3001])
def test_a_cubic_is_not_off_by_more_than_it_says(count: int) -> None:
    looked = Looked(lambda t: math.sin(7 * t) * math.exp(-t))
    found = strip(looked, count)
    for level in (math.inf, 0.2, 0.0):
        done(found.look_closer(level))
        for time in np.linspace(0, 2.999, 200):
            row = int(np.searchsorted(found.times, time, side="right")) - 1
            share = (time - found.times[row]) / (found.times[row + 1] - found.times[row])
            amount = at_share(found.cubics[[row], :, 0], np.array([share]))[0]
            off = abs(amount - math.sin(7 * time) * math.exp(-time))
            assert off <= found.error[row, 0] + 1e-10
