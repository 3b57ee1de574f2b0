"""The runtime's log of one run: kept as it came, and read when someone asks.

In come the pieces in which the runtime wrote it, a stream of records described in ``c/log.c``; out
goes the `dyverse.automaton.run.Story` of a run. The last state is found without reading the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from dyverse.automaton.interface import Array, Event, State
from dyverse.automaton.run import Part
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.location import Modes
from dyverse.native.events import events
from dyverse.native.naming import Naming, held
from dyverse.native.record import ARC, ROWS, SETTLED, VISIT, Recorder

WITH_STATE = (ARC, ROWS, VISIT)  # records that end with a state


@dataclass(frozen=True, eq=False)  # without slots: some things are found once
class Log:
    """What was written of a run from ``start`` on."""

    automaton: RigidBodyAutomaton
    start: State
    pieces: tuple[Array, ...]

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
        return recorder.finished()

    def events(self) -> tuple[Event, ...]:
        """What happened."""
        assert isinstance(self.start.location, Modes)
        return tuple(events(self.records(), self.naming, self.start.location))

    @cached_property
    def end(self) -> State:
        """The last state of a run that reached its horizon: it ends with a settled instant."""
        last: dict[int, Array] = {}
        values = self.start.values
        for kind, record in self.records():
            last[kind] = record
            if kind in WITH_STATE:
                values = record[len(record) - len(values) :]
        settled, visit = last[SETTLED], last.get(VISIT)
        kept = self.start.held if visit is None else held(visit, self.naming.node(visit)[1])
        return State(float(settled[0]), self.naming.location(settled), values, kept)
