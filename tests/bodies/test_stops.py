"""Stops as they are written: text, Python, and what is wrong with them."""

from __future__ import annotations

import re

import pytest

from dyverse.bodies.build import joint, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import CENTRED, ORIENTED
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model

BODIES = """
parameter low = 0.2
body hook { sphere radius 0.1  fixed  position (0, 2, 0) }
body bob { sphere radius 0.1  mass 1  position (0, 1, 0) }
body other { sphere radius 0.1  mass 1  position (1, 1, 0) }
body lift { sphere radius 0.1  moves (3, sin(t), 0) }
joint swing { revolute hook bob  at (0, 2, 0)  axis (0, 0, 1) }
joint slide { prismatic other bob  axis (1, 0, 0) }
"""


def test_text_and_python_make_equal_worlds() -> None:
    text = """
    body bob { sphere radius 0.1  mass 1 }
    body hook { sphere radius 0.1  fixed  position (0, 2, 0) }
    joint reach { stop bob hook  gap hook.y - bob.y - 1  restitution 0.5 }
    """
    made = world(
        sphere("bob", radius=0.1, mass=1),
        sphere("hook", radius=0.1, fixed=True, position=(0, 2, 0)),
        joint("reach", "stop", "bob", "hook", gap="hook.y - bob.y - 1", restitution=0.5),
    )
    assert parse_world(text) == made
    assert parse_world(world_text(made)) == made


def test_a_ball_has_an_orientation_only_where_a_gap_names_it() -> None:
    free = (
        "body a { sphere radius 1  mass 1 } body b { sphere radius 1  fixed  position (9, 0, 0) }"
    )
    plain = parse_world(free + "joint j { stop a b  gap a.y + 1 }")
    lying = parse_world(free + "joint j { stop a b  gap a.qw + 1 }")
    assert plain.body("a").motion == CENTRED
    assert lying.body("a").motion == ORIENTED


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("stop bob hook", "a stop needs 'gap'; write what must not be negative"),
        ("stop bob hook  gap bob.y  length 1", "a stop has no 'length'; it takes gap, restitution"),
        ("stop bob (0, 1, 0)  gap bob.y", "a stop joins two bodies"),
        ("stop bob bob  gap bob.y", "with itself"),
        ("stop bob hook  gap bob.vy + 1", "'bob.vy' is a speed"),
        ("stop bob hook  gap bob.rx + bob.y", "'bob.rx' is a count of turns"),
        ("stop bob hook  gap swing.rate + 1", "'swing.rate' is a speed"),
        ("stop bob hook  gap swing.fx + 1", "reactions such as 'swing.fx' are for properties only"),
        ("stop bob hook  gap bob.y + t", "let a body move"),
        ("stop bob hook  gap bob.y + other.y", "'other', which moves and is not part of this stop"),
        ("stop bob hook  gap bob.y + lift.y", "'lift', which moves and is not part of this stop"),
        ("stop bob hook  gap slide.length", "'other', which moves and is not part of this stop"),
        ("stop bob hook  gap max(bob.y, low)", "'max' has none where it switches"),
        ("stop bob hook  gap low + hook.y", "this never changes"),
        ("stop bob hook  gap bob.y + lowe", "unknown name 'lowe'; did you mean 'low'?"),
        ("stop bob hook  gap bob.z  restitution 2", "it must lie in [0, 1]"),
        ("stop bob hook  gap bob.y - 1.5", "stop 'j' starts beyond its end, by 0.5"),
    ],
)
def test_what_is_wrong_with_a_stop_is_told(line: str, told: str) -> None:
    with pytest.raises(ModelError, match=re.escape(told)):
        parse_model(BODIES + f"joint j {{ {line} }}").automaton()


def test_a_stop_without_a_gap_is_told_of_in_python_too() -> None:
    bodies = (sphere("a", radius=1, mass=1), sphere("b", radius=1, fixed=True, position=(3, 0, 0)))
    with pytest.raises(ModelError, match="a stop needs 'gap'"):
        world(*bodies, joint("j", "stop", "a", "b"))
