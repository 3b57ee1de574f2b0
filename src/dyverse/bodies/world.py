"""A world: everything the user wrote down, as values. Text and Python make equal worlds.

All quantities are terms over the parameters, so that a mass, a starting speed or a coefficient of
restitution can be uncertain; `dyverse.bodies.scene` puts numbers in. SI units throughout.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from dyverse.bodies.joint.joint import Drive, Joint
from dyverse.bodies.pieces import Pieces
from dyverse.bodies.shape.interface import Shape, Turnable
from dyverse.errors import Span
from dyverse.expr.derivative import derivative, product, total
from dyverse.expr.formula import Formula
from dyverse.expr.requirement import Requirement, reach
from dyverse.expr.term import Call, Number, Symbol, Term, Vector
from dyverse.expr.value import value

ZERO, ONE = Number(0.0), Number(1.0)
ORIGIN: Vector = (ZERO, ZERO, ZERO)
NOWHERE: Vector = (Number(math.nan),) * 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A constant of the model, perhaps uncertain within ``limits``."""

    name: str
    value: Term
    limits: tuple[Term, Term] | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


Inertia = Term | tuple[Term, ...]

AXES = ("x", "y", "z")
COORDINATES = tuple(AXES) + tuple(f"r{a}" for a in AXES)  # where a body starts, and turned how
SPEEDS = tuple(f"v{a}" for a in AXES) + tuple(f"w{a}" for a in AXES)  # velocity and spin then
USUAL_AXIS = AXES.index("z")  # what planes are across unless it is said


@dataclass(frozen=True, slots=True)
class Motion:
    """The variables of a body: coordinates q, speeds v, and what follows from them."""

    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    derived: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """Coordinates and speeds."""
        return self.coordinates + self.speeds

    @property
    def quantities(self) -> tuple[str, ...]:
        """All of them."""
        return self.variables + self.derived


CENTRED = Motion(COORDINATES, SPEEDS)  # it does not matter how it lies: turns are counted
ORIENTED = Motion(  # a unit quaternion from its own axes to those of the world; spin in its own
    (*AXES, "qw", "qx", "qy", "qz"),
    (*SPEEDS[:3], *(f"s{a}" for a in AXES)),
    SPEEDS[3:],
)


