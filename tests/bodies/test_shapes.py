"""Shapes and pairs of them: the lists agree, and a pair that is not there is said at once."""

import pytest

from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.shapes import PAIRS, SHAPES, meeting
from dyverse.errors import ModelError
from dyverse.text import syntax

ROOM = """\
body floor { plane normal (0, 1, 0) }
body wall { plane normal (1, 0, 0) }
body a { sphere radius 1  mass 1  position (3, 3, 0) }
body b { sphere radius 1  mass 1  position (6, 3, 0) }
"""


def test_the_language_knows_every_shape_and_its_measure() -> None:
    assert {word: shape.measure for word, shape in SHAPES.items()} == syntax.SHAPES


def test_two_shapes_meet_in_either_order() -> None:
    ball, floor = Sphere(0.5), HalfSpace((0.0, 1.0, 0.0))
    there, back = meeting(ball, floor), meeting(floor, ball)
    assert there is not None
    assert back is not None
    assert (there.pair, there.swapped, back.swapped) == (back.pair, False, True)
    assert meeting(floor, floor) is None


def test_a_pair_that_is_not_there_is_an_error_that_names_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(PAIRS, (Sphere, HalfSpace))
    message = "4:6: bodies 'floor' and 'a': a plane and a sphere cannot touch yet"
    with pytest.raises(ModelError, match=message) as caught:
        parse_world("\n" + ROOM)
    assert len(caught.value.problems) == 1
    parse_world(ROOM + "contact all off")
