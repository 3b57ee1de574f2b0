"""The runtime's log of one run: kept as it came, and read when someone asks.

In come the pieces in which the runtime wrote it, a stream of records described in ``c/dyverse.h``;
out goes the `dyverse.automaton.run.Story` of a run. The last state is found without reading the
rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from dyverse.automaton.interface import Array, Event, State
from dyverse.automaton.run import Part
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.skeleton.location import Modes
from dyverse.native.library import Remembered
from dyverse.native.logged.events import events
from dyverse.native.logged.naming import Naming
from dyverse.native.logged.record import ARC, MODES, ROWS, SETTLED, SIDES, VISIT, Recorder
from dyverse.native.memory import memory_of

WITH_STATE = (ARC, ROWS, VISIT)  # records that end with a state
WITH_TIME = (ARC, ROWS, SETTLED)


@dataclass(frozen=True, eq=False)  # without slots: some things are found once
class Log:
    """What was written of a run from ``start`` on."""

    automaton: RigidBodyAutomaton
    start: State
    pieces: tuple[Array, ...]
    found: Remembered | None = None  # where the run can go on

    def records(self) -> Iterator[tuple[int, Array]]:
        """Of each record its kind, and what follows its length."""
        for piece in self.pieces:
            numbers, at = piece.data, 0
            while at < len(numbers):
                after = at + int(numbers[at + 1])
                yield int(numbers[at]), piece[at + 2 : after]
                at = after

    @cached_property
    def naming(self) -> Naming:
        """What its numbers are called."""
        return Naming(self.automaton.contacts)

    def parts(self) -> tuple[Part, ...]:
        """Arcs and visits."""
        recorder = Recorder(self.automaton, self.naming, self.start)
        for kind, record in self.records():
            recorder.take(kind, record)
        return recorder.finished(self.end if self.found is not None else None)

    def events(self) -> tuple[Event, ...]:
        """What happened."""
        assert isinstance(self.start.location, Modes)
        return tuple(events(self.records(), self.naming, self.start.location))

    @cached_property
    def end(self) -> State:
        """The last state, and where the run can go on: after an instant, or while time passes."""
        last: dict[int, Array] = {}
        time, values = self.start.time, self.start.values
        for kind, record in self.records():
            last[kind] = record
            if kind in WITH_STATE:
                values = record[len(record) - len(values) :]
            if kind in WITH_TIME:
                time = float(record[-len(values) - 1] if kind != SETTLED else record[0])
        modes, visit = last.get(MODES), last.get(VISIT)
        kept = self.start.held if visit is None else self.naming.held(visit)
        location = self.start.location if modes is None else self.naming.location(modes)
        assert isinstance(location, Modes)
        found = self.found
        memory = None if found is None else memory_of(found, self.automaton, location)
        goes_on = memory is not None and memory.stretch is not None
        sides = tuple(last[SIDES].tolist()) if goes_on and SIDES in last else ()
        return State(time, location, values, kept, memory=memory, sides=sides)
