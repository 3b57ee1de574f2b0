"""Hands on a run that is shown: it branches, the old run stays as a ghost, and one can go back."""

from __future__ import annotations

import math

import pytest

from dyverse.animation.playable import Playable
from dyverse.animation.recording.record import Cut, Piece
from dyverse.animation.show import Show
from dyverse.automaton.network.writing import component, edge, network
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.session.session import open_session
from dyverse.simulation.choice import Latest
from dyverse.simulation.simulate import Options
from tests.animation.plays import NATIVE, Watch, ball, played, shown
from tests.session.test_hands import TWO, bell


def heights(show: Show, *, ghost: bool = False) -> tuple[float, float]:
    """The lowest and the highest place of the ball, and when it was seen last."""
    (curve,), _ = show.curves(("ball.y",), 0.0, 10.0, 500, ghost=ghost)
    return float(curve.high.max()), float(curve.times[-1])


def test_a_parameter_that_is_changed_while_looking_back_branches_there() -> None:
    show, watch = shown()
    show.curves(("ball.y",), 0, 1, 10)
    played(show, watch, 2.0)
    show.seek(0.3)
    show.news.clear()
    show.set({"e": 0.3})
    assert show.fork == (0.3, "e", 0.8, 0.3)
    assert not show.is_past
    assert show.record.end == 0.3
    assert show.news[0] == Cut(0.3, ghost=True)
    played(show, watch, 1.7)
    session = open_session(ball().model)
    session.advance(0.3)
    run = session.fork({"e": 0.3}).advance(show.time)
    assert [e.time for e in show.record.events] == pytest.approx([e.time for e in run.events])
    assert heights(show, ghost=True)[1] == pytest.approx(2.0, abs=0.03)
    show.seek(0.2)
    assert show.session.settings == {}
    show.seek(0.5)
    assert show.session.settings == {"e": 0.3}


def test_the_first_run_is_one_step_away_however_many_branches_there_are() -> None:
    show, watch = shown()
    played(show, watch, 1.0)
    first = show.record
    show.seek(0.3)
    show.set({"e": 0.3})
    played(show, watch, 0.5)
    show.set({"wind": 2.0})
    played(show, watch, 0.2)
    show.news.clear()
    show.back_to_first()
    assert show.record is first
    assert show.time == pytest.approx(1.0)
    assert show.session.settings == {}
    cut, whole = show.news
    assert cut == Cut(-1.0)
    assert isinstance(whole, Piece)
    assert list(whole.events) == first.events
    show.news.clear()
    show.back_to_first()
    assert show.news == []


def test_at_the_start_everything_is_a_setting() -> None:
    show, watch = shown()
    played(show, watch, 1.0)
    show.seek(0.0)
    show.set({"ball.y": 2.1, "ball.vy": 0.0, "e": 0.5})
    assert show.news[-1] == Cut(-1.0, ghost=True) or Cut(-1.0, ghost=True) in show.news
    show.step_events(1)
    assert show.time == pytest.approx(math.sqrt(2 * 2.0 / 9.81), rel=1e-6)
    show.seek(0.0)
    assert show.values(("ball.y",))[0] == 2.1


def test_a_body_is_put_elsewhere_and_bounces_on() -> None:
    show, watch = shown()
    played(show, watch, 0.2)
    show.pause()
    show.set({"ball.x": 1.0, "ball.y": 0.6})
    then = show.time
    assert show.poses()[0, :2].tolist() == [1.0, 0.6]
    played(show, watch, 1.0)
    show.seek(then)
    assert show.poses()[0, :2].tolist() == [1.0, 0.6]
    show.seek(0.19)
    assert show.poses()[0, 0] == 0.0


def test_what_cannot_be_changes_nothing() -> None:
    show, watch = shown()
    played(show, watch, 1.0)
    show.seek(0.5)
    record, before = show.record, show.session.snapshot()
    show.news.clear()
    for values in ({"ball.y": 0.01}, {"nonsense": 1.0}, {"e": -3.0}):
        with pytest.raises(ModelError):
            show.set(values)
    assert show.record is record
    assert show.session.snapshot() is before
    assert show.news == []
    assert show.fork is None


def test_a_signal_is_heard_and_comes_back_when_one_looks_back() -> None:
    play = Playable(name="bell", model=bell())
    show, watch = shown(play)
    played(show, watch, 0.5)
    assert show.signal("ring")
    assert not show.signal("silence")
    played(show, watch, 1.0)
    kinds = [(event.kind, round(event.time, 6)) for event in show.record.events]
    assert kinds == [("ring", 0.5), ("down", 1.0)]
    assert show.ghost is None
    show.seek(0.7)
    assert show.values(("two.m",))[0] == 1.0
    show.seek(0.4)
    assert show.values(("two.m",))[0] == 0.0
    played(show, watch, 0.4)
    assert show.values(("two.m",))[0] == 1.0
    show.seek(0.4)
    show.signal("ring")
    assert show.ghost is not None
    assert [event.kind for event in show.record.events] == ["ring"]


def test_an_edge_that_waits_is_taken_by_a_click() -> None:
    play = Playable(name="two", model=parse_model(TWO))
    show, watch = shown(play, Options(solver="native", choice=Latest()))
    played(show, watch, 1.5)
    show.take(show.session.enabled()[1])
    assert [event.kind for event in show.record.events] == ["other"]
    assert show.record.changes[-1].lane == "b"


def test_where_there_is_a_choice_the_run_stands_still_until_it_is_made() -> None:
    play = Playable(name="two", model=parse_model(TWO))
    watch = Watch()
    show = Show(play, NATIVE, asks=True, clock=watch)
    played(show, watch, 1.5)
    assert show.time == pytest.approx(1.0)
    assert not show.playing
    assert show.session.question is not None
    show.wait()
    played(show, watch, 2.0)
    assert show.time == pytest.approx(2.0)
    show.take(show.session.enabled()[0])
    show.take(show.session.enabled()[0])
    assert [event.kind for event in show.record.events] == ["left", "other"]
    show.seek(1.5)
    assert show.session.question is None
    show.seek(2.0)
    played(show, watch, 1.0)
    assert show.time > 2.5


def test_a_model_made_in_python_can_be_shown() -> None:
    made = network(component("a", "p q", edge("p", "q", action="go")))
    assert open_session(made).advance(1.0).events[0].kind == "go"
