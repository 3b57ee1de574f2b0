"""Convex polyhedra, by their vertices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.amounts import Known, amount_problem, number, short_text, span_of
from dyverse.bodies.quantity import Quantities, as_vector
from dyverse.bodies.shape.hull import (
    ROUNDED,
    Hull,
    convex_hull,
    inner_hull,
    raw_hull,
    rounding,
    triangles,
)
from dyverse.bodies.shape.interface import LIFTED, Assembled, Feature, Filling, Ridges, Triple, line
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.shape.turned import Turned
from dyverse.bodies.world import Body
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.errors import Problem, Span
from dyverse.expr.printing import term_text
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term
from dyverse.expr.value import value

T = TypeVar("T", bound=Any)
Face = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Polyhedron(Turned, Assembled, Generic[T]):
    """The convex hull of ``vertices`` in the body's axes (m), each of them a corner.

    They are numbers, so that it is known which of them have a face in common.
    """

    title: ClassVar[str] = "polyhedron"
    word: ClassVar[str] = "polyhedron"
    measure: ClassVar[str] = "vertices"
    count: ClassVar[int] = 3
    many: ClassVar[bool] = True
    example: ClassVar[str] = "polyhedron vertices (0, 0, 0) (1, 0, 0) (0, 1, 0) (0, 0, 1)"

    vertices: tuple[tuple[T, T, T], ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Polyhedron[Term]:
        """The shape of a text, whose terms are the vertices one after the other."""
        places = zip(terms[::3], terms[1::3], terms[2::3], strict=True)
        return Polyhedron(tuple(places), span)

    @staticmethod
    def ridges_named(numbers: Sequence[Term]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What of a polyhedron of such numbers touches what has edges, too: see `ridge_names`."""
        places = known_places(numbers)
        within = inner_hull(places, rounding(places))
        return ((), ()) if within is None else _ridge_names(within)

    @staticmethod
    def named(numbers: int) -> tuple[str, ...]:
        """What the corners are called, of a polyhedron of so many numbers."""
        return tuple(f"vertex{i}" for i in range(1, numbers // 3 + 1))

    @property
    def numbers(self) -> tuple[T, ...]:
        """The vertices one after the other."""
        return tuple(x for vertex in self.vertices for x in vertex)

    @property
    def corner_names(self) -> tuple[str, ...]:
        """Its vertices, counted from one."""
        return self.named(3 * len(self.vertices))

    @property
    def corners(self) -> tuple[Feature[T], ...]:
        """Its vertices, balls of radius zero."""
        places: tuple[tuple[Any, ...], ...] = self.vertices
        named = zip(self.corner_names, places, strict=True)
        return tuple(Feature("sphere", (0.0, *at), Hold.PLACED, name) for name, at in named)

    @property
    def whole(self) -> tuple[Feature[T], ...]:
        """The solid; its edges are rounded where it meets what has edges, too."""
        hull = convex_hull(self._places)
        facets = None if hull is None else hull.facets
        solid: Feature[Any] = Feature("polyhedron", (0.0, *UNTURNED), Hold.TURNED, facets=facets)
        return (replace(solid, ridges=self._ridges),)

    @property
    def _ridges(self) -> Ridges[Any] | None:
        """A smaller polyhedron that is as thick as the rounding, with its corners and edges."""
        thick = rounding(self._places)
        within = inner_hull(self._places, thick)
        if within is None:
            return None  # checks say so
        block: Feature[Any] = Feature(
            "round polyhedron", (thick, *UNTURNED), Hold.TURNED, facets=within.facets
        )
        ends, lines = _ridge_names(within)
        named = zip(ends, within.points, strict=True)
        corners = (Feature("sphere", (thick, *at), Hold.PLACED, name) for name, at in named)
        edges = (
            line(
                name,
                (1 - LIFTED / ROUNDED) * thick,
                edge.length / 2,
                (*edge.middle, *_from_z(edge.along)),
            )
            for name, edge in zip(lines, within.facets.edges, strict=True)
        )
        return Ridges(block, tuple(corners), tuple(edges))

    @property
    def _places(self) -> tuple[Triple, ...]:
        """The vertices as numbers; none if some are none, which checks say."""
        return known_places(self.numbers)

    @property
    def measures(self) -> dict[str, Any]:
        """Vertices, and the triangles between them."""
        return {"vertices": self.vertices, "faces": self.faces}

    def filled(self: Polyhedron[Term], fill: Filling) -> Polyhedron[float]:
        """The same with numbers, whatever is filled in elsewhere."""
        x, y, z = ([value(at[i], {}) for at in self.vertices] for i in range(3))
        return Polyhedron(tuple(zip(x, y, z, strict=True)))

    def problems(
        self: Polyhedron[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """Vertices are numbers, do not lie in a plane, and each of them is a corner."""
        found: list[Triple] = []
        for at in self.vertices:
            x, y, z = (number(term, {}) for term in at)
            if x is None or y is None or z is None:
                if all(number(term, known) is not None for term in at):
                    message = f"the vertices{owner} must be numbers, without parameters"
                    yield Problem(message, span_of(at[0], self.span or span))
                return
            if wrong := next(filter(None, map(amount_problem, (x, y, z))), ""):
                yield Problem(f"a vertex{owner} is {wrong}", span_of(at[0], self.span or span))
                return
            found.append((x, y, z))
        yield from self._dents(tuple(found), owner, span)

    def _dents(
        self: Polyhedron[Term], found: tuple[Triple, ...], owner: str, span: Span | None
    ) -> Iterator[Problem]:
        """Vertices that are no corners of the hull of all."""
        if (hull := raw_hull(found)) is None:
            message = f"the vertices{owner} lie in a plane, or are fewer than four"
            yield Problem(f"{message}; a polyhedron has a volume", self.span or span)
            return
        corners = set(hull.vertices.tolist())
        for i, at in enumerate(found):
            if i not in corners:
                place = f"({', '.join(map(short_text, at))})"
                message = f"vertex{i + 1} {place}{owner} is no corner: it lies within the others"
                hint = "leave it out, or write a shape that is not convex as several parts"
                yield Problem(f"{message}; {hint}", span_of(self.vertices[i][0], span))

    @property
    def faces(self) -> tuple[Face, ...]:
        """Triangles of its surface by the numbers of their vertices, each seen from outside."""
        return triangles(self._places)

    @property
    def sizes(self) -> tuple[T, ...]:
        """None: a vertex may be anywhere."""
        return ()

    @property
    def reach(self) -> float:
        """To the farthest vertex."""
        return max((math.hypot(*at) for at in self._places), default=0.0)

    @property
    def volume(self) -> Any:
        """That of tetrahedra from the body's position to each triangle (m³)."""
        return sum(volume for volume, _ in self._tetrahedra)

    @property
    def centre(self) -> tuple[Any, Any, Any]:
        """The centre of mass at uniform density (m)."""
        parts, whole = self._tetrahedra, self.volume or 1.0  # checks say if it is flat
        x, y, z = (sum(v * sum(at[i] for at in abc) for v, abc in parts) / 4 for i in range(3))
        return (x / whole, y / whole, z / whole)

    def moments(self, mass: SX) -> tuple[SX, ...]:
        """Six numbers about the body's position, by second moments of tetrahedra."""
        share, places = mass / self.volume, ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        xx, yy, zz, xy, xz, yz = (
            share * sum(v * _second(abc, i, j) for v, abc in self._tetrahedra) for i, j in places
        )
        return (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)

    @property
    def _tetrahedra(self) -> list[tuple[Any, tuple[tuple[T, T, T], ...]]]:
        """The signed volume of each, and its three vertices on the surface."""
        corners = [tuple(self.vertices[i] for i in face) for face in self.faces]
        return [(_volume(*abc), abc) for abc in corners]

    def moment_text(self, body: str) -> str:
        """The same in words."""
        return "that of its tetrahedra at the same density"

    def lines(self: Polyhedron[Term], body: str) -> Iterator[str]:
        """The vertices."""
        names = [f"vertex{i}[{body}]" for i in range(1, len(self.vertices) + 1)]
        for name, at in zip(names, self.vertices, strict=True):
            yield f"{name} = ({', '.join(map(term_text, at))})"
        yield f"hull[{body}] = hull({', '.join(names)})"
        yield f"rounding[{body}] = {rounding(self._places):.17g}"


def known_places(numbers: Sequence[Any]) -> tuple[Triple, ...]:
    """Vertices one after the other, terms or numbers, as numbers; none if some are none."""
    found = [number(x, {}) if isinstance(x, Term) else float(x) for x in numbers]
    places = tuple(zip(found[::3], found[1::3], found[2::3], strict=True))
    known = tuple(
        (x, y, z) for x, y, z in places if x is not None and y is not None and z is not None
    )
    return known if len(known) == len(places) else ()


def _ridge_names(within: Hull) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What its corners and edges are called."""
    ends = tuple(f"vertex{i}" for i in range(1, len(within.points) + 1))
    return ends, tuple(f"edge{i}" for i in range(1, len(within.edges) + 1))


def _from_z(along: Triple) -> tuple[float, ...]:
    """The least turn from z to a unit vector."""
    x, y, z = along
    if z < -0.5:  # as good the other way
        x, y, z = -x, -y, -z
    half = math.sqrt((1 + z) / 2)
    return (half, -y / (2 * half), x / (2 * half), 0.0)


def _volume(a: Sequence[Any], b: Sequence[Any], c: Sequence[Any]) -> Any:
    """The signed volume of a tetrahedron from the origin: det(a, b, c) / 6."""
    crossed = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
    return (a[0] * crossed[0] + a[1] * crossed[1] + a[2] * crossed[2]) / 6


def _second(corners: tuple[tuple[Any, ...], ...], i: int, j: int) -> Any:
    """The mean of x_i x_j over a tetrahedron from the origin: (Σ a_i a_j + Σ a_i Σ a_j) / 20."""
    products = sum(at[i] * at[j] for at in corners)
    return (products + sum(at[i] for at in corners) * sum(at[j] for at in corners)) / 20


def polyhedron(name: str, *, vertices: Sequence[Quantities], **given: Unpack[Given]) -> Body:
    """A convex solid: ``body tent { polyhedron vertices (0, 0, 1) (1, 0, 0) …  mass 1 }``."""
    places = tuple(as_vector(vertex, "a vertex") for vertex in vertices)
    return body_of(name, Polyhedron(places), given)
