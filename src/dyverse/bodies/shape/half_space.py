"""Half-spaces: floors and walls."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.errors import Span
from dyverse.expr.term import Vector


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """All points behind a plane through the body's position; ``normal`` points out of the solid.

    The normal need not have length one. A half-space is always fixed.
    """

    normal: Vector
    span: Span | None = field(default=None, compare=False, repr=False)
