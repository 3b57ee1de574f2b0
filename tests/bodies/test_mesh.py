"""Meshes of others: their points, and the corners of their hull."""

import struct
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dyverse.bodies.build import polyhedron, world
from dyverse.bodies.shape.mesh import corners, hull_of
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate

CUBE = [list(at) for at in product((-1.0, 1.0), repeat=3)]
INSIDE = [[0.0, 0.5, 0.0], [1.0, 0.0, 0.0]]  # of these the second is on a face


def binary(points: list[list[float]]) -> bytes:
    """Triangles whose corners are all alike, one for each point."""
    rows = (struct.pack("<12fH", 0, 0, 0, *at, *at, *at, 0) for at in points)
    return bytes(80) + struct.pack("<I", len(points)) + b"".join(rows)


def text(points: list[list[float]], word: str) -> bytes:
    lines = (f"  {word} {x} {y} {z}" for x, y, z in points)
    return "\n".join(("solid cube", *lines, "f 1 2 3")).encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cube.stl", binary(CUBE + INSIDE)),
        ("cube.STL", text(CUBE + INSIDE, "vertex")),
        ("cube.obj", text(CUBE + INSIDE, "v")),
    ],
)
def test_a_file_is_the_corners_of_its_hull(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert hull_of(tmp_path / name, scale=0.5) == (0.5 * np.array(CUBE)).tolist()


def test_a_hull_is_a_body() -> None:
    """With the moments of a cube of edge two."""
    made = world(polyhedron("cube", vertices=corners(CUBE + INSIDE).tolist(), mass=3))
    assert generate(made).scene.body("cube").inertia[:3] == pytest.approx([2, 2, 2])


def test_of_many_corners_those_are_kept_that_are_far_apart() -> None:
    ball = np.random.default_rng(1).normal(size=(500, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, None]
    kept = corners(ball, most=20)
    assert len(kept) == 20
    assert set(map(tuple, kept.tolist())) <= set(map(tuple, ball.tolist()))
    gaps = np.linalg.norm(kept[:, None] - kept[None], axis=2) + 9 * np.eye(20)
    assert gaps.min() > 0.5


@pytest.mark.parametrize(
    ("name", "data", "wrong"),
    [
        ("cube.ply", b"", "a mesh is read from .stl or .obj files"),
        ("cube.obj", b"v 1 2\nv 1 2 3", "begins with 'v' has not three numbers"),
        ("cube.obj", b"f 1 2 3", "it has no vertices"),
        ("cube.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0", "lie in a plane"),
        ("none.obj", None, "it cannot be read: No such file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    tmp_path: Path, name: str, data: bytes | None, wrong: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ModelError, match=wrong):
        hull_of(tmp_path / name)
