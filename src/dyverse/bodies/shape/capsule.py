"""Capsules: rods with round ends."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.quantity import Quantity, as_quantity
from dyverse.bodies.shape.along import Along
from dyverse.bodies.shape.interface import LIFTED, Feature, Filling, Ridges, line
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.world import Body
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.errors import Span
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term

T = TypeVar("T", bound=Any)


@dataclass(frozen=True, slots=True)
class Capsule(Along[T], Generic[T]):
    """All points within ``radius`` (m) of a line of ``length`` (m) along the body's z, centred."""

    title: ClassVar[str] = "capsule"
    word: ClassVar[str] = "capsule"
    example: ClassVar[str] = "capsule radius 0.1 length 1"
    corner_names: ClassVar[tuple[str, ...]] = ("end1", "end2")
    ridge_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = (corner_names, ("side",))

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Capsule[Term]:
        """The capsule of a text."""
        radius, length = terms
        return Capsule(radius, length, span)

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """The balls at its ends, the first at negative z."""
        ends = zip(self.corner_names, (-self.half, self.half), strict=True)
        return tuple(
            Feature("sphere", (self.radius, 0.0, 0.0, z), Hold.PLACED, name) for name, z in ends
        )

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The rod; another meets its ends, or crosses it."""
        numbers = (self.radius, self.half, *UNTURNED)
        rod: Feature[Any] = Feature("capsule", numbers, Hold.TURNED)
        side = line("side", (1 - LIFTED) * self.radius, self.half, UNTURNED)
        return (replace(rod, ridges=Ridges(rod, self.corners, (side,))),)

    def filled(self: Capsule[Term], fill: Filling) -> Capsule[SX]:
        """The same with numbers or expressions."""
        return Capsule(fill.amount(self.radius), fill.amount(self.length))

    @property
    def reach(self) -> T:
        """To the top of an end."""
        reach: T = self.radius + self.half
        return reach

    @property
    def volume(self) -> Any:
        """``π r² l + 4/3 π r³`` (m³)."""
        return math.pi * self.radius**2 * (self.length + 4 / 3 * self.radius)

    def moments(self: Capsule[SX], mass: SX) -> tuple[SX, SX, SX]:
        """A cylinder and two half balls, whose centres of mass are 3/8 r beyond its ends."""
        r, long = self.radius, self.length
        ends = mass * (4 / 3 * r) / (long + 4 / 3 * r)
        rod = mass - ends
        across = rod * (r * r / 4 + long * long / 12)
        across += ends * (0.4 * r * r + long * long / 4 + 3 / 8 * long * r)
        return (across, across, rod * r * r / 2 + ends * 0.4 * r * r)

    def moment_text(self, body: str) -> str:
        """The same."""
        r, long, mass = f"radius[{body}]", f"length[{body}]", f"mass[{body}]"
        rod, ends = (
            f"{mass} * {part} / (3 * {long} + 4 * {r})" for part in (f"3 * {long}", f"4 * {r}")
        )
        across = f"{rod} * ({r}^2 / 4 + {long}^2 / 12)"
        across += f" + {ends} * (2 / 5 * {r}^2 + {long}^2 / 4 + 3 / 8 * {long} * {r})"
        along = f"{rod} * {r}^2 / 2 + {ends} * 2 / 5 * {r}^2"
        return f"(({across}, 0, 0), (0, {across}, 0), (0, 0, {along}))"


def capsule(name: str, *, radius: Quantity, length: Quantity, **given: Unpack[Given]) -> Body:
    """A rod with round ends: ``body rod { capsule radius 0.1 length 1  mass 1 }``."""
    return body_of(name, Capsule(as_quantity(radius), as_quantity(length)), given)
