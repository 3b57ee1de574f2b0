"""What the features of a body are called, by which its contacts are named."""

from __future__ import annotations

from typing import Any

from dyverse.bodies.shape.features import NO_FEATURES, Features, Piece
from dyverse.bodies.shapes import SHAPES
from dyverse.expr.term import Term
from dyverse.text.syntax.statements import BodyStatement, Entry, Row


def features_of(body: BodyStatement) -> Features:
    """What a body can touch with, by name, as far as its text tells."""
    if not body.parts:
        if (shape := _shape_in(body.entries)) is None:
            return NO_FEATURES
        return Features(_corner_names(body.entries), (_piece("", body.entries),), shape.is_flat)
    corners = (
        [f"{part.name.text}_{corner}" for corner in _corner_names(part.entries)] or [part.name.text]
        for part in body.parts
    )
    pieces = tuple(_piece(part.name.text, part.entries) for part in body.parts)
    return Features(tuple(name for own in corners for name in own), pieces, False)


def _piece(name: str, entries: tuple[Entry, ...]) -> Piece:
    """A shape with the names of its ends and lines, behind its own."""
    ends, lines = _ridge_names(entries)
    if not name:
        return Piece("", ends, lines)
    called = (tuple(f"{name}_{own}" if own else name for own in names) for names in (ends, lines))
    return Piece(name, *called)


def _ridge_names(entries: tuple[Entry, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the ends and lines of a shape are called, which of some depends on what is written."""
    shape = _shape_in(entries)
    if shape is None or not shape.many:
        return shape.ridge_names if shape else ((), ())
    names: tuple[tuple[str, ...], tuple[str, ...]] = shape.ridges_named(_written(shape, entries))
    return names


def _corner_names(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """What the corners of a shape are called, which of some depends on what is written."""
    shape = _shape_in(entries)
    if shape is None or not shape.many:
        return shape.corner_names if shape else ()
    names: tuple[str, ...] = shape.named(len(_written(shape, entries)))
    return names


def _written(shape: Any, entries: tuple[Entry, ...]) -> tuple[Term, ...]:
    written = next(e.value for e in entries if e.keyword == shape.word)
    return written.items if isinstance(written, Row) else ()


def _shape_in(entries: tuple[Entry, ...]) -> Any:  # a class
    return next((SHAPES[entry.keyword] for entry in entries if entry.keyword in SHAPES), None)
