"""What every pair of shapes provides: gap, directions, Jacobian and bias of one contact.

A pair file writes down the gap and the two contact points as symbolic functions of where two
shapes are; everything else follows here by differentiation, once for all shapes, also for shapes
that sit off the middle of a body and turn with it. The Python engine calls the result through
CasADi's buffers, the C engine and the falsifier take the same expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import casadi as ca

from dyverse.expr import rotation

SX = Any  # casadi ships no type information

BODY = 9  # numbers per body: position, velocity, spin
TURNED_BODY = 13  # the same and its orientation, a unit quaternion


UNTURNED = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)  # about a body's position and along its axes


class Hold(Enum):
    """How a shape sits on its body, and how many numbers say so."""

    CENTRED = 0  # about the body's position, the same however it is turned
    PLACED = 3  # about a point of the body, an offset in its axes
    LYING = 4  # about the body's position, and as it lies: a unit quaternion, as below
    TURNED = 7  # both, and it matters how it lies: a unit quaternion, from its axes to the body's


@dataclass(frozen=True, slots=True)
class Touch:
    """Where two shapes are closest: the gap, the unit normal from a to b, and both arms.

    An arm leads from a shape's position to its contact point.
    """

    gap: SX
    normal: SX
    arm_a: SX
    arm_b: SX
    couple: bool = False  # it turns both about the normal instead of pushing along it


@dataclass(frozen=True, slots=True)
class Slope:
    """A gap that pushes along its own gradient, whatever that is: no shapes, no contact points."""

    gap: SX


class Resistance(Enum):
    """What turns one body on another at a contact may meet: a moment that opposes it."""

    ROLLING = "rolling"  # about the tangents
    SPINNING = "spinning"  # about the normal


Geometry = Callable[[SX, SX, SX, SX], Touch | Slope]
"""Position a, position b, shape a, shape b; to the numbers of a turned shape, its rotation matrix
is added, column by column, to those of one that lies, its unit quaternion."""


def facing(half_space: SX) -> SX:
    """The outward unit normal of a half-space from its numbers, in world axes, turned or not."""
    if half_space.numel() == 3:
        return half_space
    return ca.reshape(half_space[3:], 3, 3) @ half_space[:3]


def tangents(normal: SX, across: int | None = None) -> tuple[SX, SX]:
    """Two unit vectors that make a right-handed frame with ``normal``.

    Where bodies move in planes ``across`` an axis, or if it is a plane scene (no z in the normal),
    the first lies in the plane; the second is ± that axis. (What turns about the axis has that as
    its normal, and no use for tangents.)
    """
    own, most = (2, 0.9) if across is None else (across, 1 - 1e-9)
    along, beside = (ca.SX([float(i == j) for i in range(3)]) for j in (own, (own + 1) % 3))
    axis = ca.if_else(ca.fabs(normal[own]) < most, along, beside)
    first = ca.cross(normal, axis)
    first = first / ca.norm_2(first)
    return first, ca.cross(normal, first)


def jacobian(touch: Touch, across: int | None = None) -> SX:
    """J (3 × 12) with ``γ = J (v_a, ω_a, v_b, ω_b)``, normal and slip velocity.

    [navarro2018] Eqs. (5), (10)
    """
    ways = (touch.normal, *tangents(touch.normal, across))
    if touch.couple:
        zero = ca.SX.zeros(1, 3)
        return ca.vertcat(*(ca.horzcat(zero, -d.T, zero, d.T) for d in ways))
    rows = [
        ca.horzcat(-d.T, -ca.cross(touch.arm_a, d).T, d.T, ca.cross(touch.arm_b, d).T) for d in ways
    ]
    return ca.vertcat(*rows)


class _End(NamedTuple):
    """A shape on a body, in expressions."""

    coordinates: SX  # of the body: its position, and its orientation if that matters
    rates: SX  # of these
    speeds: SX  # velocity and spin, in world axes
    offset: SX  # from the body's position to the shape's, in world axes
    shape: SX  # what the geometry takes

    @property
    def place(self) -> SX:
        """The position of the shape."""
        return self.coordinates[:3] + self.offset


@dataclass(frozen=True)  # without slots: its functions are worked out once
class Pair:
    """Two shapes that can touch: their geometry, and how many numbers describe each of them.

    ``listed`` is what a listing says of them: the gap, the normal and the arm of the first body, A,
    with B for the second. ``flat`` says that the gap is a linear function of both positions,
    ``round`` that it is their distance less a number of each. ``holds`` say how they sit on their
    bodies. A pair with a ``resistance`` has the same gap, but turns the bodies instead of pushing
    them: see `dyverse.contact.pair.resistance`. Bodies that move in planes ``across`` an axis slip
    in them alone.
    """

    name: str
    touch: Geometry
    numbers: tuple[int, int]
    listed: tuple[str, ...]
    flat: bool = False
    round: bool = False
    holds: tuple[Hold, Hold] = (Hold.CENTRED, Hold.CENTRED)
    resistance: Resistance | None = None
    across: int | None = None

    def __hash__(self) -> int:
        return hash((self.name, self.holds, self.across))

    def __reduce__(self) -> tuple[object, ...]:
        facts = self.flat, self.round, self.holds, self.resistance, self.across
        return Pair, (self.name, self.touch, self.numbers, self.listed, *facts)

    def held(self, a: Hold, b: Hold) -> Pair:
        """The same pair where the shapes sit so on their bodies."""
        return self if a is b is Hold.CENTRED else _held(self, a, b)

    @property
    def body(self) -> int:
        """How many numbers of a body it takes."""
        return BODY if self.holds == (Hold.CENTRED, Hold.CENTRED) else TURNED_BODY

    @property
    def is_single(self) -> bool:
        """Whether it has one tangent only; then nothing happens along the second."""
        return self.resistance is Resistance.SPINNING or self.across is not None

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers it takes of each shape, with how it sits on its body."""
        (m, n), (a, b) = self.numbers, self.holds
        return m + a.value, n + b.value

    @cached_property
    def rows(self) -> Any:
        """The CasADi function of one contact: (bodies, shapes) -> gap, speed, bias, J, frame.

        ``bodies`` stacks position, velocity and spin of both, and with each the orientation, if it
        matters; ``speed`` is γ, ``bias`` is J̇ q̇, so that γ̇ = J q̈ + bias ([navarro2018] (6), (11));
        ``frame`` holds normal and tangents as columns. All are in world axes. J comes transposed:
        in memory its columns are the rows of J.
        """
        bodies, shapes = self._symbols
        a, b = self._ends(bodies, shapes)
        touch = self._touch(a, b)
        J, normal = self._directions(touch, a, b)
        frame = ca.horzcat(normal, *tangents(normal, self.across))
        if self.resistance is not None:
            J, frame = _turning(self.resistance, frame, planar=self.across is not None)
        elif self.across is not None:
            J[2, :] = 0
        speed = J @ ca.vertcat(a.speeds, b.speeds)
        bias = _along(speed, a, b)
        if self.resistance is not None:
            speed[0] = _along(touch.gap, a, b)
        outputs = [touch.gap, speed, bias, J.T, frame]
        return ca.Function(self.name, [bodies, shapes], [ca.densify(o) for o in outputs])

    def _directions(self, touch: Touch | Slope, a: _End, b: _End) -> tuple[SX, SX]:
        """J of pushes along normal and tangents, and the normal."""
        if isinstance(touch, Slope):
            return _sloped(touch.gap, a, b, self.across)
        return jacobian(touch, self.across), touch.normal

    @cached_property
    def approach(self) -> Any:
        """The cheap part of it, for looking at all contacts: (bodies, shapes) -> gap, its rate."""
        bodies, shapes = self._symbols
        a, b = self._ends(bodies, shapes)
        gap = self._touch(a, b).gap
        return ca.Function(self.name + "_gap", [bodies, shapes], [gap, _along(gap, a, b)])

    def gap(self, bodies: SX, shapes: SX) -> SX:
        """The gap alone, as an expression of bodies that do not move."""
        return self.approach(bodies, shapes)[0]

    @property
    def _symbols(self) -> tuple[SX, SX]:
        return ca.SX.sym("bodies", 2 * self.body), ca.SX.sym("shapes", sum(self.sizes))

    def _ends(self, bodies: SX, shapes: SX) -> tuple[_End, _End]:
        a, b = ca.vertsplit(bodies, self.body)
        first, second = ca.vertsplit(shapes, [0, self.sizes[0], sum(self.sizes)])
        return _end(a, first, self.holds[0]), _end(b, second, self.holds[1])

    def _touch(self, a: _End, b: _End) -> Touch | Slope:
        """Where they touch, with arms from the positions of the bodies."""
        found = self.touch(a.place, b.place, a.shape, b.shape)
        if isinstance(found, Slope):
            return found
        return replace(found, arm_a=a.offset + found.arm_a, arm_b=b.offset + found.arm_b)


