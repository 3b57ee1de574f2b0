"""A world with numbers put in: what simulation starts from.

Settings override parameters (those defined by them follow), give values to inputs without formula,
and move the start: ``{"K": 2.5, "u4": 1.0, "ball1.vx": 2.0}``. SI units. What is set may also be a
CasADi expression; whatever follows from it is one then, in the same places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dyverse.bodies.check.sanity import number_problems
from dyverse.bodies.check.structure import misplaced, misused
from dyverse.bodies.contact_list import ContactList
from dyverse.bodies.describe import describe
from dyverse.bodies.joint.joint import End, Joint, PlacedJoint
from dyverse.bodies.joint.joint import placed as placed_joint
from dyverse.bodies.joint.links import joint_links, link_numbers
from dyverse.bodies.joint.stop import BEGIN
from dyverse.bodies.near import near_pairs
from dyverse.bodies.pairs import Rules, Sort, contact_list, contact_name, neighbours
from dyverse.bodies.shape.compound import Compound
from dyverse.bodies.shape.interface import Assembled, Endless, Shape, Triple
from dyverse.bodies.shapes import Meeting, faces, meetings
from dyverse.bodies.values import known_amounts, setting_problems
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
from dyverse.errors import ModelError, Problem
from dyverse.expr.algebra import Amounts
from dyverse.expr.buffered import Buffered
from dyverse.expr.rotation import (
    Matrix,
    Quaternion,
    from_angles,
    inverse,
    matrix,
    times,
    transposed,
)
from dyverse.expr.symbolic import EXPRESSIONS, SX
from dyverse.expr.term import Term, Vector
from dyverse.expr.value import NUMBERS

NO_SETTINGS: Mapping[str, float] = MappingProxyType({})
LOPSIDED = 1e-6  # of the reach of a body, how far off its centre of mass may be
OVERLAP = 1e-9  # m; bodies that overlap by no more just touch
MOST_OVERLAPS = 1000  # pairs; so many are told, of a heap that has them by the million


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
        """Whether its part of M is: its axes are principal ones."""
        return len(self.inertia) == 3

    @property
    def inverse_mass(self) -> tuple[float, ...]:
        """The diagonal of its part of M⁻¹, which does not depend on where it is."""
        if self.is_diagonal:
            return (1 / self.mass,) * 3 + tuple(1 / moment for moment in self.inertia)
        inverse = self.inverse_inertia
        return (1 / self.mass,) * 3 + (inverse[0][0], inverse[1][1], inverse[2][2])

    @property
    def inertia_matrix(self) -> Matrix:
        """Θ, in the body's own axes."""
        xx, yy, zz, xy, xz, yz = (*self.inertia, 0.0, 0.0, 0.0)[:6]
        return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))

    @property
    def inverse_inertia(self) -> Matrix:
        """Θ⁻¹."""
        if not self.is_diagonal:
            return inverse(self.inertia_matrix)
        a, b, c = (1 / moment for moment in self.inertia)
        return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))

    @property
    def starts(self) -> dict[str, float]:
        """What can be set of its start, by name: position and rotation, and if it moves, speeds."""
        if self.driven:
            return {}
        speeds = () if self.fixed else (*self.velocity, *self.spin)
        numbers = (*self.position, *self.rotation, *speeds)
        names = COORDINATES if self.fixed else COORDINATES + SPEEDS
        return {f"{self.name}.{n}": x for n, x in zip(names, numbers, strict=True)}


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


def scene(world: World, settings: Mapping[str, float] = NO_SETTINGS) -> Scene:
    """Put numbers into ``world``, or say in one `ModelError` which of them cannot be."""
    problems = list(scene_problems(world, settings))
    if problems:
        raise ModelError(problems)
    try:
        return _Filling(world, {name: float(x) for name, x in settings.items()}).scene()
    except (KeyError, TypeError):  # perhaps a world built by hand that no one has checked
        model = describe(world)
        if found := [*misplaced(model), *misused(model)]:
            raise ModelError(found) from None
        raise  # nothing is wrong with the world: it is ours


