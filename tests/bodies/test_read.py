from pathlib import Path

import pytest

from dyverse.bodies.describe import world_text
from dyverse.bodies.read import load_world, parse_world
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.world import Body, ContactRule, Law, Spring, World
from dyverse.errors import ModelError
from dyverse.expr.formula import formula_symbols
from dyverse.expr.requirement import formulas
from dyverse.expr.term import Number, Symbol
from tests.bodies.models import EVERYTHING, MODELS, SKETCH

BALL = "body ball { sphere radius 1  mass 1 }\n"
FLOOR = "body floor { plane normal (0, 1, 0)  position (0, -1, 0) }\n"


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_a_printed_world_reads_back(text: str) -> None:
    world = parse_world(text)
    assert parse_world(world_text(world)) == world


def test_the_sketch_reads_as_it_is_meant() -> None:
    world = parse_world(SKETCH)
    ball = Body(
        name="ball2",
        shape=Sphere(Number(0.5)),
        mass=Number(1.0),
        position=(Number(1.5), Number(0.0), Number(0.0)),
    )
    law = Law(restitution=Number(0.8), friction=Number(0.3))
    assert world.bodies[1] == ball
    assert world.contacts == (ContactRule(pair=("ball1", "ball2"), law=law),)
    assert world.gravity == (Number(0.0), Number(-9.81), Number(0.0))
    assert [item.name for item in world.inputs] == ["u1", "u2", "u3"]
    assert world.properties[0].until == Number(2.0)


def test_a_damper_is_a_spring_without_stiffness() -> None:
    world = parse_world(BALL + "damper ball (1, 2, 3) { damping 4 }")
    point = (Number(1.0), Number(2.0), Number(3.0))
    assert world.springs == (Spring(body="ball", other=point, damping=Number(4.0)),)


def test_a_plane_is_fixed_without_saying_so() -> None:
    body = parse_world(FLOOR).bodies[0]
    assert body.fixed
    assert isinstance(body.shape, HalfSpace)


def test_signals_name_their_bodies_in_the_order_of_the_world() -> None:
    (formula,) = formulas(parse_world(EVERYTHING).properties[0].requirement)
    assert Symbol("gap[ball1,ball2]") in formula_symbols(formula)


def test_an_empty_text_is_an_empty_world() -> None:
    assert parse_world("") == World()


