"""What has been seen of a run: its events, its lanes, curves of some signals, and ways back.

A keyframe is a snapshot of the session with how the bodies lie. Any time of the run is shown by
going on from the last keyframe before it; what happened by hand has a keyframe of its own that is
never dropped, because no rule would do it again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from dyverse.animation.parts import OPEN, Lanes, Parts
from dyverse.animation.recording.history import NOTHING, Curve, Track
from dyverse.animation.recording.judging import VIOLATION
from dyverse.automaton.interface import Array, Event
from dyverse.automaton.run import Arc, Moment, Run
from dyverse.session.session import Snapshot

BOUNCES = 12  # of those that accumulate are shaded
LOOK = 1000  # events back, to find them
EVENTS = 20_000  # at most twice as many are remembered, and as many changes of lanes
KEYFRAMES = 1024  # at most twice as many, besides those made by hand


@dataclass(frozen=True, slots=True, eq=False)
class Keyframe:
    """All that is needed to show a time and to go on from it."""

    snapshot: Snapshot
    lying: Array  # quaternions of the moving bodies
    pinned: bool = False  # something was done by hand here

    @property
    def time(self) -> float:
        """When it is (s)."""
        return self.snapshot.state.time


@dataclass(frozen=True, slots=True)
class Change:
    """From ``time`` on a lane shows ``value``: a mode, ``open``, or a place."""

    time: float
    lane: str
    value: str


@dataclass(frozen=True, slots=True)
class Shade:
    """A stretch of time on a lane that needs a word."""

    lane: str
    begin: float
    end: float
    why: str


@dataclass(frozen=True, slots=True)
class Cut:
    """What is later than ``at`` (s) is no more, or never was; the run before is the ``ghost``."""

    at: float
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """What a piece of a run adds to its record."""

    events: tuple[Event, ...]
    changes: tuple[Change, ...] = ()
    shades: tuple[Shade, ...] = ()


News = Cut | Piece


@dataclass(slots=True, eq=False)
class Record:
    """One run from its start to its ``tip``."""

    tip: Keyframe
    keyframes: list[Keyframe] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    shades: list[Shade] = field(default_factory=list)
    tracks: dict[str, Track] = field(default_factory=dict)
    violated: dict[str, float] = field(default_factory=dict)  # properties, and when (s)
    spacing: float = 0.1  # s, between keyframes
    since: float = 0.0  # s: events before are forgotten

    @property
    def end(self) -> float:
        """How far the run has been followed (s)."""
        return self.tip.time

    def before(self, time: float) -> Keyframe:
        """The last keyframe at or before ``time``."""
        place = bisect_right(self.keyframes, time, key=lambda frame: frame.time)
        return self.keyframes[max(0, place - 1)]

    def pinned_after(self, time: float) -> Keyframe:
        """Where the run does something that no rule would do, next after ``time``; else its tip."""
        place = bisect_right(self.keyframes, time, key=lambda frame: frame.time)
        return next((frame for frame in self.keyframes[place:] if frame.pinned), self.tip)

    def reach(self, tip: Keyframe) -> None:
        """The run has got to ``tip``; now and then that is a keyframe."""
        self.tip = tip
        last = self.keyframes[-1] if self.keyframes else None
        if last is None or tip.pinned or tip.time >= last.time + self.spacing:
            self.keyframes.append(tip)
        if len(self.keyframes) > 2 * KEYFRAMES:
            self._thin()

    def add(self, piece: Piece) -> None:
        """Something more has happened."""
        late = self.events and piece.events and piece.events[0].time < self.events[-1].time
        self.events += piece.events
        if late:  # a property was judged later than it was broken
            self.events.sort(key=lambda event: event.time)
        self.violated |= {e.contacts[0]: e.time for e in piece.events if e.kind == VIOLATION}
        self.changes += piece.changes
        self.shades += piece.shades
        if max(len(self.events), len(self.changes), len(self.shades)) > 2 * EVENTS:
            self._forget()

    def _forget(self) -> None:
        """Leave out the oldest, as a run may go on for hours; but not what holds since then."""
        del self.events[:-EVENTS], self.shades[:-EVENTS]
        last = {change.lane: change for change in self.changes[:-EVENTS]}
        self.changes = [*last.values(), *self.changes[-EVENTS:]]
        self.since = self.events[0].time if self.events else 0.0

    def _thin(self) -> None:
        """Leave out every second keyframe that was not made by hand."""
        kept: list[Keyframe] = []
        skip = False
        for frame in self.keyframes:
            skip = not skip and not frame.pinned and bool(kept)
            if not skip:
                kept.append(frame)
        self.keyframes, self.spacing = kept, 2 * self.spacing

    def cut(self, time: float) -> Record:
        """The same run up to ``time``, to go on with on its own."""
        frames = [frame for frame in self.keyframes if frame.time <= time] or self.keyframes[:1]
        tracks = {name: track.copy() for name, track in self.tracks.items()}
        for track in tracks.values():
            track.cut(time)
        return Record(
            tip=frames[-1],
            keyframes=frames,
            events=[event for event in self.events if event.time <= time],
            changes=[change for change in self.changes if change.time <= time],
            shades=[shade for shade in self.shades if shade.begin <= time],
            tracks=tracks,
            violated={name: when for name, when in self.violated.items() if when <= time},
            spacing=self.spacing,
            since=self.since,
        )

    def whole(self) -> Piece:
        """All that has happened."""
        return Piece(tuple(self.events), tuple(self.changes), tuple(self.shades))

    def curves(self, names: Sequence[str], begin: float, end: float, pixels: int) -> list[Curve]:
        """Some signals from ``begin`` to ``end``, all on the times of the one with the most."""
        found = [self.tracks[name].window(begin, end, pixels) for name in names]
        longest = max(found, key=lambda curve: len(curve.times), default=NOTHING)
        return [_aligned(curve, longest.times) for curve in found]


def _aligned(curve: Curve, times: Array) -> Curve:
    """The curve on other times, straight between its own, not a number where it has nothing."""
    if np.array_equal(curve.times, times):
        return curve
    if not len(curve.times):
        return Curve(times, *np.full((2, len(times)), np.nan))
    low, high = (
        np.interp(times, curve.times, side, left=np.nan, right=np.nan)
        for side in (curve.low, curve.high)
    )
    bucket = np.clip(np.searchsorted(times, curve.times, side="right") - 1, 0, None)
    low[bucket], high[bucket] = np.inf, -np.inf
    np.fmin.at(low, bucket, curve.low)
    np.fmax.at(high, bucket, curve.high)
    low[np.isinf(low)] = high[np.isinf(high)] = np.nan
    return Curve(times, low, high)


def lane_changes(parts: Parts, run: Run, before: Lanes) -> tuple[tuple[Change, ...], Lanes]:
    """What lanes show from when on, after what they showed ``before``; and what they show now."""
    found: list[Change] = []
    for part in run.parts:
        if isinstance(part, Arc | Moment):
            state = part.start if isinstance(part, Arc) else part.state
            now = parts.lanes(state.location)
            found += _changed(state.time, before, now)
            before = now
    return tuple(found), before


def _changed(time: float, before: Lanes, now: Lanes) -> Iterator[Change]:
    """What differs; of contacts, those that are open are in neither."""
    for lane in (*now, *(lane for lane in before if lane not in now)):
        if before.get(lane) != now.get(lane):
            yield Change(time, lane, now.get(lane, OPEN))


def shades_of(events: Sequence[Event], before: Sequence[Event]) -> Iterator[Shade]:
    """Where impacts accumulate, the last of them are one stretch of their lane."""
    for place, event in enumerate(events):
        if event.accumulates is None:
            continue
        for lane in event.contacts:
            known = (*before[-LOOK:], *events[:place])
            times = [e.time for e in known if lane in e.contacts][-BOUNCES:]
            why = f"impacts accumulate at {event.accumulates:.6g} s"
            yield Shade(lane, min(times, default=event.time), event.accumulates, why)
