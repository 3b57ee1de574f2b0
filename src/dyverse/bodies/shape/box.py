"""Boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
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
class Box(Turned, Generic[T]):
    """A block about the body's position, its edges along the body's axes. Unit of ``size``: m."""

    title: ClassVar[str] = "box"
    word: ClassVar[str] = "box"
    measure: ClassVar[str] = "size"
    count: ClassVar[int] = 3
    example: ClassVar[str] = "box size (1, 1, 1)"
    corner_names: ClassVar[tuple[str, ...]] = tuple(f"corner{i}" for i in range(1, 9))

    size: tuple[T, T, T]
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Box[Term]:
        """The shape of a text."""
        x, y, z = terms
        return Box((x, y, z), span)

    @property
    def numbers(self) -> tuple[T, ...]:
        """The lengths of its edges."""
        return self.size

    @property
    def half(self) -> tuple[T, T, T]:
        """Half the lengths of its edges."""
        x, y, z = self.size
        return (x / 2, y / 2, z / 2)

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """Its corners, balls of radius zero: x changes first, from the negative side."""
        x, y, z = self.half
        signs = product((False, True), repeat=3)
        places: list[tuple[Any, ...]] = [
            (x if a else -x, y if b else -y, z if c else -z) for c, b, a in signs
        ]
        named = zip(self.corner_names, places, strict=True)
        return tuple(Feature("sphere", (0.0, *at), Hold.PLACED, name) for name, at in named)

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The block."""
        return (Feature("box", (*self.half, *UNTURNED), Hold.TURNED),)

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """The lengths of its edges."""
        return {self.measure: self.size}

    def filled(self: Box[Term], fill: Filling) -> Box[SX]:
        """The same with numbers or expressions."""
        x, y, z = map(fill.amount, self.size)
        return Box((x, y, z))

    def problems(self: Box[Term], owner: str, known: Known, span: Span | None) -> Iterator[Problem]:
        """Edges are positive."""
        for edge in self.size:
            yield from unless_positive(edge, f"the size{owner}", known, span)

    @property
    def sizes(self) -> tuple[T, ...]:
        """The lengths of its edges."""
        return self.size

    @property
    def reach(self) -> Any:  # a number or an expression
        """To a corner."""
        x, y, z = self.half
        return (x * x + y * y + z * z) ** 0.5

    @property
    def volume(self) -> Any:
        """The product of its edges (m³)."""
        return self.size[0] * self.size[1] * self.size[2]

    def moments(self: Box[SX], mass: SX) -> tuple[SX, SX, SX]:
        """``m (b² + c²) / 12`` about the first axis, and so on."""
        x, y, z = (edge * edge for edge in self.size)
        return (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)

    def moment_text(self, body: str) -> str:
        """The same."""
        x, y, z = (
            f"dot(size[{body}], {axis})^2" for axis in ("(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)")
        )
        rows = (f"({y} + {z}, 0, 0)", f"(0, {x} + {z}, 0)", f"(0, 0, {x} + {y})")
        return f"mass[{body}] / 12 * ({', '.join(rows)})"

    def lines(self: Box[Term], body: str) -> Iterator[str]:
        """The lengths of its edges."""
        yield f"size[{body}] = ({', '.join(map(term_text, self.size))})"


def box(name: str, *, size: Quantities, **given: Unpack[Given]) -> Body:
    """A block: ``body block { box size (0.2, 0.8, 0.2)  mass 1 }``."""
    return body_of(name, Box(as_vector(size, "size")), given)
