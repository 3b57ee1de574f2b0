"""Bodies and contacts with numbers in the place of terms, and how they get them.

What is put in may also be a CasADi expression; whatever follows from it is one then, in the same
places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from dyverse.bodies.contact_list import ContactList
from dyverse.bodies.joint.joint import End, Joint, PlacedJoint
from dyverse.bodies.joint.joint import placed as placed_joint
from dyverse.bodies.joint.links import joint_links, link_numbers
from dyverse.bodies.joint.stop import BEGIN
from dyverse.bodies.pairs import Sort, contact_list, contact_name
from dyverse.bodies.shape.interface import Shape, Triple
from dyverse.bodies.shapes import Meeting
from dyverse.bodies.values import known_amounts
from dyverse.bodies.world import (
    AXES,
    CENTRED,
    COORDINATES,
    ORIENTED,
    SPEEDS,
    Body,
    Law,
    Motion,
    Offer,
    World,
)
from dyverse.contact.pair.kinematics import Pair
from dyverse.expr.algebra import Amounts
from dyverse.expr.rotation import (
    Matrix,
    Quaternion,
    from_angles,
    inverse,
    matrix,
    times,
    transposed,
)
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term, Vector
from dyverse.expr.value import NUMBERS


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedBody:
    """A body with numbers; a fixed one has infinite mass and inertia."""

    name: str
    shape: Shape[float]
    motion: Motion
    mass: float  # kg
    inertia: tuple[float, ...]  # kg m², three moments, or six numbers: see `Body`
    position: Triple  # m
    rotation: Triple  # rad
    velocity: Triple  # m/s
    spin: Triple  # rad/s
    fixed: bool
    driven: bool = False  # along a function of time
    orientation: Quaternion = (1.0, 0.0, 0.0, 0.0)  # the same rotation, if it matters
    settable: tuple[str, ...] = ()  # what can be set of its start
    across: int | None = None  # the axis that it moves across, in a plane; else any way
    upright: bool = False  # whether that is the same axis of its own

    @property
    def coordinates(self) -> tuple[float, ...]:
        """Where it is at the start."""
        turned = self.orientation if self.motion == ORIENTED else self.rotation
        return (*self.position, *turned)

    @property
    def speeds(self) -> tuple[float, ...]:
        """How it moves then."""
        if self.fixed:
            return (0.0,) * len(self.motion.speeds)
        if self.motion == CENTRED:
            return (*self.velocity, *self.spin)
        return (*self.velocity, *times(transposed(matrix(self.orientation)), self.spin))

    @property
    def still(self) -> tuple[float, ...]:
        """What pairs of shapes take of it, as if it stood still."""
        return (*self.position, *(0.0,) * len(self.motion.speeds), *self.orientation)

    @property
    def constants(self) -> dict[str, float]:
        """Its quantities by name, if it is fixed."""
        still = (0.0,) * len(self.motion.derived)
        numbers = (*self.coordinates, *self.speeds, *still)
        names = (f"{self.name}.{name}" for name in self.motion.quantities)
        return dict(zip(names, numbers, strict=True))

    @property
    def is_diagonal(self) -> bool:
        """Whether its part of M is: its axes are principal ones, or it turns about one of them."""
        return len(self.inertia) == 3 if self.across is None else self.upright

    @property
    def inverse_mass(self) -> tuple[float, ...]:
        """The diagonal of its part of M⁻¹, which does not depend on where it is."""
        moved = tuple(0.0 if i == self.across else 1 / self.mass for i in range(3))
        if self.across is None and self.is_diagonal:
            return (*moved, *(1 / moment for moment in self.inertia))
        inverse = self.inverse_inertia
        return (*moved, inverse[0][0], inverse[1][1], inverse[2][2])

    @property
    def about(self) -> Triple | None:
        """The unit vector in its own axes that it turns about, in a plane; else any."""
        if self.across is None:
            return None
        x, y, z = (float(i == self.across) for i in range(3))
        return (x, y, z) if self.upright else matrix(self.orientation)[self.across]

    @property
    def inertia_matrix(self) -> Matrix:
        """Θ, in the body's own axes."""
        xx, yy, zz, xy, xz, yz = (*self.inertia, 0.0, 0.0, 0.0)[:6]
        return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))

    @property
    def inverse_inertia(self) -> Matrix:
        """Θ⁻¹; in a plane what guides leave of it, a aᵀ/(aᵀ Θ a) for turns about a."""
        if self.about is not None:
            return _about(self.about, self.inertia_matrix)
        if not self.is_diagonal:
            return inverse(self.inertia_matrix)
        a, b, c = (1 / moment for moment in self.inertia)
        return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))

    @property
    def starts(self) -> dict[str, float]:
        """What can be set of its start, by name: position and rotation, and if it moves, speeds."""
        numbers = (*self.position, *self.rotation, *self.velocity, *self.spin)
        known = dict(zip(COORDINATES + SPEEDS, numbers, strict=True))
        return {f"{self.name}.{name}": known[name] for name in self.settable}


