"""The scene of a model: what it says, and what is wrong with it, with places."""

from __future__ import annotations

import pytest

from dyverse.errors import ModelError
from dyverse.expr.term import Number, Symbol
from dyverse.generation.drawing import Drawing, drawing_names
from dyverse.generation.model import parse_model

TANK = """parameter top = 2
automaton tank(out = 1) {
  real level = 1
  bool lit = true
  location open { level' = -out }
  location shut
  initial open
  edge open -> shut { when level <= 0 }
}
"""


def scene(text: str) -> tuple[Drawing, ...]:
    return parse_model(f"{TANK}scene {{ {text} }}").scene


def test_a_drawing_says_what_was_written() -> None:
    text = (
        'gauge { at (0, level, 0)  say "level"  value 2*level in [0, top]  unit "m"  colour red }'
    )
    (gauge,) = scene(text)
    entries = dict(gauge.entries)
    assert entries["at"] == (Number(0.0), Symbol("level"), Number(0.0))
    assert (entries["say"], entries["unit"], entries["colour"]) == ("level", "m", "red")
    assert gauge.limits == (Number(0.0), Symbol("top"))


def test_a_drawing_needs_the_signals_in_its_numbers_and_conditions() -> None:
    text = "box { at (pi, level, t) size (out, 1, 1) turn top show tank.open and lit  glow 0 }"
    (box,) = scene(text)
    assert drawing_names(box) == {"level", "t", "out", "top", "tank.open", "lit"}


def test_functions_of_the_model_are_written_out() -> None:
    text = f"{TANK}function half(x) = x/2 scene {{ circle {{ at (0, 0, 0) radius half(level) }} }}"
    assert drawing_names(parse_model(text).scene[0]) == {"level"}


def test_a_model_with_bodies_may_have_a_scene_too() -> None:
    text = """
    body ball { sphere radius 0.1  mass 1 }
    scene { text { at (ball.x, 1, 0)  say "speed"  value ball.vx  digits 2 } }
    """
    assert drawing_names(parse_model(text).scene[0]) == {"ball.x", "ball.vx"}


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("circle { at (0, 0, 0) }", 9, "a circle needs 'radius'"),
        ("circle { at (0, 0, 0) radius 1 turn 2 }", 40, "a circle has no 'turn'; it has at, ra"),
        ("circle { at (0, 0, 0) radius 1 at (1, 1, 1) }", 40, "'at' is given twice"),
        ("circle { at (0, 0) radius 1 }", 18, "'at' needs a vector such as"),
        ("circle { at (0, 0, 0) radius (1, 2) }", 39, "'radius' needs a number, found a vector"),
        ("circle { at (0, 0, 0) radius levl }", 38, "unknown name 'levl'; did you mean 'level'?"),
        ("circle { at (0, 0, 0) radius 1 show tank.opn }", 45, "did you mean 'tank.open'?"),
        ("circle { at (0, 0, 0) radius sinn(1) }", 38, "unknown function 'sinn'"),
        ("circle { at (0, 0, 0) radius 1 colour rad }", 47, "unknown colour 'rad'; did you mean"),
        ('text { at (0, 0, 0) say "x" digits 2.5 }', 37, "digits are a whole number"),
        ('text { at (0, 0, 0) say "x" value 1 in [0, 1] }', 37, "a text has no limits"),
        ('gauge { at (0, 0, 0) say "x" value level }', 38, "a gauge needs limits"),
        ('gauge { at (0, 0, 0) say "x" value 1 in [0, level] }', 53, "'level' is not"),
        ('gauge { at (0, 0, 0) say "x" value 1 in [0, (1, 2)] }', 54, "limits are numbers"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(text: str, column: int, message: str) -> None:
    with pytest.raises(ModelError) as error:
        scene(text)
    (problem,) = error.value.problems
    assert problem.span is not None
    assert (problem.span.line, problem.span.column) == (10, column)
    assert message in problem.message
