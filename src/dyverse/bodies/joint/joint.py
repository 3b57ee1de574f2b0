"""Joints: what keeps two bodies together, as a value; and with numbers put in.

A joint is written down where the bodies are at the start, so it fits then. Five kinds differ in
what they leave free; what they ask for, as equations, is in `dyverse.mechanics.joint`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from dyverse.bodies.shape.interface import Triple
from dyverse.errors import Span
from dyverse.expr.algebra import Amounts
from dyverse.expr.rotation import Amount, Quaternion, matrix, product, times, transposed
from dyverse.expr.term import Binary, Call, Number, Symbol, Term, Vector, negate, symbols

NONE, ONE = Number(0.0), Number(1.0)
NO_AXIS: Triple = (0.0, 0.0, 0.0)
UNTURNED: Quaternion = (1.0, 0.0, 0.0, 0.0)
FORCES = ("fx", "fy", "fz")  # on the second body, world axes (N)
TORQUES = ("mx", "my", "mz")  # on the second body about the joint, world axes (N m)


@dataclass(frozen=True, slots=True)
class JointKind:
    """A kind of joint: its word, its entries, and the names of its coordinate and reactions.

    ``asks`` is what a listing says of its conditions, where D leads from one anchor to the other
    and rho is the turn of the second body in the axes of the first.
    """

    word: str
    needs: tuple[str, ...]
    takes: tuple[str, ...]
    variables: tuple[str, ...] = ()  # part of the state
    derived: tuple[str, ...] = ()  # what follows from the state
    reactions: tuple[str, ...] = (*FORCES, *TORQUES)
    asks: str = ""

    @property
    def drive(self) -> str:
        """What acts along its coordinate, if it has one: a torque or a force."""
        return {"angle": "torque", "length": "force"}.get(self.coordinate, "")

    @property
    def coordinate(self) -> str:
        """What it leaves free, if that is one number: ``angle`` or ``length``."""
        return (*self.variables, *self.derived, "")[0]

    @property
    def entries(self) -> tuple[str, ...]:
        """All words that it knows."""
        return (*self.needs, *self.takes)


JOINT_KINDS = {
    kind.word: kind
    for kind in (
        JointKind(
            "revolute",
            ("at", "axis"),
            ("angle", "damping", "friction", "limits", "restitution"),
            ("angle",),
            ("rate",),
            asks="D = 0, two components of 2 vec(rho) across the axis are 0; angle' = rate",
        ),
        JointKind(
            "prismatic",
            ("axis",),
            ("at", "length", "damping", "friction", "limits", "restitution"),
            (),
            ("length", "rate"),
            asks="2 vec(rho) = 0, two components of D across the axis are 0; length along it",
        ),
        JointKind("spherical", ("at",), (), reactions=FORCES, asks="D = 0"),
        JointKind("weld", (), ("at",), asks="D = 0, 2 vec(rho) = 0"),
        JointKind(
            "distance", (), ("from", "to", "length"), reactions=FORCES, asks="norm(D) = length"
        ),
        JointKind("rope", (), ("from", "to", "length", "restitution"), reactions=()),
        JointKind("stop", ("gap",), ("restitution",), reactions=()),
    )
}


ONE_SIDED = ("rope", "stop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """Two bodies that are kept together, or a body and a point of the world.

    ``at``, ``start``, ``end`` (m) and ``axis`` are in world axes at the start. ``angle`` (rad) or
    ``length`` (m) is what the coordinate is then; the length of a distance is the one to keep.
    ``damping`` (N m s or N s/m) and ``friction`` (N m or N, a constant bound) act along the
    coordinate, ``limits`` (rad or m) bound it; it bounces off them by ``restitution``. ``gap`` is
    what a stop keeps from being negative.
    """

    name: str
    kind: JointKind
    a: str
    b: str | Vector
    at: Vector | None = None
    axis: Vector | None = None
    start: Vector | None = None
    end: Vector | None = None
    angle: Term = NONE
    length: Term | None = None
    damping: Term = NONE
    friction: Term = NONE
    limits: tuple[Term, Term] | None = None
    restitution: Term = ONE
    gap: Term | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def bodies(self) -> tuple[str, ...]:
        """The bodies that it joins."""
        return (self.a, self.b) if isinstance(self.b, str) else (self.a,)

    @property
    def is_contact(self) -> bool:
        """Whether it is a contact and nothing else: a rope or a stop."""
        return self.kind.word in ONE_SIDED

    @property
    def turning(self) -> Iterator[str]:
        """The bodies of which it matters how they lie: it holds them elsewhere than in the middle.

        Where a kind asks for nothing but a distance of centres, the bodies may turn as they like;
        so may those of a stop whose gap does not name how they lie.
        """
        if self.gap is not None:
            lying = {body for body, _, what in map(_parted, symbols(self.gap)) if what[:1] == "q"}
            return (body for body in self.bodies if body in lying)
        centred = self.kind.word in ("distance", "rope")
        holds = (self.start, self.end) if centred else (NONE, NONE)
        return (body for body, held in zip(self.bodies, holds, strict=False) if held is not None)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of its coordinates that are part of the state."""
        return tuple(f"{self.name}.{name}" for name in self.kind.variables)

    @property
    def derived(self) -> tuple[str, ...]:
        """The names of what follows from the state."""
        return tuple(f"{self.name}.{name}" for name in self.kind.derived)

    @property
    def drives(self) -> Iterator[Drive]:
        """What damping and friction do along its coordinate."""
        kind: DriveKind = "torque" if self.kind.drive == "torque" else "force"
        rate = Symbol(f"{self.name}.rate")
        if self.damping != NONE:
            yield Drive(kind=kind, joint=self.name, amount=_against(self.damping, rate))
        if self.friction != NONE:
            way = Call("sign", (rate,))
            yield Drive(kind=kind, joint=self.name, amount=_against(self.friction, way))


