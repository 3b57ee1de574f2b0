"""What a shape answers: in a world its measures are terms, in a scene numbers or expressions.

Each shape has a file here, and each two shapes that can touch have one in `dyverse.contact.pair`;
`dyverse.bodies.shapes` lists both.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dyverse.bodies.amounts import Known
from dyverse.contact.geometry import Solid
from dyverse.contact.pair.kinematics import Hold
from dyverse.contact.pair.polyhedron_sphere import Facets
from dyverse.errors import Problem, Span
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term, Vector

Array = NDArray[np.float64]
Triple = tuple[float, float, float]
T_co = TypeVar("T_co", covariant=True)

ROUNDING = 1e-12  # of the lengths that a distance is computed from


class Filling(Protocol):
    """What is put into the terms of a shape."""

    def amount(self, term: Term) -> SX:
        """A number, or an expression."""

    def unit(self, vector: Vector) -> tuple[SX, SX, SX]:
        """Three of them, at length one."""


@dataclass(frozen=True, slots=True)
class Feature(Generic[T_co]):
    """A shape, or a part of it, that pairs of shapes know: its ``kind``, and how it is held.

    Several of a body have names of their own. The numbers are those that its pairs take, with the
    offset and the turn of it on the body, if it is held so.
    """

    kind: str
    numbers: tuple[T_co, ...]
    hold: Hold = Hold.CENTRED
    name: str = ""
    words: tuple[str, ...] = ()  # what a listing calls its numbers, if they are no shape's
    ridges: Ridges[T_co] | None = None  # what of it touches others that have such, too
    facets: Facets | None = None  # of a polyhedron: its pairs are made for these


@dataclass(frozen=True, slots=True)
class Ridges(Generic[T_co]):
    """What of a long or flat shape touches others like it, at several points if they are parallel.

    Its ends touch the whole of the other, and its lines cross the lines of the other. Lines are a
    little thinner than what they are of (`line`), so that ends alone touch where both are parallel.
    """

    whole: Feature[T_co]
    ends: tuple[Feature[T_co], ...]
    lines: tuple[Feature[T_co], ...]


LIFTED = 1e-7  # of the size: by so much a line is thinner than what it is of


def line(name: str, thick: Any, half: Any, lies: tuple[Any, ...]) -> Feature[Any]:
    """A line of some thickness, which reaches so far to both sides along its own z."""
    return Feature("line", (thick, half, *lies), Hold.TURNED, name, ("radius", "half"))


class Shape(Protocol[T_co]):
    """The shape of a body, about its position."""

    title: ClassVar[str]  # what people call it
    word: ClassVar[str]  # and what the language does
    measure: ClassVar[str]  # and what it is measured by
    count: ClassVar[int]  # by how many numbers
    many: ClassVar[bool]  # or by any number of rows of so many
    example: ClassVar[str]
    never_moves: ClassVar[bool]
    is_flat: ClassVar[bool]  # whether corners are all that can touch it
    is_round: ClassVar[bool]  # whether it is the same however it is turned
    ridge_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]]  # ends and lines of `Ridges`

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Shape[Term]:
        """The shape of a text, from so many terms as it is measured by."""

    @property
    def numbers(self) -> tuple[T_co, ...]:
        """Its measures, as pairs of shapes take them."""

    @property
    def corner_names(self) -> tuple[str, ...]:
        """The names of `corners`, if there are several."""

    @property
    def kind(self) -> Hashable:
        """What is the same of shapes that touch others in the same way."""

    @property
    def corners(self) -> tuple[Feature[T_co], ...]:
        """What touches a plane."""

    @property
    def whole(self) -> tuple[Feature[T_co], ...]:
        """What touches anything else."""

    @property
    def measures(self) -> Mapping[str, T_co | tuple[T_co, ...]]:
        """Its measures by name, for a picture."""

    @property
    def span(self) -> Span | None:
        """Where it stands in the text."""

    def filled(self, fill: Filling) -> Shape[SX]:
        """The same with numbers or expressions."""

    def problems(self, owner: str, known: Known, span: Span | None) -> Iterator[Problem]:
        """What is wrong with the measures of a shape in terms; ``owner`` says whose they are."""

    @property
    def sizes(self) -> tuple[T_co, ...]:
        """Those of its numbers that must be positive."""

    @property
    def reach(self) -> SX:
        """How far it reaches from the body's position (m); infinity if it has no end."""

    @property
    def volume(self) -> SX:
        """How much room it takes (m³)."""

    def solid(self, position: Triple, *, certain: bool) -> Solid | None:
        """What proofs about geometry know of it; not ``certain`` if its numbers may change."""

    def is_mirrored(self, position: Triple, axis: int) -> bool:
        """Whether the plane through the origin across ``axis`` is a mirror of it."""

    def moments(self, mass: SX) -> tuple[SX, ...]:
        """The inertia (kg m²) of such a solid of uniform density: three moments or six numbers."""

    def moment_text(self, body: str) -> str:
        """The same as a listing says it, of the body of that name."""

    def lines(self, body: str) -> Iterator[str]:
        """What a listing says of its measures."""


@runtime_checkable
class Turnable(Protocol):
    """A shape that has to be told if its body turns."""

    def turning(self) -> Shape[Term]:
        """The same on such a body."""


@runtime_checkable
class Endless(Protocol):
    """A shape that no ball encloses: it ends at a plane."""

    @property
    def outward(self) -> Triple:
        """The unit vector out of it."""

    def near(self, position: Triple, centres: Array, radii: Array) -> list[int]:
        """The balls that touch it where it is, or may by rounding."""


@runtime_checkable
class Faceted(Protocol):
    """A shape with flat faces, to be drawn as these."""

    @property
    def vertices(self) -> tuple[tuple[Any, ...], ...]:
        """Its corners, from the body's position (m)."""

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        """The corners of each face by number, in turn seen from outside."""


class Assembled:
    """A shape whose centre of mass may be elsewhere than the body's position.

    Shapes say so by naming it: whoever asks need not work out where that is.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def centre(self) -> Triple:
        """The centre of mass at uniform density, from the body's position (m)."""
