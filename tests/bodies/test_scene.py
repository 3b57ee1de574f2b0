import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.bodies.placed import ContactPair, Scene
from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import scene
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.world import Body, World
from dyverse.contact.pair.sphere_sphere import SPHERE_SPHERE
from dyverse.errors import ModelError
from dyverse.expr.term import Number, Symbol
from tests.bodies.models import CRADLE, EVERYTHING, MODELS, SKETCH


def names(made: Scene) -> list[str]:
    return [contact.name for contact in made.contacts]


def test_the_sketch_has_its_numbers() -> None:
    made = scene(parse_world(SKETCH))
    ball = made.body("ball1")
    assert made.values == {"K": 2.0}
    assert made.gravity == (0.0, -9.81, 0.0)
    assert (ball.shape, ball.mass, ball.fixed) == (Sphere(0.5), 1.0, False)
    assert (ball.position, ball.velocity) == ((0.0, 3.0, 0.0), (1.0, 1.0, 0.0))
    assert made.contacts == (
        ContactPair(
            name="ball1-ball2",
            a="ball1",
            b="ball2",
            pair=SPHERE_SPHERE,
            ends=("ball1", "ball2"),
            numbers=(0.5, 0.5),
            restitution=0.8,
            tangential_restitution=0.0,
            friction=Number(0.3),
        ),
    )
    assert made.horizon is None


def test_the_inertia_is_that_of_a_solid_ball_unless_given() -> None:
    made = scene(parse_world(EVERYTHING))
    assert made.body("ball2").inertia == pytest.approx((0.4 * 1.0 * 0.5**2,) * 3)
    assert made.body("ball1").inertia == (0.1,) * 3


def test_fixed_bodies_are_infinitely_heavy_and_normals_have_length_one() -> None:
    text = "body slope { plane normal (3, 4, 0) } body post { sphere radius 1  mass 2  fixed }"
    made = scene(parse_world(text))
    assert made.body("slope").shape == HalfSpace((0.6, 0.8, 0.0))
    assert [body.mass for body in made.bodies] == [math.inf, math.inf]
    assert made.contacts == ()


def test_the_contact_list() -> None:
    assert names(scene(parse_world(EVERYTHING))) == [
        "ball1-ball2",
        "ball1-floor",
        "ball2-post",
        "ball2-floor",
    ]
    assert names(scene(parse_world(CRADLE))) == ["a-b", "b-c"]


def test_the_rule_for_all_holds_where_there_is_no_other() -> None:
    made = scene(parse_world(EVERYTHING))
    assert [contact.restitution for contact in made.contacts] == [0.8, 0.9, 0.9, 0.9]


def test_a_contact_without_a_rule_is_elastic_and_smooth() -> None:
    text = "body a { sphere radius 1 mass 1 } body b { sphere radius 1 mass 1 position (3, 0, 0) }"
    contact = scene(parse_world(text)).contacts[0]
    assert (contact.restitution, contact.tangential_restitution) == (1.0, 0.0)
    assert contact.friction == Number(0.0)


def test_settings_override_parameters_and_those_defined_by_them_follow() -> None:
    made = scene(parse_world(EVERYTHING), {"L": 1.25})
    assert made.values == {"K": 2.5, "L": 1.25, "mass": 0.2, "u2": 0.0}
    assert made.body("ball1").velocity[0] == 2.5
    assert made.body("ball2").shape == Sphere(0.625)


def test_settings_may_leave_the_range() -> None:
    assert scene(parse_world(SKETCH), {"K": 100}).values["K"] == 100.0


def test_settings_move_the_start_and_set_inputs() -> None:
    made = scene(parse_world(EVERYTHING), {"ball1.vx": 7, "ball2.rz": 1, "floor.y": -3, "u2": 4})
    assert made.body("ball1").velocity == (7.0, 1.0, 0.0)
    assert made.body("ball2").rotation == (0.0, 0.0, 1.0)
    assert made.body("floor").position == (0.0, -3.0, 0.0)
    assert made.values["u2"] == 4.0
    assert isinstance(made.body("ball1").velocity[0], float)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 1.0}, "cannot set 'k': unknown name; did you mean 'K'?"),
        ({"u1": 1.0}, "cannot set the input 'u1': it has a formula"),
        ({"ball1.vxx": 1.0}, "cannot set 'ball1.vxx': unknown name; did you mean 'ball1.vx'?"),
        ({"K": math.nan}, "cannot set 'K' to nan: not a finite number"),
        ({"ball1.x": math.inf}, "cannot set 'ball1.x' to inf: not a finite number"),
        ({"ball1.x": 1e300}, "cannot set 'ball1.x': it is 1e+300; it may be 1e+50 at most"),
        ({"ball2.y": 3.0, "ball2.x": 0.5}, "bodies 'ball1' and 'ball2' overlap by 0.5 m"),
    ],
)
def test_wrong_settings_say_what(settings: dict[str, float], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        scene(parse_world(SKETCH), settings)
    assert message in str(caught.value)
    assert len(caught.value.problems) == 1


def test_a_fixed_body_cannot_be_set_moving() -> None:
    with pytest.raises(ModelError, match=r"cannot set 'floor\.vx': unknown name"):
        scene(parse_world(EVERYTHING), {"floor.vx": 1})


def test_all_wrong_numbers_are_reported_together() -> None:
    with pytest.raises(ModelError) as caught:
        scene(parse_world(EVERYTHING), {"L": -1, "mass": 0, "q": 1})
    messages = [problem.message for problem in caught.value.problems]
    assert messages == [
        "cannot set 'q': unknown name",
        "the mass of body 'ball1' is 0; it must be positive",
        "the radius of body 'ball2' is -0.5; it must be positive",
        "until is -2; it must be positive",
    ]


def test_a_world_that_no_one_has_checked_gives_a_model_error() -> None:
    ball = Body(name="a", shape=Sphere(Symbol("r")), mass=Number(1.0))
    with pytest.raises(ModelError, match="unknown name 'r'"):
        scene(World(bodies=(ball,)))


def test_an_error_of_ours_is_not_taken_for_one_of_the_world(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise TypeError("ours")

    monkeypatch.setattr("dyverse.bodies.scene.Filling.scene", fails)
    with pytest.raises(TypeError, match="ours"):
        scene(parse_world(SKETCH))


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_scenes_pickle(text: str) -> None:
    made = scene(parse_world(text))
    assert pickle.loads(pickle.dumps(made)) == made


@settings(deadline=None)  # the first time the pair of shapes is compiled
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2))
def test_spheres_overlap_exactly_when_their_centres_are_too_near(
    x: float, y: float, z: float
) -> None:
    world = parse_world(
        "body a { sphere radius 0.5 mass 1 } body b { sphere radius 1 mass 1 position (9, 9, 9) }"
    )
    settings = {"b.x": x, "b.y": y, "b.z": z}
    if math.hypot(x, y, z) < 1.5 - 1e-6:
        with pytest.raises(ModelError, match="overlap"):
            scene(world, settings)
    elif math.hypot(x, y, z) > 1.5:
        scene(world, settings)
