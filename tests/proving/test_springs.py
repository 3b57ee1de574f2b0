"""Proofs about springs that have a length: their pull and its turning nearly cancel."""

import pytest

from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced

HUNG = """\
parameter k = 10
body ball { sphere radius 0.1  mass 1  position (1, 0, 0) }
spring ball (0, 0, 0) { stiffness k  length 0.5 }
property claim: always ball.x > 0.2 until 1
property near: always ball.x < 0.45 or t < 0.6 until 0.75
"""
PAIR = """\
parameter k = 10
gravity (0, -10, 0)
body a { sphere radius 0.1  mass 1  position (0, 1, 0) }
body b { sphere radius 0.1  mass 1  position (0.3, 1.4, 0) }
spring a b { stiffness k  length 0.5  damping 0.2 }
property claim: always b.y > 0.3 until 0.4
"""


def proved(text: str, claim: str, low: float, high: float, finest: int) -> Answer:
    question = reduced(ask(text, claim, ranges={"k": (low, high)}, settings={}))
    return prove(question, limits=Limits(finest=finest))


@pytest.mark.parametrize(("claim", "verdict"), [("claim", "unsafe"), ("near", "safe")])
def test_a_ball_swings_on_a_spring_with_a_length(claim: str, verdict: str) -> None:
    """x = 0.5 + 0.5 cos √k t comes down to zero at the time π/√k, and to 0.15 before."""
    assert proved(HUNG, claim, 9.5, 10.0, 1).verdict == verdict


def test_two_balls_fall_with_a_spring_between_them() -> None:
    assert proved(PAIR, "claim", 8.0, 12.0, 0).verdict == "safe"
