"""A run with a cursor: played, looked back at, and never another run for that."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.animation.asked import Refused
from dyverse.animation.playable import Playable
from dyverse.animation.recording.record import Cut, Piece
from dyverse.animation.show import Show
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from tests.animation.plays import BALL, NATIVE, Watch, ball, example, played, shown


def height(show: Show) -> float:
    return float(show.values(("ball.y",))[0])


def test_playing_follows_the_clock() -> None:
    show, watch = shown()
    played(show, watch, 0.3)
    assert show.time == pytest.approx(0.3)
    assert height(show) == pytest.approx(1 - 9.81 * 0.3**2 / 2)
    show.pause()
    watch.now += 5
    assert not show.beat()
    show.set_speed(0.1)
    played(show, watch, 1.0)
    assert show.time == pytest.approx(0.4)


@settings(max_examples=15, deadline=None)
@given(times=st.lists(st.floats(0, 2.5), min_size=1, max_size=8))
def test_looking_back_shows_what_was(times: list[float]) -> None:
    show, watch = shown()
    played(show, watch, 2.5)
    events = list(show.record.events)
    run = simulate(ball().model.automaton(), until=2.5, options=NATIVE)
    for time in times:
        show.seek(time)
        assert show.time == pytest.approx(min(time, show.record.end))
        assert height(show) == pytest.approx(run.at(show.time).values[1], abs=1e-7)
    assert show.record.events == events


def test_bodies_lie_the_same_when_one_comes_back() -> None:
    show, watch = shown()
    played(show, watch, 0.4)
    angle = 2 * 0.4 / 2
    assert show.lying[0] == pytest.approx([math.cos(angle), 0, 0, math.sin(angle)])
    lay = show.lying.copy()
    played(show, watch, 1.0)
    show.seek(0.4)
    np.testing.assert_allclose(show.lying, lay, atol=1e-9)


def test_playing_in_the_past_comes_to_the_tip_and_goes_on() -> None:
    show, watch = shown()
    played(show, watch, 1.0)
    show.seek(0.5)
    assert show.is_past
    count = len(show.record.events)
    played(show, watch, 0.4)
    assert show.is_past
    assert len(show.record.events) == count
    played(show, watch, 0.6)
    assert not show.is_past
    assert show.time == pytest.approx(1.5)
    run = simulate(ball().model.automaton(), until=1.5, options=NATIVE)
    assert [event.time for event in show.record.events] == pytest.approx(
        [event.time for event in run.events], abs=1e-8
    )


def test_event_by_event_and_back() -> None:
    show, _ = shown()
    fall = math.sqrt(2 * 0.9 / 9.81)
    bounces = [fall, fall * 2.6, fall * (1 + 1.6 + 1.28)]
    for bounce in bounces:
        show.step_events(1)
        assert show.time == pytest.approx(bounce, rel=1e-6)
    show.step_events(-2)
    assert show.time == pytest.approx(bounces[0], rel=1e-6)
    show.step_events(1)
    assert show.time == pytest.approx(bounces[1], rel=1e-6)
    show.step_events(-5)
    assert show.time == 0.0


def test_tick_by_tick_and_back() -> None:
    show, _ = shown(options=Options(solver="native", tick=0.01))
    show.step(5)
    assert show.time == pytest.approx(0.05)
    show.step(-2)
    assert show.time == pytest.approx(0.03)
    show.step(1)
    assert show.time == pytest.approx(0.04)


def test_sampled_time_is_shown_at_whole_ticks() -> None:
    show, watch = shown(options=Options(solver="native", tick=0.07))
    played(show, watch, 1.0)
    assert show.time == pytest.approx(0.98)


def test_a_loop_goes_round() -> None:
    show, watch = shown()
    played(show, watch, 1.0)
    show.loop = (0.2, 0.5)
    show.seek(0.3)
    seen = []
    for _ in range(60):
        played(show, watch, 1 / 60)
        seen.append(show.time)
    assert min(seen) >= 0.2 - 1e-9
    assert max(seen) < 0.5
    assert sum(later < earlier for earlier, later in pairwise(seen)) >= 3


def test_the_horizon_pauses_once() -> None:
    show, watch = shown(example("thermostat"))
    show.set_speed(50)
    played(show, watch, 3.0)
    assert show.time == pytest.approx(show.horizon)
    assert not show.playing
    played(show, watch, 0.5)
    assert show.time > 30


def test_lanes_tell_modes_and_places() -> None:
    show, watch = shown()
    show.set_speed(4)
    played(show, watch, 3.0)
    lanes = [(change.lane, change.value) for change in show.record.changes]
    assert lanes[-1] == ("ball-floor", "stick")
    (shade,) = show.record.shades
    assert shade.lane == "ball-floor"
    assert shade.end == pytest.approx(math.sqrt(2 * 0.9 / 9.81) * 9, rel=1e-6)
    show, watch = shown(example("thermostat"))
    show.set_speed(10)
    played(show, watch, 1.0)
    name = show.parts.components[0].name
    first, second, *_ = [change for change in show.record.changes if change.lane == name]
    assert first.time == 0.0
    assert second.value != first.value


def test_a_place_may_be_called_like_the_mode_of_a_contact() -> None:
    show, _ = shown(example("two-tanks"))
    first = {change.lane: change.value for change in show.record.changes}
    assert first == {"left": "open", "right": "open", "hose": "at_left"}


def test_curves_of_signals_asked_for_late_reach_back_to_the_start() -> None:
    show, watch = shown()
    played(show, watch, 1.5)
    (curve,), complete = show.curves(("energy",), 0.0, 2.0, 1000)
    assert complete
    assert curve.times[0] == 0.0
    assert curve.times[-1] == pytest.approx(1.5)
    assert curve.high[0] == pytest.approx(9.81 + 0.5 * 0.4 * 0.01 * 4)
    played(show, watch, 0.5)
    assert show.record.tracks["energy"].end == pytest.approx(2.0)


def test_all_signals_of_an_answer_have_the_same_times() -> None:
    show, watch = shown()
    show.curves(("ball.y",), 0, 1, 100)
    played(show, watch, 1.0)
    show.record.tracks["ball.y"]._merge()
    found, _ = show.curves(("ball.y", "gap[ball,floor]"), 0.0, 1.0, 100)
    one, other = found
    assert one.times.tolist() == other.times.tolist()
    assert one.low.min() == pytest.approx(other.low.min() + 0.1)  # without a gap


def test_keyframes_are_thinned_and_the_past_stays_within_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dyverse.animation.recording.record.KEYFRAMES", 4)
    show, watch = shown()
    played(show, watch, 3.0)
    assert len(show.record.keyframes) <= 8
    assert show.record.keyframes[0].time == 0.0
    show.seek(0.25)
    assert height(show) == pytest.approx(1 - 9.81 * 0.25**2 / 2)


def test_restart_forgets_and_begins_again() -> None:
    show, watch = shown()
    played(show, watch, 1.0)
    show.news.clear()
    show.restart()
    assert show.time == 0.0
    assert show.playing
    assert show.record.events == []
    assert show.news[0] == Cut(-1.0)


def test_news_is_what_happened_once() -> None:
    show, watch = shown()
    played(show, watch, 1.0)
    told = [event for item in show.news if isinstance(item, Piece) for event in item.events]
    assert told == show.record.events
    show.news.clear()
    show.seek(0.2)
    played(show, watch, 0.5)
    assert show.news == []


class Slow(Watch):
    """A clock that goes on by 20 ms whenever someone looks."""

    def __call__(self) -> float:
        self.now += 0.02
        return self.now


@pytest.mark.parametrize("solver", ["native", "reference"])
def test_a_model_that_is_slow_to_compute_falls_behind_and_loses_nothing(solver: str) -> None:
    options = Options(solver=solver)
    show = Show(ball(), options, clock=Slow())
    show.set_speed(100)
    show.play()
    while show.time < 3.0:
        show.beat()
    assert show.pace.overruns > 0
    run = simulate(ball().model.automaton(), until=show.time, options=options)
    assert [event.kind for event in show.record.events] == [event.kind for event in run.events]
    assert height(show) == pytest.approx(run.end.values[1], abs=1e-7)


def test_where_nothing_happens_any_more_one_stays() -> None:
    text = "body ball { sphere radius 1  mass 1  velocity (1, 0, 0) }"
    show, _ = shown(Playable(name="ball", model=parse_model(text), text=text))
    show.step(3)
    at = show.time
    with pytest.raises(Refused, match="nothing happens"):
        show.step_events(5)
    assert show.time == at
    assert show.record.end == at


def test_a_long_step_can_be_looked_back_into() -> None:
    """However far a run went at once, there is a keyframe near every time of it."""
    show, _ = shown()
    show.step(600)
    times = [frame.time for frame in show.record.keyframes]
    assert max(b - a for a, b in pairwise(times)) < 0.51
    whole = simulate(show.session.automaton, until=show.time, options=NATIVE)
    assert show.session.state.values == pytest.approx(whole.end.values, abs=1e-9)


def test_each_piece_of_a_run_is_observed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For curves, for properties and for the frame at its end."""
    text = BALL + "property near: always gap[ball,floor] < 5\n"
    show, watch = shown(Playable(name="ball", model=parse_model(text), text=text))
    names = ("energy", "gap[ball,floor]")
    show.curves(names, 0, 1, 100)
    asked, survey = 0, RigidBodyAutomaton.survey

    def counted(self: RigidBodyAutomaton, *given: Any) -> Iterator[dict[str, float]]:
        nonlocal asked
        asked += 1
        return survey(self, *given)

    monkeypatch.setattr(RigidBodyAutomaton, "survey", counted)
    played(show, watch, 1 / 60)
    found = show.values(names)
    assert asked == 1
    assert found == pytest.approx([*show.session.observe(*names).values()], rel=1e-12)
    assert show.record.tracks["energy"].end == show.time
