"""Curves in bounded room: nothing that sticks out is ever lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.animation.describing.telling import all_so_far
from dyverse.animation.recording.history import Curve, Track, decimated
from dyverse.animation.recording.record import EVENTS, Change, Piece
from dyverse.automaton.interface import Event
from tests.animation.plays import shown


def track(values: np.ndarray, *, most: int = 64, piece: int = 7) -> Track:
    found = Track(most)
    times = np.arange(float(len(values)))
    for first in range(0, len(values), piece):
        found.add(times[first : first + piece], values[first : first + piece])
    return found


@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=700),
    most=st.integers(8, 64),
    pixels=st.integers(2, 50),
)
def test_extremes_survive_however_little_room_there_is(
    values: list[float], most: int, pixels: int
) -> None:
    made = track(np.array(values), most=most)
    assert len(made) <= most
    seen = made.window(0.0, float(len(values)), pixels)
    assert len(seen.times) <= pixels + 2
    assert (seen.low.min(), seen.high.max()) == (min(values), max(values))
    assert (np.diff(seen.times) > 0).all()


def test_few_samples_are_seen_as_they_are() -> None:
    seen = track(np.array([1.0, 3.0, 2.0])).window(0.0, 10.0, 100)
    assert (seen.times.tolist(), seen.low.tolist(), seen.high.tolist()) == (
        [0, 1, 2],
        [1, 3, 2],
        [1, 3, 2],
    )


def test_a_window_has_a_bucket_on_either_side() -> None:
    seen = track(np.arange(50.0)).window(10.5, 12.5, 100)
    assert seen.times.tolist() == [10, 11, 12, 13]


def test_both_sides_of_a_jump_are_kept() -> None:
    made = Track()
    made.add(np.array([0.0, 1.0]), np.array([0.0, -5.0]))
    made.add(np.array([1.0, 2.0]), np.array([4.0, 0.0]))
    assert made.window(0, 2, 100).low.tolist() == [0, -5, 4, 0]
    narrow = decimated(made.window(0, 2, 100), 0.0, 2.0, 2)
    assert (narrow.low.min(), narrow.high.max()) == (-5, 4)


def test_where_a_signal_is_not_defined_its_neighbours_are() -> None:
    values = np.array([1.0, np.nan, 3.0, np.nan, np.nan, np.nan, np.nan, 8.0, 9.0])
    seen = track(values, most=8).window(0.0, 9.0, 100)
    assert seen.low.tolist()[:2] == [1.0, 3.0]
    assert np.isnan(seen.low[2])
    assert seen.high.tolist()[3:] == [8.0, 9.0]


def test_a_copy_goes_on_alone_and_what_is_cut_is_gone() -> None:
    first = track(np.arange(10.0))
    second = first.copy()
    second.cut(4.0)
    second.add(np.array([4.5]), np.array([-1.0]))
    assert (first.end, second.end, len(second)) == (9.0, 4.5, 6)


def test_nothing_was_seen_yet() -> None:
    empty = Track().window(0, 1, 10)
    assert isinstance(empty, Curve)
    assert len(empty.times) == 0
    assert Track().end == pytest.approx(-np.inf)


def test_a_long_run_forgets_its_oldest_events() -> None:
    show, _ = shown()
    record = show.record
    event = Event(time=0.0, kind="impact", source="a", target="b")
    many = tuple(replace(event, time=float(n)) for n in range(2 * EVENTS + 1))
    slips = tuple(Change(float(n), "ball-floor", "slip") for n in range(1, 2 * EVENTS + 1))
    record.add(Piece(many, (Change(0.0, "lamp", "on"), *slips)))
    assert len(record.events) == EVENTS
    assert record.events[-1].time == 2 * EVENTS
    assert record.since == record.events[0].time == EVENTS + 1
    assert len(record.changes) == EVENTS + 2
    assert Change(0.0, "lamp", "on") in record.changes  # it still holds
    (told,) = (said for said in all_so_far(show) if said["say"] == "events")
    assert told["since"] == record.since