def problems(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(ModelError) as caught:
        parse_world(text)
    return [
        (problem.span.line, problem.span.column, problem.message)
        for problem in caught.value.problems
        if problem.span
    ]


WRONG: list[tuple[str, int, int, str]] = [
    # unknown names
    ("force bal (1, 2, 3)", 3, 7, "unknown body 'bal'; did you mean 'ball'?"),
    ("contact ball flor", 3, 18, "expected 'off' or '{', found the end of the text"),
    ("contact ball flor {}", 3, 14, "unknown body 'flor'; did you mean 'floor'?"),
    ("spring ball bal { stiffness 1 }", 3, 13, "unknown body 'bal'; did you mean 'ball'?"),
    ("input u = 2*speed", 3, 13, "unknown name 'speed'"),
    ("parameter Kp = 1 input u = kp", 3, 28, "unknown name 'kp'; did you mean 'Kp'?"),
    ("input u = bal.x", 3, 11, "unknown body 'bal' in 'bal.x'; did you mean 'ball'?"),
    ("input u = ball.vxx", 3, 11, "body 'ball' has no quantity 'vxx'; did you mean 'vx'?"),
    ("input u = ball.foo", 3, 11, "body 'ball' has no quantity 'foo'; there are x, y, z, rx"),
    ("input u = ball", 3, 11, "'ball' is a body; name one of its quantities, such as 'ball.x'"),
    ("input u = 1 + sinn(2)", 3, 15, "unknown function 'sinn'; did you mean 'sin'?"),
    ("input u = atan2(1)", 3, 11, "'atan2' takes 2 arguments, not 1"),
    ("input u = sin()", 3, 11, "'sin' takes 1 argument, not 0"),
    ("body b { sphere radius velocity (1, 2, 3) fixed }", 3, 24, "a value missing before it?"),
    ("property p: always gapp[ball,floor] > 0", 3, 20, "unknown signal 'gapp'; did you"),
    ("property p: always gap[ball,flor] > 0", 3, 20, "unknown body 'flor' in 'gap[ball,flor]'"),
    ("property p: always gap[ball,ball] > 0", 3, 20, "'ball' and 'ball' cannot touch"),
    ("property p: always enrgy > 0", 3, 20, "unknown name 'enrgy'; did you mean 'energy'?"),
    # names out of place
    ("horizon ball.x", 3, 9, "horizon must be constant, and 'ball.x' changes in time"),
    ("parameter K = 2*t", 3, 17, "parameter 'K' must be constant, and 't' changes in time"),
    ("input u gravity (u, 0, 0)", 3, 18, "gravity must be constant, and 'u' changes in time"),
    ("contact ball floor { friction t }", 3, 31, "friction must be constant, and 't'"),
    ("contact ball floor { restitution slip_speed }", 3, 34, "'slip_speed' alone is for"),
    ("input u = energy", 3, 11, "'energy' is for properties only"),
    ("input u = slip_speed[ball,floor]", 3, 11, "signals such as 'slip_speed[ball,floor]' are"),
    ("horizon gap[ball,floor]", 3, 9, "horizon must be constant"),
    # definitions
    ("parameter ball = 1", 3, 11, "the name 'ball' is taken by a body, line 1"),
    ("input floor2, floor2", 3, 15, "the name 'floor2' is taken by an input, line 3"),
    ("parameter t = 1", 3, 11, "'t' is a word of the language; choose another name"),
    ("input pi = 1", 3, 7, "'pi' is a word of the language; choose another name"),
    ("parameter sin = 1", 3, 11, "'sin' is a function; choose another name"),
    ("parameter K = K", 3, 11, "'K' is defined by itself: K -> K"),
    ("parameter A = B parameter B = 2*A", 3, 11, "'A' is defined by itself: A -> B -> A"),
    ("input u = v + 1, v = w, w = u", 3, 7, "'u' is defined by itself: u -> v -> w -> u"),
    # dimensions
    (
        "impact moreau",
        3,
        8,
        "there is no law of impact 'moreau'; there are newton, poisson, sequence",
    ),
    ("impact sequense", 3, 8, "there is no law of impact 'sequense'; did you mean 'sequence'?"),
    ("impact newton impact sequence", 3, 15, "'impact' is given twice; keep one"),
    ("gravity (0, 1)", 3, 10, "gravity needs three components (x, y, z), found 2 components"),
    ("force ball 3", 3, 12, "force needs three components (x, y, z), found a single number"),
    ("body b { plane normal (1,2,3,4) }", 3, 24, "normal needs three components"),
    ("horizon (1, 2, 3)", 3, 10, "horizon needs a single number, found a vector of 3"),
    ("spring ball (1, 2) { stiffness 1 }", 3, 14, "the end of a spring needs three components"),
    # bodies
    (
        "body b { sphere radius 1 position (9,9,9) }",
        3,
        6,
        "body 'b' moves and has no mass; give it a mass, or",
    ),
    ("body b { fixed }", 3, 6, "body 'b' has no shape; write 'sphere radius 1', "),
    ("body b { sphere radius 1 plane normal (0,1,0) }", 3, 26, "body 'b' has two shapes"),
    (
        "body b { sphere radius 1 position (9,9,9) fixed mass 1 mass 2 }",
        *(3, 56, "'mass' is given twice; keep one"),
    ),
    (
        "body b { plane normal (0,2,0) mass 1 position (0,-1,0) }",
        3,
        31,
        "a plane is fixed and has no mass; leave it out",
    ),
    (
        "body b { plane normal (0,2,0) rotation (1,0,0) position (0,-1,0) }",
        3,
        31,
        "turn its normal instead",
    ),
    ("body b { plane normal (0,2,0) spin (1,0,0) position (0,-1,0) }", 3, 31, "leave out 'spin'"),
    (
        "body b { sphere radius 1 position (9,9,9) fixed velocity (1,0,0) }",
        *(3, 49, "body 'b' is fixed and cannot move; leave out 'velocity' or 'fixed'"),
    ),
    # statements about bodies
    ("force floor (1, 2, 3)", 3, 7, "a force on the fixed body 'floor' does nothing"),
    ("torque floor (1, 2, 3)", 3, 8, "a torque on the fixed body 'floor' does nothing"),
    ("spring ball ball { stiffness 1 }", 3, 13, "a spring of 'ball' with itself"),
    ("damper floor (0, 0, 0) { damping 1 }", 3, 8, "a damper between fixed bodies"),
    ("contact ball ball off", 3, 14, "a contact of 'ball' with itself; name two bodies"),
    ("contact ball floor {} contact floor ball off", 3, 31, "is given twice; keep one"),
    ("contact all {} contact all off", 3, 24, "the contact of 'all' is given twice"),
    ("horizon 1 horizon 2", 3, 11, "'horizon' is given twice; keep one"),
    # numbers
    ("parameter K = 2 in [3, 1]", 3, 21, "the range [3, 1] of 'K' is upside down; write [1, 3]"),
    ("parameter K = 5 in [1, 3]", 3, 15, "the value 5 of 'K' lies outside its range [1, 3]"),
    ("parameter K = 1/0", 3, 15, "parameter 'K' is not a finite number"),
    ("parameter K = 1 in [0, log(0)]", 3, 21, "the range of 'K' is not finite"),
    ("gravity (0, sqrt(-1), 0)", 3, 13, "gravity is not a finite number"),
    ("horizon -1", 3, 9, "horizon is -1; it must be positive"),
    ("spring ball floor { }", 3, 8, "this spring has no stiffness; write how much"),
    ("spring ball floor { damping 1 }", 3, 8, "(N/m); without one, write 'damper'"),
    ("damper ball floor { }", 3, 8, "this damper has no damping; write how much"),
    ("gravity (0, -1e300, 0)", 3, 13, "gravity is -1e+300; it may be 1e+50 at most"),
    *(
        (
            f"body b {{ sphere radius {r} mass {m} position (9, 9, 9) }}",
            3,
            24 if m == "1" else 31,
            message,
        )
        for r, m, message in (
            ("1e300", "1", "the radius of body 'b' is 1e+300; it may be 1e+50 at most"),
            ("1e-99", "1", "the radius of body 'b' is 1e-99; it must be 1e-50 or more"),
            ("1", "1e99", "the mass of body 'b' is 1e+99; it may be 1e+50 at most"),
            ("1", "1e-320", "the mass of body 'b' is 1e-320; it must be 1e-50 or more"),
        )
    ),
    (
        "body b { plane normal (0, 1e-60, 0) position (0, -9, 0) }",
        3,
        24,
        "is shorter than 1e-50; give it a direction",
    ),
    ("property p: always ball.x > 0 until 0", 3, 37, "until is 0; it must be positive"),
    (
        "body b { sphere radius 1 mass 0 position (9,9,9) }",
        *(3, 31, "the mass of body 'b' is 0; it must be positive"),
    ),
    ("body b { sphere radius -1 fixed position (9,9,9) }", 3, 24, "the radius of body 'b' is -1"),
    (
        "body b { sphere radius 1 mass 1 inertia -2 position (9,9,9) }",
        *(3, 41, "the inertia of body 'b' is -2; it must be positive"),
    ),
    ("body b { plane normal (0,0,0) }", 3, 24, "the normal of body 'b' is zero; give it"),
    ("contact ball floor { restitution 1.5 }", 3, 34, "restitution is 1.5; it must lie in [0, 1]"),
    ("contact all { tangential_restitution -2 }", 3, 38, "it must lie in [-1, 1]"),
    ("contact all { friction -0.1 }", 3, 24, "friction is -0.1 at a slip speed of 0 m/s"),
    ("contact all { friction 1 - slip_speed }", 3, 24, "friction is -9 at a slip speed of 10"),
    ("spring ball (1, 2, 1/0) { stiffness 1 }", 3, 20, "the end of the spring is not a finite"),
    (
        "body b { sphere radius 1 mass 1 position (1.5, 0, 0) }",
        *(3, 6, "bodies 'ball' and 'b' overlap by 0.5 m at the start"),
    ),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG)
def test_a_wrong_model_says_where_and_what(text: str, line: int, column: int, message: str) -> None:
    found = problems(BALL + FLOOR + text)
    assert len(found) == 1, found
    assert found[0][:2] == (line, column)
    assert message in found[0][2]


def test_two_fixed_bodies_have_no_contact() -> None:
    text = FLOOR + "body wall { plane normal (1, 0, 0) }\ncontact floor wall { }"
    assert problems(text) == [(3, 15, "a contact between fixed bodies does nothing; leave it out")]


def test_a_contact_that_is_off_has_no_signals() -> None:
    text = BALL + FLOOR + "contact all off property p: always gap[ball,floor] > 0"
    assert problems(text)[0][2] == "'gap[ball,floor]': 'ball' and 'floor' cannot touch"


def test_all_problems_are_reported_together_in_order() -> None:
    text = (
        "parameter K = L parameter L = K\n"
        "body ball { sphere radius 1  mass -1  position (0, 0.5, 0) }\n"
        "body floor { plane normal (0, 1, 0) }\n"
        "force bal (1, 2)\n"
        "contact ball floor { restitution 2  friction nu }\n"
        "parameter M = 3 in [2, 1]\n"
    )
    assert [(line, column) for line, column, _ in problems(text)] == [
        (1, 11),
        (2, 35),
        (3, 6),
        (4, 7),
        (4, 12),
        (5, 34),
        (5, 46),
        (6, 21),
    ]


def test_bodies_that_just_touch_do_not_overlap() -> None:
    found = parse_world(BALL + FLOOR + "body b { sphere radius 1 mass 1 position (2, 0, 0) }")
    assert [body.name for body in found.bodies] == ["ball", "floor", "b"]


def test_bodies_that_cannot_touch_may_overlap() -> None:
    for off in ("contact ball b off", "contact all off"):
        found = parse_world(BALL + BALL.replace("ball", "b") + off)
        assert [rule.law for rule in found.contacts] == [None]


def test_the_error_shows_the_line_and_names_the_file() -> None:
    with pytest.raises(ModelError) as caught:
        parse_world("body ball { sphere radius 1  mass 1 }\r\ncontact ball flor {}", file="a.drbt")
    assert str(caught.value) == (
        "a.drbt:2:14: unknown body 'flor'; there is only ball\n"
        "  contact ball flor {}\n               ^^^^"
    )


def test_a_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "sketch.drbt"
    path.write_text("\ufeff" + SKETCH, encoding="utf-8")
    assert load_world(path) == load_world(str(path)) == parse_world(SKETCH)


def test_a_file_that_cannot_be_read_is_a_model_error(tmp_path: Path) -> None:
    (tmp_path / "latin1.drbt").write_bytes(b"# caf\xe9")
    with pytest.raises(ModelError, match=r"latin1\.drbt: not a text file in UTF-8 \(byte 6\)"):
        load_world(tmp_path / "latin1.drbt")
    with pytest.raises(ModelError, match=r"none\.drbt: cannot be read: No such file"):
        load_world(tmp_path / "none.drbt")
    with pytest.raises(ModelError, match="cannot be read: Is a directory"):
        load_world(tmp_path)
    with pytest.raises(ModelError, match="cannot be read: embedded null byte"):
        load_world("a\0b")
