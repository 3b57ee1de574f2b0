"""What a model tells of itself in comments."""

from __future__ import annotations

import pytest

from dyverse.animation.playable import Playable
from dyverse.generation.model import parse_model
from tests.animation.plays import example

TEXT = """# A title
# and more
parameter inflow = 0.75 in [0.5, 1.5]  # m/s, what the hose gives
parameter r = 0.1  # m
parameter e = 0.8  # restitution
parameter J = 1    # kg m^2, of the bit
parameter far = 2  # distance from the floor, m
parameter none = 1
parameter wide = 2  # across, m (6.6 feet)
parameter turn = 1  # how far it leans (rad), against the slope
parameter M = 400  parameter R = 0.3  parameter I = 1  # kg, m, kg m²: a quarter of a car
parameter c_t = 172  parameter c_r = 425  # N m s/rad
parameter pole = 1  parameter zero = 2  # poles, and zeros
body ball { sphere radius r  mass 1 }
"""


@pytest.mark.parametrize(
    ("name", "unit", "about"),
    [
        ("inflow", "m/s", "what the hose gives"),
        ("r", "m", ""),
        ("e", "", "restitution"),
        ("J", "kg m^2", "of the bit"),
        ("far", "m", "distance from the floor"),
        ("none", "", ""),
        ("wide", "m", "across, m (6.6 feet)"),
        ("turn", "rad", "how far it leans (rad), against the slope"),
        ("M", "kg", "a quarter of a car"),
        ("R", "m", "a quarter of a car"),
        ("I", "kg m²", "a quarter of a car"),
        ("c_r", "N m s/rad", ""),
        ("zero", "", "poles, and zeros"),
        ("other", "", ""),
    ],
)
def test_the_comment_behind_a_parameter_tells_its_unit(name: str, unit: str, about: str) -> None:
    play = Playable(name="ball", model=parse_model(TEXT), text=TEXT)
    assert play.remark(name) == (unit, about)
    assert play.title == "A title"


def test_examples_tell_their_units() -> None:
    assert example("thermostat").remark("hot") == ("°C", "where heating would lead")
    assert example("robot").remark("turning")[0] == "°/s"


@pytest.mark.parametrize(
    ("declared", "units"),
    [
        ("real T = 20 in [19, 21]  # degrees C", {"T": "°C"}),
        ("real x, y = 20 in [10, 30], u  # m, m, m/s", {"x": "m", "y": "m", "u": "m/s"}),
        ("real turn, lift = 60  # degrees", {"turn": "°", "lift": "°"}),
        ("real F = 2  # how much of it flows, kg/s", {"F": "kg/s"}),
        ("real x, v, w  # m, m/s", {"x": "", "v": "", "w": ""}),
        ("clock c  # since the last signal", {"c": "s"}),
        ("clock x, y;", {"x": "s", "y": "s"}),
        ("real x  # m\nreal x  # kg", {}),
        ("{ clock c location here initial here }", {"c": "s"}),
    ],
)
def test_comments_behind_variables_tell_their_units(declared: str, units: dict[str, str]) -> None:
    play = Playable(name="ball", model=parse_model(TEXT), text=declared)
    assert play.variable_units() == units
