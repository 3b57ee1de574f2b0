"""Boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.amounts import Known, unless_positive
from dyverse.bodies.quantity import Quantities, as_vector
from dyverse.bodies.shape.interface import LIFTED, Feature, Filling, Ridges, line
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.shape.turned import Turned
from dyverse.bodies.world import Body
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.errors import Problem, Span
from dyverse.expr.printing import term_text
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term

T = TypeVar("T", bound=Any)
ROUNDED = 3e-3
HALF = 0.5**0.5
ALONG = {  # from z to these axes
    "x": (HALF, 0.0, HALF, 0.0),
    "y": (HALF, -HALF, 0.0, 0.0),
    "z": (1.0, 0.0, 0.0, 0.0),
}


@dataclass(frozen=True, slots=True)
class Box(Turned, Generic[T]):
    """A block about the body's position, its edges along the body's axes. Unit of ``size``: m."""

    title: ClassVar[str] = "box"
    word: ClassVar[str] = "box"
    measure: ClassVar[str] = "size"
    count: ClassVar[int] = 3
    example: ClassVar[str] = "box size (1, 1, 1)"
    corner_names: ClassVar[tuple[str, ...]] = tuple(f"corner{i}" for i in range(1, 9))
    ridge_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = (
        corner_names,
        tuple(f"edge_{axis}{n}" for axis in "xyz" for n in range(1, 5)),
    )

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
        named = zip(self.corner_names, _corners(self.half), strict=True)
        return tuple(Feature("sphere", (0.0, *at), Hold.PLACED, name) for name, at in named)

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The block; its edges are rounded where it meets what has edges, too."""
        block: Feature[Any] = Feature("box", (*self.half, 0.0, *UNTURNED), Hold.TURNED)
        return (replace(block, ridges=self._ridges),)

    @property
    def rounding(self) -> Any:
        """What its edges are rounded with (m): less than `ROUNDED` of the shortest edge."""
        x, y, z = self.size
        return ROUNDED / (1 / x + 1 / y + 1 / z)

    @property
    def _ridges(self) -> Ridges[T]:
        """A smaller block that is as thick as the rounding, with its corners and edges."""
        thick = self.rounding
        within = [half - thick for half in self.half]
        block: Feature[Any] = Feature("block", (*within, thick, *UNTURNED), Hold.TURNED)
        named = zip(self.corner_names, _corners(within), strict=True)
        ends = (Feature("sphere", (thick, *at), Hold.PLACED, name) for name, at in named)
        edges = (
            line(f"edge_{axis}{n}", (1 - LIFTED / ROUNDED) * thick, within[i], (*at, *ALONG[axis]))
            for i, axis in enumerate(ALONG)
            for n, at in enumerate(_edges(within, i), start=1)
        )
        return Ridges(block, tuple(ends), tuple(edges))

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
        yield f"rounding[{body}] = {term_text(self.rounding)}"


def _corners(half: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The corners of a block about the origin, x changing first, from the negative side."""
    x, y, z = half
    signs = product((False, True), repeat=3)
    return [(x if a else -x, y if b else -y, z if c else -z) for c, b, a in signs]


def _edges(half: Sequence[Any], axis: int) -> list[tuple[Any, ...]]:
    """The middles of its edges along an axis."""
    corners = (at for i, at in enumerate(_corners(half)) if not i & 1 << axis)
    return [tuple(0.0 if i == axis else x for i, x in enumerate(at)) for at in corners]


def box(name: str, *, size: Quantities, **given: Unpack[Given]) -> Body:
    """A block: ``body block { box size (0.2, 0.8, 0.2)  mass 1 }``."""
    return body_of(name, Box(as_vector(size, "size")), given)
