"""What the page is told of a model that does not change along a run."""

from __future__ import annotations

from typing import Any

from dyverse.animation.describing.described import model_message
from tests.animation.plays import example, shown


def components(name: str) -> list[dict[str, Any]]:
    show, _ = shown(example(name))
    told: dict[str, Any] = model_message(
        show.play_of, show.session.automaton, show.parts, show.names, show.session.settings
    )
    found: list[dict[str, Any]] = told["components"]
    return found


def test_guards_name_gaps_and_say_apart_what_they_are() -> None:
    _, gait = components("compass-walker")
    edge = gait["edges"][0]
    assert edge["guard"] == "spread.angle > 0.05 and gap[right.foot,ground] > 0.0001"
    name, formula = edge["where"].split(" = ")
    assert name == "gap[right.foot,ground]"
    assert "right.qx" in formula
    assert gait["edges"][1]["where"] == ""


def test_bodies_that_never_touch_are_no_automaton_to_look_at() -> None:
    assert components("four-bar") == []
    (bodies,) = components("rolling-to-rest")
    assert bodies["kind"] == "bodies"
