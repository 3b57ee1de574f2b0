"""Properties that are broken while a run is played are events."""

from __future__ import annotations

import math

import pytest

from dyverse.animation.playable import Playable
from dyverse.animation.recording.judging import Judge
from dyverse.animation.show import Show
from dyverse.generation.model import parse_model
from dyverse.simulation.requirement.properties import Broken, outcome
from dyverse.simulation.simulate import simulate
from tests.animation.plays import BALL, NATIVE, Watch, example, judged, played, shown

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
    judged(show)
    assert "rises" not in show.record.violated
    played(show, watch, 1.0)
    judged(show)
    assert show.record.violated["rises"] == pytest.approx(1.5)
    show.news.clear()
    judged(show)
    assert show.news == []


class Ticking(Watch):
    """A clock that goes on by a millisecond whenever someone looks."""

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def test_judging_a_whole_run_lets_pages_be_heard_in_between() -> None:
    show = Show(Playable(name="ball", model=parse_model(SLOW)), NATIVE, clock=Ticking())
    show.play()
    while show.playing:  # to the end of what properties ask for
        show.beat()
    beats = 0
    show.beat()
    while show.is_judging:
        show.seek(0.1 if beats % 2 else show.record.end)
        before = show._clock()
        show.beat()
        assert show._clock() - before < 0.1
        beats += 1
    assert beats > 1  # an arc is read at once
    assert show.record.violated["rises"] == pytest.approx(1.5)


def test_what_is_judged_late_is_an_event_of_its_time() -> None:
    text = BALL + "property few: always count(impact[ball,floor]) < 2\n"
    show, watch = shown(Playable(name="ball", model=parse_model(text)))
    played(show, watch, 2.0)
    judged(show)
    times = [event.time for event in show.record.events]
    assert times == sorted(times)
    assert show.record.violated["few"] < times[-1]
    show.seek(show.record.violated["few"] - 0.1)
    show.step_events(1)
    assert show.time == pytest.approx(show.record.violated["few"])


def test_what_was_begun_is_left_where_the_run_goes_on() -> None:
    show = Show(Playable(name="ball", model=parse_model(SLOW)), NATIVE, clock=Ticking())
    show.play()
    while show.playing:  # to the end of what properties ask for
        show.beat()
    show.beat()
    assert show.is_judging
    show.play()
    assert not show.is_judging
    judged(show)
    assert "rises" in show.record.violated


def test_the_first_run_is_judged_with_its_own_numbers() -> None:
    text = BALL + "property high: eventually ball.y > 1 + e until 0.5\n"
    show, watch = shown(Playable(name="ball", model=parse_model(text), settings={"e": 0.5}))
    played(show, watch, 0.6)
    show.seek(0.0)
    show.set({"e": 0.0})
    judged(show)
    assert "high" not in show.record.violated
    show.back_to_first()
    judged(show)
    assert show.record.violated["high"] == pytest.approx(0.5)


def test_numbers_in_properties_are_those_that_are_set() -> None:
    text = BALL + "property high: always ball.y > 1 - e\n"
    show, watch = shown(Playable(name="ball", model=parse_model(text), settings={"e": 0.5}))
    played(show, watch, 0.5)
    assert show.record.violated["high"] == pytest.approx(math.sqrt(2 * 0.5 / 9.81))


def test_what_fails_between_samples_is_found_while_it_plays() -> None:
    """The tenth impact is 1.3 mm before the mark, which is broken 0.3 ms later, for 0.4 ms."""
    show, watch = shown(example("ten-impacts"))
    show.set({"e": 0.890025})
    show.set_speed(1.9)
    played(show, watch, 3.0, rate=4)
    run = simulate(show.session.automaton, until=6, options=NATIVE)
    (claim,) = show.play_of.model.properties
    exact = outcome(run, claim, {"e": 0.890025, "X": 5.2})
    assert isinstance(exact, Broken)
    assert show.playing
    assert show.record.violated["beside"] == pytest.approx(exact.time, abs=1e-6)


def test_what_was_broken_before_a_change_by_hand_stays_there() -> None:
    text = BALL + "property low2: always ball.y > 0.2 or ball.vy < 0 or ball.y < 0.1001\n"
    show, watch = shown(Playable(name="ball", model=parse_model(text)))
    played(show, watch, 0.3)
    show.set({"wind": 0.1})
    played(show, watch, 0.3)
    judged(show)
    assert show.record.violated["low2"] == pytest.approx(math.sqrt(2 * 0.9 / 9.81), abs=1e-4)


def test_events_in_what_must_always_hold_are_counted_over_the_whole_run() -> None:
    """The second impact is 2·0.8 falls behind the first."""
    second = math.sqrt(2 * 0.9 / 9.81) * 2.6
    play = Playable(
        name="ball",
        model=parse_model(BALL + "property few: always count(impact[ball,floor]) < 2\n"),
    )
    show, watch = shown(play)
    played(show, watch, 1.5)
    judged(show)
    assert show.record.violated["few"] == pytest.approx(second, abs=1e-6)
    run = simulate(play.model.automaton(), until=1.5, options=NATIVE)
    (event,) = filter(None, Judge(play.model.properties, {"e": 0.8}).judged(run, {}))
    assert event.time == pytest.approx(second)
