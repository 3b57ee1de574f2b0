"""The elements that statements are made of: names, values and entries, with their places."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.errors import Span
from dyverse.expr.term import Term


@dataclass(frozen=True, slots=True)
class Name:
    """A name where it is defined or where a body is mentioned."""

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words for people, or the name of a file: ``"level"``."""

    text: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Row:
    """Several terms in brackets, ``(0, -9.81, 0)``."""

    items: tuple[Term, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


Value = Term | Row


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a block: ``mass 1``, ``sphere radius 0.5`` or ``fixed`` (without a value)."""

    keyword: str
    value: Value | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PartEntry:
    """A part of a body: ``part head { sphere radius 0.1  at (0, 1, 0) }``."""

    name: Name
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Joining:
    """What a joint joins, and how: ``revolute upper lower``, ``distance ball (0, 3, 0)``."""

    kind: Name
    a: Name
    b: Name | Value


@dataclass(frozen=True, slots=True)
class Offering:
    """What a contact offers: ``offers hit``, or ``offers grip on stick``."""

    channel: Name
    on: Name | None = None


@dataclass(frozen=True, slots=True)
class InPieces:
    """``pieces 5 linear switching``."""

    count: Value
    linear: bool = False
    switching: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """One input of a list: ``u1 = -K*ball.x``, ``u2`` alone, or ``u3 in [0, 1] pieces 5``."""

    name: Name
    formula: Value | None = None
    limits: tuple[Value, Value] | None = None
    pieces: InPieces | None = None
