"""The records of the runtime's log as arcs and visits, such as the reference engine makes.

In comes one record after the other, as ``c/dyverse.h`` describes them; `Recorder.finished` gives
what has been read. Arrays are views of the log, which nobody may write to.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dyverse.automaton.interface import Array, HybridAutomaton, State, Visit
from dyverse.automaton.run import Arc, Moment, Part
from dyverse.generation.skeleton.location import Modes, Node
from dyverse.native.logged.naming import HEAD, Naming, said

ARC, ROWS, JUMP, NODE, SETTLED, GRAZE, REST, VISIT, MODES, SIDES = range(1, 11)  # of records
METHODS = ("", "sorprox", "newton", "lcp", "balance", "sequence", "shock")
FAILURES = {6: "not converged", 7: "inconsistent"}


class Recorder:
    """The parts so far, from ``start`` on."""

    def __init__(self, automaton: HybridAutomaton, naming: Naming, start: State) -> None:
        self._automaton, self._naming = automaton, naming
        self._parts: list[Part] = []
        self._state = start  # now
        self._size = len(start.values)
        self._rows: list[Array] = []  # of the arc that is being read
        self._readers = {
            SETTLED: self._settled,
            ARC: self._arc,
            ROWS: self._more_rows,
            VISIT: self._visit,
            MODES: self._enter,
            SIDES: self._take_sides,
        }
        self._sides: tuple[float, ...] = ()  # of the arc that follows
        self._entered = False  # whether the location is one of this instant

    def take(self, kind: int, record: Array) -> None:
        """Read a record; a graze is no part."""
        if kind != GRAZE:
            self._readers[kind](record)

    def finished(self, end: State | None) -> tuple[Part, ...]:
        """What has been read; an arc that goes on is ended here, and a run that can at ``end``."""
        self._end_arc()
        if not self._parts or not isinstance(self._parts[-1], Arc) or self._moved():
            self._rest()
        last = self._parts[-1]
        if end is not None and isinstance(last, Arc):
            self._parts[-1] = replace(last, last=end)
        return tuple(self._parts)

    def _moved(self) -> bool:
        last = self._parts[-1]
        return isinstance(last, Arc) and last.location != self._state.location

    def _rest(self) -> None:
        """Keep the present state as the last one, in an arc without length."""
        if isinstance(self._state.location, Modes):
            times, states = _fixed(np.array([self._state.time])), self._state.values[None, :]
            self._parts.append(Arc(start=self._state, times=times, states=states))

    def _settled(self, record: Array) -> None:
        """The end of an instant: time passes again, where the bodies are."""
        self._end_arc()
        self._entered = False

    def _enter(self, record: Array) -> None:
        """The bodies in another location."""
        self._end_arc()
        self._pass_by()
        location, now = self._naming.location(record), self._state
        self._state = State(float(record[0]), location, now.values, now.held)
        self._entered = True

    def _pass_by(self) -> None:
        """A location that is left in the instant in which it was entered is a part, too."""
        if self._entered:
            self._parts.append(Moment(self._state))
        self._entered = False

    def _take_sides(self, record: Array) -> None:
        """On which sides of functions that switch the next arc is."""
        self._end_arc()
        self._sides = tuple(record.tolist())

    def _arc(self, record: Array) -> None:
        self._end_arc()
        self._more_rows(record)

    def _more_rows(self, record: Array) -> None:
        self._rows.append(record[1:].reshape(-1, 1 + self._size))

    def _end_arc(self) -> None:
        if not self._rows:
            return
        rows = self._rows[0] if len(self._rows) == 1 else _fixed(np.concatenate(self._rows))
        times, states, now = _fixed(rows[:, 0].copy()), rows[:, 1:], self._state
        start = State(float(times[0]), now.location, states[0], now.held, sides=self._sides)
        if not self._parts and now.stretch is not None:  # that goes on
            start = replace(start, memory=now.memory)
        self._parts.append(Arc(start=start, times=times, states=states))
        self._state = State(float(times[-1]), now.location, states[-1], now.held)
        self._rows = []

    def _visit(self, record: Array) -> None:
        self._end_arc()
        self._pass_by()
        entrance, leaving = self._naming.node(record)
        now, values = self._state, record[len(record) - self._size :]
        before = State(now.time, entrance, now.values, now.held)
        after = State(now.time, leaving, values, self._naming.held(record))
        self._parts.append(visit_of(record, before, after, self._naming, self._automaton))
        self._state = after


def visit_of(
    record: Array, before: State, after: State, naming: Naming, automaton: HybridAutomaton
) -> Visit:
    """A pass through a node; if it failed, with what the reference engine says of it."""
    node, _ = naming.node(record)
    _, _, sweeps, residual, method, failure, _, _ = record[:HEAD].tolist()
    remarks, accumulates = said(record)
    return Visit(
        before=before,
        after=after,
        sweeps=int(sweeps),
        residual=residual,
        method=FAILURES.get(int(failure), METHODS[int(method)]),
        failure=_failure(before, node, automaton) if failure else None,
        contacts=node.contacts,
        result=naming.found(record),
        accumulates=accumulates,
        remarks=remarks,
        rested=naming.rested(record),
    )


def _failure(before: State, node: Node, automaton: HybridAutomaton) -> str:
    said = automaton.visit(before).failure
    return said or f"contact forces at {', '.join(node.contacts)} were not found"


def _fixed(array: Array) -> Array:
    array.flags.writeable = False
    return array
