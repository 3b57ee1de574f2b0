"""Cylinders."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.quantity import Quantity, as_quantity
from dyverse.bodies.shape.along import Along
from dyverse.bodies.shape.interface import Feature, Filling
from dyverse.bodies.shape.rim import FOOT_NAMES, feet, rim
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.world import Body
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.errors import Span
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term

T = TypeVar("T", bound=Any)


@dataclass(frozen=True, slots=True)
class Cylinder(Along[T], Generic[T]):
    """A can about the body's position, its axis the body's z. Unit of both measures: m."""

    title: ClassVar[str] = "cylinder"
    word: ClassVar[str] = "cylinder"
    example: ClassVar[str] = "cylinder radius 0.1 length 0.3"
    corner_names: ClassVar[tuple[str, ...]] = ("rim1", "rim2", *FOOT_NAMES)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Cylinder[Term]:
        """The cylinder of a text."""
        radius, length = terms
        return Cylinder(radius, length, span)

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """Its rims, the first at negative z, and its feet."""
        rims = (rim(f"rim{i}", self.radius, 0.0, z) for i, z in ((1, -self.half), (2, self.half)))
        return (*rims, *feet(self.radius, self.half))

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The can."""
        return (Feature("cylinder", (self.radius, self.half, 0.0, *UNTURNED), Hold.TURNED),)

    def filled(self: Cylinder[Term], fill: Filling) -> Cylinder[SX]:
        """The same with numbers or expressions."""
        return Cylinder(fill.amount(self.radius), fill.amount(self.length))

    @property
    def reach(self) -> Any:
        """To a rim."""
        return (self.radius**2 + self.half**2) ** 0.5

    @property
    def volume(self) -> Any:
        """``π r² l`` (m³)."""
        return math.pi * self.radius**2 * self.length

    def moments(self: Cylinder[SX], mass: SX) -> tuple[SX, SX, SX]:
        """``m (3 r² + l²) / 12`` across, ``m r² / 2`` along its axis."""
        across = mass * (3 * self.radius**2 + self.length**2) / 12
        return (across, across, mass * self.radius**2 / 2)

    def moment_text(self, body: str) -> str:
        """The same."""
        r, long = f"radius[{body}]", f"length[{body}]"
        across = f"({r}^2 / 4 + {long}^2 / 12)"
        return f"mass[{body}] * (({across}, 0, 0), (0, {across}, 0), (0, 0, {r}^2 / 2))"

    def lines(self: Cylinder[Term], body: str) -> Iterator[str]:
        """Radius and length, and that its edges are sharp."""
        yield from Along.lines(self, body)
        yield f"rounding[{body}] = 0"


def cylinder(name: str, *, radius: Quantity, length: Quantity, **given: Unpack[Given]) -> Body:
    """A can along the body's z: ``body can { cylinder radius 0.03 length 0.1  mass 0.3 }``."""
    return body_of(name, Cylinder(as_quantity(radius), as_quantity(length)), given)
