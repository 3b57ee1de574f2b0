"""What features of shapes are called in signals: ``gap[block.corner1,floor]``."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from dyverse.expr.term import Term


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
    behind: frozenset[str] = frozenset()  # corners of a planar scene that others stand for,
    in_plane: bool = False  # against a half-space whose normal is in the plane,
    level: Term | None = None  # or against what is even, too, and has its middle in the same place

    def met(self, other: Features) -> list[tuple[str, str]]:
        """What of both can touch: see `dyverse.bodies.shapes.meetings`."""
        if other.is_flat:
            return [(corner, "") for corner in self._shown(other) or ("",)]
        if self.is_flat:
            return [("", corner) for corner in other._shown(self) or ("",)]
        found = [met for a, b in product(self.pieces, other.pieces) for met in _met(a, b)]
        if self.level is None or self.level != other.level:
            return found
        kept = [one for one in found if one[0] in self._ends or one[1] in other._ends]
        return [one for one in kept if one[0] not in self.behind and one[1] not in other.behind]

    def _shown(self, plane: Features) -> list[str]:
        """The corners that touch a plane."""
        return [name for name in self.corners if not plane.in_plane or name not in self.behind]

    @property
    def _ends(self) -> set[str]:
        return {end for piece in self.pieces for end in piece.ends}


def _met(a: Piece, b: Piece) -> list[tuple[str, str]]:
    if not (a.lines and b.lines):
        return [(a.name, b.name)]
    ends = [(end, b.name) for end in a.ends] + [(a.name, end) for end in b.ends]
    return [*ends, *product(a.lines, b.lines)]


NO_FEATURES = Features((), (Piece(""),), False)
