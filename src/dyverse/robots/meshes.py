"""Meshes of robots: where their files are, and their convex hulls."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from dyverse.robots.source import Source

if TYPE_CHECKING:
    import mujoco

MOST = 32  # vertices of a hull, each of which is a contact with every plane


def find_meshes(source: Source, folder: Path) -> None:
    """Where meshes are, also those of packages; a mesh that is nowhere is left out."""
    for mesh in list(source.spec.meshes):
        mesh.maxhullvert = MOST
        if not mesh.file:
            continue
        found = _file(mesh.file, folder, source.spec.meshdir)
        if found is not None:
            mesh.file = str(found)
            continue
        for geom in [geom for geom in source.spec.geoms if geom.meshname == mesh.name]:
            source.drop("geom", geom.name, f"has a mesh that is not there, {mesh.file}")
            source.spec.delete(geom)
        source.spec.delete(mesh)


def _file(name: str, folder: Path, meshes: str) -> Path | None:
    plain = re.sub(r"^(package|file|model):/+", "", name)
    starts = (folder / meshes, folder, *folder.parents)
    tries = [start / part for start in starts for part in (plain, plain.partition("/")[2]) if part]
    return next((there for there in tries if there.is_file()), None)


def hull(model: mujoco.MjModel, geom: int) -> NDArray[np.float64]:
    """The vertices of the convex hull of a geom that is a mesh, in its own axes (m)."""
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    points = np.asarray(model.mesh_vert[first : first + count], dtype=float)
    at = int(model.mesh_graphadr[mesh])
    if at >= 0:  # how many vertices and faces MuJoCo's own hull has, places of edges, vertices
        used = int(model.mesh_graph[at])
        points = points[model.mesh_graph[at + 2 + used : at + 2 + 2 * used]]
    corners: NDArray[np.float64] = points[np.sort(ConvexHull(points).vertices)]
    return corners
