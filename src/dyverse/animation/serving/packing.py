"""Models that travel unread: who hands them on need not import what they are made of."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dyverse.animation.playable import Playable


@dataclass(frozen=True, slots=True)
class Packed:
    """A model on its way between processes of ours."""

    data: bytes = field(repr=False)

    def unpacked(self) -> Playable:
        """The model itself."""
        found: Playable = pickle.loads(self.data)
        return found


def packed(play: Playable) -> Packed:
    """A model, to be handed on."""
    return Packed(pickle.dumps(play))
