"""Meshes of others: the points of STL and OBJ files, and the corners of their convex hull.

In come the bytes of a file, out go vertices of a polyhedron. Errors have no place, and go on where
the name of the file ends: ``has no vertices``.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dyverse.errors import ModelError, Problem

Points = NDArray[np.float64]
HEADER, COUNT, TRIANGLE = 80, 4, 50  # bytes of a binary STL file
FARTHEST = 1e12  # of a vertex (m), so that its volume has enough digits
MOST = 32  # corners that a hull keeps: each is a contact of its own


def mesh_points(data: bytes, name: str, *, scale: float = 1.0) -> Points:
    """All vertices of the mesh in a file of that name, of triangles that share one several times.

    A `ModelError` says why there are none.
    """
    kind = PurePath(name).suffix.lower()
    if kind not in (".obj", ".stl"):
        raise _wrong("is no mesh that can be read: those are .obj and .stl files")
    points = _stl(data) if kind == ".stl" else _written(data, "v")
    if not len(points):
        raise _wrong("has no vertices")
    if not np.isfinite(points).all():
        raise _wrong("has a vertex that is not finite")
    if scale * np.abs(points).max().item() > FARTHEST:  # as Python multiplies, with no warning
        raise _wrong(f"has a vertex farther away than {FARTHEST:g} m; 'scale' makes it smaller")
    return scale * points


def corners(points: ArrayLike, *, most: int = MOST) -> Points:
    """The corners of the convex hull of points, in their order.

    Of more than ``most`` those are kept that are farthest from what is kept already, the farthest
    from the middle first: a hull inside the hull.
    """
    cloud = _hull(np.unique(np.asarray(points, dtype=float).reshape(-1, 3), axis=0))
    return cloud if len(cloud) <= most else _hull(cloud[_far_apart(cloud, most)])


def centred_corners(points: Points) -> Points:
    """The corners of a hull, moved so that its centre of mass is at the origin."""
    from scipy.spatial import ConvexHull  # as slow to load as all the rest

    return _hull(points - middle(ConvexHull(points)))


def middle(hull: Any) -> Points:  # scipy's
    """The centre of mass of a hull, which is far from every face."""
    inside = hull.points[hull.vertices].mean(axis=0)
    corners = hull.points[hull.simplices] - inside
    volumes = np.abs(np.linalg.det(corners))
    found: Points = inside + volumes @ corners.sum(axis=1) / (4 * volumes.sum())
    return found


def _hull(cloud: Points) -> Points:
    """The corners of a hull: without the points of which rounding makes none, so none is left."""
    from scipy.spatial import ConvexHull, QhullError  # as slow to load as all the rest

    try:
        while len(found := np.sort(ConvexHull(cloud).vertices)) < len(cloud):
            cloud = cloud[found]
    except (QhullError, ValueError):
        message = "has points that lie in a plane, or are fewer than four; a hull has a volume"
        raise _wrong(message) from None
    return cloud


def _far_apart(cloud: Points, most: int) -> NDArray[np.intp]:
    """So many of the points, by their numbers."""
    away = np.linalg.norm(cloud - cloud.mean(axis=0), axis=1)
    kept = [int(np.argmax(away))]
    away = np.linalg.norm(cloud - cloud[kept[0]], axis=1)
    while len(kept) < max(most, 4):
        kept.append(int(np.argmax(away)))
        away = np.minimum(away, np.linalg.norm(cloud - cloud[kept[-1]], axis=1))
    return np.sort(np.array(kept))


def _stl(data: bytes) -> Points:
    """Binary if its length is as it says, else text."""
    count = int.from_bytes(data[HEADER : HEADER + COUNT], "little")
    if len(data) == HEADER + COUNT + TRIANGLE * count:
        rows = np.frombuffer(data, dtype=np.uint8, offset=HEADER + COUNT).reshape(-1, TRIANGLE)
        floats = rows[:, :48].copy().view("<f4").reshape(-1, 4, 3)
        return floats[:, 1:].reshape(-1, 3).astype(float)
    if not data.lstrip().startswith(b"solid"):
        raise _wrong("is no STL file, or not all of one")
    return _written(data, "vertex")


def _written(data: bytes, word: str) -> Points:
    """The numbers behind a word at the begin of lines."""
    found: list[tuple[float, float, float]] = []
    for number, line in enumerate(data.decode(errors="replace").splitlines(), start=1):
        if (parts := line.split())[:1] != [word]:
            continue
        try:
            x, y, z = map(float, parts[1:4])
        except ValueError:
            told = f"line {number} begins with {word!r} and has not three numbers"
            raise _wrong(f"is no mesh: {told}") from None
        found.append((x, y, z))
    return np.array(found, dtype=float).reshape(-1, 3)


def _wrong(what: str) -> ModelError:
    return ModelError([Problem(what)])
