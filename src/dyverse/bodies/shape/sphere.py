"""Balls."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.amounts import Known, unless_positive
from dyverse.bodies.quantity import Quantity, as_quantity
from dyverse.bodies.shape.interface import Feature, Filling, Triple
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.world import Body
from dyverse.contact import geometry
from dyverse.errors import Problem, Span
from dyverse.expr.printing import term_text
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term

T = TypeVar("T", bound=Any)


@dataclass(frozen=True, slots=True)
class Sphere(Generic[T]):
    """A ball about the body's position. Unit of ``radius``: m."""

    title: ClassVar[str] = "sphere"
    word: ClassVar[str] = "sphere"
    measure: ClassVar[str] = "radius"
    count: ClassVar[int] = 1
    example: ClassVar[str] = "sphere radius 1"
    many: ClassVar[bool] = False
    never_moves: ClassVar[bool] = False
    is_flat: ClassVar[bool] = False
    is_round: ClassVar[bool] = True
    corner_names: ClassVar[tuple[str, ...]] = ()
    ridge_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = ((), ())

    radius: T
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Sphere[Term]:
        """The shape of a text."""
        (radius,) = terms
        return Sphere(radius, span)

    @property
    def numbers(self) -> tuple[T, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def kind(self) -> str:
        """Its word."""
        return self.word

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """All of it."""
        return self.whole

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The ball."""
        return (Feature("sphere", (self.radius,)),)

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """The radius."""
        return {self.measure: self.radius}

    def filled(self: Sphere[Term], fill: Filling) -> Sphere[SX]:
        """The same with a number or an expression."""
        return Sphere(fill.amount(self.radius))

    def problems(
        self: Sphere[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """A radius is positive."""
        return unless_positive(self.radius, f"the radius{owner}", known, span)

    @property
    def sizes(self) -> tuple[T, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def reach(self) -> T:
        """The radius."""
        return self.radius

    @property
    def volume(self) -> Any:
        """``4/3 π r³`` (m³)."""
        return 4 / 3 * math.pi * self.radius**3

    def solid(self: Sphere[float], position: Triple, *, certain: bool) -> geometry.Ball:
        """A ball, wherever it goes."""
        return geometry.Ball(self.radius, certain)

    def is_mirrored(self, position: Triple, axis: int) -> bool:
        """If its centre is in the plane."""
        return position[axis] == 0

    def moments(self: Sphere[SX], mass: SX) -> tuple[SX, SX, SX]:
        """``2/5 m r²``, about any axis."""
        moment = 0.4 * mass * self.radius**2
        return (moment, moment, moment)

    def moment_text(self, body: str) -> str:
        """The same."""
        return f"2 / 5 * mass[{body}] * radius[{body}]^2"

    def lines(self: Sphere[Term], body: str) -> Iterator[str]:
        """The radius."""
        yield f"radius[{body}] = {term_text(self.radius)}"


def sphere(name: str, *, radius: Quantity, **given: Unpack[Given]) -> Body:
    """A ball: ``body ball { sphere radius 0.5  mass 1 }``; a solid one unless given an inertia."""
    return body_of(name, Sphere(as_quantity(radius)), given)
