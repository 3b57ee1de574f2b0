"""Bodies and contacts with numbers in the place of terms; how they get them is in `filling`.

What is put in may also be a CasADi expression; whatever follows from it is one then, in the same
places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from dyverse.bodies.contact_list import ContactList
from dyverse.bodies.joint.joint import PlacedJoint
from dyverse.bodies.pairs import contact_name
from dyverse.bodies.shape.interface import Shape, Triple
from dyverse.bodies.shapes import Meeting
from dyverse.bodies.world import CENTRED, COORDINATES, ORIENTED, SPEEDS, Motion, Offer
from dyverse.contact.pair.kinematics import Pair
from dyverse.expr.rotation import Matrix, Quaternion, inverse, matrix, times, transposed
from dyverse.expr.term import Term


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
