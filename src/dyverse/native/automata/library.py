"""The shared object of an automaton in this process: the functions of ``c/automata/automata.h``."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from ctypes import byref, c_double, c_int, c_long, c_void_p
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.errors import SolverError
from dyverse.native.automata.tables import Tables
from dyverse.native.compile import FLAGS, SOURCES, Runtime, compiled
from dyverse.native.library import Ints, Signatures, opened, with_signatures
from dyverse.native.owning import own

VERSION = 3
RUNTIME = Runtime(SOURCES / "automata", "automata", (SOURCES,))


class Code(IntEnum):
    """What a call came back with: `da_code`."""

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
    NO_MEMORY = 20
    BAD_MODEL = 21


_SIZES = (
    *("variables", "parameters", "components", "places", "edges", "channels", "nodes", "locals"),
    *("shown", "watches", "pieces", "properties", "switches", "sequential", "doubts", "ranged"),
    *("board", "widest"),
)
_TABLES = (
    *("piece_function", "piece_first", "pick", "piece_out", "piece_target", "target"),
    *("piece_steady", "place_rate", "place_second", "place_invariant", "place_urgent"),
    *("place_committed", "leaving_first", "leaving", "edge_component", "edge_target"),
    *("edge_reset", "edge_channel", "edge_sends", "edge_rank", "edge_channel_rank", "edge_kind"),
    *("edge_urgent", "edge_called", "edge_asks", "edge_doubtful"),
    *("channel_broadcast", "watch_sample", "watch_second", "watch_plain", "watch_first", "sense"),
    *("decided", "watch_program", "program", "node_enter", "node_sweep", "node_test"),
    *("node_leave", "node_most", "node_local", "node_called", "shown_component", "shown_place"),
    *("variable_whole", "variable_runs", "variable_timed"),
    *("switch_kind", "switch_slot", "switch_sample", "place_switch_first", "place_switch"),
)
_REALS = (
    *("margin", "hop", "touch", "relative", "absolute", "longest_step"),
    *("together", "graze", "depth", "lift", "tick", "grain"),
)
_COUNTS = ("points", "max_events", "max_jumps", "max_steps", "idle", "endpoints", "waits")
_ROWS = (
    *("numbers", "starts", "positions", "codes", "times", "finals", "locations", "counts"),
    *("paths", "room", "event_times", "event_kinds", "event_edges"),
    *("least", "least_at", "failed_at"),
)


class _CStructure(ctypes.Structure):
    """`da_structure`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        *((name, c_int) for name in _SIZES),
        *((name, c_void_p) for name in _TABLES),
    ]


class COptions(ctypes.Structure):
    """`da_options`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        *((name, c_double) for name in _REALS),
        *((name, c_int) for name in _COUNTS),
    ]


class _CRows(ctypes.Structure):
    """`da_runs`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        (name, c_int if name == "room" else c_void_p) for name in _ROWS
    ]


class CRows:
    """The arrays of a `da_runs`, kept alive with it; ``positions`` is one row for all."""

    def __init__(
        self, count: int, room: int, positions: Ints, **arrays: NDArray[np.generic]
    ) -> None:
        assert all(array.flags.c_contiguous and len(array) == count for array in arrays.values())
        self.count, self._arrays = count, {**arrays, "positions": positions}
        self.c = _CRows(room=room, **{name: a.ctypes.data for name, a in self._arrays.items()})


class Structure:
    """The arrays of a `da_structure`, kept alive with it."""

    def __init__(self, tables: Tables) -> None:
        self.counts: Mapping[str, int] = tables.counts
        self.rows = {name: np.array(tables.rows[name], dtype=np.int32) for name in _TABLES}
        sizes = (tables.counts[name] for name in _SIZES)
        self.c = _CStructure(*sizes, *(row.ctypes.data for row in self.rows.values()))


SIGNATURES: Signatures = {
    "da_version": (c_int, []),
    "da_create": (c_int, [c_void_p, c_void_p, c_void_p]),
    "da_destroy": (None, [c_void_p]),
    "da_number_count": (c_int, [c_void_p]),
    "da_set_numbers": (None, [c_void_p, c_void_p]),
    "da_set_state": (None, [c_void_p, c_double, c_void_p, c_void_p]),
    "da_set_host": (None, [c_void_p, c_void_p]),
    "da_run": (c_int, [c_void_p, c_double]),
    "da_columns": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "da_get_memory": (None, [c_void_p, c_void_p]),
    "da_go_on": (None, [c_void_p, c_void_p]),
    "da_is_flowing": (c_int, [c_void_p]),
    "da_get_sides": (c_int, [c_void_p, c_void_p]),
    "da_switching": (c_int, [c_void_p, c_void_p, c_void_p]),
    "da_get_state": (None, [c_void_p, c_void_p]),
    "da_move": (c_int, [c_void_p, c_int, c_void_p]),
    "da_time": (c_double, [c_void_p]),
    "da_get_final": (None, [c_void_p, c_void_p]),
    "da_get_positions": (None, [c_void_p, c_void_p]),
    "da_events": (c_long, [c_void_p]),
    "da_crossed": (c_int, [c_void_p, c_void_p]),
    "da_failure": (None, [c_void_p, c_void_p, c_void_p]),
    "da_keep_log": (None, [c_void_p, c_int]),
    "da_log_used": (c_long, [c_void_p]),
    "da_take_log": (None, [c_void_p, c_void_p]),
    "da_counts": (None, [c_void_p, c_void_p]),
    "da_run_rows": (c_long, [c_void_p, c_void_p, c_long, c_long, c_int, c_double]),
}
COUNTS = ("steps", "rejected", "rates", "jumps")


