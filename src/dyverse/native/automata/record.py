"""The runtime's log as a run: arcs, visits and events, as the reference engine makes them.

The log is a stream of records, described in ``c/automata/log.c``. It comes in pieces;
`Recorder.take` reads one after the other and `Recorder.run` gives what has been read.
"""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array, Edge, Event, Jump, Location, State, Visit
from dyverse.automaton.moves import Move, Places
from dyverse.automaton.network import Network
from dyverse.automaton.node import EXIT, NodePlace
from dyverse.automaton.run import Arc, Run, Stop
from dyverse.automaton.written import WrittenAutomaton
from dyverse.native.automata.sheet import Automaton


class Recorder:
    """The run so far, from ``start`` on."""

    def __init__(self, automaton: Automaton, start: State) -> None:
        self.automaton = automaton
        self.size = len(start.values)
        self.parts: list[Arc | Visit] = []
        self.events: list[Event] = []
        self.before = self.state = start  # at the start of this instant, and now
        self._jumps: list[Jump] = []
        self._visits: list[Visit] = []
        self._start: State | None = None  # of the arc that is being read
        self._rows: list[Array] = []
        self._edges = _by_number(automaton)
        self._readers = {
            1: self._arc,
            2: self._more_rows,
            3: self._jump,
            4: self._visit,
            5: self._settled,
            6: self._graze,
            7: self._rest,
        }

    def take(self, log: Array) -> None:
        """Read some records."""
        at = 0
        while at < len(log):
            kind, length = int(log[at]), int(log[at + 1])
            self._readers[kind](log[at + 2 : at + length])
            at += length

    def run(self, stop: Stop, message: str = "") -> Run:
        """What has been read; an arc that goes on is ended here."""
        self.end_arc()
        if not self.parts and stop != Stop.HORIZON:
            self._rest(np.empty(0))
        return Run(
            automaton=self.automaton,
            parts=tuple(self.parts),
            events=tuple(self.events),
            stop=stop,
            message=message,
        )

    def _arc(self, record: Array) -> None:
        self.end_arc()
        values = _fixed(record[1:].copy())
        self._start = State(float(record[0]), self.state.location, values, self.state.held)
        self._rows = [record[None, :].copy()]

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
        choices, count = int(record[0]), int(record[1])
        edge = self._taken(record[2 : 2 + count].astype(int).tolist())
        before = self.state
        values = _fixed(record[2 + count :].copy())
        self.state = State(before.time, edge.target, values, before.held)
        chosen = f"1 of {choices} by order" if choices > 1 else ""
        self._jumps.append(Jump(edge, before, self.state, chosen))

    def _taken(self, numbers: list[int]) -> Edge:
        if isinstance(self.automaton, WrittenAutomaton):
            location, place = self._edges[numbers[0]]
            return list(self.automaton.outgoing(location))[place]
        halves = tuple(self.automaton.moves.halves[number] for number in numbers)
        assert isinstance(self.state.location, Places)
        return Move(self.state.location, self.state.location.moved(halves), halves)

    def _visit(self, record: Array) -> None:
        self.end_arc()
        assert isinstance(self.automaton, WrittenAutomaton)
        node = self.automaton.nodes[int(record[0])]
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
        self._visits.append(visit)

    def _settled(self, record: Array) -> None:
        """The end of an instant: its jumps become events."""
        self.end_arc()
        jumps, visits = tuple(self._jumps), tuple(self._visits)
        self.events.extend(self.automaton.events(self.before, visits, self.state, jumps))
        self.before, self._jumps, self._visits = self.state, [], []

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
        times, states = np.array([self.state.time]), self.state.values[None, :]
        self.parts.append(Arc(start=self.state, times=times, states=states))


def _by_number(automaton: Automaton) -> list[tuple[Location, int]]:
    """Of each edge of a hand-written automaton: where it leaves, and the how manieth it is there.

    A network knows its edges by number.
    """
    if isinstance(automaton, Network):
        return []
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
