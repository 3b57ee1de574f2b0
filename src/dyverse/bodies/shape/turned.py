"""What shapes have in common of which it matters how they lie."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from dyverse.bodies.shape.interface import Triple


class Turned:
    """A shape that turns with its body: its body has an orientation."""

    __slots__ = ()

    word: ClassVar[str]
    many: ClassVar[bool] = False
    never_moves: ClassVar[bool] = False
    is_flat: ClassVar[bool] = False
    is_round: ClassVar[bool] = False
    ridge_names: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = ((), ())

    @property
    def kind(self) -> Hashable:
        """Its word."""
        return self.word

    def solid(self, position: Triple, *, certain: bool) -> None:
        """Nothing yet."""

    def is_mirrored(self, position: Triple, axis: int) -> bool:
        """It may be turned."""
        return False
