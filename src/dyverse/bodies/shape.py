"""Shapes of bodies. Each pair of shapes that can touch has a file in `dyverse.contact.pair`.

What a further shape takes is in CONTRIBUTING.md: besides its pairs, reading and printing it, the
distance for the overlap check, the native runtime, and an orientation if it is no ball.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.errors import Span
from dyverse.expr.term import Term, Vector


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball about the body's position. Unit of ``radius``: m."""

    radius: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """All points behind a plane through the body's position; ``normal`` points out of the solid.

    The normal need not have length one. A half-space is always fixed.
    """

    normal: Vector
    span: Span | None = field(default=None, compare=False, repr=False)


Shape = Sphere | HalfSpace
