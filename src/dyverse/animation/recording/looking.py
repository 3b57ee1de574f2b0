"""Looking at properties while a run is played and where it stands, piece by piece.

Samples do not tell what fails between them, nor what only whole runs tell: the run is followed once
more for that, which may take longer than a frame. So it is done in pieces between what is played:
now and then while time passes, and wherever a run stands at its tip.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import chain

from dyverse.animation.recording.judging import Finding, Judge
from dyverse.animation.recording.record import Keyframe, Record
from dyverse.automaton.interface import Event
from dyverse.automaton.run import Run

LOOK = 1.0  # s of the clock between two looks at what happened between samples,
CALM = 20  # or so many times as long as one took
Followed = Generator[None, None, Run]  # in pieces
Follow = Callable[[Keyframe, float], Followed]  # a run once more from there until then


class Looking:
    """What is being found of the properties of one run."""

    def __init__(
        self, judge: Judge, follow: Follow, clock: Callable[[], float], *, since: float
    ) -> None:
        self.judge = judge
        self._follow, self._clock = follow, clock
        self._since = since  # s: what is before was looked at
        self._next = clock() + LOOK
        self._rested: float | None = None  # where the whole run was judged last (s)
        self._work: Finding | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it has begun to look."""
        return self._work is not None

    def begin(self, record: Record, *, stands: bool) -> None:
        """Look at the run up to its tip, if it is time to; at all of it where it stands."""
        if self._work is not None:
            return
        if stands and self._rested != record.end:
            self._rested = record.end
            self._work = chain(self._between(record), self._wholly(record))
        elif not stands and self._clock() >= self._next:
            self._work = self._between(record)

    def found(self, deadline: float) -> Iterator[Event]:
        """What is found by then."""
        while self._work is not None and self._clock() < deadline:
            try:
                found = next(self._work, self)
            except Exception:
                self._work = None
                raise
            if isinstance(found, Event):
                yield found
            elif found is self:
                self._work = None

    def leave(self, at: float) -> None:
        """What was begun is of no use: the run goes on, or another one does from ``at`` (s)."""
        self._work, self._rested, self._since = None, None, min(self._since, at)

    def _between(self, record: Record) -> Finding:
        """What fails between samples; how long it takes says when to look again."""
        begun, end, frame = self._clock(), record.end, record.before(self._since)
        while frame.time < end and self.judge.is_open(record.violated):
            ahead = record.pinned_after(frame.time)
            run = yield from self._follow(frame, min(ahead.time, end))
            yield from self.judge.between(run, record.violated)
            frame = ahead
        self._since = end
        self._next = self._clock() + max(LOOK, CALM * (self._clock() - begun))

    def _wholly(self, record: Record) -> Finding:
        """What only the whole run tells, unless something was done by hand in it."""
        if self.judge.judges_whole_runs and not any(frame.pinned for frame in record.keyframes):
            run = yield from self._follow(record.keyframes[0], record.end)
            yield from self.judge.judged(run, record.violated)


def joined(runs: list[Run]) -> Run:
    """Pieces of a run, one behind the other, as one."""
    *_, last = runs
    return Run(
        automaton=last.automaton,
        parts=tuple(part for run in runs for part in run.parts),
        events=tuple(event for run in runs for event in run.events),
        stop=last.stop,
        message=last.message,
        solver=last.solver,
    )
