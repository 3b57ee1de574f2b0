"""A scene as model text, one drawing a line."""

from __future__ import annotations

from dyverse.expr.formula import And, Compare, Not, Or
from dyverse.expr.printing import formula_text
from dyverse.text.printing.elements import block_text, limits_text, value_text
from dyverse.text.syntax.drawings import DrawingEntry, DrawingPart, SceneStatement
from dyverse.text.syntax.elements import Name, Quoted


def scene_text(statement: SceneStatement) -> str:
    """The statement."""
    lines = "".join(f"  {_drawing(part)}\n" for part in statement.drawings)
    return f"scene {{\n{lines}}}"


def _drawing(part: DrawingPart) -> str:
    return f"{part.kind} {block_text(map(_entry, part.entries))}"


def _entry(entry: DrawingEntry) -> str:
    match entry.value:
        case Quoted(text=text):
            return f'{entry.keyword} "{text}"'
        case Name(text=text):
            return f"{entry.keyword} {text}"
        case Compare() | And() | Or() | Not():
            return f"{entry.keyword} {formula_text(entry.value)}"
        case value:
            return f"{entry.keyword} {value_text(value)}{limits_text(entry.limits)}"