def scene_problems(world: World, settings: Mapping[str, float] = NO_SETTINGS) -> Iterator[Problem]:
    """Everything wrong with the numbers of ``world`` at these settings."""
    yield from setting_problems(world, settings)
    finite = {name: amount for name, amount in settings.items() if math.isfinite(amount)}
    yield from number_problems(world, finite)
    yield from _strangers(world)
    yield from _lopsided(world, finite)
    yield from _overlaps(world, finite)
    yield from _without_length(world, finite)


def _without_length(world: World, settings: Mapping[str, float]) -> Iterator[Problem]:
    """Distances and ropes as long as their ends are apart, which is not at all."""
    if not any(joint.kind.word in ("distance", "rope") for joint in world.joints):
        return
    try:
        joints = _Filling(world, settings).joints()
    except (KeyError, TypeError, ZeroDivisionError, OverflowError):
        return  # reported elsewhere
    for placed in joints:
        joint = placed.joint
        straight = joint.kind.word in ("distance", "rope") and joint.length is None
        if straight and placed.fitting.length == 0:
            message = f"joint {joint.name!r} has both of its ends in one place"
            yield Problem(f"{message}; give it a 'length', or write 'spherical'", joint.span)


def _lopsided(world: World, settings: Mapping[str, float]) -> Iterator[Problem]:
    """Bodies of parts whose inertia cannot be worked out about their position."""
    for body in world.bodies:
        if body.is_unmoved or body.inertia is not None or not isinstance(body.shape, Assembled):
            continue
        try:
            shape = body.shape.filled(_Filling(world, settings))
            x, y, z = shape.centre if isinstance(shape, Assembled) else (0.0, 0.0, 0.0)
        except ZeroDivisionError:
            hint = "give it an inertia about its position"
            yield Problem(f"{_of_parts(body)} have no volume; {hint}", body.span)
            continue
        except (KeyError, TypeError, OverflowError):
            continue  # reported elsewhere
        if math.hypot(x, y, z) > LOPSIDED * shape.reach:
            hint = "move them so that it is at the body's position, or give an inertia about that"
            if not isinstance(body.shape, Compound):
                hint += "; 'centred' behind the name of a mesh moves them"
            place = f"({x:.6g}, {y:.6g}, {z:.6g})"
            what = f"the centre of mass of {_of_parts(body)} is at {place}"
            yield Problem(f"{what}; {hint}", body.span)


def _of_parts(body: Body) -> str:
    parts = "parts" if isinstance(body.shape, Compound) else "vertices"
    return f"the {parts} of body {body.name!r}"


def _strangers(world: World) -> Iterator[Problem]:
    """Bodies that may touch, and nobody knows how: one problem for every two kinds of shape."""
    kinds = {body.shape.kind: body.shape for body in world.bodies}
    unknown = {
        (a.kind, b.kind)
        for a, b in product(kinds.values(), repeat=2)
        if not meetings(faces(a), faces(b)) and not (a.never_moves and b.never_moves)
    }
    if not unknown:
        return
    for pair in neighbours(world):
        a, b = pair.a, pair.b
        if (a.shape.kind, b.shape.kind) in unknown:
            unknown -= {(a.shape.kind, b.shape.kind), (b.shape.kind, a.shape.kind)}
            one, other = _strange(a.shape, b.shape)
            what = f"{_one(one.word)} and {_one(other.word)} cannot touch yet"
            hint = f"write 'contact {a.name} {b.name} off' to let them pass"
            yield Problem(f"bodies {a.name!r} and {b.name!r}: {what}; {hint}", b.span)


def _strange(a: Shape[Any], b: Shape[Any]) -> tuple[Shape[Any], Shape[Any]]:
    """Shapes of two bodies, or of parts of them, of which nobody knows how they touch."""
    pairs = product(_solids(a), _solids(b))
    return next(((x, y) for x, y in pairs if not meetings(faces(x), faces(y))), (a, b))


