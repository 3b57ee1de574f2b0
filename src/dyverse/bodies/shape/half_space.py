"""Half-spaces: floors and walls."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from dyverse.bodies.amounts import Known, unless_direction
from dyverse.bodies.quantity import Quantities, as_vector
from dyverse.bodies.shape.interface import ROUNDING, Array, Feature, Filling, Triple
from dyverse.bodies.world import ORIGIN, Body
from dyverse.contact import geometry
from dyverse.contact.pair.kinematics import UNTURNED, Hold
from dyverse.errors import Problem, Span
from dyverse.expr.printing import term_text
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Term

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HalfSpace(Generic[T]):
    """All points behind a plane through the body's position; ``normal`` points out of the solid.

    In a world the normal need not have length one; in a scene it has.
    It is fixed, moved or turned, or its surface runs.
    """

    title: ClassVar[str] = "half-space"
    word: ClassVar[str] = "plane"
    measure: ClassVar[str] = "normal"
    count: ClassVar[int] = 3
    example: ClassVar[str] = "plane normal (0, 1, 0)"
    many: ClassVar[bool] = False
    never_moves: ClassVar[bool] = True
    is_flat: ClassVar[bool] = True
    is_round: ClassVar[bool] = True  # its normal says how it lies
    corner_names: ClassVar[tuple[str, ...]] = ()
    ridge_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = ((), ())

    normal: tuple[T, T, T]
    turns: bool = False  # with its body; else it matters not how that lies
    span: Span | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def read(terms: tuple[Term, ...], span: Span | None) -> HalfSpace[Term]:
        """The shape of a text."""
        x, y, z = terms
        return HalfSpace((x, y, z), span=span)

    def turning(self) -> HalfSpace[T]:
        """The same, whose normal is that of a body that is not turned."""
        return replace(self, turns=True)

    @property
    def numbers(self) -> tuple[T, ...]:
        """The normal."""
        return self.normal

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
        """The half-space."""
        if self.turns:
            numbers: tuple[Any, ...] = (*self.normal, *UNTURNED)
            return (Feature("half-space", numbers, Hold.TURNED),)
        return (Feature("half-space", self.normal),)

    @property
    def measures(self) -> dict[str, T | tuple[T, ...]]:
        """The normal."""
        return {self.measure: self.normal}

    def filled(self: HalfSpace[Term], fill: Filling) -> HalfSpace[SX]:
        """The same with numbers or expressions."""
        return HalfSpace(fill.unit(self.normal), turns=self.turns)

    def problems(
        self: HalfSpace[Term], owner: str, known: Known, span: Span | None
    ) -> Iterator[Problem]:
        """A normal has a direction."""
        return unless_direction(self.normal, f"the normal{owner}", known, span)

    @property
    def sizes(self) -> tuple[T, ...]:
        """None: a normal may point anywhere."""
        return ()

    @property
    def reach(self) -> float:
        """It has no end."""
        return math.inf

    @property
    def outward(self) -> tuple[T, T, T]:
        """The normal."""
        return self.normal

    def near(self: HalfSpace[float], position: Triple, centres: Array, radii: Array) -> list[int]:
        """The balls that reach into it, or may by rounding or as it is turned."""
        if self.turns:
            return list(range(len(centres)))
        apart = centres - np.array(position)
        gaps = apart @ np.array(self.normal) - radii
        return np.flatnonzero(gaps <= ROUNDING * (np.abs(apart).sum(axis=1) + radii)).tolist()

    @property
    def volume(self) -> Any:
        """It has no end."""
        return math.inf

    def solid(self: HalfSpace[float], position: Triple, *, certain: bool) -> geometry.Plane:
        """A half-space behind its position."""
        return geometry.Plane(self.normal, position, certain)

    def is_mirrored(self, position: Triple, axis: int) -> bool:
        """If its normal is in the plane, for good."""
        return not self.turns and self.normal[axis] == 0

    def moments(self, mass: SX) -> tuple[SX, SX, SX]:
        """It never moves."""
        return (math.inf, math.inf, math.inf)

    def moment_text(self, body: str) -> str:
        """The same."""
        return "infinite"

    def lines(self: HalfSpace[Term], body: str) -> Iterator[str]:
        """The normal."""
        normal = f"unit(({', '.join(map(term_text, self.normal))}))"
        units = (("x", "(1, 0, 0)"), ("y", "(0, 1, 0)"), ("z", "(0, 0, 1)"))
        along = " + ".join(f"dot({normal}, {unit}) * axis_{axis}[{body}]" for axis, unit in units)
        yield f"outward[{body}] = {along if self.turns else normal}"


def plane(
    name: str,
    *,
    normal: Quantities,
    position: Quantities = ORIGIN,
    moves: Quantities | None = None,
    turns: Quantities | None = None,
    drags: Quantities | None = None,
) -> Body:
    """A half-space, fixed or moved: ``body floor { plane normal (0, 1, 0) }``."""
    return Body(
        name=name,
        shape=HalfSpace(as_vector(normal, "normal")),
        position=as_vector(position, "position"),
        moves=None if moves is None else as_vector(moves, "moves"),
        turns=None if turns is None else as_vector(turns, "turns"),
        drags=None if drags is None else as_vector(drags, "drags"),
    )
