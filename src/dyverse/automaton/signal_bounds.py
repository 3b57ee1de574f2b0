"""How long it takes from one signal to the next, as it was observed in runs.

A hybrid object seen from the outside is a sequence of signals. What lies between them is given to
a timed-automata checker as an interval: *observed* in some runs, which proves nothing, or
*established* by other means, which does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from dyverse.automaton.run import Run
from dyverse.errors import ExportError

Marked = Literal["observed", "established"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The times (s) from one signal to the next, and to the first; no ``high`` means no limit."""

    action: str
    low: float
    high: float | None
    first_low: float = 0.0
    first_high: float | None = None
    marked: Marked = "established"
    runs: int = 0
    signals: int = 0
    until: float | None = None  # s: they say nothing about what comes later
    by: str = ""  # how they were established; nothing if someone says so

    def __post_init__(self) -> None:
        for low, high in ((self.low, self.high), (self.first_low, self.first_high)):
            if not low >= 0 or (high is not None and high < low):
                raise ExportError(f"the bounds [{low}, {high}] of {self.action!r} are no interval")

    def __str__(self) -> str:
        first = _interval(self.first_low, self.first_high)
        later = _interval(self.low, self.high)
        horizon = "" if self.until is None else f" to {self.until:.9g} s"
        seen = f" in {self.runs} runs{horizon} with {self.signals} signals" if self.runs else ""
        how = f" {self.by}" if self.by else seen
        return f"{self.action}: first {first}, then every {later} s ({self.marked}{how})"


def _interval(low: float, high: float | None) -> str:
    return f"[{low:.9g}, {'…' if high is None else f'{high:.9g}'}]"


def signal_bounds(runs: Iterable[Run], action: str) -> Bounds:
    """The bounds that ``runs`` show for the events called ``action``.

    A run that ends later after its last signal than any gap was long shows that there need be no
    next signal: then there is no upper bound.
    """
    starts: list[float] = []
    gaps: list[float] = []
    silence: list[float] = []
    count, until = 0, 0.0
    for run in runs:
        count, until = count + 1, max(until, float(run.end.time))
        begin, times = float(run.arcs[0].times[0]), run.times(action)
        starts += [times[0] - begin] if times else []
        gaps += [b - a for a, b in pairwise(times)]
        silence.append(float(run.end.time) - (times[-1] if times else begin))
    if not starts:
        raise ExportError(f"no run has an event {action!r}; there is nothing to observe")
    longest = max(gaps, default=None)
    ended = longest is None or max(silence) > longest
    return Bounds(
        action=action,
        low=min(gaps, default=0.0),
        high=None if ended else longest,
        first_low=min(starts),
        first_high=max(starts),
        marked="observed",
        runs=count,
        signals=len(starts) + len(gaps),
        until=until,
    )
