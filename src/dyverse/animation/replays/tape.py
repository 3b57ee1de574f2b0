"""A run as rows for a replay: where bodies are and the values of some signals, many times a second.

Both sides of a jump are rows of the same time. Between the samples of a run its states are
interpolated by their rates; a page draws lines between rows.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from dyverse.animation.describing.scenery import NOTHING, Scenery
from dyverse.animation.parts import Parts
from dyverse.animation.recording.seeing import sampled
from dyverse.animation.recording.turning import Lying
from dyverse.animation.said import Json
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc, Run, observed

RATE = 60.0  # rows a second of the run, if that is not too many
MOST = 4000  # rows between jumps, of a whole run


def spacing(length: float) -> float:
    """How far apart rows of a run of that length are (s)."""
    return max(1 / RATE, length / MOST)


class Tape:
    """What has been recorded of a run, piece by piece."""

    def __init__(
        self,
        parts: Parts,
        bodies: Sequence[str],
        names: Sequence[str],
        step: float,
        scenery: Scenery = NOTHING,
    ) -> None:
        self._parts, self._bodies, self._scenery = parts, tuple(bodies), scenery
        self._names, self._step = tuple(names), step
        self._needed = scenery.needs(names, parts)
        self._now: Array | None = None  # how bodies lie at the last row
        self._times: list[Array] = []
        self._poses: list[Array] = []
        self._values: list[Array] = []

    def add(self, run: Run) -> None:
        """The next piece."""
        for arc in run.arcs:
            self._add(run, self._resampled(run, arc))

    def _resampled(self, run: Run, arc: Arc) -> Arc:
        """The arc with rows at its ends, and where they are due in between."""
        begin, end = float(arc.times[0]), float(arc.times[-1])
        first, last = np.floor(begin / self._step) + 1, np.ceil(end / self._step)
        inner = self._step * np.arange(first, last)
        inner = inner[(inner > begin) & (inner < end)]
        between = [run.within(arc, time).values for time in inner.tolist()]
        rows = [arc.states[0], *between, arc.states[-1]] if end > begin else [arc.states[0]]
        times = np.array([begin, *inner.tolist(), end][: len(rows)])
        return Arc(start=arc.start, times=times, states=np.array(rows))

    def _add(self, run: Run, arc: Arc) -> None:
        lying = Lying(run.automaton.variables, self._bodies)
        now = lying.start(arc.states[0]) if self._now is None else self._now
        poses = [lying.poses(now, arc.states[0])]
        for row in range(1, len(arc.times)):
            piece = slice(row - 1, row + 1)
            now = lying.after(now, arc.times[piece], arc.states[piece])
            poses.append(lying.poses(now, arc.states[row]))
        self._now = now
        known = list(observed(run.automaton, arc, self._needed)) if self._names else []
        here = self._parts, arc.start.location
        values = [self._scenery.values(self._names, row, *here) for row in known]
        self._times.append(arc.times)
        self._poses.append(np.array(poses).reshape(len(arc.times), -1))
        self._values.append(np.array(values).reshape(len(arc.times), len(self._names)))

    def message(self) -> dict[str, Json]:
        """All rows, as a page reads them; a row that only repeats the one before is left out."""
        times, poses, values = map(np.concatenate, (self._times, self._poses, self._values))
        rows = np.column_stack([times, poses, values])
        again = np.all((rows[1:] == rows[:-1]) | (np.isnan(rows[1:]) & np.isnan(rows[:-1])), axis=1)
        kept = np.concatenate([[True], ~again])
        return {
            "say": "frames",
            "times": _packed(times[kept], "<f8"),
            "bodies": _packed(poses[kept], "<f4"),
            "signals": list(self._names),
            "values": _packed(values[kept], "<f4"),
        }


def csv_lines(runs: Iterable[Run], names: Sequence[str]) -> Iterator[str]:
    """A table of signals at all sampled states; empty where one is not defined."""
    yield ",".join(["t", *(f'"{name}"' if "," in name else name for name in names)]) + "\r\n"
    for run in runs:
        times, values = sampled(run, names)
        for row, time in enumerate(times.tolist()):
            numbers = (float(values[name][row]) for name in names)
            cells = ("" if np.isnan(number) else repr(number) for number in numbers)
            yield ",".join([repr(time), *cells]) + "\r\n"


def _packed(numbers: Array, kind: str) -> str:
    return base64.b64encode(numbers.astype(kind).tobytes()).decode("ascii")
