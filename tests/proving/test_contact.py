"""Proofs about contacts that stay closed: balls on slopes, where the border has a closed form."""

from pathlib import Path

import numpy as np
import pytest

from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import ends

EXAMPLES = Path(__file__).parents[2] / "examples"
ON_SLOPES = pytest.mark.parametrize(
    ("alpha", "mu", "verdict"),
    [((0.1, 0.2), (0.3, 0.4), "safe"), ((0.6, 0.7), (0.05, 0.1), "unsafe")],
)


def proved(example: str, claim: str, finest: int, **ranges: tuple[float, float]) -> Answer:
    text = (EXAMPLES / example / "model.drbt").read_text(encoding="utf-8")
    question = reduced(ask(text, claim, ranges=ranges, settings={}))
    return prove(question, limits=Limits(finest=finest))


def test_a_ball_that_drops_on_a_slope_grips_beyond_a_border() -> None:
    """μ = 2/7 tan α: patterns are those of each box, not of the model's own friction."""
    border = 2 / 7 * np.tan(np.pi / 6)
    answer = proved("drop-on-incline", "grips", 8, mu=(0.1, 0.4))
    for box in answer.boxes:
        low, high = ends(answer.question, box.halves)[0]
        assert {"safe": low >= border, "unsafe": high <= border, "open": True}[box.verdict]
    assert answer.share("open") <= 1 / 2**8


@ON_SLOPES
def test_a_ball_on_a_slope_rolls_or_slips(
    alpha: tuple[float, float], mu: tuple[float, float], verdict: str
) -> None:
    assert proved("inclined-plane", "rolls", 3, alpha=alpha, mu=mu).verdict == verdict


def test_what_sticks_does_not_slip_however_wide_the_box() -> None:
    answer = proved("stick-or-slide", "sticks", 0, mu=(0.4, 0.6))
    assert answer.verdict == "safe"


def test_friction_may_begin_at_zero() -> None:
    """A radius is rounded up, and the lower end of [0, 1] may come out below zero."""
    answer = proved("inclined-plane", "rolls", 6, alpha=(0.5, 0.6), mu=(0.0, 0.1))
    assert answer.share("unsafe") == 1


def test_unknowns_that_move_nothing_are_halved_too() -> None:
    """Friction does not move a ball that rolls, but decides whether it does."""
    answer = proved("inclined-plane", "rolls", 5, alpha=(0.3, 0.31), mu=(0.05, 0.2))
    assert answer.share("safe") >= 0.5
    assert answer.share("unsafe") > 0.1


def test_what_cancels_in_a_property_does() -> None:
    """The energy of a ball in flight: boxes of place and speed do not know that it stays."""
    assert proved("energy-budget", "kept", 0, e=(0.1, 0.9)).verdict == "safe"


LYING = """\
gravity (0, -10, 0)
body hill { plane normal (-0.6, 0.8, 0) }
body ball { sphere radius 0.1  mass 1  position (-0.06, 0.08, 0)  velocity (0.2, 0.15, 0)  SPIN }
contact ball hill { restitution 0  friction 0.4 }
property claim: always slip_speed[ball,hill] < 1e-6 until 0.3
"""


@pytest.mark.parametrize(("spin", "verdict"), [("-2.5", "safe"), ("-2.4", "unsafe")])
def test_decimals_say_that_a_ball_lies_on_a_slope_and_rolls(spin: str, verdict: str) -> None:
    """(-0.06, 0.08) is a tenth above a plane with the normal (-0.6, 0.8), and 0.25 = 2.5/10."""
    text = LYING.replace("SPIN", f"spin (0, 0, {spin})")
    question = reduced(ask(text, "claim", ranges={}, settings={}))
    assert prove(question, limits=Limits(finest=0)).verdict == verdict


@pytest.mark.parametrize(
    ("body", "contact"),
    [("sphere radius 0.1  density 1000", ""), ("sphere radius 0.1  mass 1", "friction 0.2")],
)
def test_numbers_of_the_mechanics_are_not_rounded(body: str, contact: str) -> None:
    """4/3 π is in the mass of a ball with a density, and √1e-40 = 0 in a slip that never is."""
    text = f"""\
gravity (0, -10, 0)
body table {{ plane normal (0, 1, 0)  moves (0, 0.01*sin(10*t), 0) }}
body ball {{ {body}  position (0, 0.1, 0)  velocity (0, 0.1, 0) }}
contact ball table {{ {contact} }}
property claim: always gap[ball,table] <= 0 until 0.1
"""
    question = reduced(ask(text, "claim", ranges={}, settings={}))
    assert prove(question, limits=Limits(finest=0)).verdict == "safe"


NEARLY_FLAT = """\
parameter f = 0.000001
body ball { sphere radius 0.1  mass 1  position (0, 0.1, 0) }
body floor { plane normal (0, 1, 0) }
body slope { plane normal (2000000, 999999999999, 0)
  position (-0.1*2000000/1000000000001, 0.1 - 0.1*999999999999/1000000000001, 0) }
force ball (-f, -10, 0)
contact all { restitution 0 }
property stays: always ball.x < 0.00001 until 2
"""


def test_no_contact_is_held_to_be_redundant() -> None:
    """In floats a slope of two millionths is the floor, and the ball would be pushed down it.

    It lies in the corner of both: the slope's share of its weight is what keeps it from moving.
    """
    ranges = {"f": (0.000001, 0.0000011)}
    question = reduced(ask(NEARLY_FLAT, "stays", ranges=ranges, settings={}))
    assert prove(question, limits=Limits(finest=0)).share("unsafe") == 0