def _solids(shape: Shape[Any]) -> list[Shape[Any]]:
    return [part.shape for part in shape.parts] if isinstance(shape, Compound) else [shape]


def _one(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def symbolic_scene(world: World, settings: Mapping[str, SX]) -> Scene:
    """Put expressions into ``world``; its numbers must have been checked by `scene`."""
    return _Filling(world, settings, EXPRESSIONS).scene()


class _Filling:
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
            velocity = self._at_start(body.driven[1])
        spin = self._start(body, "spin", "w")
        if body.turned:
            rotation, spin = map(self._at_start, body.turned[:2])
        if body.moves is not None:
            position = self._at_start(body.moves)
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
            **lying,
        )

    def _fill(self, shape: Shape[Term]) -> Shape[SX]:
        if shape not in self._filled:
            self._filled[shape] = shape.filled(self)
        return self._filled[shape]

    def _at_start(self, vector: Vector) -> tuple[SX, SX, SX]:
        """A function of time, at its begin."""
        known = {**self.known, "t": self.amounts.number(0.0)}
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


def _overlaps(world: World, settings: Mapping[str, float]) -> Iterator[Problem]:
    for i, j, depth in sorted(islice(_overlapping(world, settings), MOST_OVERLAPS)):
        a, b = world.bodies[i], world.bodies[j]
        message = f"bodies {a.name!r} and {b.name!r} overlap by {depth:.6g} m at the start"
        yield Problem(message, b.span)


def _overlapping(world: World, settings: Mapping[str, float]) -> Iterator[tuple[int, int, float]]:
    """Two bodies by number, and how deep they are in each other (m)."""
    filling, rules = _Filling(world, settings), Rules(world)
    measures: dict[Pair, Buffered] = {}
    placed = [_try_to_place(body, filling) for body in world.bodies]
    for i, j in _near(placed):
        a, b, first, second = world.bodies[i], world.bodies[j], placed[i], placed[j]
        two = rules.pair(a, b)
        always = two is not None and two.when is None
        gap = _gap(first, second, measures) if first and second and always else 0.0
        if gap < -OVERLAP and a.name != b.name:  # one name twice is reported as that
            yield i, j, -gap


def _near(placed: list[PlacedBody | None]) -> Iterator[tuple[int, int]]:
    """Bodies that may overlap, by number: balls around them do, or reach into what is endless."""
    found = [(i, body) for i, body in enumerate(placed) if body is not None]
    small = [(i, body) for i, body in found if body.shape.reach < math.inf]
    centres = np.array([body.position for _, body in small]).reshape(-1, 3)
    radii = np.array([body.shape.reach for _, body in small])
    for m, n in near_pairs(centres, radii):
        yield small[m][0], small[n][0]
    for i, body in found:
        if body.shape.reach == math.inf and isinstance(body.shape, Endless):
            near = (small[n][0] for n in body.shape.near(body.position, centres, radii))
            yield from ((min(i, j), max(i, j)) for j in near)


def _try_to_place(body: Body, filling: _Filling) -> PlacedBody | None:
    try:
        return filling.placed(body)
    except (KeyError, TypeError, ZeroDivisionError, OverflowError):
        return None  # an unknown name, a zero normal or a huge radius, reported elsewhere


def _gap(a: PlacedBody, b: PlacedBody, measures: dict[Pair, Buffered]) -> float:
    """Distance between two surfaces (m), negative where they overlap; zero if it is not known."""
    return min(
        (_one_gap(a, b, met, measures) for met in meetings(faces(a.shape), faces(b.shape))),
        default=0.0,
    )


def _one_gap(a: PlacedBody, b: PlacedBody, met: Meeting, measures: dict[Pair, Buffered]) -> float:
    if met.pair not in measures:
        measures[met.pair] = Buffered(met.pair.approach)
    first, second = (b, a) if met.swapped else (a, b)
    size = met.pair.body
    bodies = (*first.still[:size], *second.still[:size])
    gap, _ = measures[met.pair](np.array(bodies), np.array(met.numbers))
    return float(gap[0])
