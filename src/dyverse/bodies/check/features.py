"""What the features of a body are called, by which its contacts are named."""

from __future__ import annotations

from typing import Any

from dyverse.bodies.merging import behind, is_in_plane
from dyverse.bodies.shape.features import NO_FEATURES, Features, Piece
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.shape.merging import is_even, is_upright
from dyverse.bodies.shapes import SHAPES
from dyverse.bodies.world import ORIGIN
from dyverse.expr.term import Term
from dyverse.text.syntax.statements import BodyStatement, Entry, Row


def features_of(body: BodyStatement, axis: int | None = None) -> Features:
    """What a body can touch with, by name, as far as its text tells.

    In a scene that is planar across an ``axis``, some corners stand for others.
    """
    found = _features(body)
    if axis is None or found is NO_FEATURES or any(e.keyword == "turns" for e in body.entries):
        return found
    shape = _read(body.entries)
    if shape is not None and shape.never_moves:
        return found._replace(in_plane=is_in_plane(shape, axis))
    if not _is_upright(body.entries, axis):
        return found
    own = [("", shape), *((f"{part.name.text}_", _read(part.entries)) for part in body.parts)]
    kept = [True, *(_is_upright(part.entries, axis) for part in body.parts)]
    names = (
        f"{prefix}{corner}"
        for (prefix, one), upright in zip(own, kept, strict=True)
        if one is not None and upright
        for corner in behind(one, axis)
    )
    even = shape is not None and is_even(shape, axis)
    level = _vector(body.entries, "moves", "position")[axis] if even else None
    return found._replace(behind=frozenset(names), level=level)


def _read(entries: tuple[Entry, ...]) -> Shape[Term] | None:
    """The shape of a body or a part; none if it has none or not so many numbers."""
    entry = next((e for e in entries if e.keyword in SHAPES), None)
    if entry is None:
        return None
    shape, terms = SHAPES[entry.keyword], _items(entry)
    if len(terms) % shape.count if shape.many else len(terms) != shape.count:
        return None
    made: Shape[Term] = shape.read(terms, entry.span)
    return made


def _items(entry: Entry) -> tuple[Term, ...]:
    if entry.value is None:
        return ()
    return entry.value.items if isinstance(entry.value, Row) else (entry.value,)


def _vector(entries: tuple[Entry, ...], *words: str) -> tuple[Term, ...]:
    """What is written behind the first of some words, else zero."""
    found = [_items(e) for word in words for e in entries if e.keyword == word]
    return found[0] if found and len(found[0]) == len(ORIGIN) else ORIGIN


def _is_upright(entries: tuple[Entry, ...], axis: int) -> bool:
    return is_upright(_vector(entries, "rotation"), axis)


def _features(body: BodyStatement) -> Features:
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
