"""One engine of the C runtime while it runs: what is asked of every kind of engine alike.

`Running` calls the functions of ``c/dyverse.h``, or those of ``c/automata/automata.h`` that mean
the same: run, step or be stepped by others, save and restore, counts, log, many runs at once.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Protocol

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.native.header import C, doubles, headers, ints


class Code(IntEnum):
    """What a call came back with: `dv_code`."""

    OK = 0
    EVENT = 1
    HORIZON = 2
    PAUSED = 4
    MAX_EVENTS = 5
    NOT_CONVERGED = 6
    INCONSISTENT = 7
    LIVELOCK = 8
    DEADLOCK = 9
    SOLVER = 10
    UNDEFINED = 11
    TOO_MANY = 12
    STUCK = 13
    TIMELOCK = 14
    FAULT = 15
    HOST = 16
    CHATTERING = 17
    CRAWLING = 18
    NO_MEMORY = 20
    BAD_MODEL = 21


CODES = {int(code): code for code in Code}  # half a microsecond sooner than `Code` itself

COUNTS = ("events", "steps", "rejected", "rates", "impacts", "nodes", "jumps")


class Rows(Protocol):
    """The arrays of many runs."""

    @property
    def count(self) -> int:
        """How many runs."""

    @property
    def c(self) -> C:
        """As the runtime takes them."""


class Running:
    """A ``handle`` of C whose functions begin with ``prefix``; it belongs to one thread at a time.

    It has ``size`` variables, watches ``signals`` at most, and has so many ``switches``.
    """

    def __init__(
        self, lib: C, prefix: str, handle: C, *, size: int, signals: int, switches: int
    ) -> None:
        self._lib, self._prefix, self._handle = lib, prefix, handle
        self._size, self._signals, self._switches = size, signals, switches
        self._functions: dict[str, C] = {}  # those called so far
        names = ("run", "keep_log", "log_used", "take_log")  # in every run
        self._run, self._keep_log, self._log_used, self._take_log = (
            getattr(lib, f"{prefix}_{name}") for name in names
        )

    @property
    def handle(self) -> C:
        """What the functions of the library take."""
        return self._handle

    def _call(self, name: str, *arguments: C) -> C:
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = getattr(self._lib, f"{self._prefix}_{name}")
        return function(self._handle, *arguments)

    def run(self, until: float) -> Code:
        """Event updates and stretches of time by turns, to ``until``."""
        return CODES[self._run(self._handle, until)]

    def step(self, until: float) -> Code:
        """One stretch of time, to the next event or to ``until``."""
        return CODES[self._call("step", until)]

    def event_update(self) -> Code:
        """Take all jumps of this instant."""
        return CODES[self._call("event_update")]

    def set_off(self) -> Code:
        """Begin a stretch of time that someone else follows."""
        return CODES[self._call("set_off")]

    def pass_by(self, time: float, x: Array) -> None:
        """They have come to ``x`` on their way."""
        self._call("pass_by", time, doubles(x))

    def arrive_at(self, time: float, x: Array) -> Code:
        """They have come to ``x``, where an event update is due."""
        return CODES[self._call("arrive_at", time, doubles(x))]

    def derivatives(self, time: float, x: Array) -> Array:
        """dx/dt in the present location."""
        out = np.empty(self._size)
        self._call("derivatives", time, doubles(x), doubles(out))
        return out

    def indicators(self, time: float, x: Array) -> Array:
        """The watched signals in the present location, positive inside."""
        out = np.empty(self._signals)
        self._call("indicators", time, doubles(x), doubles(out))
        return out

    @property
    def time(self) -> float:
        """The present time (s)."""
        return float(self._call("time"))

    @property
    def x(self) -> Array:
        """The present state."""
        out = np.empty(self._size)
        self._call("get_state", doubles(out))
        return out

    @property
    def counts(self) -> dict[str, int]:
        """How many events, steps and so on there have been."""
        out = headers().new("long[]", len(COUNTS))
        self._call("counts", out)
        return dict(zip(COUNTS, out, strict=True))

    @property
    def switching(self) -> tuple[int, list[int], float]:
        """Why the run cannot go on beyond a switch, of which functions, and when they pile up."""
        flags, end = np.zeros(self._switches, dtype=np.int32), headers().new("double *")
        reason = self._call("switching", ints(flags), end)
        return int(reason), np.flatnonzero(flags).tolist(), float(end[0])

    def save(self) -> bytes:
        """The run so far."""
        out = bytearray(self._call("saved_size"))
        self._call("save", headers().from_buffer(out))
        return bytes(out)

    def restore(self, saved: bytes) -> None:
        """Go back to a run that was saved by an engine of the same model."""
        assert len(saved) == self._call("saved_size")
        self._call("restore", headers().from_buffer(saved))

    def keep_log(self) -> None:
        """Write all that happens to the log, from now on."""
        self._keep_log(self._handle, 1)

    def take_log(self) -> Array:
        """What has been written since it was taken last; nobody may write to it any more."""
        out = np.empty(self._log_used(self._handle))
        if out.size:
            self._take_log(self._handle, doubles(out))
        out.flags.writeable = False
        return out

    def run_rows(self, rows: Rows, until: float, go_on: Callable[[], bool]) -> bool:
        """Run all rows of the arrays; whether none was left out because it was not to go on."""
        at, resume = 0, 0
        while at < rows.count:
            if not go_on():
                return False
            at = self._call("run_rows", rows.c, at, rows.count, resume, until)
            resume = 1
        return True