@lru_cache(maxsize=64)
def automaton_library(model: str, flags: tuple[str, ...] = FLAGS) -> ctypes.CDLL:
    """The library of an automaton's C text, compiled if need be."""
    return opened(lambda: compiled(model, flags, RUNTIME), _loaded)


def _loaded(path: Path) -> ctypes.CDLL:
    found = with_signatures(path, SIGNATURES)
    if found.da_version() != VERSION:
        raise OSError(f"{path} is an engine of another version")
    return found


class Signal(IntEnum):
    """What a watched signal belongs to."""

    ALONE = 0
    SENDER = 1
    HEARD = 2
    INVARIANT = 3
    URGENT = 4
    OUTSIDE = 5


Column = tuple[Signal, int]  # and the number of its edge, or of one outside


class _CMemory(ctypes.Structure):
    """`da_memory`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        *((name, c_int) for name in ("settled", "flowing", "waiting")),
        *((name, c_double) for name in ("since", "tick_begin")),
        ("ticks", c_long),
        *((name, c_void_p) for name in ("resting", "turned", "approach", "behind")),
        ("sides", c_int),
        ("side_values", c_void_p),
    ]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Remembered:
    """What `da_get_memory` tells; see ``c/automata/automata.h``."""

    settled: bool
    flowing: bool
    waiting: bool
    since: float
    tick_begin: float
    ticks: int
    resting: Ints
    turned: Ints
    approach: Array
    behind: Ints
    sides: Array  # values of functions that switch

    def in_c(self) -> _CMemory:
        """As the runtime takes it; the arrays are this one's."""
        arrays = (self.resting, self.turned, self.approach, self.behind)
        times = (self.since, self.tick_begin, self.ticks)
        flags = (self.settled, self.flowing, self.waiting)
        sides = len(self.sides), self.sides.ctypes.data
        return _CMemory(*flags, *times, *(array.ctypes.data for array in arrays), *sides)


