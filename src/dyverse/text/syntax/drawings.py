"""The statement ``scene { … }``: what is drawn for a model, as it was written.

What it means, and what can be wrong with it, is the business of `dyverse.generation.drawing`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dyverse.errors import Span
from dyverse.expr.formula import Formula
from dyverse.text.syntax.elements import Name, Quoted, Value

SCENE = "scene"
DRAWINGS = ("line", "circle", "box", "text", "gauge")
DRAWING_ENTRIES = (
    *("at", "from", "to", "size", "radius", "width", "turn"),
    *("colour", "glow", "show", "say", "value", "digits", "unit"),
)
SCENE_WORDS = (*DRAWINGS, *DRAWING_ENTRIES)


@dataclass(frozen=True, slots=True)
class DrawingEntry:
    """``at (x, y, 0)``, ``show open``, ``say "level"``, or ``value level in [0, 2]``."""

    keyword: str
    value: Value | Formula | Name | Quoted
    limits: tuple[Value, Value] | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DrawingPart:
    """``circle { at (x, y, 0)  radius 0.1 }``."""

    kind: str
    entries: tuple[DrawingEntry, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SceneStatement:
    """``scene { line { … }  text { … } }``."""

    drawings: tuple[DrawingPart, ...]
