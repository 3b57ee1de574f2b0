"""Bodies of a planar scene that meet others by fewer corners: `dyverse.bodies.shape.merging`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dyverse.bodies.contact_list import Numbers
from dyverse.bodies.shape.compound import BodyPart, Compound
from dyverse.bodies.shape.interface import Shape
from dyverse.bodies.shape.merging import in_middle, is_even, is_upright, is_zero, merged, without
from dyverse.bodies.shapes import Faces, Meeting, Meetings, faces, meetings
from dyverse.bodies.world import Body
from dyverse.expr.term import Term

APART, AT_PLANE, LEVEL = range(3)  # how two bodies meet: by all they have, or by less
WAYS = 3


class Merging:
    """The bodies of a scene, of which some corners are behind others along an axis, if any."""

    def __init__(self, bodies: Sequence[Body], axis: int | None) -> None:
        self._axis = axis
        levels: dict[Term, int] = {}
        self._behind: list[Mapping[str, str]] = [{}] * len(bodies)
        self._plane = np.zeros(len(bodies), dtype=bool)
        self._level = np.full(len(bodies), -1)
        for i, body in enumerate(bodies if axis is not None else ()):
            assert axis is not None
            self._plane[i] = is_in_plane(body.shape, axis) and body.turns is None
            if body.turns is None and is_upright(body.rotation, axis):
                self._behind[i] = behind(body.shape, axis)
                if not body.shape.never_moves and is_even(body.shape, axis):
                    place = (body.moves or body.position)[axis]
                    self._level[i] = levels.setdefault(place, len(levels))

    def ways(self, pairs: Numbers) -> NDArray[np.intp]:
        """How each two bodies meet, (n,)."""
        a, b = pairs[:, 0], pairs[:, 1]
        cornered = np.array([bool(own) for own in self._behind], dtype=bool)
        plane = (self._plane[a] & cornered[b]) | (self._plane[b] & cornered[a])
        level = (self._level[a] == self._level[b]) & (self._level[a] >= 0)
        return np.where(level, LEVEL, np.where(plane, AT_PLANE, APART))

    def met(
        self, known: Meetings, shapes: Sequence[Shape[Any]], pair: Sequence[int], way: int
    ) -> list[Meeting]:
        """What of two bodies can touch, by number, which meet in that way."""
        if way == APART:
            return known.of(*map(str, pair))
        return meetings(*(self._fewer(shapes[i], self._behind[i]) for i in pair))

    def _fewer(self, shape: Shape[Any], behind: Mapping[str, str]) -> Faces:
        own = faces(shape)
        assert self._axis is not None
        return own._replace(
            corners=without(own.corners, behind, self._axis),
            whole=in_middle(own.whole, behind, self._axis),
        )


def is_in_plane(shape: Shape[Term], axis: int) -> bool:
    """Whether a shape is a half-space whose normal is across an axis."""
    return shape.never_moves and is_zero(shape.numbers[axis])


def behind(shape: Shape[Term], axis: int) -> dict[str, str]:
    """Which corners of a shape are behind others along an axis, and behind which."""
    if not isinstance(shape, Compound):
        return merged(shape.corners, axis)
    return {
        f"{part.name}_{name}": f"{part.name}_{other}"
        for part in shape.parts
        if _is_kept(part, axis)
        for name, other in merged(part.shape.corners, axis).items()
    }


def _is_kept(part: BodyPart[Term], axis: int) -> bool:
    return part.rotation is None or is_upright(part.rotation, axis)
