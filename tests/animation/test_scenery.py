"""The drawings of a scene, and the signals that they are bound to."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np
import pytest

from dyverse.animation.describing.scenery import Scenery
from dyverse.animation.playable import Playable
from dyverse.animation.replays.replay import run_messages
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import simulate
from tests.animation.plays import NATIVE, example, played, shown
from tests.animation.test_stage import staged

LAMP = """
parameter top = 4
automaton lamp(slow = 1) {
  real x = 1
  location on { x' = slow }
  location off { x' = -slow }
  initial on
  edge on -> off { when x >= 2 }
}
scene {
  circle { at (x, 2*x, 0)  radius 0.5  glow lamp.on }
  line { from (0, 0, 0)  to (1, 0, 0)  show lamp.off and x > 1  colour red }
  gauge { at (0, 0, 0)  say "x"  value x in [0, top*slow]  unit "m" }
  text { at (0, 0, 0)  say "root"  value sqrt(x - 3)  digits 2 }
}
horizon 3
"""
NAMES = ("scene.0.at.x", "scene.0.at.y", "scene.0.glow", "scene.1.show", "scene.2.value")


def lamp(**settings: float) -> Playable:
    return Playable(name="lamp", model=parse_model(LAMP), text=LAMP, settings=settings)


def test_what_never_changes_is_a_number_and_all_else_a_signal() -> None:
    _, page, _ = staged(lamp(top=5.0))
    told = page.last("model")
    assert told["plane"] == "xy"
    circle, line, gauge, text = told["scene"]
    assert circle == {
        "kind": "circle",
        "at": ["scene.0.at.x", "scene.0.at.y", 0.0],
        "radius": 0.5,
        "glow": "scene.0.glow",
    }
    assert (line["colour"], line["show"], line["to"]) == ("red", "scene.1.show", [1.0, 0.0, 0.0])
    assert line["width"] > 0
    assert (gauge["label"], gauge["limits"], gauge["unit"]) == ("x", [0.0, 5.0], "m")
    assert (text["text"], text["digits"]) == ("root", 2)


def test_signals_of_the_scene_follow_the_run_and_its_locations() -> None:
    show, watch = shown(lamp())
    assert show.values(NAMES).tolist() == [1.0, 2.0, 1.0, 0.0, 1.0]
    played(show, watch, 1.5)
    x = show.values(["x"])[0]
    assert x == pytest.approx(1.5, abs=0.02)  # up for a second, then down
    assert show.values(NAMES).tolist() == [x, 2 * x, 0.0, 1.0, x]
    assert math.isnan(show.values(["scene.3.value"])[0])  # the root of something negative


def test_a_replay_has_the_signals_of_the_scene() -> None:
    play = lamp()
    run = simulate(play.model.automaton(), until=3.0, options=NATIVE)
    said: list[Any] = list(run_messages(run, play))
    frames = next(message for message in said if message["say"] == "frames")
    names = frames["signals"]
    values = np.frombuffer(base64.b64decode(frames["values"]), "<f4").reshape(-1, len(names))
    columns = dict(zip(names, values.T, strict=True))
    assert np.allclose(columns["scene.0.at.y"], 2 * columns["x"])
    assert set(columns["scene.0.glow"]) == {0.0, 1.0}


def test_a_scene_in_space_is_not_flat() -> None:
    deep = "body ball { sphere radius 1  mass 1 } scene { circle { at (0, 0, t)  radius 1 } }"
    assert not Scenery(parse_model(deep).scene).is_flat
    assert not Scenery(()).is_flat


@pytest.mark.parametrize(
    "name", ["robot", "two-tanks", "thermostat", "gear", "bouncing-ball-floor"]
)
def test_examples_without_bodies_are_drawn(name: str) -> None:
    show, _ = shown(example(name))
    assert len(show.scenery.names) >= 4
    before = show.values(show.scenery.names)
    assert np.isfinite(before).all()
    show.step(180)
    after = show.values(show.scenery.names)
    assert np.isfinite(after).all()
    assert not np.array_equal(before, after)


def test_a_planar_scene_is_flat_whatever_pulls_at_it() -> None:
    text = """planar (0, 1, 0)
gravity (0, -9.81, 0)
body a { box size (1, 1, 1)  mass 1  position (0, 3, 0) }
force a (0, 2, 0)
"""
    _, page, _ = staged(Playable(name="a", model=parse_model(text), text=text))
    told = page.last("model")
    assert told["plane"] == "xz"
    names = [start["name"] for start in told["starts"]]
    assert names == ["a.x", "a.y", "a.z", "a.vx", "a.vz", "a.wy"]
