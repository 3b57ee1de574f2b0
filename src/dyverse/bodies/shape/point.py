"""Points: balls of radius zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar, Unpack

from dyverse.bodies.amounts import Known
from dyverse.bodies.shape.interface import Feature, Filling, Triple
from dyverse.bodies.shape.solid import Given, body_of
from dyverse.bodies.world import Body
from dyverse.errors import Problem, Span
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Number, Term

T = TypeVar("T", bound=Any)


@dataclass(frozen=True, slots=True)
class Point(Generic[T]):
    """The body's position. A corner, the tip of a spoke; or a small body whose size is no matter.

    Nothing that touches a point turns it. Alone, it has the inertia of a mass at one metre.
    """

    title: ClassVar[str] = "point"
    word: ClassVar[str] = "point"
    measure: ClassVar[str] = ""
    count: ClassVar[int] = 0
    example: ClassVar[str] = "point"
    many: ClassVar[bool] = False
    never_moves: ClassVar[bool] = False
    is_flat: ClassVar[bool] = False
    is_round: ClassVar[bool] = True
    corner_names: ClassVar[tuple[str, ...]] = ()
    ridge_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = ((), ())

    radius: T
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> Point[Term]:
        """The point of a text."""
        return Point(Number(0.0), span)

    @property
    def numbers(self) -> tuple[T, ...]:
        """Its radius, zero."""
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
        """A ball without size."""
        return (Feature("sphere", (self.radius,)),)

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """None."""
        return {}

    def filled(self: Point[Term], fill: Filling) -> Point[SX]:
        """The same with a number or an expression."""
        return Point(fill.amount(self.radius))

    def problems(
        self: Point[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """Nothing can be."""
        return iter(())

    @property
    def sizes(self) -> tuple[T, ...]:
        """None."""
        return ()

    @property
    def reach(self) -> T:
        """Nowhere."""
        return self.radius

    @property
    def volume(self) -> T:
        """None."""
        return self.radius

    def solid(self, position: Triple, *, certain: bool) -> None:
        """Nothing yet."""

    def is_mirrored(self, position: Triple, axis: int) -> bool:
        """If it is in the plane."""
        return position[axis] == 0

    def moments(self, mass: SX) -> tuple[SX, SX, SX]:
        """As good as any."""
        return (mass, mass, mass)

    def moment_text(self, body: str) -> str:
        """The same."""
        return f"mass[{body}]"

    def lines(self, body: str) -> Iterator[str]:
        """The radius."""
        yield f"radius[{body}] = 0"


def point(name: str, **given: Unpack[Given]) -> Body:
    """A small body whose size is no matter: ``body bead { point  mass 0.1 }``."""
    return body_of(name, Point.read((), None), given)