class Engine:
    """One `da_engine`; it belongs to one thread at a time.

    ``create`` makes it, if it is not one of automata alone: it is called as `da_create` is. At most
    so many signals are watched ``outside``, and so many functions switch there.
    """

    def __init__(
        self,
        lib: ctypes.CDLL,
        structure: Structure,
        options: COptions,
        create: Callable[..., int] | None = None,
        outside: int = 0,
        outside_switches: int = 0,
    ) -> None:
        self._functions = structure.counts["switches"] + outside_switches
        self._lib, self.structure, self._handle = lib, structure, c_void_p()
        counts = structure.counts
        self._most = outside + 2 * counts["edges"] + counts["components"] + 1
        made = (create or lib.da_create)(byref(structure.c), byref(options), byref(self._handle))
        code = Code(made)
        if code is not Code.OK:
            raise SolverError(f"no native engine: {code.name.lower()}")
        own(self, self._handle, lib.da_destroy)
        self._numbers = int(lib.da_number_count(byref(structure.c)))

    @property
    def handle(self) -> c_void_p:
        """What the functions of the library take."""
        return self._handle

    def set(self, numbers: Array, time: float, x: Array, positions: Ints) -> None:
        """Begin anew with these numbers and this state."""
        assert numbers.size == self._numbers
        assert x.size == self.structure.counts["variables"]
        assert positions.dtype == np.int32
        assert positions.size == self.structure.counts["components"]
        self._lib.da_set_numbers(self._handle, np.ascontiguousarray(numbers).ctypes.data)
        start = np.ascontiguousarray(x, dtype=np.float64)
        self._lib.da_set_state(self._handle, time, start.ctypes.data, positions.ctypes.data)

    def set_host(self, host: ctypes.Structure) -> None:
        """Who answers what C cannot; it must be kept as long as the engine runs."""
        self._lib.da_set_host(self._handle, byref(host))

    @property
    def state(self) -> Array:
        """The present values of the variables."""
        out = np.empty(self.structure.counts["variables"])
        self._lib.da_get_state(self._handle, out.ctypes.data)
        return out

    @property
    def positions(self) -> list[int]:
        """The present places of the components."""
        out = (c_int * self.structure.counts["components"])()
        self._lib.da_get_positions(self._handle, out)
        return list(out)

    def move(self, number: int) -> list[int]:
        """The edges of one of the moves that may be taken; with -1, of the one that was chosen."""
        out = (c_int * (self.structure.counts["components"] + 1))()
        return list(out[: self._lib.da_move(self._handle, number, out)])

    def run(self, until: float) -> Code:
        """Jumps and stretches of time by turns, to ``until``."""
        return Code(self._lib.da_run(self._handle, until))

    def columns(self, *, waiting: bool) -> list[Column]:
        """The signals that are watched in the present location."""
        kinds, watches = (c_int * self._most)(), (c_int * self._most)()
        count = self._lib.da_columns(self._handle, waiting, kinds, watches)
        return list(zip(map(Signal, kinds[:count]), watches[:count], strict=True))

    def blank(self) -> Remembered:
        """Nothing to remember, with room for everything."""
        counts, atoms = self.structure.counts, int(self.structure.rows["watch_first"][-1])
        return Remembered(
            settled=False,
            flowing=False,
            waiting=False,
            since=0.0,
            tick_begin=0.0,
            ticks=0,
            resting=np.zeros(self._most, dtype=np.int32),
            turned=np.zeros(self._most, dtype=np.int32),
            approach=np.ones(atoms),
            sides=np.empty(0),
            behind=np.zeros(counts["edges"], dtype=np.int32),
        )

    def remembered(self) -> Remembered:
        """Where a run that stopped can go on."""
        found = self.blank()
        told = found.in_c()
        self._lib.da_get_memory(self._handle, byref(told))
        count = len(self.columns(waiting=bool(told.waiting))) if told.flowing else 0
        return replace(
            found,
            settled=bool(told.settled),
            flowing=bool(told.flowing),
            waiting=bool(told.waiting),
            since=float(told.since),
            tick_begin=float(told.tick_begin),
            ticks=int(told.ticks),
            resting=found.resting[:count],
            turned=found.turned[:count],
            sides=self.sides if told.flowing else np.empty(0),
        )

    @property
    def sides(self) -> Array:
        """The values of functions that switch in this stretch of time."""
        out = np.empty(self._functions)
        return out[: self._lib.da_get_sides(self._handle, out.ctypes.data)]

    @property
    def switching(self) -> tuple[int, list[int], float]:
        """Why the run cannot go on beyond a switch, of which functions, and when they pile up."""
        flags, end = np.zeros(self._functions, dtype=np.int32), c_double()
        reason = self._lib.da_switching(self._handle, flags.ctypes.data, byref(end))
        return int(reason), np.flatnonzero(flags).tolist(), float(end.value)

    @property
    def is_flowing(self) -> bool:
        """Whether the run has stopped in the middle of a stretch of time."""
        return bool(self._lib.da_is_flowing(self._handle))

    def go_on(self, found: Remembered) -> None:
        """Go on from there, after the state was set and a log is kept."""
        told = found.in_c()
        self._lib.da_go_on(self._handle, byref(told))

    @property
    def time(self) -> float:
        """The present time (s)."""
        return float(self._lib.da_time(self._handle))

    @property
    def events(self) -> int:
        """How many events there have been."""
        return int(self._lib.da_events(self._handle))

    @property
    def counts(self) -> dict[str, int]:
        """How many steps and so on there have been."""
        out = (c_long * len(COUNTS))()
        self._lib.da_counts(self._handle, out)
        return dict(zip(COUNTS, out, strict=True))

    @property
    def crossed(self) -> tuple[int, ...]:
        """The numbers of the watched signals that ended the last arc."""
        out = (c_int * self._most)()
        return tuple(out[: self._lib.da_crossed(self._handle, out)])

    @property
    def failure(self) -> tuple[int, int]:
        """Why the solver stopped, and which variable or signal is to blame, or -1."""
        reason, variable = c_int(), c_int()
        self._lib.da_failure(self._handle, byref(reason), byref(variable))
        return reason.value, variable.value

    def keep_log(self) -> None:
        """Write all that happens to the log, from now on."""
        self._lib.da_keep_log(self._handle, 1)

    def take_log(self) -> Array:
        """What has been written since it was taken last."""
        out = np.empty(self._lib.da_log_used(self._handle))
        if out.size:
            self._lib.da_take_log(self._handle, out.ctypes.data)
        return out

    def run_rows(self, rows: CRows, until: float, go_on: Callable[[], bool]) -> bool:
        """Run all rows of the arrays; whether none was left out because it was not to go on."""
        at, resume = 0, 0
        while at < rows.count:
            if not go_on():
                return False
            done = self._lib.da_run_rows(self._handle, byref(rows.c), at, rows.count, resume, until)
            at, resume = done, 1
        return True
