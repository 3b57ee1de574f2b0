"""Balls."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.errors import Span
from dyverse.expr.term import Term


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball about the body's position. Unit of ``radius``: m."""

    radius: Term
    span: Span | None = field(default=None, compare=False, repr=False)
