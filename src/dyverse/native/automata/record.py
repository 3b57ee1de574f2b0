"""The runtime's log as a run: arcs, visits and events, as the reference engine makes them.

The log is a stream of records, described in ``c/dyverse.h``. It comes in pieces;
`Recorder.take` reads one after the other and `Recorder.run` gives what has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from dyverse.automaton.endings import piled, recent
from dyverse.automaton.instant import Instant
from dyverse.automaton.interface import (
    Array,
    Edge,
    Event,
    HybridAutomaton,
    Jump,
    Location,
    State,
    Visit,
)
from dyverse.automaton.memory import Memory
from dyverse.automaton.network.moves import Places
from dyverse.automaton.node import EXIT, NodePlace
from dyverse.automaton.run import Arc, Moment, Part, Run, Stop
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.generation.parts import parts_of
from dyverse.native.library import NATIVE
from dyverse.native.logged.record import ARC, GRAZE, JUMP, NODE, REST, ROWS, SETTLED, SIDES

Taken = Callable[[State, list[int]], Edge]  # (state, numbers of edges) -> the jump they make
Reader = Callable[["Recorder", Array], None]


class Recorder:
    """The run so far, from ``start`` on.

    For engines that do more, ``taken`` names jumps and ``readers`` read more kinds of records.
    """

    def __init__(
        self,
        automaton: HybridAutomaton,
        start: State,
        how: str = "by order",
        taken: Taken | None = None,
        readers: Mapping[int, Reader] | None = None,
    ) -> None:
        self.automaton = automaton
        self.size = len(start.values)
        self.taken = taken or edge_namer(automaton)
        self._how = how  # what is said of a choice
        self.parts: list[Part] = []
        self.events: list[Event] = []
        self.start = self.before = self.state = start  # at first, before this instant, and now
        self.jumps: list[Jump] = []  # of this instant
        self.visits: list[Visit] = []
        self._start: State | None = None  # of the arc that is being read
        self._rows: list[Array] = []
        self._others = readers or {}
        self._readers = {
            ARC: self._arc,
            ROWS: self._more_rows,
            JUMP: self._jump,
            NODE: self._visit,
            SETTLED: self.settled,
            GRAZE: self._graze,
            REST: self._rest,
            SIDES: self._take_sides,
        }
        self._sides: tuple[float, ...] = ()  # of the arc that follows

    def take(self, log: Array) -> None:
        """Read some records."""
        at = 0
        while at < len(log):
            kind, length = int(log[at]), int(log[at + 1])
            record = log[at + 2 : at + length]
            if kind in self._others:
                self._others[kind](self, record)
            else:
                self._readers[kind](record)
            at += length

    def run(self, stop: Stop, message: str = "") -> Run:
        """What has been read; an arc that goes on is ended here."""
        self.end_arc()
        if not self.parts:
            self._rest(np.empty(0))
        return Run(
            automaton=self.automaton,
            parts=tuple(self.parts),
            events=tuple(self.events),
            stop=stop,
            message=message,
            solver=NATIVE,
        )

    def tell_midway(self) -> None:
        """The run has ended within an instant: its jumps become events, unless they pile up."""
        if not piled(recent(self.start, self.events)):
            instant = Instant(self.before, self.visits, self.jumps)
            self.events.extend(instant.so_far(self.automaton))

    def remember(self, memory: Memory) -> None:
        """The run ends here, and can go on; in an instant that is not over, from its beginning."""
        if self.jumps or self.visits:
            self.state, self.jumps, self.visits = self.before, [], []
            while self.parts and not isinstance(self.parts[-1], Arc):
                self.parts.pop()
        if not self.parts or not isinstance(self.parts[-1], Arc):
            self._rest(np.empty(0))
        told = recent(self.start, self.events)
        sides = self._sides if memory.stretch is not None else ()
        self.state = replace(self.state, memory=replace(memory, recent=told), sides=sides)
        arc = self.parts[-1]
        assert isinstance(arc, Arc)
        self.parts[-1] = replace(arc, last=self.state)

    def _arc(self, record: Array) -> None:
        self.end_arc()
        time, values = float(record[1]), _fixed(record[2 : 2 + self.size].copy())
        now, sides = self.state, self._sides
        self._start = State(time, now.location, values, now.held, sides=sides)
        if not self.parts and self.state.stretch is not None:  # that goes on
            self._start = replace(self._start, memory=self.state.memory)
        self._more_rows(record)

    def _take_sides(self, record: Array) -> None:
        """On which sides of functions that switch the next arc is."""
        self.end_arc()
        self._sides = tuple(record.tolist())

    def _more_rows(self, record: Array) -> None:
        self._rows.append(record[1:].reshape(-1, 1 + self.size).copy())

    def end_arc(self) -> None:
        """The arc that was being read is over."""
        if self._start is None:
            return
        rows = np.concatenate(self._rows)
        times, states = _fixed(rows[:, 0].copy()), _fixed(rows[:, 1:].copy())
        arc = Arc(start=self._start, times=times, states=states)
        self.parts.append(arc)
        self.before = self.state = arc.end
        self._start, self._rows = None, []

    def _jump(self, record: Array) -> None:
        self.end_arc()
        choices, place, count = (int(number) for number in record[:3])
        edge = self.taken(self.state, record[3 : 3 + count].astype(int).tolist())
        values = _fixed(record[3 + count :].copy())
        chosen = f"{place + 1} of {choices} {self._how}" if place >= 0 else ""
        self.take_edge(edge, values, chosen)

    def take_edge(
        self, edge: Edge, values: Array, chosen: str = "", *, finds: bool = False
    ) -> None:
        """Jump; the state that is left is kept if no arc ends in it.

        At the start of a run, bodies that jump only find which contacts are closed (``finds``).
        """
        before = self.state
        begins = not self.parts and not self.jumps and not finds
        if self.automaton.is_dynamical(before.location) and (begins or self.jumps):
            self.parts.append(Moment(before))
        self.state = State(before.time, edge.target, values, before.held)
        self.jumps.append(Jump(edge, before, self.state, chosen))

    def _visit(self, record: Array) -> None:
        self.end_arc()
        written = parts_of(self.automaton).written
        assert written is not None
        node = written.nodes[int(record[0])]
        count, before = len(node.local), self.state
        values = _fixed(record[4 + count :].copy())
        self.state = State(before.time, node.at(EXIT), values, before.held)
        found = record[4 : 4 + count].tolist()
        visit = Visit(
            before=before,
            after=self.state,
            sweeps=int(record[1]),
            residual=float(record[2]),
            method=node.name,
            failure=self.automaton.visit(before).failure if record[3] else None,
            result={name: np.array(x) for name, x in zip(node.local, found, strict=True)},
        )
        self.parts.append(visit)
        self.visits.append(visit)

    def settled(self, record: Array) -> None:
        """The end of an instant: its jumps become events."""
        self.end_arc()
        jumps, visits = tuple(self.jumps), tuple(self.visits)
        self.events.extend(self.automaton.events(self.before, visits, self.state, jumps))
        self.before, self.jumps, self.visits = self.state, [], []

    def _graze(self, record: Array) -> None:
        name = self.automaton.watched(self.state.location)[int(record[1])]
        self.events.append(
            Event(
                time=float(record[0]),
                kind="graze",
                source=self.state.location,
                target=self.state.location,
                remark=f"{name} came down to {record[2]:.1e}",
            )
        )

    def _rest(self, record: Array) -> None:
        """Keep the present state as the last one, in an arc without length."""
        self.end_arc()
        self.parts.append(Arc.still(self.state))


def edge_namer(automaton: HybridAutomaton) -> Taken:
    """What jumps of an automaton or a network are."""
    parts = parts_of(automaton)
    if (written := parts.written) is not None:
        edges = _by_number(written)

        def edge(state: State, numbers: list[int]) -> Edge:
            location, place = edges[numbers[0]]
            return list(written.outgoing(location))[place]

        return edge
    assert parts.network is not None
    moves = parts.network.moves

    def move(state: State, numbers: list[int]) -> Edge:
        assert isinstance(state.location, Places)
        return moves.move(state.location, numbers)

    return move


def _by_number(automaton: WrittenAutomaton) -> list[tuple[Location, int]]:
    """Of each edge of a hand-written automaton: where it leaves, and the how manieth it is there.

    A network knows its edges by number.
    """
    nodes = {node.name for node in automaton.nodes}
    seen: dict[Location, int] = {}
    found: list[tuple[Location, int]] = []
    for edge in automaton.edges:
        source = NodePlace(str(edge.source), EXIT) if edge.source in nodes else edge.source
        found.append((source, seen.get(source, 0)))
        seen[source] = seen.get(source, 0) + 1
    return found


def _fixed(array: Array) -> Array:
    array.flags.writeable = False
    return array
