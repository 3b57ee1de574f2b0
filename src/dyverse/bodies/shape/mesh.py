"""Meshes of others: the points of STL and OBJ files, and the corners of their convex hull.

In comes the path of a file, out go vertices for `dyverse.bodies.build.polyhedron`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dyverse.errors import ModelError, Problem

Points = NDArray[np.float64]
HEADER, COUNT, TRIANGLE = 80, 4, 50  # bytes of a binary STL file
MOST = 32  # corners that a hull keeps: each is a contact of its own


def hull_of(path: str | Path, *, most: int = MOST, scale: float = 1.0) -> list[list[float]]:
    """The corners of the convex hull of a mesh file, in its own axes; see `corners`."""
    found: list[list[float]] = corners(scale * mesh_points(path), most=most).tolist()
    return found


def mesh_points(path: str | Path) -> Points:
    """All vertices of a mesh, of triangles that share one several times."""
    where = Path(path)
    readers = {".stl": _stl, ".obj": _obj}
    if where.suffix.lower() not in readers:
        raise _wrong(where, f"a mesh is read from {' or '.join(readers)} files")
    try:
        data = where.read_bytes()
    except OSError as wrong:
        raise _wrong(where, f"it cannot be read: {wrong.strerror}") from None
    points = readers[where.suffix.lower()](data, where)
    if not len(points) or not np.isfinite(points).all():
        raise _wrong(where, "it has no vertices, or some that are no numbers")
    return points


def corners(points: ArrayLike, *, most: int = MOST) -> Points:
    """The corners of the convex hull of points, in their order.

    Of more than ``most`` those are kept that are farthest from what is kept already, the farthest
    from the middle first: a hull inside the hull.
    """
    from scipy.spatial import ConvexHull, QhullError  # as slow to load as all the rest

    cloud = np.unique(np.asarray(points, dtype=float).reshape(-1, 3), axis=0)
    try:
        cloud = cloud[np.sort(ConvexHull(cloud).vertices)]
        cloud = cloud[_far_apart(cloud, most)] if len(cloud) > most else cloud
        kept: Points = cloud[np.sort(ConvexHull(cloud).vertices)]
    except QhullError:
        message = "these points lie in a plane, or are fewer than four; a hull has a volume"
        raise ModelError([Problem(message)]) from None
    return kept


def _far_apart(cloud: Points, most: int) -> NDArray[np.intp]:
    """So many of the points, by their numbers."""
    away = np.linalg.norm(cloud - cloud.mean(axis=0), axis=1)
    kept = [int(np.argmax(away))]
    away = np.linalg.norm(cloud - cloud[kept[0]], axis=1)
    while len(kept) < max(most, 4):
        kept.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(cloud - cloud[kept[-1]], axis=1))
    return np.sort(np.array(kept))


def _stl(data: bytes, where: Path) -> Points:
    """Binary if its length is as it says, else text."""
    count = int.from_bytes(data[HEADER : HEADER + COUNT], "little")
    if len(data) == HEADER + COUNT + TRIANGLE * count:
        rows = np.frombuffer(data, dtype=np.uint8, offset=HEADER + COUNT).reshape(-1, TRIANGLE)
        floats = rows[:, :48].copy().view("<f4").reshape(-1, 4, 3)
        return floats[:, 1:].reshape(-1, 3).astype(float)
    return _written(data, where, "vertex")


def _obj(data: bytes, where: Path) -> Points:
    return _written(data, where, "v")


def _written(data: bytes, where: Path, word: str) -> Points:
    """The numbers behind a word at the begin of lines."""
    lines = data.decode(errors="replace").splitlines()
    found = [parts[1:4] for line in lines if (parts := line.split())[:1] == [word]]
    try:
        return np.array(found, dtype=float).reshape(-1, 3)
    except ValueError:
        raise _wrong(where, f"a line that begins with {word!r} has not three numbers") from None


def _wrong(where: Path, what: str) -> ModelError:
    return ModelError([Problem(f"{where}: {what}")])