@lru_cache(maxsize=256)
def _held(pair: Pair, a: Hold, b: Hold) -> Pair:
    return replace(pair, flat=False, round=False, holds=(a, b))


def _end(body: SX, shape: SX, hold: Hold) -> _End:
    """A shape on a body: ``body`` is its position, velocity, spin and perhaps orientation."""
    place, velocity, spin = ca.vertsplit(body[:BODY], 3)
    speeds = ca.vertcat(velocity, spin)
    if hold == Hold.CENTRED:
        return _End(place, velocity, speeds, ca.SX.zeros(3), shape)
    lies = ca.vertsplit(body[BODY:])
    turning = ca.vertcat(*(part / 2 for part in rotation.product((0, *ca.vertsplit(spin)), lies)))
    turned = as_matrix(rotation.matrix(lies))
    coordinates, rates = ca.vertcat(place, *lies), ca.vertcat(velocity, turning)
    if hold == Hold.LYING:
        held = rotation.product(lies, ca.vertsplit(shape[-4:]))
        return _End(coordinates, rates, speeds, ca.SX.zeros(3), ca.vertcat(shape[:-4], *held))
    numbers, offset, own = ca.vertsplit(shape, _cuts(shape, hold))
    if hold == Hold.TURNED:
        numbers = ca.vertcat(
            numbers, ca.vec(turned @ as_matrix(rotation.matrix(ca.vertsplit(own))))
        )
    return _End(coordinates, rates, speeds, turned @ offset, numbers)


