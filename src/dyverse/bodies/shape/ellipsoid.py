"""Ellipsoids."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.amounts import Known, unless_positive
from dyverse.bodies.quantity import Quantities, as_vector
from dyverse.bodies.shape.interface import Feature, Filling
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
class Ellipsoid(Turned, Generic[T]):
    """An ellipsoid about the body's position, ``axes`` its half axes along the body's (m)."""

    title: ClassVar[str] = "ellipsoid"
    word: ClassVar[str] = "ellipsoid"
    measure: ClassVar[str] = "axes"
    count: ClassVar[int] = 3
    example: ClassVar[str] = "ellipsoid axes (3, 2, 1)"
    corner_names: ClassVar[tuple[str, ...]] = ()

    axes: tuple[T, T, T]
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Ellipsoid[Term]:
        """The shape of a text."""
        x, y, z = terms
        return Ellipsoid((x, y, z), span)

    @property
    def numbers(self) -> tuple[T, ...]:
        """The half axes."""
        return self.axes

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """All of it."""
        return self.whole

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The ellipsoid."""
        return (Feature("ellipsoid", (*self.axes, *UNTURNED), Hold.TURNED),)

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """The half axes."""
        return {self.measure: self.axes}

    def filled(self: Ellipsoid[Term], fill: Filling) -> Ellipsoid[SX]:
        """The same with numbers or expressions."""
        x, y, z = map(fill.amount, self.axes)
        return Ellipsoid((x, y, z))

    def problems(
        self: Ellipsoid[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """Axes are positive."""
        for axis in self.axes:
            yield from unless_positive(axis, f"an axis{owner}", known, span)

    @property
    def sizes(self) -> tuple[T, ...]:
        """The half axes."""
        return self.axes

    @property
    def reach(self) -> Any:  # a number or an expression
        """No farther than a ball about a box around it, for any kind of number."""
        x, y, z = self.axes
        return (x * x + y * y + z * z) ** 0.5

    @property
    def volume(self) -> Any:
        """``4/3 π a b c`` (m³)."""
        return 4 / 3 * math.pi * self.axes[0] * self.axes[1] * self.axes[2]

    def moments(self: Ellipsoid[SX], mass: SX) -> tuple[SX, SX, SX]:
        """``m (b² + c²) / 5`` about the first axis, and so on."""
        x, y, z = (axis * axis for axis in self.axes)
        return (mass * (y + z) / 5, mass * (x + z) / 5, mass * (x + y) / 5)

    def moment_text(self, body: str) -> str:
        """The same."""
        x, y, z = (
            f"dot(axes[{body}], {axis})^2" for axis in ("(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)")
        )
        rows = (f"({y} + {z}, 0, 0)", f"(0, {x} + {z}, 0)", f"(0, 0, {x} + {y})")
        return f"mass[{body}] / 5 * ({', '.join(rows)})"

    def lines(self: Ellipsoid[Term], body: str) -> Iterator[str]:
        """The half axes."""
        yield f"axes[{body}] = ({', '.join(map(term_text, self.axes))})"


def ellipsoid(name: str, *, axes: Quantities, **given: Unpack[Given]) -> Body:
    """An ellipsoid: ``body egg { ellipsoid axes (0.03, 0.02, 0.02)  mass 0.1 }``."""
    return body_of(name, Ellipsoid(as_vector(axes, "axes")), given)
