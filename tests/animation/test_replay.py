"""Replays: rows of a run, the file that holds them, and runs in notebooks."""

from __future__ import annotations

import base64
import gzip
import html
import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.animation.playable import Playable
from dyverse.animation.replays.replay import (
    SLOT,
    replay_html,
    run_html,
    run_messages,
    show_messages,
)
from dyverse.animation.replays.tape import csv_lines
from dyverse.animation.serving import built
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_names, example_text
from tests.animation.plays import NATIVE, ball, played, shown

Message = Mapping[str, Any]  # as JSON has it


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page for replays."""
    (tmp_path / "replay.html").write_text(f"<!doctype html><body>{SLOT}</body>")
    monkeypatch.setattr(built, "STATIC", tmp_path)
    return tmp_path


def unpacked(text: str) -> list[Message]:
    found = re.search(r'gzip\+base64" id="run">([^<]+)<', text)
    assert found is not None
    messages: list[Message] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return messages


def by_word(messages: Iterable[Message]) -> dict[str, Message]:
    return {message["say"]: message for message in messages}


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)


def test_a_file_has_the_model_the_events_and_the_rows_of_a_run() -> None:
    run = simulate(ball().model.automaton(), until=2.0, options=NATIVE)
    told = by_word(unpacked(run_html(run, ball())))
    assert list(told) == ["model", "events", "lanes", "frames", "status"] or "frames" in told
    assert told["model"]["title"] == "A ball that spins and bounces"
    assert [event["time"] for event in told["events"]["events"]] == [e.time for e in run.events]
    assert told["status"]["live"] == 2.0
    times = numbers(told["frames"]["times"], "<f8")
    bodies = numbers(told["frames"]["bodies"], "<f4").reshape(len(times), 7)
    assert (times[0], times[-1]) == (0.0, 2.0)
    assert (np.diff(times) >= 0).all()
    assert np.diff(times).max() <= 1 / 60 + 1e-9
    free = times < 0.42
    np.testing.assert_allclose(bodies[free, 1], 1 - 9.81 * times[free] ** 2 / 2, atol=1e-6)
    np.testing.assert_allclose(bodies[free, 6], np.sin(times[free]), atol=1e-6)
    signals = told["frames"]["signals"]
    values = numbers(told["frames"]["values"], "<f4").reshape(len(times), len(signals))
    speed = values[:, signals.index("ball.vy")]
    fall = math.sqrt(2 * 0.9 / 9.81)
    before, after = speed[np.flatnonzero(np.abs(times - fall) < 1e-6)][[0, -1]]
    assert after == pytest.approx(-0.8 * before, rel=1e-4)


@pytest.mark.parametrize("name", example_names())
def test_every_example_has_a_replay(name: str) -> None:
    model = parse_model(example_text(name))
    run = simulate(model.automaton(), until=0.5, options=NATIVE)
    told = by_word(unpacked(run_html(run)))
    assert told["model"]["name"] == "run"
    rows = len(numbers(told["frames"]["times"], "<f8"))
    assert rows >= 2
    assert len(numbers(told["frames"]["values"], "<f4")) == rows * len(told["frames"]["signals"])


def test_long_runs_have_rows_further_apart() -> None:
    run = simulate(
        parse_model(example_text("thermostat")).automaton(), until=2000.0, options=NATIVE
    )
    frames = by_word(run_messages(run))["frames"]
    assert len(numbers(frames["times"], "<f8")) < 6000


def test_what_was_done_by_hand_is_in_the_replay_of_a_show() -> None:
    show, watch = shown()
    played(show, watch, 0.3)
    show.set({"e": 0.2})
    played(show, watch, 1.0)
    told = by_word(show_messages(show, {"say": "model"}))
    assert [event["time"] for event in told["events"]["events"]] == [
        event.time for event in show.record.events
    ]
    times = numbers(told["frames"]["times"], "<f8")
    assert times[-1] == show.record.end
    assert (np.diff(times) >= 0).all()


def test_nothing_in_a_model_can_end_the_script() -> None:
    """The data are base64: no name or comment can be HTML."""
    text = replay_html([{"say": "note", "text": "</script><script>alert(1)</script>"}])
    assert text.count("<script") == 1
    assert "alert" not in text
    assert unpacked(text)[0]["text"].startswith("</script>")


def test_a_table_has_both_sides_of_a_jump() -> None:
    run = simulate(ball().model.automaton(), until=0.6, options=Options())
    head, *rows = "".join(csv_lines([run], ["ball.vy", "gap[ball,floor]"])).splitlines()
    assert head == 't,ball.vy,"gap[ball,floor]"'
    numbers = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    jump = int(np.argmax(np.diff(numbers[:, 1])))
    assert numbers[jump, 0] == numbers[jump + 1, 0]
    assert numbers[jump + 1, 1] == pytest.approx(-0.8 * numbers[jump, 1])


def test_a_notebook_shows_a_run_in_a_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = simulate(ball().model.automaton(), until=1.0, options=NATIVE)
    shown_ = run._repr_html_()
    assert shown_ is not None
    assert 'sandbox="allow-scripts' in shown_
    inside = re.search(r'srcdoc="([^"]*)"', shown_)
    assert inside is not None
    assert by_word(unpacked(html.unescape(inside[1])))["status"]["live"] == 1.0
    monkeypatch.setattr(built, "STATIC", tmp_path / "nowhere")
    assert run._repr_html_() is None


def test_a_page_that_was_not_built_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(built.MissingPageError, match="make page"):
        built.built_page()
    (tmp_path / "index.html").touch()
    assert built.built_page() == tmp_path


def test_no_text_of_a_model_is_text_of_the_page() -> None:
    """Names, titles and words go into a replay as data that no browser reads as HTML."""
    evil = "</script><script>alert(1)</script>"
    text = f"""# {evil}
    body ball {{ sphere radius 0.1  mass 1 }}
    scene {{ text {{ at (0, 0, 0)  say "{evil}" }} }}
    """
    play = Playable(name=f"{evil}.drbt", model=parse_model(text, file=evil), text=text)
    run = simulate(play.model.automaton(), until=0.1)
    page = run_html(run, play)
    assert page.count("<script") == 1
    assert "alert" not in page
    (model, *_) = unpacked(page)
    assert model["title"] == model["scene"][0]["text"] == evil  # but nothing is lost
