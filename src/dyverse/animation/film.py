"""A run with a cursor: followed, recorded, and followed again where one looks back.

The session stands where the cursor is. Up to the tip of the record the run is followed again from
keyframes; beyond it the run goes on, and what happens is recorded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dyverse.animation.describing.names import signal_names
from dyverse.animation.describing.scenery import Scenery
from dyverse.animation.parts import Lanes, Parts, parts_of
from dyverse.animation.playable import Playable
from dyverse.animation.recording.history import Curve
from dyverse.animation.recording.judging import Judge
from dyverse.animation.recording.looking import Followed, Looking, joined
from dyverse.animation.recording.past import Past, known_curves
from dyverse.animation.recording.record import (
    Keyframe,
    News,
    Piece,
    Record,
    lane_changes,
    shades_of,
)
from dyverse.animation.recording.seeing import sampled, seen, unsaid
from dyverse.animation.recording.turning import Lying
from dyverse.automaton.interface import Array
from dyverse.automaton.run import Arc, Run
from dyverse.session.session import Session, Snapshot, open_session
from dyverse.simulation.simulate import Options

SLICE = 0.03  # s of the clock for one piece of a run, so that the page is heard in between
PATIENCE = 2.0  # s of the clock for going back
PIECE = 5  # times the spacing of keyframes
Clock = Callable[[], float]


class Film:
    """A model whose run is followed as far as is asked for, and what was seen of it."""

    def __init__(self, play: Playable, options: Options, *, asks: bool, clock: Clock) -> None:
        self._asks = asks
        self.play_of, self._clock = play, clock
        self.scenery = Scenery(play.model.scene)
        self._deadline = math.inf
        self._options = replace(options, progress=self._in_time)
        self.ghost: Record | None = None  # a run that was left for this one
        self.failure = ""
        self.news: list[News] = []  # what the page has not heard yet
        self._begin(play.settings)

    def _opened(self, settings: Mapping[str, float]) -> Session:
        return open_session(self.play_of.model, settings, options=self._options, asks=self._asks)

    def _begin(self, settings: Mapping[str, float]) -> None:
        """Stand at the start."""
        self.session = self._opened(settings)
        automaton = self.session.automaton
        self.parts: Parts = parts_of(automaton)
        self.names = signal_names(automaton, self.parts)
        bodies = () if self.parts.rigid is None else self.parts.rigid.scene.bodies
        self.moving = [body.name for body in bodies if not body.fixed]
        self._lying = Lying(automaton.variables, self.moving)
        self.lying = self._lying.start(self.session.state.values)
        self._lanes: Lanes = {}
        self._latest: tuple[Snapshot, Mapping[str, float]] | None = None  # observed last
        self._look_from(0.0)
        self._past = Past(self.pieces, self._clock)
        self.record = Record(self._keyframe())
        self.record.keyframes.append(self.record.tip)
        self._go(0.0)

    def _look_from(self, since: float) -> None:
        """Look at properties with the numbers that the run has now."""
        known = self.play_of.model.values(self.session.settings)
        judge = Judge(self.play_of.model.properties, known)
        self._looking = Looking(judge, self._followed, self._clock, since=since)

    # time

    @property
    def time(self) -> float:
        """What is shown (s)."""
        return self.session.time

    @property
    def is_past(self) -> bool:
        """Whether one looks back."""
        return self.time < self.record.end

    @property
    def is_over(self) -> bool:
        """Whether the run cannot go on."""
        return not self.is_past and (self.session.stop is not None or bool(self.failure))

    def _show_at(self, time: float) -> None:
        """Show another time of the run."""
        time = min(max(time, 0.0), self.record.end)
        if time >= self.record.end:
            self._show(self.record.tip)
        else:
            self._show(self.record.before(time))
            self._patiently(time)

    def _patiently(self, goal: float) -> None:
        self._deadline = self._clock() + PATIENCE
        self._go(goal)

    def _go(self, goal: float) -> None:
        """Follow the run to ``goal``, or as far as it goes in the time there is."""
        while self.is_past and self.time < goal and self._in_time():
            known = self.record.pinned_after(self.time)
            self._turn(self.session.advance(min(goal, known.time)))
            if self.time >= known.time:
                self._show(known)
        if not self.is_past and self.time <= goal:
            self._go_on(goal)

    def _go_on(self, goal: float) -> None:
        """Beyond the tip, in pieces that are not too long to look back into."""
        before = -math.inf
        while before < self.time < goal or before == -math.inf:
            before = self.time
            self._take(self.session.advance(min(goal, before + PIECE * self.record.spacing)))
            if not self._in_time():
                break

    def _in_time(self, *_: float) -> bool:
        """Whether there is time left for this piece of the run."""
        return self._clock() < self._deadline

    # the record

    def _keyframe(self, *, pinned: bool = False) -> Keyframe:
        return Keyframe(self.session.snapshot(), self.lying, pinned)

    def _show(self, frame: Keyframe) -> None:
        self.session.restore(frame.snapshot)
        self.lying = frame.lying

    def _turn(self, run: Run) -> None:
        for arc in run.arcs:
            self.lying = self._lying.after(self.lying, arc.times, arc.states)

    def _take(self, run: Run, *, pinned: bool = False) -> None:
        """Record a piece of the run that is new."""
        self._turn(run)
        record = self.record
        judge, violated = self._looking.judge, record.violated
        known = seen(run, unsaid(run.automaton, record.tracks) | judge.names(violated))
        if known and isinstance(run.parts[-1], Arc):
            self._latest = self.session.snapshot(), known[-1][-1]
        times, values = sampled(run, record.tracks, known)
        for name, track in record.tracks.items():
            track.add(times, values[name])
        changes, self._lanes = lane_changes(self.parts, run, self._lanes)
        events = (*run.events, *judge.broken(run, known, violated))
        events = tuple(sorted(events, key=lambda event: event.time))
        piece = Piece(events, changes, tuple(shades_of(run.events, record.events)))
        record.add(piece)
        if piece.events or piece.changes:
            self.news.append(piece)
        record.reach(self._keyframe(pinned=pinned))

    # curves

    def curves(
        self, names: Sequence[str], begin: float, end: float, pixels: int, *, ghost: bool = False
    ) -> tuple[list[Curve], bool]:
        """Some signals over time, and whether all of it is there yet."""
        record = self.ghost if ghost and self.ghost is not None else self.record
        if record is self.record:
            self._past.want(record, names)
        self._past.fill(self._clock() + 5 * SLICE)
        return known_curves(record, names, begin, end, pixels)

    @property
    def is_judging(self) -> bool:
        """Whether properties are being looked at, which is more to do at once."""
        return self._looking.is_busy

    def _look(self, *, stands: bool) -> bool:
        """Look at properties for a while; whether one was found broken."""
        if not self.is_past:
            self._looking.begin(self.record, stands=stands)
        found = tuple(self._looking.found(self._clock() + SLICE / 4))
        piece = Piece(tuple(e for e in found if e.contacts[0] not in self.record.violated))
        self.record.add(piece)
        self.news += [piece] if piece.events else []
        return bool(piece.events)

    def _followed(self, frame: Keyframe, until: float) -> Followed:
        """The run once more from a keyframe on, as far as no rule would do something else."""
        session, runs = self.session.fork(), list[Run]()
        session.restore(frame.snapshot)
        while True:
            before, self._deadline = session.time, self._clock() + SLICE
            runs.append(session.advance(until))
            if not before < session.time < until:
                return joined(runs)
            yield

    def pieces(self, record: Record | None = None) -> Iterator[Run]:
        """The run once more from its start to its tip, which may go on meanwhile, in pieces."""
        record = record or self.record
        session, place = self.session.fork(), 0
        while place < len(record.keyframes):
            frame, place = record.keyframes[place], place + 1
            ahead = record.keyframes[place] if place < len(record.keyframes) else record.tip
            session.restore(frame.snapshot)
            self._deadline = self._clock() + PATIENCE
            yield session.advance(ahead.time)

    # one instant

    def poses(self) -> Array:
        """Where the moving bodies are and how they lie, (bodies, 7)."""
        return self._lying.poses(self.lying, self.session.state.values)

    def values(self, names: Sequence[str]) -> Array:
        """Signals now, not a number where one is not defined."""
        known = self._observed(self.scenery.needs(names, self.parts))
        here = self.parts, self.session.state.location
        return np.array(self.scenery.values(names, known, *here))

    def _observed(self, names: Sequence[str]) -> Mapping[str, float]:
        """Signals now; what was seen as the run came here is not worked out again."""
        at, known = self._latest or (None, {})
        if at is self.session.snapshot() and known.keys() >= set(names):
            return known
        return self.session.observe(*names)
