"""Discs: coins and wheels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.amounts import Known, unless_not_negative, unless_positive
from dyverse.bodies.quantity import Quantity, as_quantity
from dyverse.bodies.shape.interface import Feature, Filling
from dyverse.bodies.shape.rim import FOOT_NAMES, feet, rim
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.shape.turned import Turned
from dyverse.bodies.world import Body
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.errors import Problem, Span
from dyverse.expr.printing import term_text
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term

T = TypeVar("T", bound=Any)


@dataclass(frozen=True, slots=True)
class Disc(Turned, Generic[T]):
    """All points within ``rounding`` (m) of a flat disc of ``radius`` (m) across the body's z."""

    title: ClassVar[str] = "disc"
    word: ClassVar[str] = "disc"
    measure: ClassVar[str] = "radius"
    count: ClassVar[int] = 2
    example: ClassVar[str] = "disc radius 0.1 rounding 0.01"
    corner_names: ClassVar[tuple[str, ...]] = ("rim", *FOOT_NAMES)

    radius: T
    rounding: T
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Disc[Term]:
        """The disc of a text."""
        radius, rounding = terms
        return Disc(radius, rounding, span)

    @property
    def numbers(self) -> tuple[T, ...]:
        """Radius and rounding."""
        return (self.radius, self.rounding)

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """Its rim, and its feet on both sides."""
        return (
            rim("rim", self.radius, self.rounding, 0.0),
            *feet(self.radius, self.rounding),
        )

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The disc: a cylinder of no length."""
        return (Feature("cylinder", (self.radius, 0.0, self.rounding, *UNTURNED), Hold.TURNED),)

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """Radius and rounding."""
        return {"radius": self.radius, "rounding": self.rounding}

    def filled(self: Disc[Term], fill: Filling) -> Disc[SX]:
        """The same with numbers or expressions."""
        return Disc(fill.amount(self.radius), fill.amount(self.rounding))

    def problems(
        self: Disc[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """A radius is positive; a disc may be thin."""
        yield from unless_positive(self.radius, f"the radius{owner}", known, span)
        yield from unless_not_negative(self.rounding, f"the rounding{owner}", known, span)

    @property
    def sizes(self) -> tuple[T, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def reach(self) -> T:
        """To the outside of the rim."""
        reach: T = self.radius + self.rounding
        return reach

    @property
    def _slices(self) -> tuple[Any, Any]:
        """The volumes of its flat part and of its round rim, over π times the rounding (m²)."""
        flat, round_one = self.radius, self.rounding
        return 2 * flat**2, math.pi * flat * round_one + 4 / 3 * round_one**2

    @property
    def volume(self) -> Any:
        """``π ρ (2 R² + π R ρ + 4/3 ρ²)`` (m³)."""
        plate, edge = self._slices
        return math.pi * self.rounding * (plate + edge)

    def moments(self: Disc[SX], mass: SX) -> tuple[SX, SX, SX]:
        """A plate and half a torus around it, whose moments are integrals over a half circle."""
        flat, thick, (plate, edge) = self.radius, self.rounding, self._slices
        share = mass / (plate + edge)
        ring = math.pi * flat**3 * thick + 4 * flat**2 * thick**2
        ring += 3 / 4 * math.pi * flat * thick**3 + 8 / 15 * thick**4
        along = share * (plate * flat**2 / 2 + ring)
        rise = math.pi / 4 * flat * thick**3 + 4 / 15 * thick**4
        across = along / 2 + share * (plate * thick**2 / 3 + rise)
        return (across, across, along)

    def moment_text(self, body: str) -> str:
        """The same."""
        r, thick, pi = f"radius[{body}]", f"rounding[{body}]", f"{math.pi:.15g}"
        share = f"mass[{body}] / (2 * {r}^2 + {pi} * {r} * {thick} + 4 / 3 * {thick}^2)"
        ring = f"{pi} * {r}^3 * {thick} + 4 * {r}^2 * {thick}^2"
        ring += f" + 3 / 4 * {pi} * {r} * {thick}^3 + 8 / 15 * {thick}^4"
        rise = f"2 / 3 * {r}^2 * {thick}^2 + {pi} / 4 * {r} * {thick}^3 + 4 / 15 * {thick}^4"
        along = f"({r}^4 + {ring})"
        across = f"({along} / 2 + {rise})"
        return f"{share} * (({across}, 0, 0), (0, {across}, 0), (0, 0, {along}))"

    def lines(self: Disc[Term], body: str) -> Iterator[str]:
        """Radius and rounding, and that it has no length."""
        yield f"radius[{body}] = {term_text(self.radius)}"
        yield f"rounding[{body}] = {term_text(self.rounding)}"
        yield f"length[{body}] = 0"


def disc(name: str, *, radius: Quantity, rounding: Quantity, **given: Unpack[Given]) -> Body:
    """A coin across the body's z: ``body coin { disc radius 0.01 rounding 0.001  mass 0.01 }``."""
    return body_of(name, Disc(as_quantity(radius), as_quantity(rounding)), given)
