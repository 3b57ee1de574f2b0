"""Shapes and pairs of them: the lists agree, and a pair that is not there is said at once."""

import pytest

from dyverse.bodies.read import parse_world
from dyverse.bodies.shape.half_space import HalfSpace
from dyverse.bodies.shape.sphere import Sphere
from dyverse.bodies.shapes import PAIRS, SHAPES, faces, meetings
from dyverse.errors import ModelError
from dyverse.text import syntax

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
