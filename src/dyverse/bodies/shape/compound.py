"""Shapes of several parts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.amounts import Known, number, unless_vector
from dyverse.bodies.quantity import Quantities, as_vector
from dyverse.bodies.shape.interface import Assembled, Feature, Filling, Ridges, Shape
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.shape.turned import Turned
from dyverse.bodies.world import ORIGIN, Body
from dyverse.contact.pair.kinematics import Hold
from dyverse.errors import Problem, Span
from dyverse.expr.algebra import TERMS
from dyverse.expr.printing import term_text
from dyverse.expr.rotation import from_angles, matrix, product, times
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term, Vector, as_term
from dyverse.expr.value import NUMBERS

T = TypeVar("T", bound=Any)


@dataclass(frozen=True, slots=True)
class BodyPart(Generic[T]):
    """A shape ``at`` a point of a body (m), in its axes; ``turn`` is from its own to these.

    ``rotation`` are the angles that were written; without them it is not turned.
    """

    name: str
    shape: Shape[T]
    at: tuple[T, T, T]
    rotation: Vector | None = None
    turn: Any = None  # a unit quaternion of T

    @property
    def centre(self) -> tuple[Any, Any, Any]:
        """The centre of mass of its shape, from where it is (m), in the body's axes."""
        own = self.shape.centre if isinstance(self.shape, Assembled) else (0.0, 0.0, 0.0)
        return self._turned(own)

    def moments(self: BodyPart[SX], mass: SX) -> tuple[Any, ...]:
        """Those of its shape about where it is, six numbers in the body's axes."""
        own = (*self.shape.moments(mass), 0.0, 0.0, 0.0)[:6]
        if self.turn is None:
            return own
        xx, yy, zz, xy, xz, yz = own
        axes = matrix(self.turn)
        (a, d, e), (_, b, f), (_, _, c) = (
            times(axes, times(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), row)) for row in axes
        )
        return (a, b, c, d, e, f)

    def _turned(self, own: tuple[Any, ...]) -> tuple[Any, Any, Any]:
        """A vector of its own axes in those of the body."""
        x, y, z = own
        return (x, y, z) if self.turn is None else times(matrix(self.turn), own)

    def moved(self, features: tuple[Feature[T], ...]) -> Iterator[Feature[T]]:
        """Features of the shape where it is, with the name of the part."""
        return map(self._moved, features)

    def _moved(self, feature: Feature[T]) -> Feature[T]:
        name = f"{self.name}_{feature.name}" if feature.name else self.name
        first = len(feature.numbers) - feature.hold.value
        own, offset = feature.numbers[:first], feature.numbers[first : first + 3]
        there = self.at
        if feature.hold != Hold.CENTRED:
            x, y, z = (a + b for a, b in zip(self.at, self._turned(offset), strict=True))
            there = (x, y, z)
        lies: Any = feature.numbers[first + 3 :]
        if self.turn is not None and feature.hold == Hold.TURNED:
            lies = product(self.turn, lies)
        hold = Hold.PLACED if feature.hold == Hold.CENTRED else feature.hold
        ridges = None if feature.ridges is None else self._moved_ridges(feature.ridges)
        return replace(feature, numbers=(*own, *there, *lies), hold=hold, name=name, ridges=ridges)

    def _moved_ridges(self, found: Ridges[T]) -> Ridges[T]:
        ends, lines = (tuple(self.moved(part)) for part in (found.ends, found.lines))
        return Ridges(self._moved(found.whole), ends, lines)


