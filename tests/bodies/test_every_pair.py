"""Every pair of shapes can touch, or it is said at once that it cannot, with both names."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from dyverse import parse_model
from dyverse.errors import ModelError

SHAPES = {
    "sphere": "sphere radius 0.1",
    "point": "point",
    "capsule": "capsule radius 0.1  length 0.2",
    "box": "box size (0.1, 0.1, 0.1)",
    "ellipsoid": "ellipsoid axes (0.1, 0.2, 0.3)",
    "cylinder": "cylinder radius 0.1  length 0.2",
    "disc": "disc radius 0.1  rounding 0.01",
    "polyhedron": "polyhedron vertices (-3, -1, -1) (-3, -1, 1) (1, -1, 0) (5, 3, 0)",
    "plane": "plane normal (0, 1, 0)",
}
ROUND = {"sphere", "point", "plane"}
TOGETHER = ({"capsule", "box", "polyhedron"}, {"capsule", "ellipsoid"})  # what touches its own kind


def text_of(first: str, second: str) -> str:
    bodies = [
        f"body {name} {{ {SHAPES[kind]} "
        + ("}" if kind == "plane" else f"mass 1  inertia 0.1  position ({x}, 9, 0) }}")
        for name, kind, x in (("a", first, 0), ("b", second, 20))
    ]
    return "\n".join([*bodies, "contact a b { restitution 0 }"])


@pytest.mark.parametrize(
    ("first", "second"), [*combinations_with_replacement(SHAPES, 2)][:-1]
)  # two planes do not move
def test_a_pair_can_touch_or_is_refused_by_its_names(first: str, second: str) -> None:
    if {first, second} & ROUND or any({first, second} <= some for some in TOGETHER):
        assert parse_model(text_of(first, second)).automaton().variables
        return
    words = [f"{'an' if kind == 'ellipsoid' else 'a'} {kind}" for kind in (first, second)]
    message = f"2:6: bodies 'a' and 'b': {words[0]} and {words[1]} cannot touch yet"
    with pytest.raises(ModelError, match=message):
        parse_model(text_of(first, second)).automaton()
