"""Real time: how far a run should be, and what is told of being late."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.animation.recording.pacing import FASTEST, SLOWEST, Pace


@given(speed=st.floats(SLOWEST, FASTEST), begin=st.floats(0, 100), passed=st.floats(0, 100))
def test_the_time_that_is_due_is_that_of_the_clock_times_the_speed(
    speed: float, begin: float, passed: float
) -> None:
    pace = Pace(speed)
    pace.begin(7.0, begin)
    due = pace.due(7.0 + passed)
    assert due == pytest.approx(begin + speed * passed)
    assert pace.clock_of(due) == pytest.approx(7.0 + passed)


def test_who_keeps_up_has_no_overruns_and_reaches_the_target() -> None:
    pace = Pace(2.0)
    pace.begin(0.0, 0.0)
    late = [pace.reached(beat / 60, beat / 30) for beat in range(1, 121)]
    assert not any(late)
    assert pace.kept().achieved == pytest.approx(2.0)


def test_who_is_late_falls_behind_and_is_told_so() -> None:
    """Half of what is due is computed: no time is skipped, and the loss is counted."""
    pace = Pace(1.0)
    pace.begin(0.0, 0.0)
    model = 0.0
    for beat in range(1, 31):
        model += 0.05
        pace.reached(0.1 * beat, model)
    kept = pace.kept()
    assert kept.achieved == pytest.approx(0.5, rel=0.1)
    assert kept.overruns > 10
    assert pace.due(3.0) <= model + 0.1


def test_speeds_stay_within_what_can_be_played() -> None:
    pace = Pace(1e6)
    assert pace.speed == FASTEST
    pace.begin(0.0, 0.0, 0.0)
    assert pace.speed == SLOWEST


def test_nothing_is_known_before_some_time_has_passed() -> None:
    pace = Pace()
    pace.begin(0.0, 0.0)
    pace.reached(0.01, 0.01)
    assert pace.kept().achieved is None
