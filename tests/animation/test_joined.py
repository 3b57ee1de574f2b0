"""Joints as the page is told of them, and their signals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dyverse.animation.describing.described import model_message
from dyverse.animation.playable import Playable
from dyverse.automaton.interface import Array
from dyverse.expr.rotation import matrix
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options
from tests.animation.plays import played, shown

STOP = """
gravity (0, -9.81, 0)
body frame { point  fixed  position (1, 2, 0) }
body bob { point  mass 1  inertia 0.01  position (1 + sin(0.5), 2 - cos(0.5), 0)
           rotation (0, 0, 0.5) }
body load { sphere radius 0.1  mass 1  position (1, 0, 0) }
joint hinge { revolute frame bob  at (1, 2, 0)  axis (0, 0, 1)  angle 0.5  limits [-1, 1] }
joint thread { rope load frame  length 2.5 }
"""
REFERENCE = Options(solver="reference")


def play(text: str = STOP) -> Playable:
    return Playable(name="stop.drbt", model=parse_model(text), text=text)


def told(**change: float) -> dict[str, Any]:
    show, watch = shown(play(), REFERENCE)
    if change:
        show.set(change)
    played(show, watch, 0.2)
    return {
        **model_message(
            show.play_of, show.session.automaton, show.parts, show.names, show.session.settings
        ),
        "poses": dict(zip(show.moving, show.poses(), strict=True)),
        "at": show.session.observe("hinge.angle", "hinge.rate", "hinge.fy"),
    }


def where(end: dict[str, Any], poses: dict[str, Array]) -> Array:
    """Where a joint holds something, as a page finds out."""
    if end["body"] is None:
        return np.array(end["at"])
    x, y, z, *turn = poses[end["body"]].tolist()
    turned: Array = np.array(matrix(tuple(turn))) @ np.array(end["at"])
    return np.array([x, y, z]) + turned


def test_both_sides_of_a_hinge_are_at_one_place_while_it_swings() -> None:
    found = told()
    hinge, thread = found["joints"]
    assert (hinge["kind"], hinge["limits"], hinge["axis"]) == ("revolute", [-1.0, 1.0], [0, 0, 1])
    first, second = (where(end, found["poses"]) for end in hinge["ends"])
    assert first == pytest.approx([1, 2, 0])
    assert second == pytest.approx(first, abs=1e-9)
    assert (thread["kind"], thread["length"]) == ("rope", 2.5)
    assert thread["ends"][0] == {"body": "load", "at": [0, 0, 0]}


def test_angles_rates_and_reactions_are_signals_with_units() -> None:
    found = told()
    units = {signal["name"]: signal["unit"] for signal in found["signals"]}
    assert units["hinge.angle"] == "rad"
    assert units["hinge.rate"] == "rad/s"
    assert units["hinge.fy"] == "N"
    assert units["hinge.mz"] == "N m"
    assert units["bob.x"] == "m"
    assert found["at"]["hinge.angle"] < 0.5
    assert found["at"]["hinge.fy"] > 0  # it carries the bob
