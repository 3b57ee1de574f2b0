"""Meshes of others: their points, and the corners of their hull."""

import struct
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dyverse.bodies.build import polyhedron, world
from dyverse.bodies.shape.mesh import hull_of
from dyverse.errors import ModelError
from dyverse.generation.automaton import generate
from dyverse.text.file import MAX_MESH
from dyverse.text.mesh import corners

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


def test_a_hull_is_moved_to_its_centre_of_mass(tmp_path: Path) -> None:
    """That of a tetrahedron is the mean of its corners."""
    (tmp_path / "tent.obj").write_bytes(b"v 1 1 1\nv 9 1 1\nv 1 5 1\nv 1 1 3")
    found = np.array(hull_of(tmp_path / "tent.obj", scale=0.1, centred=True))
    assert found.mean(axis=0) == pytest.approx([0, 0, 0], abs=1e-15)
    assert sorted(np.ptp(found, axis=0)) == pytest.approx([0.2, 0.4, 0.8])


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
        ("cube.ply", b"", "is no mesh that can be read: those are .obj and .stl files"),
        ("cube.obj", b"v 1 2 3\nv 1 2", "line 2 begins with 'v' and has not three numbers"),
        ("cube.obj", b"v 1 2 x", "line 1 begins with 'v' and has not three numbers"),
        ("cube.obj", b"f 1 2 3", "has no vertices"),
        ("cube.obj", b"v 0 0 0\nv nan 0 0", "has a vertex that is not finite"),
        ("cube.stl", binary([[0.0, 0.0, np.inf]]), "has a vertex that is not finite"),
        ("cube.stl", binary(CUBE)[:-1], "is no STL file, or not all of one"),
        ("cube.stl", b"", "is no STL file, or not all of one"),
        ("cube.stl", b"solid cube\nendsolid", "has no vertices"),
        ("cube.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0", "lie in a plane"),
        ("cube.obj", b"v 0 0 0\nv 1 0 0", "fewer than four"),
        ("cube.obj", b" " * (MAX_MESH + 1), "has more than 50,000,000 bytes"),
        ("none.obj", None, "cannot be read: No such file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    tmp_path: Path, name: str, data: bytes | None, wrong: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ModelError, match=wrong):
        hull_of(tmp_path / name)
