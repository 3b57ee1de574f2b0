"""Curves of signals that nobody looked at when they happened: their run is followed once more.

That takes a while: it goes on piece by piece, whenever there is time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dyverse.animation.recording.history import NOTHING, Curve, Track
from dyverse.animation.recording.record import Record
from dyverse.animation.recording.seeing import sampled
from dyverse.automaton.run import Run

Pieces = Callable[[Record], Iterator[Run]]  # the run of a record, from its start to its tip


class Past:
    """What is being found of the past."""

    def __init__(self, pieces: Pieces, clock: Callable[[], float]) -> None:
        self._pieces, self._clock = pieces, clock
        self._wanted: dict[str, Iterator[None]] = {}

    def want(self, record: Record, names: Sequence[str]) -> None:
        """Find the past of those signals that the record does not have."""
        for name in names:
            if name not in record.tracks and name not in self._wanted:
                self._wanted[name] = self._found(record, name)

    def fill(self, deadline: float) -> None:
        """Go on, as long as there is time."""
        while self._wanted and self._clock() < deadline:
            name, work = next(iter(self._wanted.items()))
            if next(work, StopIteration) is StopIteration:
                self._wanted.pop(name, None)

    def forget(self) -> None:
        """Nobody wants what was begun."""
        self._wanted.clear()

    def _found(self, record: Record, name: str) -> Iterator[None]:
        """Follow the run once more from its start to its tip, looking at one signal."""
        track = Track()
        for run in self._pieces(record):
            times, values = sampled(run, (name,))
            track.add(times, values[name])
            yield
        record.tracks[name] = track


def known_curves(
    record: Record, names: Sequence[str], begin: float, end: float, pixels: int
) -> tuple[list[Curve], bool]:
    """Signals as far as they are known, not a number where not; and whether all of them are."""
    known = [name for name in names if name in record.tracks]
    found = dict(zip(known, record.curves(known, begin, end, pixels), strict=True))
    some = next(iter(found.values()), NOTHING)
    blank = Curve(some.times, *np.full((2, len(some.times)), np.nan))
    return [found.get(name, blank) for name in names], len(known) == len(names)
