"""An FMU as a function: what it answers depends on all that it was told so far, and nothing else.

Its state cannot be looked into, so it is named by a number: 0 is before it began, and each
communication leads from a number and what is told to another number and what is answered. The same
question gets the same answer, from memory; a run that goes back and on another way is told from the
beginning to a new instance. An FMU whose answers depend on something else, as the time of day, is
none that runs can be repeated with.
"""

from __future__ import annotations

import atexit
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dyverse.foreign.description import GIVEN, Signal, description
from dyverse.foreign.process import ForeignError, Host

MOST = 8  # processes that wait for the next question
BEFORE = 0
Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """One communication: from which state on, how long a step if one, and the values told."""

    after: int
    length: float
    row: Row


@dataclass(frozen=True, slots=True)
class _Answer:
    """Where a communication led: a number and values, or why it failed."""

    state: int
    row: Row = ()
    failed: str = ""


class Course:
    """All that one FMU was ever told, and its answers; ``given`` is told, ``read`` answered."""

    def __init__(self, path: str, given: tuple[Signal, ...], read: tuple[Signal, ...]) -> None:
        self._path, self._given, self._read = path, given, read
        self._known: dict[_Told, _Answer] = {}
        self._told: list[_Told | None] = [None]  # by the number of the state that it led to
        self._depths = [-1]
        self._host: Host | None = None
        self._at = BEFORE

    def begin(self, row: Row) -> tuple[int, Row]:
        """Begin a run with these values."""
        return self._asked(_Told(BEFORE, 0.0, row))

    def step(self, state: int, length: float, row: Row) -> tuple[int, Row]:
        """Go on from a state, with values that are held meanwhile."""
        if not BEFORE < state < len(self._told):
            raise ForeignError(f"it was never in the state {state} in this process")
        return self._asked(_Told(state, length, row))

    def steps(self, state: int) -> int:
        """How many steps led to a state."""
        return self._depths[state]

    def _asked(self, told: _Told) -> tuple[int, Row]:
        if told not in self._known:
            self._known[told] = self._found(told)
        answer = self._known[told]
        if answer.failed:
            raise ForeignError(answer.failed)
        return answer.state, answer.row

    def _found(self, told: _Told) -> _Answer:
        try:
            self._go_to(told.after)
            row = self._answered(told)
        except ForeignError as error:
            self.close()
            return _Answer(BEFORE, failed=str(error))
        self._told.append(told)
        self._depths.append(self._depths[told.after] + 1)
        self._at = len(self._told) - 1
        return _Answer(self._at, row)

    def _go_to(self, state: int) -> None:
        """Bring the instance to a state: it is there, or is told all again."""
        if self._host is not None and state in (self._at, BEFORE):
            return
        self.close()
        way: list[_Told] = []
        while (told := self._told[state]) is not None:
            way.append(told)
            state = told.after
        for told in reversed(way):
            self._answered(told)

    def _answered(self, told: _Told) -> Row:
        if self._host is None:
            self._host = Host(self._path)
            _keep(self)
        read = [_as_json(signal) for signal in self._read]
        if told.after == BEFORE:
            rows = self._rows(told.row, GIVEN)
            return tuple(self._host.ask({"do": "begin", "told": rows, "read": read}))
        rows, time = self._rows(told.row, ("input",)), told.length * self._depths[told.after]
        request = {"do": "step", "time": time, "length": told.length, "told": rows, "read": read}
        return tuple(self._host.ask(request))

    def _rows(self, row: Row, causalities: tuple[str, ...]) -> list[dict[str, object]]:
        """What is told: parameters only at the beginning."""
        return [
            {**_as_json(signal), "causality": signal.causality, "value": number}
            for signal, number in zip(self._given, row, strict=True)
            if signal.causality in causalities
        ]

    def close(self) -> None:
        """End the process; it is started again when someone asks."""
        if self._host is not None:
            self._host.close()
        self._host = None


def _as_json(signal: Signal) -> dict[str, object]:
    return {"reference": signal.reference, "kind": signal.kind}


_OPEN: list[Course] = []


def _keep(course: Course) -> None:
    """Remember who has a process, and end that of the oldest if there are too many."""
    _OPEN[:] = [other for other in _OPEN if other is not course and other._host is not None]
    while len(_OPEN) >= MOST:
        _OPEN.pop(0).close()
    _OPEN.append(course)


@atexit.register
def close_all() -> None:
    """End all processes."""
    for course in _OPEN:
        course.close()
    _OPEN.clear()


def course(path: str, given: tuple[str, ...], read: tuple[str, ...]) -> Course:
    """The one course of an FMU that is told and asked for these, as long as its file stays."""
    return _course(path, given, read, Path(path).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _course(path: str, given: tuple[str, ...], read: tuple[str, ...], time: int) -> Course:
    known = {signal.name: signal for signal in description(path).signals}
    return Course(path, tuple(known[n] for n in given), tuple(known[n] for n in read))