def _sloped(gap: SX, a: _End, b: _End, across: int | None) -> tuple[SX, SX]:
    """J of a gap without shapes, and the way in which it pushes b, else the one it turns b about.

    Its first row is the derivative of the gap's rate by the speeds. There is no friction; the
    others say how the middle of b moves against that of a.
    """
    first: SX = ca.jacobian(_along(gap, a, b), ca.vertcat(a.speeds, b.speeds))
    parts: list[SX] = [first[6:9], -first[:3], first[9:], -first[3:6]]
    way: SX = next((part for part in parts if part.nnz()), ca.SX([0, 0, 1]).T)
    normal, none = (way / ca.norm_2(way)).T, ca.SX.zeros(3)
    others = jacobian(Touch(gap, normal, none, none), across)[1:, :]
    return ca.vertcat(first, others), normal


def _turning(resistance: Resistance, frame: SX, *, planar: bool) -> tuple[SX, SX]:
    """J of the moments that resist turning, (3 × 12), and their frame.

    The first row is zero: nothing is pushed. The others say how b turns against a, about both
    tangents, or about the normal, which is then the second column of the frame, and nothing. In a
    plane bodies roll about the one tangent that is across it, which then is that column.
    """
    columns: list[SX] = ca.horzsplit(frame)
    normal, first, second = columns
    zero: SX = ca.SX.zeros(1, 3)
    ways: list[SX] = [zero, first.T, second.T]
    if resistance is Resistance.SPINNING:
        ways, frame = [zero, normal.T, zero], ca.horzcat(second, normal, first)
    elif planar:
        ways, frame = [zero, second.T, zero], ca.horzcat(normal, second, -first)
    return ca.vertcat(*(ca.horzcat(zero, -way, zero, way) for way in ways)), frame


def _cuts(shape: SX, hold: Hold) -> list[int]:
    """Where the numbers of a shape end, and its offset does."""
    first = shape.numel() - hold.value
    return [0, first, first + 3, shape.numel()]


def as_matrix(rows: rotation.Matrix) -> SX:
    """The same as a matrix of expressions."""
    return ca.vertcat(*(ca.horzcat(*row) for row in rows))


def _along(quantity: SX, a: _End, b: _End) -> SX:
    """The rate of a quantity as the bodies move, their speeds kept."""
    moving = ca.vertcat(a.coordinates, b.coordinates)
    return ca.jtimes(quantity, moving, ca.vertcat(a.rates, b.rates))
