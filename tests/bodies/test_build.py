import pytest

from dyverse.bodies.build import (
    always,
    contact,
    contact_all,
    damper,
    define,
    force,
    no_contact,
    no_contacts,
    parameter,
    plane,
    port,
    sphere,
    spring,
    torque,
    world,
)
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import World, quantity
from dyverse.errors import ModelError
from dyverse.expr.formula import compare
from dyverse.expr.term import Symbol
from tests.bodies.models import CRADLE, EVERYTHING, SKETCH


def sketch() -> World:
    k, ball1, ball2 = Symbol("K"), quantity("ball1", "x"), quantity("ball2", "x")
    return world(
        parameter("K", 2, limits=(1, 3)),
        sphere("ball1", radius=0.5, mass=1, position=(0, 3, 0), velocity=(1, 1, 0)),
        sphere("ball2", radius=0.5, mass=1, position=(1.5, 0, 0)),
        define("u1", -k * (ball2 - ball1)),
        define("u2", "-100*ball2.y"),
        define("u3", "-100*(ball2.z - ball1.z)"),
        force("ball2", ("u1", "u2", "u3")),
        contact("ball1", "ball2", restitution=0.8, friction=0.3),
        always("caught", compare("ball1.y", ">", 0), until=2),
        gravity=(0, -9.81, 0),
    )


def everything() -> World:
    return world(
        parameter("K", "2 * L", limits=(1, "3 * L")),
        parameter("L", 1),
        parameter("mass", 0.2),
        sphere(
            "ball1",
            radius=0.5,
            mass="mass",
            inertia=0.1,
            position=(0, 3, 0),
            rotation=(0, 0, "pi/2"),
            velocity=("K", 1, 0),
            spin=(0, 0, -1),
        ),
        sphere("ball2", radius="L/2", mass=1, position=(1.5, 1, 0)),
        sphere("post", radius=0.1, position=(9, 5, 0), fixed=True),
        plane("floor", normal=(0, 1, 0), position=(0, -1, 0)),
        define("u1", "-K*(ball2.x - ball1.x) + sin(2*pi*t)"),
        port("u2"),
        define("u3", "max(u1, -u2)^2"),
        force("ball2", ("u1", "u2", "u3")),
        torque("ball1", (0, 0, "u2")),
        spring("ball1", "ball2", stiffness=10, length=1, damping=0.1),
        spring("ball2", (0, 5, 0), stiffness="K"),
        damper("ball1", "post", damping=1),
        contact_all(restitution=0.9),
        contact(
            "ball1",
            "ball2",
            restitution=0.8,
            tangential_restitution=-0.5,
            friction="0.3 + 0.2*exp(-slip_speed)",
        ),
        no_contact("ball1", "post"),
        always("up", "ball1.y > 0 and (gap[ball2,ball1] >= 0 or not u1 == 3)", until="2*L"),
        always("calm", "energy < 100"),
        gravity=(0, -9.81, 0),
        horizon=2,
    )


def cradle() -> World:
    return world(
        parameter("r", 0.05),
        sphere("a", radius="r", mass=1, position=(-0.4, 0, 0), velocity=(1, 0, 0)),
        sphere("b", radius="r", mass=1),
        sphere("c", radius="r", mass=1, position=("2*r", 0, 0)),
        no_contacts(),
        contact("a", "b"),
        contact("b", "c", friction=0.1),
        gravity=(0, -9.81, 0),
        horizon=3,
    )


@pytest.mark.parametrize(
    ("built", "text"), [(sketch, SKETCH), (everything, EVERYTHING), (cradle, CRADLE)]
)
def test_python_and_text_give_equal_worlds(built: object, text: str) -> None:
    assert callable(built)
    made = built()
    assert made == parse_world(text)
    assert hash(made) == hash(parse_world(text))
    assert parse_world(world_text(made)) == made


def test_a_world_in_python_is_checked_like_text() -> None:
    with pytest.raises(ModelError) as caught:
        world(
            sphere("ball 1", radius=-1, mass=1),
            plane("t", normal=(0, 0, 0), position=("x", 0, 0)),
            contact("ball 1", "body", restitution=2),
            always("p", "gap[a,b] > 0"),
        )
    assert [problem.message for problem in caught.value.problems] == [
        "'ball 1' is not a name; use letters, digits and '_', no digit first",
        "'t' is a word of the language; choose another name",
        "unknown name 'x'",
        "unknown body 'body'; there are ball 1, t",
        "unknown body 'a' in 'gap[a,b]'; there are ball 1, t",
        "the radius of body 'ball 1' is -1; it must be positive",
        "the normal of body 't' is zero; give it a direction, such as (0, 1, 0)",
        "restitution is 2; it must lie in [0, 1]",
    ]


def test_strings_are_parsed_as_text() -> None:
    with pytest.raises(ModelError, match=r"<term>:1:4: expected a number"):
        define("u", "2 *")
    with pytest.raises(ModelError, match="expected a condition such as"):
        always("p", "2")


@pytest.mark.parametrize("vector", [(1, 2), (1, 2, 3, 4), "1 + 2"])
def test_a_vector_has_three_components(vector: tuple[float, ...]) -> None:
    with pytest.raises(ModelError, match="force needs three components"):
        world(sphere("ball", radius=1, mass=1), force("ball", vector))


def test_terms_built_too_deep_are_a_problem() -> None:
    term = Symbol("t") + 0
    for _ in range(5000):
        term = term + 1
    with pytest.raises(ModelError, match="may be nested 150 levels deep"):
        world(define("u", term))


def test_the_law_of_impact_is_a_word_of_both() -> None:
    ball = sphere("ball", radius=1, mass=1)
    made = world(ball, impact="sequence")
    assert made == parse_world("impact sequence body ball { sphere radius 1 mass 1 }")
    assert world(ball) == parse_world("impact newton body ball { sphere radius 1 mass 1 }")
    with pytest.raises(ModelError, match="no law of impact 'moreau'; there are newton, poisson"):
        world(ball, impact="moreau")
