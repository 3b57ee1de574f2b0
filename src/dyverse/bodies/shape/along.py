"""What shapes along the body's z have in common that have a radius and a length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from dyverse.bodies.amounts import Known, unless_positive
from dyverse.bodies.shape.turned import Turned
from dyverse.errors import Problem, Span
from dyverse.expr.printing import term_text
from dyverse.expr.term import Term

T = TypeVar("T", bound=Any)


@dataclass(frozen=True, slots=True)
class Along(Turned, Generic[T]):
    """A shape about the body's position, its axis the body's z. Unit of both measures: m."""

    measure: ClassVar[str] = "radius"
    count: ClassVar[int] = 2

    radius: T
    length: T
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def numbers(self) -> tuple[T, ...]:
        """Radius and length."""
        return (self.radius, self.length)

    @property
    def half(self) -> Any:
        """Half its length."""
        return self.length / 2

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """Radius and length."""
        return {"radius": self.radius, "length": self.length}

    def problems(
        self: Along[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """Both are positive."""
        yield from unless_positive(self.radius, f"the radius{owner}", known, span)
        yield from unless_positive(self.length, f"the length{owner}", known, span)

    @property
    def sizes(self) -> tuple[T, ...]:
        """Radius and length."""
        return self.numbers

    def lines(self: Along[Term], body: str) -> Iterator[str]:
        """Radius and length."""
        yield f"radius[{body}] = {term_text(self.radius)}"
        yield f"length[{body}] = {term_text(self.length)}"
