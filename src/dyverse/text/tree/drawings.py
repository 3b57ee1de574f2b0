"""The part of the tree builder that reads a scene: one method per rule of the grammar."""

from __future__ import annotations

from lark import Token, Transformer, v_args

from dyverse.expr.formula import Formula
from dyverse.text.syntax.drawings import DrawingEntry, DrawingPart, SceneStatement
from dyverse.text.syntax.elements import Name, Quoted, Value
from dyverse.text.tree.part import token_span


@v_args(inline=True)
class DrawingTree(Transformer[Token, object]):
    """What Lark calls for a scene."""

    def scene(self, *drawings: DrawingPart) -> SceneStatement:
        """``scene { … }``."""
        return SceneStatement(drawings)

    def drawing(self, kind: Token, *entries: DrawingEntry) -> DrawingPart:
        """``circle { … }``."""
        return DrawingPart(str(kind), entries, token_span(kind))

    def drawn(self, keyword: Token, value: Value | Formula | Name | Quoted) -> DrawingEntry:
        """``at (x, y, 0)``."""
        return DrawingEntry(str(keyword), value, None, token_span(keyword))

    def drawn_radius(self, value: Value) -> DrawingEntry:
        """``radius 0.1``, a word that bodies have too."""
        return DrawingEntry("radius", value, None, value.span)

    def drawn_size(self, value: Value) -> DrawingEntry:
        """``size (1, 2, 1)``, likewise."""
        return DrawingEntry("size", value, None, value.span)

    def drawn_value(
        self, keyword: Token, value: Value, low: Value | None, high: Value | None
    ) -> DrawingEntry:
        """``value level in [0, 2]``."""
        limits = None if low is None or high is None else (low, high)
        return DrawingEntry(str(keyword), value, limits, token_span(keyword))

    def QUOTED(self, token: Token) -> Quoted:  # noqa: N802 - named after the terminal
        """``"level"``."""
        return Quoted(str(token)[1:-1], token_span(token))