@dataclass(frozen=True, slots=True)
class Compound(Turned, Assembled, Generic[T]):
    """Several shapes on one body. Its position is its centre of mass."""

    title: ClassVar[str] = "compound"
    word: ClassVar[str] = "part"
    measure: ClassVar[str] = ""
    count: ClassVar[int] = 0
    example: ClassVar[str] = "part head { sphere radius 1  at (0, 1, 0) }"

    parts: tuple[BodyPart[T], ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Compound[Term]:
        """No text is a compound by its measures alone."""
        return Compound((), span)

    @property
    def corner_names(self) -> tuple[str, ...]:
        """Those of its parts."""
        return tuple(feature.name for feature in self.corners)

    @property
    def numbers(self) -> tuple[T, ...]:
        """Those of its parts, with where they are."""
        return tuple(
            number
            for part in self.parts
            for number in (*part.shape.numbers, *part.at, *(part.turn or ()))
        )

    @property
    def kind(self) -> Hashable:
        """Those of its parts."""
        return tuple(part.shape.kind for part in self.parts)

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """Those of its parts."""
        return tuple(f for part in self.parts for f in part.moved(part.shape.corners))

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """Its parts."""
        return tuple(f for part in self.parts for f in part.moved(part.shape.whole))

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """None of its own."""
        return {}

    def filled(self: Compound[Term], fill: Filling) -> Compound[SX]:
        """The same with numbers or expressions."""
        return Compound(tuple(_filled(part, fill) for part in self.parts))

    def problems(
        self: Compound[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """What is wrong with a part."""
        for part in self.parts:
            yield from part.shape.problems(f" of part {part.name!r}{owner}", known, span)
            yield from unless_vector(part.at, f"the place of part {part.name!r}{owner}", known)
            if part.rotation is not None:
                what = f"the rotation of part {part.name!r}{owner}"
                yield from unless_vector(part.rotation, what, known)

    @property
    def sizes(self) -> tuple[T, ...]:
        """Those of its parts."""
        return tuple(size for part in self.parts for size in part.shape.sizes)

    @property
    def reach(self) -> Any:  # a number or an expression
        """No farther than all of them together, for any kind of number."""
        ends = (
            (x * x + y * y + z * z) ** 0.5 + p.shape.reach for p in self.parts for x, y, z in [p.at]
        )
        squares = sum(end * end for end in ends)
        return squares**0.5

    @property
    def volume(self) -> Any:
        """That of its parts (m³)."""
        return sum(part.shape.volume for part in self.parts)

    @property
    def centre(self) -> tuple[Any, Any, Any]:
        """The centre of mass of its parts, if they have the same density (m)."""
        whole = self.volume
        x, y, z = (
            sum(p.shape.volume * (p.at[i] + p.centre[i]) for p in self.parts) / whole
            for i in range(3)
        )
        return (x, y, z)

    def moments(self: Compound[SX], mass: SX) -> tuple[SX, ...]:
        """Six numbers: those of its parts, by Steiner's theorem."""
        total, whole = [0.0] * 6, self.volume
        for part in self.parts:
            share = mass * part.shape.volume / whole
            own, moved = part.moments(share), _steiner(part.at, part.centre)
            total = [
                old + new + share * more for old, new, more in zip(total, own, moved, strict=True)
            ]
        return tuple(total)

    def moment_text(self, body: str) -> str:
        """The same in words."""
        return "that of its parts, at the same density, by Steiner's theorem"

    def lines(self: Compound[Term], body: str) -> Iterator[str]:
        """The measures of its parts."""
        for part in self.parts:
            yield from part.shape.lines(f"{body}.{part.name}")
            yield f"offset[{body}.{part.name}] = ({', '.join(map(term_text, part.at))})"
            if part.rotation is not None:
                turned = ", ".join(map(term_text, part.rotation))
                yield f"rotation[{body}.{part.name}] = ({turned})"


def _steiner(at: tuple[Any, ...], centre: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a part gains of each kilogram at ``at``, with its own centre of mass beyond that."""
    (x, y, z), (u, v, w) = at, centre
    xx, yy, zz = x * (x + 2 * u), y * (y + 2 * v), z * (z + 2 * w)
    xy, xz, yz = (
        x * y + x * v + y * u,
        x * z + x * w + z * u,
        y * z + y * w + z * v,
    )
    return (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)


def _filled(part: BodyPart[Term], fill: Filling) -> BodyPart[SX]:
    x, y, z = map(fill.amount, part.at)
    turn = None if part.turn is None else tuple(map(fill.amount, part.turn))
    return BodyPart(part.name, part.shape.filled(fill), (x, y, z), part.rotation, turn)


def turned_part(
    name: str, shape: Shape[Term], at: Vector, rotation: Vector = ORIGIN
) -> BodyPart[Term]:
    """A part that is turned about its own middle, as ``rotation`` turns a body."""
    if rotation == ORIGIN:
        return BodyPart(name, shape, at)
    angles = [angle for term in rotation if (angle := number(term, {})) is not None]
    known = len(angles) == 3
    turn = from_angles(angles, NUMBERS) if known else from_angles(rotation, TERMS)
    return BodyPart(name, shape, at, rotation, tuple(map(as_term, turn)))


def part(body: Body, *, at: Quantities = ORIGIN, rotation: Quantities = ORIGIN) -> BodyPart[Term]:
    """The shape of a body as a part: ``part shell { sphere radius 0.02  at (0, 0, 0.003) }``.

    ``rotation`` turns it about its own middle, x first (rad).
    """
    return turned_part(body.name, body.shape, as_vector(at, "at"), as_vector(rotation, "rotation"))


def compound(name: str, *parts: BodyPart[Term], **given: Unpack[Given]) -> Body:
    """A body of several parts: ``body top { part shell { … }  part stem { … }  mass 0.1 }``."""
    return body_of(name, Compound(parts), given)
