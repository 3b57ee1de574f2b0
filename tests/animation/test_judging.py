"""Properties that are broken while a run is played are events."""

from __future__ import annotations

import math

import pytest

from dyverse.animation.playable import Playable
from dyverse.generation.model import parse_model
from tests.animation.plays import BALL, played, shown

SLOW = (
    BALL + "property slow: always ball.vy > -3\nproperty rises: eventually ball.y > 2 until 1.5\n"
)


def test_what_must_always_hold_is_told_when_it_fails() -> None:
    show, watch = shown(Playable(name="ball", model=parse_model(SLOW)))
    played(show, watch, 1.0)
    (event,) = [event for event in show.record.events if event.kind == "violation"]
    assert event.time == pytest.approx(3 / 9.81)
    assert event.contacts == ("slow",)
    assert "ball.vy > -3" in event.remark
    assert show.record.violated == {"slow": event.time}
    times = [event.time for event in show.record.events]
    assert times == sorted(times)
    show.seek(0.1)
    show.set({"e": 0.5})
    assert show.record.violated == {}
    played(show, watch, 0.5)
    assert "slow" in show.record.violated


def test_what_whole_runs_tell_is_judged_when_it_pauses() -> None:
    show, watch = shown(Playable(name="ball", model=parse_model(SLOW)))
    played(show, watch, 1.0)
    show.judge()
    assert "rises" not in show.record.violated
    played(show, watch, 1.0)
    show.pause()
    show.judge()
    assert show.record.violated["rises"] == pytest.approx(1.5)
    show.news.clear()
    show.judge()
    assert show.news == []


def test_numbers_in_properties_are_those_that_are_set() -> None:
    text = BALL + "property high: always ball.y > 1 - e\n"
    show, watch = shown(Playable(name="ball", model=parse_model(text), settings={"e": 0.5}))
    played(show, watch, 0.5)
    assert show.record.violated["high"] == pytest.approx(math.sqrt(2 * 0.5 / 9.81))