def _about(axis: Triple, inertia: Matrix) -> Matrix:
    """What turns about an axis of a body leave of Θ⁻¹."""
    moment = sum(a * b for a, b in zip(axis, times(inertia, axis), strict=True))
    x, y, z = (tuple(a * b / moment for b in axis) for a in axis)
    return (x, y, z)


class PlacedSort(NamedTuple):
    """What contacts of the same shapes under the same law have in common, with numbers."""

    met: Meeting
    restitution: float
    tangential_restitution: float
    friction: Term
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactPair:
    """Two bodies that can touch, in the order of the world's bodies, and the law between them.

    ``friction`` is a term over the names in the scene's ``values`` and ``slip_speed``.
    """

    name: str  # as people write it, ``ball1-ball2``
    a: str
    b: str
    pair: Pair  # of shapes
    ends: tuple[str, str]  # the same bodies in the order of that pair
    numbers: tuple[float, ...]  # what that pair takes of their shapes
    restitution: float
    tangential_restitution: float
    friction: Term
    offers: tuple[Offer, ...] = ()

    @staticmethod
    def of(a: str, b: str, sort: PlacedSort) -> ContactPair:
        """The contact of that sort between two bodies."""
        met = sort.met
        return ContactPair(
            name=contact_name(a, b, met),
            a=a,
            b=b,
            pair=met.pair,
            ends=(b, a) if met.swapped else (a, b),
            numbers=met.numbers,
            restitution=sort.restitution,
            tangential_restitution=sort.tangential_restitution,
            friction=sort.friction,
            offers=sort.offers,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Numbers for everything in a world that does not change in time, and for its start."""

    values: Mapping[str, float]  # parameters, and inputs without formula
    gravity: Triple
    bodies: tuple[PlacedBody, ...]
    contacts: ContactList[str, PlacedSort, ContactPair]
    joints: tuple[PlacedJoint, ...] = ()
    horizon: float | None = None

    def body(self, name: str) -> PlacedBody:
        """The body of that name."""
        return next(body for body in self.bodies if body.name == name)

    @property
    def held(self) -> tuple[PlacedJoint, ...]:
        """The joints that are more than a contact."""
        return tuple(joint for joint in self.joints if not joint.joint.is_contact)

    @property
    def moving(self) -> tuple[PlacedBody, ...]:
        """The bodies that are not fixed."""
        return tuple(body for body in self.bodies if not body.fixed)

    @property
    def start(self) -> list[float]:
        """The state at the start: coordinates of all moving bodies and joints, then speeds."""
        places = [number for body in self.moving for number in body.coordinates]
        places += [number for joint in self.joints for number in joint.coordinates]
        return places + [number for body in self.moving for number in body.speeds]

    @property
    def starts(self) -> dict[str, float]:
        """What can be set of the start, by name."""
        return {name: number for body in self.bodies for name, number in body.starts.items()}

    @property
    def settings(self) -> dict[str, float]:
        """Numbers by name: values, quantities of fixed bodies, and joints.

        The order of the first depends on nothing but their names.
        """
        values = {name: self.values[name] for name in sorted(self.values)}
        joints = {name: x for joint in self.joints for name, x in joint.settings.items()}
        return values | self.constants | joints

    @property
    def constants(self) -> dict[str, float]:
        """The quantities of fixed bodies, by name."""
        fixed = (body.constants for body in self.bodies if body.fixed)
        return {name: number for own in fixed for name, number in own.items()}


class Filling:
    """What is put into the terms of a world: one kind of number, by name."""

    def __init__(
        self, world: World, settings: Mapping[str, SX], amounts: Amounts[SX] = NUMBERS
    ) -> None:
        self._world, self._settings, self.amounts = world, settings, amounts
        self.known = known_amounts(world, settings, amounts)
        self._coefficients = cache(self._restitution)  # many contacts share a law
        self._filled: dict[Shape[Term], Shape[SX]] = {}  # and many bodies a shape

    def scene(self) -> Scene:
        """The whole of it."""
        world, placed = self._world, tuple(map(self.placed, self._world.bodies))
        joints = self._joints(placed)
        return Scene(
            values=self.known,
            gravity=self.triple(world.gravity),
            bodies=placed,
            contacts=self._contacts(placed, joints),
            joints=joints,
            horizon=None if world.horizon is None else self.amount(world.horizon),
        )

    def placed(self, body: Body) -> PlacedBody:
        """One body."""
        shape = self._fill(body.shape)
        mass, inertia = self._inertia(body, shape)
        rotation, lying = self._start(body, "rotation", "r"), {}
        position, velocity = self._start(body, "position", ""), self._start(body, "velocity", "v")
        if body.driven:
            velocity = self._at_start(body, body.driven[1])
        spin = self._start(body, "spin", "w")
        if body.turned:
            rotation, spin = (self._at_start(body, vector) for vector in body.turned[:2])
        if body.moves is not None:
            position = self._at_start(body, body.moves)
        if body.motion == ORIENTED:
            lying = {"orientation": from_angles(rotation, self.amounts)}
        return PlacedBody(
            name=body.name,
            shape=shape,
            motion=body.motion,
            mass=mass,
            inertia=inertia,
            position=position,
            rotation=rotation,
            velocity=velocity,
            spin=spin,
            fixed=body.fixed,
            driven=body.is_driven,
            settable=body.settable,
            across=body.across,
            upright=body.is_upright or body.motion == CENTRED,
            **lying,
        )

    def _fill(self, shape: Shape[Term]) -> Shape[SX]:
        if shape not in self._filled:
            self._filled[shape] = shape.filled(self)
        return self._filled[shape]

    def _at_start(self, body: Body, vector: Vector) -> tuple[SX, SX, SX]:
        """A function of time and of what else moves the body, at its begin."""
        known = {**self.known, "t": self.amounts.number(0.0)}
        for one in body.courses:
            begin = self._settings.get(one.name)
            known[one.name] = self.amounts.read(one.start, known) if begin is None else begin
        x, y, z = (self.amounts.read(term, known) for term in vector)
        return (x, y, z)

    def _inertia(self, body: Body, shape: Shape[SX]) -> tuple[SX, tuple[SX, ...]]:
        """Mass and moments of inertia; unless given, those of a solid of uniform density."""
        if body.fixed or body.mass is None:
            return math.inf, (math.inf,) * 3
        mass = self.amount(body.mass)
        if body.inertia is None:
            return mass, shape.moments(mass)
        if isinstance(body.inertia, tuple):
            return mass, tuple(map(self.amount, body.inertia))
        return mass, (self.amount(body.inertia),) * 3

    def _start(self, body: Body, what: str, letter: str) -> tuple[SX, SX, SX]:
        given = self.triple(getattr(body, what))
        names = [f"{body.name}.{letter}{axis}" for axis in AXES]
        x, y, z = (self._settings.get(name, own) for name, own in zip(names, given, strict=True))
        return (x, y, z)

    def joints(self) -> tuple[PlacedJoint, ...]:
        """All joints."""
        return self._joints(tuple(map(self.placed, self._world.bodies)))

    def _joints(self, placed: tuple[PlacedBody, ...]) -> tuple[PlacedJoint, ...]:
        ends = {body.name: End(body.position, body.orientation) for body in placed}

        def end(side: str | Vector) -> End:
            return ends[side] if isinstance(side, str) else End()

        def one(joint: Joint) -> PlacedJoint:
            return placed_joint(joint, end(joint.a), end(joint.b), self)

        return tuple(map(one, self._world.joints))

    def _contacts(
        self, placed: tuple[PlacedBody, ...], joints: tuple[PlacedJoint, ...]
    ) -> ContactList[str, PlacedSort, ContactPair]:
        found = contact_list(self._world, [body.shape for body in placed])
        names = tuple(body.name for body in placed)
        own = found.of(names, map(self._sort, found.sorts), ContactPair.of)
        return own.followed_by(self._links(joints, self._unmoving(placed, joints)))

    def _unmoving(
        self, placed: tuple[PlacedBody, ...], joints: tuple[PlacedJoint, ...]
    ) -> dict[str, SX]:
        """Numbers by name for the gaps of stops: see `dyverse.bodies.joint.stop`."""
        known = dict(self.known)
        for body in placed:
            known |= body.constants if body.fixed else {}
        for joint in joints:
            known |= {**joint.settings, f"{joint.name}.{BEGIN}": joint.angle}
        return known

    def _links(
        self, joints: tuple[PlacedJoint, ...], known: Mapping[str, SX]
    ) -> Iterator[tuple[int, int, PlacedSort]]:
        """The contacts that joints make: ropes, stops and limits."""
        index = {body.name: i for i, body in enumerate(self._world.bodies)}
        for joint in joints:
            for found in joint_links(self._world, joint.joint):
                met = found.met._replace(numbers=link_numbers(joint, found.pair, known))
                sort = self._sort(found.sort._replace(met=met))
                yield index[found.a.name], index[found.b.name], sort

    def _sort(self, sort: Sort) -> PlacedSort:
        restitution, tangential = self._coefficients(sort.law)
        return PlacedSort(sort.met, restitution, tangential, sort.law.friction, sort.offers)

    def _restitution(self, law: Law) -> tuple[SX, SX]:
        return self.amount(law.restitution), self.amount(law.tangential_restitution)

    def triple(self, vector: Vector) -> tuple[SX, SX, SX]:
        """What three terms stand for."""
        x, y, z = map(self.amount, vector)
        return (x, y, z)

    def unit(self, vector: Vector) -> tuple[SX, SX, SX]:
        """A vector at length one."""
        x, y, z = self.triple(vector)
        size = self.amounts.length(x, y, z)
        return (x / size, y / size, z / size)

    def amount(self, term: Term) -> SX:
        """What a term stands for."""
        return self.amounts.read(term, self.known)
