"""What features of shapes are called in signals: ``gap[block.corner1,floor]``."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


class Piece(NamedTuple):
    """A shape of a body: its name, if it is one of several, and those of its ends and lines."""

    name: str
    ends: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class Features(NamedTuple):
    """The names of what of a body can touch a plane, if there are several, and anything else."""

    corners: tuple[str, ...]
    pieces: tuple[Piece, ...]
    is_flat: bool

    def met(self, other: Features) -> list[tuple[str, str]]:
        """What of both can touch: see `dyverse.bodies.shapes.meetings`."""
        if other.is_flat:
            return [(corner, "") for corner in self.corners or ("",)]
        if self.is_flat:
            return [("", corner) for corner in other.corners or ("",)]
        return [met for a, b in product(self.pieces, other.pieces) for met in _met(a, b)]


def _met(a: Piece, b: Piece) -> list[tuple[str, str]]:
    if not (a.lines and b.lines):
        return [(a.name, b.name)]
    ends = [(end, b.name) for end in a.ends] + [(a.name, end) for end in b.ends]
    return [*ends, *product(a.lines, b.lines)]


NO_FEATURES = Features((), (Piece(""),), False)
