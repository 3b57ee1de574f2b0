"""What the page is told of a model that does not change along a run."""

from __future__ import annotations

from typing import Any

from dyverse.animation.describing.described import model_message
from dyverse.animation.describing.names import units_of
from dyverse.animation.playable import Playable
from dyverse.generation.model import parse_model
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


def units(text: str) -> dict[str, str]:
    show, _ = shown(Playable(name="model.drbt", model=parse_model(text), text=text))
    unit_of = units_of(show.parts, show.play_of.variable_units())
    return {name: unit_of(name) for name in show.names}


def test_variables_of_automata_have_no_units_of_bodies() -> None:
    lone = units("automaton a { real x = 1, energy  clock c  location on  initial on }")
    assert lone["x"] == lone["energy"] == ""
    assert (lone["c"], lone["t"]) == ("s", "s")
    ball = units("body ball { sphere radius 1  mass 1 }")
    assert (ball["ball.x"], ball["energy"], ball["t"]) == ("m", "J", "s")


def test_what_was_written_with_a_unit_is_told_in_si() -> None:
    parameters = "parameter r = 2.5 mm  # of the pole\nparameter a = 3 deg\nparameter e = 0.5\n"
    text = f"{parameters}parameter v = 9 km/h\nbody ball {{ sphere radius r  mass 1 }}"
    show, _ = shown(Playable(name="model.drbt", model=parse_model(text), text=text))
    told: dict[str, Any] = model_message(
        show.play_of, show.session.automaton, show.parts, show.names, show.session.settings
    )
    found = {item["name"]: item["unit"] for item in told["parameters"]}
    assert found == {"r": "m", "a": "rad", "e": "", "v": "m/s"}
