"""The runtime's log as a run: arcs, visits and events, as the reference engine makes them.

The log is a stream of records, described in ``c/log.c``. It comes in pieces; `Recorder.take`
reads one after the other and `Recorder.run` gives what has been read.
"""

from __future__ import annotations

import numpy as np

from dyverse.automaton.interface import Array, Event, State, Visit
from dyverse.automaton.run import Arc, Run, Stop
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.location import Kind, Mode, Modes, Node
from dyverse.generation.names import signal_name

MODES: tuple[Mode, ...] = ("stick", "trans", "slip")  # from DV_STICK on
METHODS = ("", "sorprox", "newton", "lcp")
FAILURES = {6: "not converged", 7: "inconsistent"}


class Recorder:
    """The run so far, from ``start`` on."""

    def __init__(self, automaton: RigidBodyAutomaton, start: State) -> None:
        self.automaton = automaton
        self.size = len(start.values)
        self.parts: list[Arc | Visit] = []
        self.events: list[Event] = []
        self.before = self.state = start  # at the start of this instant, and now
        self._visits: list[Visit] = []
        self._start: State | None = None  # of the arc that is being read
        self._rows: list[Array] = []
        self._readers = {
            1: self._settled,
            2: self._arc,
            3: self._more_rows,
            4: self._visit,
            5: self._graze,
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
        self._end_arc()
        if not self.parts or not isinstance(self.parts[-1], Arc) or self._moved():
            self._rest()
        return Run(
            automaton=self.automaton,
            parts=tuple(self.parts),
            events=tuple(self.events),
            stop=stop,
            message=message,
        )

    def _moved(self) -> bool:
        last = self.parts[-1]
        return isinstance(last, Arc) and last.location != self.state.location

    def _rest(self) -> None:
        """Keep the present state as the last one, in an arc without length."""
        if isinstance(self.state.location, Modes):
            times, states = np.array([self.state.time]), self.state.values[None, :]
            self.parts.append(Arc(start=self.state, times=times, states=states))

    def _settled(self, record: Array) -> None:
        """The end of an instant: the location in which time passes again."""
        self._end_arc()
        pairs = record[2:].reshape(-1, 2).astype(int).tolist()
        names = self.automaton.contacts
        location = Modes(tuple((names[c], MODES[m - 1]) for c, m in pairs))
        state = State(float(record[0]), location, self.state.values, self.state.held)
        self.events.extend(self.automaton.events(self.before, tuple(self._visits), state))
        self.before = self.state = state
        self._visits = []

    def _arc(self, record: Array) -> None:
        self._end_arc()
        values = _fixed(record[1:].copy())
        self._start = State(float(record[0]), self.state.location, values, self.state.held)
        self._rows = [record[None, :].copy()]

    def _more_rows(self, record: Array) -> None:
        self._rows.append(record[1:].reshape(-1, 1 + self.size).copy())

    def _end_arc(self) -> None:
        if self._start is None:
            return
        rows = np.concatenate(self._rows)
        times, states = _fixed(rows[:, 0].copy()), _fixed(rows[:, 1:].copy())
        arc = Arc(start=self._start, times=times, states=states)
        self.parts.append(arc)
        self.before = self.state = arc.end
        self._start, self._rows = None, []

    def _visit(self, record: Array) -> None:
        self._end_arc()
        _, count, sweeps, residual, method, failure, scale, accumulates = record[:8].tolist()
        n = int(count)
        contacts = tuple(self.automaton.contacts[c] for c in record[8 : 8 + n].astype(int))
        result = dict(zip(contacts, record[8 + n : 8 + 4 * n].reshape(n, 3).copy(), strict=True))
        before, after = self._through(record, contacts, result)
        visit = Visit(
            before=before,
            after=after,
            sweeps=int(sweeps),
            residual=residual,
            method=FAILURES.get(int(failure), METHODS[int(method)]),
            failure=self._failure(before) if failure else None,
            contacts=contacts,
            result=result,
            accumulates=None if np.isnan(accumulates) else accumulates,
            remarks=_remarks(scale),
        )
        self.parts.append(visit)
        self._visits.append(visit)
        self.state = after

    def _through(
        self, record: Array, contacts: tuple[str, ...], result: dict[str, Array]
    ) -> tuple[State, State]:
        """The states at the entrance and the exit of a node."""
        kind: Kind = "contact" if record[0] else "impact"
        time, now = self.state.time, self.state
        values = _fixed(record[8 + 4 * len(contacts) :].copy())
        before = State(time, Node(kind, contacts, "en"), now.values, now.held)
        held = result if kind == "contact" else {}
        return before, State(time, Node(kind, contacts, "ex"), values, held)

    def _failure(self, before: State) -> str:
        """What the reference engine says of the same node."""
        said = self.automaton.visit(before).failure
        assert isinstance(before.location, Node)
        return said or f"contact forces at {', '.join(before.location.contacts)} were not found"

    def _graze(self, record: Array) -> None:
        contact, mode_signal = divmod(int(record[1]), 2)
        name = self._watched(self.automaton.contacts[contact], mode_signal)
        location = self.state.location
        self.events.append(
            Event(
                time=float(record[0]),
                kind="graze",
                source=location,
                target=location,
                remark=f"{name} came down to {record[2]:.1e}",
            )
        )

    def _watched(self, contact: str, mode_signal: int) -> str:
        """The name of a watched signal in the present location."""
        assert isinstance(self.state.location, Modes)
        mode = dict(self.state.location.closed).get(contact)
        if mode is None or not mode_signal:
            return signal_name("gap" if mode is None else "normal_force", contact)
        return signal_name("friction_reserve" if mode == "stick" else "slip_speed", contact)


def _remarks(scale: float) -> tuple[str, ...]:
    return (f"restitution scaled by {scale:.6g} to keep energy",) if scale < 1 else ()


def _fixed(array: Array) -> Array:
    array.flags.writeable = False
    return array
