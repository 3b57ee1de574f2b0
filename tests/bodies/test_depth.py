"""Bodies that overlap at the start although no corner of one is in the other."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from dyverse.bodies.placed import Scene
from dyverse.bodies.read import parse_world
from dyverse.bodies.scene import scene
from dyverse.errors import ModelError

FOUR = "polyhedron vertices (-1, -1, -1) (-1, 1, 1) (1, -1, 1) (1, 1, -1)"
EGG = "ellipsoid axes (0.5, 0.3, 0.4)"
REACH = np.abs(
    Rotation.from_euler("xyz", (0.4, 0.5, 0.6)).as_matrix()[0]
).sum()  # of a turned cube, along x


def start(first: str, second: str) -> Scene:
    return scene(parse_world(f"body a {{ {first}  mass 1 }}\nbody b {{ {second}  mass 1 }}"))


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


@pytest.mark.parametrize(
    ("first", "second", "inwards"),
    [
        ("box size (1, 1, 1)", "box size (1, 1, 1)  position ({x}, 0.2, 0)", 1.0),
        ("box size (1, 1, 1)", "box size (1, 1, 1)  position ({x}, {x}, {x})", 1.0),
        (
            "box size (1, 1, 1)",
            "box size (0.3, 0.3, 0.3)  rotation (0.4, 0.5, 0.6)  position ({x}, 0, 0)",
            0.5 + 0.15 * REACH,
        ),
        (FOUR, FOUR + "  position ({x}, 0, 0)", 2.0),
    ],
)
def test_blocks_that_touch_do_not_overlap(first: str, second: str, inwards: float) -> None:
    """At this distance they touch; a thousandth nearer they overlap by that, and it is said."""
    assert len(start(first, second.format(x=inwards + 1e-12)).moving) == 2
    with pytest.raises(ModelError, match=r"'a' and 'b' overlap by 0\.001 m"):
        start(first, second.format(x=inwards - 1e-3))
