"""Ropes as statements, and ropes that end at a point in space."""

import pytest

from dyverse.bodies.build import always, joint, sphere, world
from dyverse.bodies.describe import world_text
from dyverse.bodies.pairs import touching_pairs
from dyverse.bodies.read import parse_world
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate

BODIES = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.05  mass 1.3  position (0.5, 2.2, 0) }
body other { sphere radius 0.05  mass 1  position (0.4, 1, 0)  velocity (-0.2, 6, 0) }
"""
TO_A_POINT = BODIES + "rope line { ball (0, 3, 0)  length 1  restitution 0 }\n"
TO_A_BODY = BODIES + (
    "body line_end { point  position (0, 3, 0)  fixed }\n"
    "joint line { rope ball line_end  length 1  restitution 0 }\n"
    "contact line_end ball off  contact line_end other off\n"
)
CLAIM = "property light: always normal_force[ball.line,line_end] < 100 until 1\n"


def test_a_rope_is_a_joint_of_its_kind() -> None:
    hook = BODIES + "body hook { point  position (0, 3, 0)  fixed }\n"
    short = parse_world(hook + "rope line { ball hook  length 1  restitution 0.5 }")
    assert short == parse_world(hook + "joint line { rope ball hook  length 1  restitution 0.5 }")


def test_a_point_at_the_end_is_a_fixed_body_that_touches_nothing() -> None:
    one = parse_world(TO_A_POINT + CLAIM)
    assert one == parse_world(TO_A_BODY + CLAIM)
    assert parse_world(world_text(one)) == one
    assert [pair.name for pair in touching_pairs(one)] == ["ball-other"]


def test_it_is_the_same_in_python() -> None:
    made = world(
        sphere("ball", radius=0.05, mass=1.3, position=(0.5, 2.2, 0)),
        sphere("other", radius=0.05, mass=1, position=(0.4, 1, 0), velocity=(-0.2, 6, 0)),
        joint("line", "rope", "ball", (0, 3, 0), length=1, restitution=0),
        always("light", "normal_force[ball.line,line_end] < 100", until=1),
        gravity=(0, -9.81, 0),
    )
    assert made == parse_world(TO_A_POINT + CLAIM)


@pytest.mark.parametrize("solver", ["native", "reference", "cvode"])
def test_a_rope_to_a_point_becomes_taut(solver: str) -> None:
    """It falls from (0.5, -0.8) below the point until it is a metre away from it."""
    run = simulate(parse_model(TO_A_POINT).automaton(), until=0.15, options=Options(solver=solver))
    (taut,) = run.events
    assert (taut.kind, taut.contacts) == ("impact", ("ball.line-line_end",))
    assert 9.81 / 2 * taut.time**2 == pytest.approx(0.75**0.5 - 0.8, abs=1e-12)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rope line { ball (0, 3)  length 1 }", r"4:19: the end of a joint needs three components"),
        ("rope line { ball (0, 3, 0)  to (1, 1, 1) }", "a rope to a point ends there"),
        ("rope line { ball (0, 3, 0)  length 0.5 }", "rope 'line' starts beyond its end"),
        ("rope line { bal (0, 3, 0) }", "unknown body 'bal'; did you mean 'ball'"),
        ("rope line { ball (ball.x, 3, 0) }", "must be constant, and 'ball.x' changes"),
        ("rope line { ball (0, 3, 0) }\nbody line_end { point  fixed }", "'line_end' is taken"),
        ("rope ball other { length 1 }", "write 'rope line { ball"),
        ("joint line { stop ball (0, 3, 0)  gap ball.y }", "only a distance or a rope may end"),
    ],
)
def test_what_is_wrong_is_said(line: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parse_model(BODIES.strip() + "\n" + line)


def test_rope_can_still_be_a_name() -> None:
    text = (
        "body rope { point  fixed }\n"
        "body ball { sphere radius 1  mass 1  position (0, 2, 0) }\n"
        "contact  rope\n ball { restitution 0 }\n"
        "spring rope ball { stiffness 1 }\n"
        "joint line { rope rope ball  length 3 }\n"
    )
    assert [body.name for body in parse_world(text).bodies] == ["rope", "ball"]


def test_ropes_are_repeated() -> None:
    bodies = "body ball[i] { sphere radius 0.1  mass 1  position (i, 2, 0) }"
    made = parse_world(f"repeat i in 1..3 {{ {bodies} rope line[i] {{ ball[i] (i, 3, 0) }} }}")
    assert [rope.b for rope in made.joints] == ["line_1_end", "line_2_end", "line_3_end"]
