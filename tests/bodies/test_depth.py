"""Bodies that overlap at the start although no corner of one is in the other."""

import pytest

from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import scene
from dyverse.errors import ModelError

FOUR = "polyhedron vertices (-1, -1, -1) (-1, 1, 1) (1, -1, 1) (1, 1, -1)"
EGG = "ellipsoid axes (0.5, 0.3, 0.4)"


def start(first: str, second: str) -> None:
    scene(parse_world(f"body a {{ {first}  mass 1 }}\nbody b {{ {second}  mass 1 }}"))


@pytest.mark.parametrize(
    ("first", "second", "depth"),
    [
        ("box size (4, 0.2, 0.2)", "box size (0.2, 4, 0.2)  position (0, 0, 0.05)", "0.15 m"),
        (
            "box size (1, 1, 1)",
            "box size (1, 1, 1)  rotation (0, 0, 0.7)  position (0.1, 0, 0)",
            "",
        ),
        (FOUR, f"{FOUR}  rotation (0.44, -0.93, -0.93)  position (0.07, -0.07, -0.03)", ""),
        (EGG, EGG, "0.3 m"),
        (EGG, "point", "0.3 m"),
        ("part arm { box size (4, 0.2, 0.2) }", "box size (0.2, 4, 0.2)", "0.2 m"),
    ],
)
def test_bodies_that_cross_overlap(first: str, second: str, depth: str) -> None:
    with pytest.raises(ModelError, match=f"'a' and 'b' overlap by .*{depth}"):
        start(first, second)


def test_blocks_that_touch_do_not_overlap() -> None:
    start("box size (1, 1, 1)", "box size (1, 1, 1)  position (1, 0.2, 0)")
    start("box size (1, 1, 1)", "box size (1, 1, 1)  position (1, 1, 1)")
    start(
        "box size (1, 1, 1)",
        "box size (0.3, 0.3, 0.3)  rotation (0.4, 0.5, 0.6)  position (0.76, 0, 0)",
    )
    start(FOUR, f"{FOUR}  position (2, 0, 0)")
