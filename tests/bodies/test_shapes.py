"""Shapes and pairs of them: the lists agree, and a pair that is not there is said at once."""

import pytest

from dyverse.bodies.build import cylinder, disc
from dyverse.bodies.describe import world_text
from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.shapes import PAIRS, SHAPES, faces, meetings
from dyverse.errors import ModelError
from dyverse.text.syntax import statements as syntax

ROOM = """\
body floor { plane normal (0, 1, 0) }
body wall { plane normal (1, 0, 0) }
body a { sphere radius 1  mass 1  position (3, 3, 0) }
body b { sphere radius 1  mass 1  position (6, 3, 0) }
"""


def test_the_language_knows_every_shape_and_its_measure() -> None:
    assert list(SHAPES) == list(syntax.SHAPES)
    for word, shape in SHAPES.items():
        assert shape.measure == "".join(syntax.SHAPES[word][:1])


ROUND_ONES = """\
body can { cylinder radius 0.05 length 0.2  mass 1  position (0, 0.2, 0)  rotation (1.5, 0, 0) }
body coin { disc radius 0.01 rounding 0.001  mass 0.01  position (1, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact can coin off
property up: always gap[can.rim1,floor] > -0.1 and gap[coin.rim,floor] > -0.1
"""


def test_text_and_python_make_the_same_cans_and_coins() -> None:
    made = parse_world(ROUND_ONES)
    assert world_text(made) == ROUND_ONES
    turn = (1.5, 0, 0)
    assert made.bodies[0] == cylinder(
        "can", radius=0.05, length=0.2, mass=1, position=(0, 0.2, 0), rotation=turn
    )
    assert made.bodies[1] == disc(
        "coin", radius=0.01, rounding=0.001, mass=0.01, position=(1, 1, 0)
    )


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("length 0.2", "length 0", "1:40: the length of body 'can' is 0; it must be positive"),
        (
            "length 0.2",
            "length (1, 2)",
            "radius needs a single number, and so does length, found 3",
        ),
        ("rounding 0.001", "rounding -1", "the rounding of body 'coin' is -1; it must be zero or"),
        ("contact can coin off", "", "a cylinder and a disc cannot touch yet"),
        ("coin.rim,", "coin.rim1,", "body 'coin' has no feature 'rim1' there; did you mean 'rim'"),
    ],
)
def test_what_cannot_be_of_a_can_or_a_coin_is_said(right: str, wrong: str, message: str) -> None:
    text = ROUND_ONES.replace(right, wrong)
    with pytest.raises(ModelError) as caught:
        parse_world(text)
    assert message in str(caught.value)


def test_two_shapes_meet_in_either_order() -> None:
    ball, floor = faces(Sphere(0.5)), faces(HalfSpace((0.0, 1.0, 0.0)))
    (there,), (back,) = meetings(ball, floor), meetings(floor, ball)
    assert (there.pair, there.swapped, back.swapped) == (back.pair, False, True)
    assert there.numbers == back.numbers == (0.5, 0.0, 1.0, 0.0)
    assert not meetings(floor, floor)


def test_a_pair_that_is_not_there_is_an_error_that_names_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(PAIRS, ("sphere", "half-space"))
    message = "4:6: bodies 'floor' and 'a': a plane and a sphere cannot touch yet"
    with pytest.raises(ModelError, match=message) as caught:
        parse_world("\n" + ROOM)
    assert len(caught.value.problems) == 1
    parse_world(ROOM + "contact all off")
