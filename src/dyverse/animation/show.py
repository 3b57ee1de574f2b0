"""One model on stage: a run with a cursor, played, paused, looked back at and branched.

The session stands where the cursor is. Up to the tip of the record the run is followed again from
keyframes; beyond it the run goes on, and what happens is recorded. Whatever is done by hand where
one looks back branches off there: the old run stays as the ghost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from dyverse.animation.asked import Refused
from dyverse.animation.describing.names import signal_names
from dyverse.animation.describing.scenery import Scenery
from dyverse.animation.parts import Lanes, Parts, parts_of
from dyverse.animation.playable import Playable
from dyverse.animation.recording.history import Curve, Track
from dyverse.animation.recording.judging import Judge
from dyverse.animation.recording.looking import Followed, Looking, joined
from dyverse.animation.recording.pacing import Pace
from dyverse.animation.recording.past import Past, known_curves
from dyverse.animation.recording.record import (
    Cut,
    Keyframe,
    News,
    Piece,
    Record,
    lane_changes,
    shades_of,
)
from dyverse.animation.recording.seeing import sampled, seen, unsaid
from dyverse.animation.recording.turning import Lying
from dyverse.automaton.interface import Array, Edge, State
from dyverse.automaton.run import Arc, Run, Stop
from dyverse.session.foresight import Ahead
from dyverse.session.session import Session, Snapshot, open_session
from dyverse.simulation.choice import parse_choice
from dyverse.simulation.simulate import Options

TICK = 1 / 60  # s: what one tick is where time is not sampled
SLICE = 0.03  # s of the clock for one piece of a run, so that the page is heard in between
PATIENCE = 2.0  # s of the clock for going back
PIECE = 5  # times the spacing of keyframes
AHEAD = 100.0  # s: how far to look for the next event
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A run that was left for another."""

    record: Record
    lanes: Lanes  # at its tip


def _nobody(state: State, edges: tuple[Edge, ...]) -> int:
    """Nobody is asked on standard input: pages are."""
    raise AssertionError(state, edges)


