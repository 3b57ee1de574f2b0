"""The links of a robot as bodies: mass, inertia, and the shapes that can touch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from dyverse.bodies import build
from dyverse.bodies.shape.compound import BodyPart
from dyverse.bodies.shape.solid import Given
from dyverse.bodies.world import Body
from dyverse.expr.term import Term
from dyverse.robots.meshes import hull
from dyverse.robots.pose import NOISE, WORLD, Place, Pose, angles, place, plain, turn
from dyverse.robots.source import Source
from dyverse.text.fresh_names import Names

PLANE, HEIGHTS, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)  # kinds of geoms
CENTRE: Place = (0.0, 0.0, 0.0)
AXIS = np.array([0.0, 0.0, 1.0])  # of a capsule or plane, in its own axes
SHARE = 1e-6  # of a body's mass and inertia, what is between each two of its joints
Geoms = list[int]
Maker = Callable[..., Body]


class Links:
    """Bodies by the numbers of MuJoCo's, each with the geoms that it has."""

    def __init__(self, source: Source, pose: Pose, name: Callable[[str], str]) -> None:
        self._source, self._pose = source, pose
        self.geoms: dict[str, Geoms] = {}  # by the name of a body
        self.between: dict[int, list[str]] = {}  # bodies between the joints of one
        self.names = {
            n: name(source.base if n == WORLD else pose.name("body", n))
            for n in range(pose.model.nbody)
        }
        self.bodies = [*self._standing(name), *self._moving(name)]

    def _standing(self, name: Callable[[str], str]) -> Iterator[Body]:
        """What stands still: planes, the base of a robot, and whatever else there is."""
        solid = [g for g in self._touching(WORLD) if self._kind(g) != PLANE]
        own = solid if self._source.is_urdf else []
        yield self._body(self.names[WORLD], own, CENTRE, {"fixed": True})
        for geom in self._touching(WORLD):
            if self._kind(geom) == PLANE:
                title = name(self._pose.name("geom", geom))
                self.geoms[title] = [geom]
                at, normal = self._at(geom, CENTRE), place(self._turn(geom).apply(AXIS))
                yield build.plane(title, normal=normal, position=at)
            elif geom not in own:
                at, turned = self._at(geom, CENTRE), angles(self._turn(geom))
                title = name(self._pose.name("geom", geom))
                if made := self._shape(geom):
                    self.geoms[title] = [geom]
                    yield made(title, position=at, rotation=turned, fixed=True)

    def _moving(self, name: Callable[[str], str]) -> Iterator[Body]:
        model, data = self._pose.model, self._pose.data
        for number in range(1, model.nbody):
            yield from self._between(number, name)
            left = 1 - SHARE * len(self.between[number])
            moments = left * model.body_inertia[number]
            given: Given = {
                "mass": plain(left * model.body_mass[number]),
                "inertia": _inertia(moments, turn(model.body_iquat[number])),
                "position": place(data.xipos[number]),
                "rotation": angles(turn(data.xquat[number])),
            }
            middle = model.body_ipos[number]
            yield self._body(self.names[number], self._touching(number), middle, given)

    def _between(self, number: int, name: Callable[[str], str]) -> Iterator[Body]:
        """A small body between each two joints of one: a joint joins two bodies."""
        model, title = self._pose.model, self.names[number]
        count = max(len(self._pose.joints(number)) - 1, 0)
        self.between[number] = [name(f"{title}_frame") for _ in range(count)]
        if count:
            why = f"has several joints; of its mass and inertia {SHARE:g} is between each two"
            self._source.drop("body", self._pose.name("body", number), why)
        for own in self.between[number]:
            self.geoms[own] = []
            mass = plain(SHARE * model.body_mass[number])
            inertia = plain(SHARE * model.body_inertia[number].min())
            at = place(self._pose.data.xipos[number])
            yield build.point(own, mass=mass, inertia=inertia, position=at)

    def _body(self, title: str, geoms: Geoms, middle: Iterable[float], given: Given) -> Body:
        """A body of these geoms, whose centre of mass is at ``middle`` of the link."""
        found = [(g, made) for g in geoms if (made := self._shape(g)) is not None]
        self.geoms[title] = [geom for geom, _ in found]
        if not found:
            return build.point(title, **given)
        if len(found) == 1 and self._sits(found[0][0], middle):
            return found[0][1](title, **given)
        names = Names(frozenset())
        parts = [self._part(g, made, middle, names) for g, made in found]
        return build.compound(title, *parts, **given)

    def _sits(self, geom: int, middle: Iterable[float]) -> bool:
        return self._at(geom, middle) == CENTRE and angles(self._own_turn(geom)) == CENTRE

    def _part(
        self, geom: int, made: Maker, middle: Iterable[float], names: Names
    ) -> BodyPart[Term]:
        name = names.new(self._pose.name("geom", geom))
        turned = angles(self._own_turn(geom))
        return build.part(made(name), at=self._at(geom, middle), rotation=turned)

    def _touching(self, body: int) -> Geoms:
        """The geoms of a body that can touch anything; others are there to be looked at."""
        model = self._pose.model
        first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
        every = range(first, first + count)
        return [g for g in every if model.geom_contype[g] or model.geom_conaffinity[g]]

    def _shape(self, geom: int) -> Maker | None:
        """What makes a body of this shape; none if there is no such shape, which is noted."""
        a, b, c = (plain(size) for size in self._pose.model.geom_size[geom])
        kind, name = self._kind(geom), self._pose.name("geom", geom)
        if kind == MESH:
            return self._hull(geom, name)
        known: dict[int, Maker] = {
            SPHERE: partial(build.sphere, radius=a),
            CAPSULE: partial(build.capsule, radius=a, length=2 * b),
            CYLINDER: partial(build.cylinder, radius=a, length=2 * b),
            ELLIPSOID: partial(build.ellipsoid, axes=(a, b, c)),
            BOX: partial(build.box, size=(2 * a, 2 * b, 2 * c)),
        }
        if kind not in known:
            what = "a field of heights" if kind == HEIGHTS else "a shape"
            self._source.drop("geom", name, f"is {what}, which cannot touch")
            return None
        return known[kind]

    def _hull(self, geom: int, name: str) -> Maker:
        """The convex hull of a mesh, in the axes of the link."""
        vertices = self._turn(geom).apply(hull(self._pose.model, geom))
        why = f"becomes its convex hull, of {len(vertices)} vertices"
        self._source.drop("geom", name, why, part="mesh")
        return partial(build.polyhedron, vertices=[place(vertex) for vertex in vertices])

    def _kind(self, geom: int) -> int:
        return int(self._pose.model.geom_type[geom])

    def _at(self, geom: int, middle: Iterable[float]) -> Place:
        return place(self._pose.model.geom_pos[geom] - np.array(tuple(middle)))

    def _turn(self, geom: int) -> Rotation:
        return turn(self._pose.model.geom_quat[geom])

    def _own_turn(self, geom: int) -> Rotation:
        """How it is turned in its link: not at all if that cannot be seen."""
        kind = self._kind(geom)
        if kind in (SPHERE, MESH):  # vertices are turned already
            return Rotation.identity()
        if kind in (CAPSULE, CYLINDER):
            axis = self._turn(geom).apply(AXIS)
            return Rotation.align_vectors([axis * np.sign(axis[2] or 1.0)], [AXIS])[0]
        return self._turn(geom)


def _inertia(moments: NDArray[np.float64], axes: Rotation) -> tuple[float, ...]:
    """Moments about the axes of the link: three, or six if they are mixed."""
    turned = axes.as_matrix()
    whole = turned @ np.diag(moments) @ turned.T
    xy, xz, yz = whole[0, 1], whole[0, 2], whole[1, 2]
    mixed = max(abs(xy), abs(xz), abs(yz)) > NOISE * whole.trace()
    return tuple(map(plain, (*whole.diagonal(), *((xy, xz, yz) if mixed else ()))))
