"""Units that do not fit where they stand, and those of which nothing is known."""

import pytest

from dyverse.errors import ParseError
from dyverse.text.dimensions import BODY, CONTACT, JOINT, NO_LENGTHS, SPRING
from dyverse.text.parse import parse
from dyverse.text.syntax.statements import (
    BODY_ENTRIES,
    CONTACT_ENTRIES,
    JOINT_ENTRIES,
    PART_ENTRIES,
    SHAPES,
    SPRING_ENTRIES,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("body b { sphere radius 2 kg }", "1:24: 'radius' is in m, not in kg"),
        ("body b { part p { sphere radius 2 s } }", "'radius' is in m, not in s"),
        ("body b { spin (0, 3 Hz, 0) }", "1:19: 'spin' is in rad/s, not in Hz"),
        ("body b { cylinder radius 1 m length 2 s }", "'radius and length' is in m, not in s"),
        ("body b { polyhedron vertices (0, 0, 0) (1 kg, 0, 0) }", "'vertices' is in m, not in kg"),
        ("body b { plane normal (0, 1, 0) drags (2 rad/s, 0, 0) }", "'drags' is in m/s"),
        ("force b (0, 1 N, 0) at (0, 1 s, 0)", "1:28: a point is in m, not in s"),
        ("gravity (0, -9.81 m/s, 0)", "gravity is in m/s^2, not in m/s"),
        ("force b (0, 1 J, 0)", "a force is in N, not in J"),
        ("torque b (0, 1 kN, 0)", "a torque is in N*m, not in kN"),
        ("contact all { friction 0.1 N }", "'friction' is a plain number, not in N"),
        ("joint j { revolute a b limits [0, 3 mm] }", "'limits' is in rad, not in mm"),
        ("property p: always[0, 2 m] x > 1 until 3", "an interval is in s, not in m"),
        ("parameter r = 2 m\nbody b { mass 1 - r }", "2:15: 'mass' is in kg, not in m"),
        ("parameter a = 2 m + 3 s", "m and s cannot be put together"),
        ("parameter a = 2 m in [1, 3 s]", "m and s cannot be put together"),
        ("parameter a = sin(2 m)", "sin is of an angle in rad, not in m"),
        ("parameter m = 1\nhorizon 2 m/s", "2:9: 'm' is a unit here, and a name in this model"),
        ("function f(s) = 2 s", "'s' is a unit here, and a name"),
        ("automaton a { real h  location l { h' = 2 h } }", "'h' is a unit here, and a name"),
    ],
)
def test_units_that_are_out_of_place(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "parameter w = 10 cm\nbody b { mass 5*w }",  # a density without a unit
        "parameter v = 5 rpm*10 cm\nbody b { velocity (v, 0, 0) }",
        "body b { mass 1 }\ntorque b (0, 0, 3 N*m/rad)",
        "parameter a = 2 m\nparameter b = a\nparameter a = b\nhorizon 2 s",
        "parameter a = 2 m\nfunction f(a) = sin(a)",
        "parameter x = 2 m\nautomaton c { real x location l { x' = sin(x) } initial l }",
    ],
)
def test_units_are_no_error_where_nothing_is_known(text: str) -> None:
    assert parse(text).statements


def test_parameters_made_of_each_other_are_looked_at_once() -> None:
    """Sixty parameters, each twice in the next."""
    lines = [f"parameter a{n + 1} = a{n} + a{n}" for n in range(60)]
    assert parse("\n".join(["parameter a0 = 2 cm", *lines])).statements


def test_dimensions_are_those_of_entries_that_there_are() -> None:
    assert {*BODY_ENTRIES, *PART_ENTRIES, *SHAPES} >= {*BODY, *NO_LENGTHS}
    assert set(SPRING_ENTRIES) >= set(SPRING)
    assert set(JOINT_ENTRIES) >= set(JOINT)
    assert set(CONTACT_ENTRIES) >= set(CONTACT)