class Show:
    """A model that is played."""

    def __init__(
        self,
        play: Playable,
        options: Options,
        *,
        speed: float = 1.0,
        asks: bool = False,
        clock: Clock = perf_counter,
    ) -> None:
        self._asks = asks
        self.play_of, self._clock = play, clock
        self.scenery = Scenery(play.model.scene)
        self._deadline = math.inf
        self._options = replace(options, progress=self._in_time)
        self.pace = Pace(speed)
        self.playing = False
        self.loop: tuple[float, float] | None = None
        self.horizon = play.model.until(play.settings, math.inf)
        self.fork: tuple[float, str, float | None, float] | None = None  # time, name, from, to
        self.ghost: Record | None = None
        self.failure = ""
        self.first: Branch | None = None  # the run before the first change by hand
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

    @property
    def tick(self) -> float:
        """One tick (s)."""
        return self._options.tick or TICK

    def ahead(self, *, most: int) -> tuple[Ahead, ...]:
        """What watched signals would come to next, as far as there is time to look."""
        length = self.play_of.model.until(self.session.settings, 0.0)
        self._deadline = self._clock() + SLICE
        return self.session.ahead(max(10.0, 0.2 * length), most=most)

    def play(self) -> None:
        """Let time pass; a second time also beyond the horizon."""
        if not self.is_past and self.time >= self.horizon:
            self.horizon = math.inf
        self.playing = not self.is_over
        self._looking.leave(self.time)
        self.pace.begin(self._clock(), self.time)

    def pause(self) -> None:
        """Stand still."""
        self.playing = False

    def set_speed(self, factor: float) -> None:
        """Play so many times as fast as real time."""
        self.pace.begin(self._clock(), self.time, factor)

    def restart(self) -> None:
        """Begin the run again, with the settings it has now; what was done by hand is forgotten."""
        settings, playing = self.session.settings, self.playing
        self.news.append(Cut(-1.0))
        self.ghost, self.fork, self.first, self.failure = None, None, None, ""
        self._begin(settings)
        if playing:
            self.play()

    def seek(self, time: float) -> None:
        """Show another time of the run."""
        time = min(max(time, 0.0), self.record.end)
        if time >= self.record.end:
            self._show(self.record.tip)
        else:
            self._show(self.record.before(time))
            self._patiently(time)
        self.pace.begin(self._clock(), self.time)

    def step(self, ticks: int) -> None:
        """Go on or back by so many ticks."""
        self.playing = False
        goal = self.time + ticks * self.tick
        if ticks < 0:
            self.seek(goal)
        else:
            self._patiently(goal)

    def step_events(self, count: int) -> None:
        """Go to the next event or those after it, or back to those before."""
        self.playing = False
        for _ in range(count):
            if self.is_over or self.session.question:
                break
            self._next_event()
        for _ in range(-count):
            times = (event.time for event in reversed(self.record.events))
            self.seek(next((time for time in times if time < self.time), 0.0))

    def _next_event(self) -> None:
        times = (event.time for event in self.record.events)
        ahead = next((time for time in times if time > self.time), None)
        if ahead is not None:
            self.seek(ahead)
            return
        if self.is_past:
            self._show(self.record.tip)
        self._deadline, before = self._clock() + PATIENCE, self.session.snapshot()
        run = self.session.next_event(self.time + AHEAD)
        if run.stop is Stop.HORIZON:
            self.session.restore(before)
            raise Refused(f"nothing happens within {AHEAD:g} s")
        self._take(run)

    def beat(self) -> bool:
        """Go on as far as is due by now; whether anything has changed."""
        self._past.fill(self._clock() + SLICE / 4)
        found = self._look()
        return (self.playing and self._play_on()) or found

    def _play_on(self) -> bool:
        due = self.pace.due(self._clock())
        if self.loop is not None and self.loop[0] <= self.time < self.loop[1] <= due:
            self.seek(self.loop[0])
            return True
        goal = self._goal(due)
        if goal <= self.time:
            return False
        self._deadline = self._clock() + SLICE
        self._go(goal)
        self.pace.reached(self._clock(), self.time)
        if self.is_over or self.session.question or self.time >= self.horizon > self.time - 1e-9:
            self.playing = False
        return True

    def _goal(self, due: float) -> float:
        """How far to go: to whole ticks if time is sampled, and not beyond the horizon."""
        goal = due if self.is_past else min(due, self.horizon)
        tick = self._options.tick
        if tick is None or goal >= self.horizon:
            return goal
        return math.floor(goal / tick + 1e-9) * tick

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

    # by hand

    def set(self, values: Mapping[str, float]) -> None:
        """Go on from here with other settings, or with variables put elsewhere.

        At the start of a run everything is a setting.
        """
        was = [self._value(name) for name in values]
        with self._branch(ghost=True):
            self._change(values)
            self._look_from(self.time)
            self._take(self.session.advance(self.time))
        old = was[0] if len(values) == 1 else None
        self.fork = (self.time, ", ".join(values), old, [*values.values()][-1])

    def _change(self, values: Mapping[str, float]) -> None:
        if self.time == 0:
            self.session = self._opened({**self.session.settings, **values})
            self.lying = self._lying.start(self.session.state.values)
            return
        placed = {name: number for name, number in values.items() if self._is_variable(name)}
        changed = {name: number for name, number in values.items() if name not in placed}
        if changed:
            self.session.change(changed)
        if placed:
            self.session.place(placed)

    def signal(self, channel: str) -> bool:
        """Take part in a channel from outside; whether somebody heard."""
        if not self.session.called(channel):
            return False
        with self._branch(ghost=self.is_past):
            self._take(self.session.signal(channel))
        return True

    def take(self, edge: Edge) -> None:
        """Take an edge that is enabled."""
        with self._branch(ghost=self.is_past):
            self._take(self.session.take(edge))

    def wait(self) -> None:
        """Leave alone what is asked about."""
        with self._branch(ghost=self.is_past):
            self._take(self.session.wait())

    def choose(self, how: str) -> None:
        """Let someone else choose among enabled edges from here on: ``ask`` is the page."""
        asks, rule = how == "ask", self._options.choice
        if not asks:
            rule = parse_choice(how, _nobody)
        self._asks, self._options = asks, replace(self._options, choice=rule)
        at = self.session.snapshot()
        self.session = self._opened(self.session.settings)
        self.session.restore(at)

    def back_to_first(self) -> None:
        """The run as it was before the first change."""
        if self.first is None:
            return
        first, self.first, self.ghost, self.fork = self.first, None, None, None
        self.record, self.failure = first.record, ""
        self._show(self.record.tip)
        self._lanes = first.lanes
        self._look_from(0.0)
        self.news += [Cut(-1.0), first.record.whole()]

    def _is_variable(self, name: str) -> bool:
        return name in self.session.automaton.variables

    def _value(self, name: str) -> float | None:
        """What a name stands for now."""
        found = self.session.observe(name)[name]
        return found if math.isfinite(found) else self.session.settings.get(name)

    @contextmanager
    def _branch(self, *, ghost: bool) -> Iterator[None]:
        """Something by hand: the run goes on from here, and what came after may be the ghost."""
        before = self.session, self.session.snapshot(), self.lying, self.record, self._lanes
        looking = self._looking
        place, self._deadline = len(self.news), self._clock() + PATIENCE
        if ghost:
            self._cut()
        try:
            yield
        except Exception:
            self.session, at, self.lying, self.record, self._lanes = before
            self.session.restore(at)
            self._looking = looking
            del self.news[place:]
            raise
        self.record.reach(self._keyframe(pinned=True))
        self._looking.leave(self.time)
        self.failure = ""
        if ghost:
            *_, old, lanes = before
            self.ghost, self.first = old, self.first or Branch(old, lanes)
            self.news.insert(place, Cut(self.time if self.time > 0 else -1.0, ghost=True))
            self._past.forget()
            self.pace.begin(self._clock(), self.time)

    def _cut(self) -> None:
        """Go on with a record of its own, up to here."""
        if self.time > 0:
            self.record = self.record.cut(self.time)
            self.record.tip = self._keyframe()
            self._lanes = self.parts.lanes(self.session.state.location)
        else:
            tracks = {name: Track() for name in self.record.tracks}
            self.record, self._lanes = Record(self._keyframe(), tracks=tracks), {}

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

    def _look(self) -> bool:
        """Look at properties for a while; whether one was found broken."""
        if not self.is_past:
            self._looking.begin(self.record, stands=not self.playing)
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
