"""Numbers for the terms of a world: a `Filling` makes its scene of bodies, joints and contacts.

What is put in may also be a CasADi expression; whatever follows from it is one then, in the same
places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

from dyverse.bodies.contact_list import ContactList
from dyverse.bodies.joint.joint import End, Joint, PlacedJoint
from dyverse.bodies.joint.joint import placed as placed_joint
from dyverse.bodies.joint.links import joint_links, link_numbers
from dyverse.bodies.joint.stop import BEGIN
from dyverse.bodies.pairs import Sort, contact_list
from dyverse.bodies.placed import ContactPair, PlacedBody, PlacedSort, Scene
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.values import known_amounts
from dyverse.bodies.world import AXES, CENTRED, ORIENTED, Body, Law, World
from dyverse.expr.algebra import Amounts
from dyverse.expr.rotation import from_angles
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term, Vector
from dyverse.expr.value import NUMBERS


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
