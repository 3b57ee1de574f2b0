"""Proofs across kinks: a drag by the square of the speed turns round with it."""

import math

import pytest

from dyverse.proving.asking import ask
from dyverse.proving.prove import Answer, Limits, prove
from dyverse.proving.reduction import reduced
from dyverse.proving.task import JUMPING, Task

THROWN = """\
gravity (0, -10, 0)
parameter c = 0.25
body ball { sphere radius 0.1  mass 1  velocity (0, FIRST, 0) }
force ball (0, -c*ball.vy*abs(ball.vy), 0)
property claim: always t < 0.9 or ball.vy < LAST until 1
"""


def proved(first: str, last: float) -> Answer:
    text = THROWN.replace("FIRST", first).replace("LAST", f"{last:.6f}")
    question = reduced(ask(text, "claim", ranges={"c": (0.24, 0.26)}, settings={}))
    return prove(question, limits=Limits(finest=0))


def speed(first: float, drag: float, time: float) -> float:
    """w tan up to the highest point, then w tanh, with w² = g/c."""
    w = math.sqrt(10 / drag)
    return -w * math.tanh((time - w / 10 * math.atan(first / w)) * 10 / w)


@pytest.mark.parametrize("first", ["5", "0"])
def test_a_ball_with_drag_turns_round(first: str) -> None:
    """At 0.9 s it falls with so much, between that of most and of least drag."""
    found = [speed(float(first), drag, 0.9) for drag in (0.24, 0.26)]
    assert proved(first, max(found) + 0.02).verdict == "safe"
    assert proved(first, min(found) - 0.3).verdict == "unsafe"


@pytest.mark.parametrize(("end", "why"), [("1", JUMPING), ("0.2", None)])
def test_a_rate_that_jumps_is_named_where_runs_come_to_it(end: str, why: str | None) -> None:
    text = f"""\
automaton tap {{ real x = 1  location on {{ x' = if x > 0.5 then -1 else -0.1 }}  initial on }}
system tap
property claim: always tap.x > 0.3 until {end}
"""
    found = Task(reduced(ask(text, "claim", ranges={}, settings={})), keep=False)([])
    assert found.get("why") == why
