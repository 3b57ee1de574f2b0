"""Ropes and limits: contacts without shapes, against closed forms."""

from __future__ import annotations

import math

import pytest

from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from tests.mechanics.joint.test_mechanisms import DOWN, FRAME, G, followed

BALL = "body ball { sphere radius 0.05  mass 2  position (0, -1, 0)  velocity (__, 0, 0) }\n"
HOOK = "body hook { point  fixed }\n"


def test_rope_rod_and_joint_agree_while_taut() -> None:
    start = f"{DOWN}{HOOK}{BALL}contact all off\n".replace("__", "3")
    rope, _ = followed(start + "joint line { rope ball hook  restitution 0 }", 1.0)
    rod, _ = followed(start + "joint line { distance ball hook }", 1.0)
    names = ("ball.x", "ball.y", "ball.vx", "ball.vy")
    assert [rope[n] for n in names] == pytest.approx([rod[n] for n in names], abs=1e-8)
    assert rope["normal_force[hook,ball.line]"] == pytest.approx(
        math.hypot(rod["line.fx"], rod["line.fy"]), rel=1e-6
    )


def test_a_rope_goes_slack_at_the_right_angle() -> None:
    """Where v² = -g l cos φ: with v₀² = 3.5 g l it is cos φ = -1/2, then the ball flies."""
    speed = math.sqrt(3.5 * G)
    start = f"{DOWN}{HOOK}{BALL}contact all off\n".replace("__", f"{speed}")
    _, run = followed(start + "joint line { rope ball hook  restitution 0 }", 1.0)
    (release,) = [event for event in run.events if event.kind == "release"]
    state = next(arc.start for arc in run.arcs if arc.start.time >= release.time)
    values = dict(zip(("x", "y"), state.values[:2], strict=True))
    assert values["y"] == pytest.approx(0.5, abs=1e-7)


def test_a_falling_ball_is_caught_by_its_rope() -> None:
    """It falls freely for the length of the rope, then bounces with half of its speed."""
    text = f"""{DOWN}{HOOK}body ball {{ point  mass 1  position (0, -0.5, 0) }}
        joint line {{ rope ball hook  length 1  restitution 0.5 }}
        contact all off"""
    _, run = followed(text, 0.5)
    (hit,) = [event.time for event in run.events if event.kind == "impact"]
    fall = math.sqrt(2 * 0.5 / G)
    assert hit == pytest.approx(fall, abs=1e-9)


LIMITED = f"""{DOWN}{FRAME}body arm {{ point  mass 1  inertia 0.01  position (0, -1, 0)
  velocity (2, 0, 0)  spin (0, 0, 2) }}
joint hinge {{ revolute frame arm  at (0, 0, 0)  axis (0, 0, 1)  limits __  restitution 0.5 }}
"""


def test_a_hinge_bounces_off_its_limit() -> None:
    """At 0.3 rad the rate is that of the energy; half of it is left, and it comes back."""
    _, run = followed(LIMITED.replace("__", "[-3, 0.3]"), 0.3)
    (hit,) = [event for event in run.events if event.kind == "impact"]
    assert hit.contacts == ("frame.hinge_upper-arm",)
    before, after = run.arcs[0].end, run.arcs[1].start
    automaton = generate(parse_model(LIMITED.replace("__", "[-3, 0.3]")).world)
    rates = [automaton.observe(state)["hinge.rate"] for state in (before, after)]
    rate = math.sqrt(4 - 2 * G * (1 - math.cos(0.3)) / 1.01)
    assert rates == pytest.approx([rate, -rate / 2], abs=1e-8)
    assert before.values[7] == pytest.approx(0.3, abs=1e-9)


def test_a_hinge_comes_to_rest_on_its_limit() -> None:
    """It hangs at 0.5 rad and is carried by a torque m g l sin φ."""
    text = LIMITED.replace("__", "[0.5, 2]").replace(
        "position (0, -1, 0)", f"position ({math.sin(0.6)}, {-math.cos(0.6)}, 0)"
    )
    text = text.replace("velocity (2, 0, 0)  spin (0, 0, 2)", "").replace(
        "axis (0, 0, 1)", "axis (0, 0, 1)  angle 0.6"
    )
    end, _ = followed(text, 3.0)
    assert end["hinge.angle"] == pytest.approx(0.5, abs=1e-9)
    assert end["normal_force[frame.hinge_lower,arm]"] == pytest.approx(G * math.sin(0.5), rel=1e-6)


def test_a_slider_bounces_between_its_limits() -> None:
    """Elastic, at 2 m/s between -0.5 and 1: hits after 0.5 s and every 0.75 s then."""
    text = """body rail { point  fixed }
        body block { point  mass 1  position (0, 1, 0)  velocity (2, 0, 0) }
        joint slide { prismatic rail block  axis (1, 0, 0)  limits [-0.5, 1] }
        contact all off"""
    _, run = followed(text, 2.1)
    times = [event.time for event in run.events if event.kind == "impact"]
    assert times == pytest.approx([0.5, 1.25, 2.0], abs=1e-9)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("joint j { rope ball hook  length 0.5 }", "rope 'j' starts beyond its end, by 0.5"),
        ("joint j { rope ball (0, 0, 0)  length 0.5 }", "rope 'j' starts beyond its end, by 0.5"),
        ("joint j { prismatic hook ball  axis (1, 0, 0)  limits [1, 0] }", "upside down"),
        ("joint j { prismatic hook ball  axis (1, 0, 0)  limits [1, 2] }", "'j' starts beyond"),
        (
            "joint j { revolute hook ball  at (0, 0, 0)  axis (0, 0, 1)  limits [-4, 4] }",
            "less than a turn apart",
        ),
        ("joint j { rope ball hook  restitution 2 }", "must lie in"),
    ],
)
def test_what_cannot_be_is_said(line: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parse_model(f"{HOOK}{BALL}contact all off\n{line}".replace("__", "0"))
