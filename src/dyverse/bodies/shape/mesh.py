"""The convex hull of a mesh file, as vertices for `dyverse.bodies.shape.polyhedron.polyhedron`."""

from __future__ import annotations

from pathlib import Path

from dyverse.errors import ModelError
from dyverse.text.file import MAX_MESH, file_bytes
from dyverse.text.mesh import MOST, centred_corners, corners, mesh_points


def hull_of(
    path: str | Path, *, most: int = MOST, scale: float = 1.0, centred: bool = False
) -> list[list[float]]:
    """The corners of the hull of an STL or OBJ file, in its own axes; see `corners`.

    ``centred`` moves them so that the centre of mass is at the origin, where a body has it.
    """
    data = file_bytes(path, most=MAX_MESH)
    try:
        found = corners(mesh_points(data, str(path), scale=scale), most=most)
        vertices: list[list[float]] = (centred_corners(found) if centred else found).tolist()
    except ModelError as error:  # without the file
        raise ModelError(error.problems, file=str(path)) from None
    return vertices
