"""Proofs about joints: pendulums beside closed forms, loops, limits, and what is not plain."""

import math

import pytest

from dyverse.certificate.file import Unproved
from dyverse.certificate.system import System
from dyverse.proving.asking import ask
from dyverse.proving.prove import Limits, prove
from dyverse.proving.reduction import reduced

DOWN = "gravity (0, -10, 0)\nbody hook { point  fixed }\n"
ROD = "joint rod { revolute hook bob  at (0, 0, 0)  axis (0, 0, 1) }\n"
BOB = DOWN + ROD + "body bob { sphere radius 0.1  mass 1  position (sin(a), -cos(a), 0) }\n"
SWING = "parameter a = 1\ncontact all off\n" + BOB
HIT = f"""\
parameter a = 1
{BOB}
body wall {{ plane normal (1, 0, 0)  position (-0.1, 0, 0) }}
contact hook bob off
contact bob wall {{ restitution 0.5 }}
"""
LIMITED = "parameter a = 1\ncontact all off\n" + BOB.replace(
    "axis (0, 0, 1)", "axis (0, 0, 1)  angle a  limits [0, 2]  restitution 0.5"
)
LOOP = """\
parameter a = 0.1
gravity (0, -10, 0)
body ground { point  fixed }
body crank { box size (0.04, 0.3, 0.04)  mass 1  position (0, 0.15, 0) }
body coupler { box size (1, 0.04, 0.04)  mass 1  position (0.5, 0.3, 0) }
body rocker { box size (0.04, 0.3, 0.04)  mass 1  position (1, 0.15, 0) }
joint one { revolute ground crank  at (0, 0, 0)  axis (0, 0, 1) }
joint two { revolute crank coupler  at (0, 0.3, 0)  axis (0, 0, 1) }
joint three { revolute coupler rocker  at (1, 0.3, 0)  axis (0, 0, 1) }
joint four { revolute ground rocker  at (1, 0, 0)  axis (0, 0, 1) }
contact all off
torque one a
"""


def verdict(text: str, claim: str, low: float, high: float) -> str:
    """What is proved of all ``a`` between two numbers, as one box."""
    whole = f"{text}property claim: {claim}\n"
    question = reduced(ask(whole, "claim", ranges={"a": (low, high)}, settings={}))
    return prove(question, limits=Limits(finest=0)).verdict


def fastest(angle: float) -> float:
    """The rate of a pendulum at its lowest point, by its energy: (1 + 2/5 · 0.1²) ω²/2."""
    return math.sqrt(2 * 10 * (1 - math.cos(angle)) / 1.004)


def test_a_pendulum_is_as_fast_as_its_energy_allows() -> None:
    """One millionth more than that is not reached, and a thousandth less is by all."""
    least, most = fastest(0.9), fastest(0.902)
    assert verdict(SWING, f"always rod.rate > {-most - 1e-6:.7f} until 0.6", 0.9, 0.902) == "safe"
    assert verdict(SWING, f"always rod.rate > {-most + 1e-6:.7f} until 0.6", 0.9, 0.902) == "open"
    assert (
        verdict(SWING, f"always rod.rate > {-least + 3e-2:.7f} until 0.6", 0.9, 0.902) == "unsafe"
    )


@pytest.mark.parametrize("text", [HIT, LIMITED])
def test_a_pendulum_bounces_back_with_what_restitution_leaves(text: str) -> None:
    """At the lowest point, after which it rises to the angle of a quarter of its energy."""
    highest = math.acos(1 - (1 - math.cos(0.91)) / 4)
    late = "always t < 0.6 or bob.x <"
    assert verdict(text, f"{late} {math.sin(highest) + 1e-4:.5f} until 1.2", 0.909, 0.91) == "safe"
    assert (
        verdict(text, f"{late} {math.sin(highest) - 1e-2:.5f} until 1.2", 0.909, 0.91) == "unsafe"
    )


def test_a_loop_of_bars_is_proved_although_its_joints_hold_more_than_they_must() -> None:
    """Three joints keep the bars in their plane, and so does the fourth."""
    assert verdict(LOOP, "always coupler.x > 0.46 until 0.3", 0.05, 0.15) == "safe"
    assert verdict(LOOP, "always coupler.x > 0.499 until 0.3", 0.05, 0.15) == "unsafe"


REFUSED = {
    "speeds at the start": SWING.replace("position (", "velocity (0.001, 0, 0)  position ("),
    "rod does not plainly fit": DOWN
    + "parameter a = 1\nbody bob { point  mass a  position (0, -1.0000001, 0) }\n"
    + "joint rod { distance bob (0, 0, 0)  length 1 }\n",
    "holds what other joints": SWING + ROD.replace("rod", "again"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_not_plain_of_a_joint_is_refused(why: str) -> None:
    """The engines put right what is out by a millionth, or share a load among like joints."""
    text = f"{REFUSED[why]}property claim: always bob.y < 2 until 0.1\n"
    if why.startswith("speeds"):
        text = text.replace("0.001", "0.0000001")
    with pytest.raises(Unproved, match=why):
        _ = System(reduced(ask(text, "claim", ranges={"a": (0.9, 1)}, settings={}))).frame


def test_an_open_box_says_what_shorter_steps_left() -> None:
    """The first steps of a pendulum are too long; in the end it is the border that is hard."""
    text = f"{SWING}property claim: always rod.rate > {-fastest(0.901):.7f} until 0.6\n"
    question = reduced(ask(text, "claim", ranges={"a": (0.9, 0.902)}, settings={}))
    (box,) = prove(question, limits=Limits(finest=0)).boxes
    assert box.why.startswith("border: ")
