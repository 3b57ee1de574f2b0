import pytest

from dyverse.bodies.check.world import check
from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.world import Body, ContactRule, Input, Load, Parameter, World
from dyverse.errors import ModelError
from dyverse.expr.term import Call, Number, Symbol
from tests.bodies.models import MODELS

ONE = Number(1.0)


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_a_world_from_text_has_no_problems(text: str) -> None:
    assert check(parse_world(text)) == ()


def test_a_world_is_checked_all_over() -> None:
    world = World(
        parameters=(Parameter(name="K", value=Symbol("K")),),
        bodies=(
            Body(name="a", shape=Sphere(ONE)),
            Body(name="a", shape=Sphere(ONE), fixed=True),
        ),
        inputs=(Input(name="u", formula=Call("sinn", (ONE,))),),
        loads=(Load(kind="force", body="b", vector=(ONE, ONE, ONE)),),
        contacts=(ContactRule(pair=("a", "a")),),
        horizon=Number(float("nan")),
    )
    found = check(world)
    assert all(problem.span is None for problem in found)
    assert [problem.message for problem in found] == [
        "body 'a' moves and has no mass; give it a mass, or write 'fixed'",
        "the name 'a' is taken by a body",
        "'K' is defined by itself: K -> K",
        "unknown function 'sinn'; did you mean 'sin'?",
        "unknown body 'b'; there is only a",
        "a contact of 'a' with itself; name two bodies",
        "horizon is not a finite number",
    ]


@pytest.mark.parametrize(
    ("friction", "jump"),
    [
        ("0.2 + 0.1*sign(slip_speed - 1)", "sign(slip_speed - 1)"),
        ("0.2 + 0.1*floor(3*slip_speed)", "floor(3 * slip_speed)"),
    ],
)
def test_friction_that_jumps_with_the_slip_speed_is_refused(friction: str, jump: str) -> None:
    """A slip would stay where it jumps, with no friction there; a kink does no harm."""
    text = "body a {{ sphere radius 1 mass 1 }}\ncontact all {{ friction {} }}".format
    with pytest.raises(ModelError, match="friction jumps with the slip speed") as caught:
        parse_world(text(friction))
    assert jump in str(caught.value)
    parse_world("parameter k = 1\n" + text("max(0.1, 0.3*sign(k) - 0.1*slip_speed)"))
