"""Closed contacts as they are drawn."""

from __future__ import annotations

import pytest

from dyverse.animation.describing.touching import touching
from dyverse.animation.playable import Playable
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options
from tests.animation.plays import shown

SLIDE = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.5  mass 1  INERTIA position (3, 0.5, 2)
  rotation (0.3, 1, 0.2)  spin (1, 2, 2)  velocity (1, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { friction 0.2 }
"""


@pytest.mark.parametrize("inertia", ["", "inertia (1, 2, 3)"])
def test_a_ball_that_slides_touches_the_floor_below_its_middle(inertia: str) -> None:
    """However it lies; the floor carries its weight, and friction is a fifth of that."""
    text = SLIDE.replace("INERTIA", inertia)
    play = Playable(name="ball", model=parse_model(text), text=text)
    show, _ = shown(play, Options(solver="reference"))
    show.step(10)
    (found,) = touching(show.parts, show.session.state)
    x, _, z, *_ = show.poses()[0]
    assert found.at == pytest.approx((x, 0, z), abs=1e-9)
    assert (found.contact, found.mode, found.friction) == ("ball-floor", "slip", 0.2)
    assert found.normal == pytest.approx((0, -1, 0))
    along_x, up, along_z = found.force
    assert up == pytest.approx(9.81)
    assert (along_x**2 + along_z**2) ** 0.5 == pytest.approx(0.2 * 9.81)