@dataclass(frozen=True, slots=True)
class Course:
    """A variable of an automaton that moves bodies: its rate, and what it starts with."""

    name: str
    rate: Term
    start: Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A rigid body: a shape, a place and a motion at the start.

    ``position`` m, ``rotation`` rad about the global axes, x first, ``velocity`` m/s, ``spin``
    rad/s in global axes, ``mass`` kg, ``inertia`` kg m² about the centre: one number if it is the
    same about every axis, three moments about the body's own axes, or six numbers (xx, yy, zz, xy,
    xz, yz); if left out, that of a solid of uniform density. Instead of a mass there may be that
    ``density`` (kg/m³). A fixed body never moves and needs neither; nor does one that ``moves``
    along a function of time ``t`` (m), whatever it meets, or ``turns`` by such a function (rad, in
    the way of ``rotation``). The surface of a half-space that ``drags`` runs along itself (m/s, a
    function of time as well). All three may also be functions of variables of automata, whose
    ``courses`` say how they change.
    """

    name: str
    shape: Shape[Term]
    mass: Term | None = None
    density: Term | None = None
    inertia: Inertia | None = None
    position: Vector = ORIGIN
    rotation: Vector = ORIGIN
    velocity: Vector = ORIGIN
    spin: Vector = ORIGIN
    fixed: bool = False
    moves: Vector | None = None
    turns: Vector | None = None
    drags: Vector | None = None
    jointed: bool = False  # a joint or a force asks how it lies; the world says so
    across: int | None = None  # the axis along which it stays; the world says so
    courses: tuple[Course, ...] = ()  # of what moves it besides time; the model says so
    span: Span | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.shape.never_moves and not self.is_driven:
            object.__setattr__(self, "fixed", True)
        if self.turns is not None and isinstance(self.shape, Turnable):
            object.__setattr__(self, "shape", self.shape.turning())
        if self.density is not None and self.mass is None:
            object.__setattr__(self, "mass", self.density * self.shape.volume)

    @property
    def is_unmoved(self) -> bool:
        """Whether no force moves it: it is fixed, or moved by what it ``moves`` along."""
        return self.fixed or self.is_driven

    @property
    def is_driven(self) -> bool:
        """Whether its velocity and spin are functions of time."""
        return not self.moves is self.turns is self.drags is None

    @property
    def driven(self) -> tuple[Vector, Vector, Vector] | None:
        """Where it is moved to, its velocity and acceleration, as functions of what moves it.

        A surface that runs along itself takes its half-space along, which is the same wherever it
        is then: no number stands for a place that follows from the velocity alone.
        """
        if not self.is_driven:
            return None
        speed = ORIGIN if self.moves is None else self._rates(self.moves)
        if self.drags is not None:
            x, y, z = (a if b == ZERO else a + b for a, b in zip(self.drags, speed, strict=True))
            speed = (x, y, z)
        place = self.position if self.drags is None else NOWHERE
        return self.moves or place, speed, self._rates(speed)

    @property
    def turned(self) -> tuple[Vector, Vector, Vector] | None:
        """Its rotation if it ``turns``, its spin and the rate of that in global axes.

        Of R = Rz(c) Ry(b) Rx(a) it is ω = a' Rz Ry e_x + b' Rz e_y + c' e_z.
        """
        if self.turns is None:
            return None
        (_, b, c), (da, db, dc) = self.turns, self._rates(self.turns)
        sin_c, cos_c, cos_b = Call("sin", (c,)), Call("cos", (c,)), Call("cos", (b,))
        spin = (
            total(product(da, cos_b, cos_c), product(-1.0, db, sin_c)),
            total(product(da, cos_b, sin_c), product(db, cos_c)),
            total(dc, product(-1.0, da, Call("sin", (b,)))),
        )
        return self.turns, spin, self._rates(spin)

    def _rates(self, vector: Vector) -> Vector:
        """How a vector changes, with time and with all that moves the body."""
        x, y, z = map(self._rate, vector)
        return (x, y, z)

    def _rate(self, term: Term) -> Term:
        along = (product(derivative(term, one.name), one.rate) for one in self.courses)
        return total(derivative(term, "t"), *along)

    @property
    def moments(self) -> tuple[Term, ...]:
        """The moments of inertia that are given: none, one for every axis, or three."""
        if self.inertia is None:
            return ()
        return self.inertia[:3] if isinstance(self.inertia, tuple) else (self.inertia,)

    @property
    def settable(self) -> tuple[str, ...]:
        """What can be set of its start; in a plane it lies as it is written."""
        if self.is_driven:
            return ()
        names = COORDINATES if self.fixed else COORDINATES + SPEEDS
        if self.across is None:
            return names
        axis = AXES[self.across]
        return tuple(n for n in names if n in AXES or (n[0] in "rw") == (n[-1] == axis))

    @property
    def is_upright(self) -> bool:
        """Whether its own axes stay where they are but for turns about the axis it moves across."""
        turned = (term for i, term in enumerate(self.rotation) if i != self.across)
        return self.across is not None and all(term == ZERO for term in turned)

    @property
    def motion(self) -> Motion:
        """Its variables; if it is fixed, they are constants."""
        lies = isinstance(self.inertia, tuple) or not self.shape.is_round or self.jointed
        lies = lies or self.turns is not None
        return ORIENTED if lies else CENTRED


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """An external input: with a formula, a definition; without one, a port set from outside.

    A port may be uncertain within ``limits``, and then in ``pieces`` of the time.
    """

    name: str
    formula: Term | None = None
    limits: tuple[Term, Term] | None = None
    pieces: Pieces | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """A force (N) or a torque (N m) on a body, in global axes.

    A force acts through the centre, or ``at`` a point of the body, in its own axes (m).
    """

    kind: Literal["force", "torque"]
    body: str
    vector: Vector
    at: Vector | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spring:
    """A spring and damper along the line between a body's centre and another centre or a point.

    Pull on ``body``: ``stiffness`` (N/m) times the elongation beyond ``length`` (m), plus
    ``damping`` (N s/m) times the rate at which the distance grows.
    """

    body: str
    other: str | Vector
    stiffness: Term = ZERO
    length: Term = ZERO
    damping: Term = ZERO
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """Newton's coefficients of restitution, normal and tangential, and Coulomb's of friction.

    ``friction`` may depend on the name ``slip_speed`` (m/s); at rest it is taken at zero. Times the
    normal force, ``rolling`` and ``spinning`` (m) bound the moments that resist turning about the
    tangents and about the normal, see `dyverse.contact.pair.resistance`.
    """

    restitution: Term = ONE
    tangential_restitution: Term = ZERO
    friction: Term = ZERO
    rolling: Term = ZERO
    spinning: Term = ZERO


Occasion = Literal["impact", "touch", "release", "stick", "slip"]
OCCASIONS: tuple[Occasion, ...] = ("impact", "touch", "release", "stick", "slip")


@dataclass(frozen=True, slots=True)
class Offer:
    """The channel that a contact gives to automata, and the kind of event on which it does so."""

    channel: str
    on: Occasion = "impact"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactRule:
    """What holds between two bodies, or with ``pair`` left out between all that have no own rule.

    Every two bodies that are not both fixed can touch; a rule without a law takes its pair off
    that list. Its impacts and changes of mode ``offers`` channels to the automata of the model.
    With ``when`` it is there only while that holds; else the bodies pass through each other.
    """

    pair: tuple[str, str] | None = None
    law: Law | None = Law()
    offers: tuple[Offer, ...] = ()
    when: Formula | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A claim about every run: the ``requirement`` holds at its start.

    What has no interval in it looks to the time ``until`` (s), the property's end.
    """

    name: str
    requirement: Requirement
    until: Term | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    def over(self, known: Mapping[str, float]) -> float:
        """When all that it looks at has been seen (s): its end, and what it looks ahead from there.

        Without an end, it is never.
        """
        if self.until is None:
            return math.inf
        return value(self.until, known) + reach(self.requirement, known)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Bodies, what acts on them, how they touch, and what is asked of them."""

    parameters: tuple[Parameter, ...] = ()
    gravity: Vector = ORIGIN
    impact: str = "newton"  # its law of impact, one of `dyverse.contact.impacts`
    without_collision: bool = False  # whether slip that has no forces ends by an impact
    planar: int | None = None  # the number of the axis across which bodies move, if in planes
    bodies: tuple[Body, ...] = ()
    inputs: tuple[Input, ...] = ()
    loads: tuple[Load, ...] = ()
    springs: tuple[Spring, ...] = ()
    joints: tuple[Joint, ...] = ()
    drives: tuple[Drive, ...] = ()
    contacts: tuple[ContactRule, ...] = ()
    properties: tuple[Property, ...] = ()
    horizon: Term | None = None

    def __post_init__(self) -> None:
        turning = {body for joint in self.joints for body in joint.turning}
        turning |= {load.body for load in self.loads if load.at is not None}
        if turning or self.planar is not None:
            bodies = (
                replace(
                    body,
                    jointed=body.name in turning and not body.is_unmoved,
                    across=None if body.is_unmoved else self.planar,
                )
                for body in self.bodies
            )
            object.__setattr__(self, "bodies", tuple(bodies))

    @property
    def all_drives(self) -> tuple[Drive, ...]:
        """What acts along coordinates of joints, with their damping and friction."""
        return (*self.drives, *(drive for joint in self.joints for drive in joint.drives))

    def body(self, name: str) -> Body:
        """The body of that name."""
        return next(body for body in self.bodies if body.name == name)


def quantity(body: str, coordinate: str) -> Symbol:
    """The term for a state variable, ``quantity("ball1", "vx")``."""
    return Symbol(f"{body}.{coordinate}")
