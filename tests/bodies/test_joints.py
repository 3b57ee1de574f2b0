"""Joints as they are written: text, Python, and what is wrong with them."""

from __future__ import annotations

import pytest

from dyverse.bodies.build import joint, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.joint.joint import JOINT_KINDS
from dyverse.bodies.pairs import touching_pairs
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import CENTRED, ORIENTED
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.text.syntax.statements import JOINT_ENTRIES, JOINTS

BODIES = """
body frame { sphere radius 0.1  fixed  position (0, 2, 0) }
body bob { sphere radius 0.1  mass 1  position (0, 1, 0) }
body other { sphere radius 0.1  mass 1  position (1, 1, 0) }
"""


def test_text_and_python_make_equal_worlds() -> None:
    text = BODIES + "joint j { revolute frame bob  at (0, 2, 0)  axis (0, 0, 1)  angle 0.5 }"
    made = world(
        sphere("frame", radius=0.1, fixed=True, position=(0, 2, 0)),
        sphere("bob", radius=0.1, mass=1, position=(0, 1, 0)),
        sphere("other", radius=0.1, mass=1, position=(1, 1, 0)),
        joint("j", "revolute", "frame", "bob", at=(0, 2, 0), axis=(0, 0, 1), angle=0.5),
    )
    assert parse_world(text) == made


@pytest.mark.parametrize(
    "line",
    [
        "joint j { revolute frame bob  at (0, 2, 0)  axis (0, 0, 1)  angle 0.5 }",
        "joint j { prismatic bob other  axis (0, 0, 1)  length 0.1 }",
        "joint j { prismatic bob other  axis (1, 0, 0)  damping 1  friction 2 }\n"
        "force j -3 * j.length + j.rate",
        "joint j { spherical frame bob  at (0, 2, 0) }",
        "joint j { weld bob other }",
        "joint j { distance bob (0, 2, 0)  from (0, 1.1, 0)  length 0.9 }",
    ],
)
def test_a_joint_is_printed_as_it_is_read(line: str) -> None:
    found = parse_world(BODIES + line)
    assert line in world_text(found)
    assert parse_world(world_text(found)) == found


def test_the_language_knows_the_kinds_and_their_entries() -> None:
    assert set(JOINTS) == set(JOINT_KINDS)
    assert {word for kind in JOINT_KINDS.values() for word in kind.entries} == set(JOINT_ENTRIES)


def test_balls_have_an_orientation_only_where_a_joint_asks_for_it() -> None:
    rod = parse_world(BODIES + "joint j { distance bob other }")
    assert rod.body("bob").motion == CENTRED
    held = parse_world(BODIES + "joint j { distance bob other  from (0, 1.1, 0) }")
    assert held.body("bob").motion == ORIENTED
    assert held.body("other").motion == CENTRED


def test_joined_bodies_touch_only_if_a_rule_says_so() -> None:
    weld = BODIES + "joint j { weld bob other }\n"
    names = {pair.name for pair in touching_pairs(parse_world(weld))}
    assert names == {"frame-bob", "frame-other"}
    ruled = parse_world(weld + "contact bob other { restitution 0.5 }")
    assert "bob-other" in {pair.name for pair in touching_pairs(ruled)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("joint j { at (0, 1, 0) }", "joint 'j' joins no bodies"),
        ("joint j { weld bob other  weld frame bob }", "joint 'j' joins twice"),
        ("joint j { revolute bob other  at (0, 1, 0) }", "a revolute joint needs 'axis'"),
        ("joint j { weld bob other  axis (0, 0, 1) }", "a weld joint has no 'axis'; it takes at"),
        ("joint j { spherical bob (0, 1, 0)  at (0, 1, 0) }", "a distance or a rope may end at"),
        ("joint j { weld bob bib }", "unknown body 'bib'; did you mean 'bob'"),
        ("joint j { weld bob bob }", "a joint of 'bob' with itself"),
        ("joint bob { weld bob other }", "the name 'bob' is taken"),
        ("joint j { prismatic bob other  axis (0, 0, 0) }", "the axis of joint 'j' is zero"),
        ("joint j { distance bob other  length -1 }", "length of joint 'j' is -1"),
        ("joint j { weld bob other }\nproperty p: always j.angle > 0", "has no quantity 'angle'"),
        ("joint j { weld bob other }\ntorque j 1", "a torque cannot act on a weld joint"),
        ("joint j { prismatic bob other  axis (1, 0, 0) }\ntorque j 1", "write 'force j"),
        ("joint j { prismatic bob other  axis (1, 0, 0) }\nforce j (1, 0, 0)", "a single number"),
        ("force bob 1", "force needs three components"),
        ("joint j { weld bob other  friction 1 }", "a weld joint has no 'friction'"),
        ("joint j { prismatic bob other  axis (1, 0, 0)  friction -1 }", "must be 0 or more"),
        ("joint j { distance bob other  length 1.1 }", "joint 'j' does not fit at the start"),
    ],
)
def test_what_is_wrong_is_said(line: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parse_model(BODIES + line)


def test_speeds_that_a_joint_does_not_allow_are_told_with_those_that_are_near() -> None:
    bodies = BODIES.replace("position (0, 1, 0)", "position (0, 1, 0)  velocity (1, 0.5, 0)")
    with pytest.raises(ModelError, match=r"velocity \(0.996015936, 0, 0\)") as caught:
        parse_model(bodies + "joint rod { revolute frame bob  at (0, 2, 0)  axis (0, 0, 1) }")
    assert caught.value.problems[0].span is not None


def test_a_kind_that_is_not_there_is_an_error_in_python() -> None:
    with pytest.raises(ModelError, match="unknown kind of joint 'hinge'; there are revolute"):
        joint("j", "hinge", "a", "b")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("distance bob (0, 1, 0)", "'length', or write 'spherical'"),
        ("rope bob frame  from (0, 2, 0)", "'length', the farthest they may be apart"),
    ],
)
def test_a_rod_or_rope_without_length_is_told_of(line: str, hint: str) -> None:
    words = f"joint 'j' has both of its ends in one place; give it a {hint}"
    with pytest.raises(ModelError, match=words):
        parse_model(BODIES + f"joint j {{ {line} }}").automaton()