def _parted(symbol: Symbol) -> tuple[str, str, str]:
    return symbol.name.partition(".")


def _against(strength: Term, what: Term) -> Term:
    return negate(Binary("*", strength, what))


DriveKind = Literal["force", "torque"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """A torque (N m) or force (N) along the coordinate of a joint, on both of its bodies."""

    kind: DriveKind
    joint: str
    amount: Term
    span: Span | None = field(default=None, compare=False, repr=False)


class End(NamedTuple):
    """Where one side of a joint is: a body, or the world itself."""

    position: Triple = (0.0, 0.0, 0.0)
    orientation: Quaternion = UNTURNED

    def local(self, point: Sequence[Amount]) -> Triple:
        """A point of the world, in the axes of the body."""
        return self.local_direction([p - r for p, r in zip(point, self.position, strict=True)])

    def local_direction(self, direction: Sequence[Amount]) -> Triple:
        """A direction of the world, in the axes of the body."""
        return times(transposed(matrix(self.orientation)), direction)


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a joint sits on both of its bodies, in numbers or expressions."""

    anchors: tuple[Triple, Triple]  # in the axes of each (m)
    turn: Quaternion  # how the second lies in the axes of the first, where the angle is zero
    axis: Triple  # in the axes of the first
    length: Amount  # of the distance to keep, or of a coordinate where the anchors meet (m)

    @property
    def numbers(self) -> tuple[Amount, ...]:
        """All of it in a row."""
        return (*self.anchors[0], *self.anchors[1], *self.turn, *self.axis, self.length)


NUMBERS = 14  # of a fitting


def fitting(numbers: Sequence[Amount]) -> Fitting:
    """The fitting that has these numbers."""
    a, b, turn, axis = (tuple(numbers[i:j]) for i, j in ((0, 3), (3, 6), (6, 10), (10, 13)))
    return Fitting((a, b), turn, axis, numbers[13])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedJoint:
    """A joint with numbers."""

    joint: Joint
    fitting: Fitting
    angle: float  # at the start (rad)
    limits: tuple[float, float] | None = None
    middle: Quaternion = UNTURNED  # how the first lies in the axes of the second amid these

    @property
    def name(self) -> str:
        """As it is called."""
        return self.joint.name

    @property
    def variables(self) -> tuple[str, ...]:
        """See `Joint.variables`."""
        return self.joint.variables

    @property
    def derived(self) -> tuple[str, ...]:
        """See `Joint.derived`."""
        return self.joint.derived

    @property
    def settings(self) -> dict[str, float]:
        """Its numbers by name."""
        return {f"{self.name}.joint{i}": x for i, x in enumerate(self.fitting.numbers)}

    @property
    def coordinates(self) -> tuple[float, ...]:
        """The start of what it adds to the state."""
        return (self.angle,) * len(self.variables)


class Filling(Protocol):
    """What is put into the terms of a joint: numbers, or expressions."""

    amounts: Amounts[Amount]

    def amount(self, term: Term) -> Amount:
        """What a term stands for."""

    def triple(self, vector: Vector) -> Triple:
        """Three of them."""

    def unit(self, vector: Vector) -> Triple:
        """Three of them, at length one."""


def placed(joint: Joint, a: End, b: End, filling: Filling) -> PlacedJoint:
    """A joint of two sides that are at ``a`` and ``b`` at the start."""
    points = _points(joint, a, b, filling)
    angle = filling.amount(joint.angle)
    axis = a.local_direction(filling.unit(joint.axis)) if joint.axis is not None else NO_AXIS
    lies = relative(a.orientation, b.orientation)
    fit = Fitting(
        anchors=(a.local(points[0]), b.local(points[1])),
        turn=product(about(axis, -angle, filling.amounts), lies),
        axis=axis,
        length=_length(joint, points, filling),
    )
    limits = joint.limits and (filling.amount(joint.limits[0]), filling.amount(joint.limits[1]))
    if limits is None:
        return PlacedJoint(joint=joint, fitting=fit, angle=angle)
    w, x, y, z = product(about(axis, sum(limits) / 2, filling.amounts), fit.turn)
    middle = (w, -x, -y, -z)
    return PlacedJoint(joint=joint, fitting=fit, angle=angle, limits=limits, middle=middle)


def _points(joint: Joint, a: End, b: End, filling: Filling) -> tuple[Triple, Triple]:
    """Where it holds each side, in world axes."""
    if joint.kind.word in ("distance", "rope"):
        other = joint.end if isinstance(joint.b, str) else joint.b
        given = zip((a, b), (joint.start, other), strict=True)
        first, second = (end.position if p is None else filling.triple(p) for end, p in given)
        return first, second
    point = b.position if joint.at is None else filling.triple(joint.at)
    return point, point


def _length(joint: Joint, points: tuple[Triple, Triple], filling: Filling) -> Amount:
    if joint.length is not None:
        return filling.amount(joint.length)
    if joint.kind.word not in ("distance", "rope"):
        return filling.amounts.number(0.0)
    x, y, z = (q - p for p, q in zip(*points, strict=True))
    return filling.amounts.length(x, y, z)


def relative(a: Quaternion, b: Quaternion) -> Quaternion:
    """How a body that lies as ``b`` says lies in the axes of one that lies as ``a`` says."""
    w, x, y, z = a
    return product((w, -x, -y, -z), b)


def about(axis: Triple, angle: Amount, amounts: Amounts[Amount]) -> Quaternion:
    """The turn by ``angle`` about a unit vector."""
    x, y, z = (amounts.sin(angle / 2) * part for part in axis)
    return (amounts.cos(angle / 2), x, y, z)
