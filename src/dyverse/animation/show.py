"""One model on stage: a run with a cursor, played, paused, looked back at and branched.

Whatever is done by hand where one looks back branches off there: the old run stays as the ghost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

from dyverse.animation.asked import Refused
from dyverse.animation.film import PATIENCE, SLICE, Clock, Film
from dyverse.animation.parts import Lanes
from dyverse.animation.playable import Playable
from dyverse.animation.recording.history import Track
from dyverse.animation.recording.pacing import Pace
from dyverse.animation.recording.record import Cut, Record
from dyverse.automaton.interface import Edge, State
from dyverse.automaton.run import Stop
from dyverse.session.foresight import Ahead
from dyverse.simulation.choice import parse_choice
from dyverse.simulation.simulate import Options

TICK = 1 / 60  # s: what one tick is where time is not sampled
AHEAD = 100.0  # s: how far to look for the next event


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A run that was left for another."""

    record: Record
    lanes: Lanes  # at its tip


def _nobody(state: State, edges: tuple[Edge, ...]) -> int:
    """Nobody is asked on standard input: pages are."""
    raise AssertionError(state, edges)


class Show(Film):
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
        super().__init__(play, options, asks=asks, clock=clock)
        self.pace = Pace(speed)
        self.playing = False
        self.loop: tuple[float, float] | None = None
        self.horizon = play.model.until(play.settings, math.inf)
        self.fork: tuple[float, str, float | None, float] | None = None  # time, name, from, to
        self.first: Branch | None = None  # the run before the first change by hand

    # time

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
        self._show_at(time)
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
        found = self._look(stands=not self.playing)
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
