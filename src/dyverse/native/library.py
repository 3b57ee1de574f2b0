"""The shared object in this process, through ctypes: the functions of ``c/dyverse.h``."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from ctypes import byref, c_double, c_int, c_long, c_ulong, c_ulonglong, c_void_p
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.errors import SolverError
from dyverse.native.cache import forget
from dyverse.native.compile import FLAGS, compiled
from dyverse.native.errors import CompileError
from dyverse.native.owning import own

Ints = NDArray[np.int32]
Signatures = dict[str, tuple[type | None, list[type]]]
VERSION = 5
NATIVE = "native"  # what runs say of who followed them


class Code(IntEnum):
    """What a call came back with: `dv_code`."""

    OK = 0
    EVENT = 1
    HORIZON = 2
    LOG_FULL = 3
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
    CHATTERING = 14
    NO_MEMORY = 20
    BAD_MODEL = 21


_REALS = (
    *("gap", "speed", "slip", "acceleration", "rest"),
    *("relative", "absolute", "longest_step", "graze", "depth", "lift", "drift"),
)
_COUNTS = ("intervals", "samples", "max_events", "max_jumps", "max_steps")
_SIZES = ("bodies", "moving", "contacts", "settings", "properties", "room", "impact")
_TABLES = ("place", "ends", "kind", "law", "smooth", "flat")


class COptions(ctypes.Structure):
    """`dv_options`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        *((name, c_double) for name in _REALS),
        *((name, c_int) for name in _COUNTS),
    ]


class CStructure(ctypes.Structure):
    """`dv_structure`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        *((name, c_int) for name in _SIZES),
        *((name, c_void_p) for name in _TABLES),
    ]


_ROWS = (
    *("numbers", "starts", "codes", "times", "finals", "counts", "paths", "room"),
    *("event_times", "event_kinds", "event_contacts", "least", "least_at", "failed_at"),
)


class _CRows(ctypes.Structure):
    """`dv_runs`."""

    _fields_: ClassVar[Sequence[tuple[str, type]]] = [
        (name, c_int if name == "room" else c_void_p) for name in _ROWS
    ]


class CRows:
    """The arrays of a `dv_runs`, kept alive with it."""

    def __init__(self, count: int, room: int, **arrays: NDArray[np.generic]) -> None:
        assert all(array.flags.c_contiguous and len(array) == count for array in arrays.values())
        self.count, self._arrays = count, arrays
        self.c = _CRows(room=room, **{name: a.ctypes.data for name, a in arrays.items()})


_SIGNATURES: Signatures = {
    "dv_version": (c_int, []),
    "dv_defaults": (None, [c_void_p]),
    "dv_number_count": (c_int, [c_void_p]),
    "dv_create": (c_int, [c_void_p, c_void_p, c_void_p]),
    "dv_destroy": (None, [c_void_p]),
    "dv_set_numbers": (None, [c_void_p, c_void_p]),
    "dv_set_state": (None, [c_void_p, c_double, c_void_p]),
    "dv_set_location": (c_int, [c_void_p, c_void_p, c_void_p]),
    "dv_time": (c_double, [c_void_p]),
    "dv_get_state": (None, [c_void_p, c_void_p]),
    "dv_get_modes": (None, [c_void_p, c_void_p]),
    "dv_derivatives": (c_int, [c_void_p, c_double, c_void_p, c_void_p]),
    "dv_indicators": (c_int, [c_void_p, c_double, c_void_p, c_void_p]),
    "dv_event_update": (c_int, [c_void_p]),
    "dv_step": (c_int, [c_void_p, c_double]),
    "dv_run": (c_int, [c_void_p, c_double]),
    "dv_get_memory": (c_int, [c_void_p] * 4),
    "dv_go_on": (None, [c_void_p, c_int, c_int, c_double, c_void_p, c_void_p]),
    "dv_get_sides": (c_int, [c_void_p, c_void_p]),
    "dv_set_sides": (None, [c_void_p, c_void_p]),
    "dv_switching": (c_int, [c_void_p, c_void_p, c_void_p]),
    "dv_saved_size": (c_ulong, [c_void_p]),
    "dv_save": (None, [c_void_p, c_void_p]),
    "dv_restore": (None, [c_void_p, c_void_p]),
    "dv_counts": (None, [c_void_p, c_void_p]),
    "dv_get_properties": (None, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "dv_path": (c_ulonglong, [c_void_p]),
    "dv_set_events": (None, [c_void_p, c_void_p, c_void_p, c_void_p, c_int]),
    "dv_run_rows": (c_long, [c_void_p, c_void_p, c_long, c_long, c_int, c_double]),
    "dv_set_log": (None, [c_void_p, c_void_p, c_long]),
    "dv_log_used": (c_long, [c_void_p]),
}
COUNTS = ("events", "steps", "rejected", "rates", "impacts", "nodes")


@lru_cache(maxsize=64)
def library(model: str, flags: tuple[str, ...] = FLAGS) -> ctypes.CDLL:
    """The library of a model's C text, compiled if need be; twice if the first is no use."""
    return opened(lambda: compiled(model, flags), _loaded)


def opened(build: Callable[[], Path], load: Callable[[Path], ctypes.CDLL]) -> ctypes.CDLL:
    """What ``build`` compiles, loaded; a file that turns out to be no use is built again."""
    path = build()
    try:
        return load(path)
    except OSError:
        forget(path)
    try:
        return load(build())
    except OSError as error:
        raise CompileError(str(error)) from error


def _loaded(path: Path) -> ctypes.CDLL:
    found = with_signatures(path, _SIGNATURES)
    if found.dv_version() != VERSION:
        raise OSError(f"{path} is an engine of another version")
    return found


def with_signatures(path: Path, signatures: Signatures) -> ctypes.CDLL:
    """The library at ``path``, which must have these functions."""
    found = ctypes.CDLL(str(path))
    try:
        for name, (result, arguments) in signatures.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise OSError(f"{path} is not an engine: {error}") from error
    return found


def defaults(lib: ctypes.CDLL) -> COptions:
    """The runtime's own options."""
    options = COptions()
    lib.dv_defaults(byref(options))
    return options


def _address(array: NDArray[np.generic]) -> int:
    """Where an array's numbers are; sooner than ``array.ctypes`` says it."""
    return int(array.__array_interface__["data"][0])


class Structure:
    """The arrays of a `dv_structure`, kept alive with it."""

    def __init__(
        self,
        *,
        place: list[int],
        ends: list[tuple[int, int]],
        kind: list[int],
        law: list[int],
        smooth: list[bool],
        flat: list[bool],
        settings: int,
        properties: int,
        impact: int,
        room: int = 0,
    ) -> None:
        self.bodies, self.moving = len(place), sum(row >= 0 for row in place)
        self.contacts, self.settings, self.properties = len(ends), settings, properties
        self.tables = [
            np.array(rows, dtype=np.int32).ravel()
            for rows in (place, ends, kind, law, smooth, flat)
        ]
        counts = (self.bodies, self.moving, self.contacts, settings, properties, room, impact)
        self.c = CStructure(*counts, *(array.ctypes.data for array in self.tables))

    @property
    def size(self) -> int:
        """The number of state variables."""
        return 12 * self.moving


class Point(IntEnum):
    """Where in its course a run can go on."""

    ARRIVED = 0  # the jumps of this instant are to be taken
    SETTLED = 1  # they have been
    FLOWING = 2  # a stretch of time goes on


POINTS = tuple(Point)


@dataclass(frozen=True, slots=True, eq=False)
class Remembered:
    """What `dv_get_memory` tells; see ``c/dyverse.h``."""

    point: Point
    since: float  # when the stretch of time began (s)
    resting: Ints  # (contacts,)
    ahead: Array  # (contacts, 3)


class Engine:
    """One `dv_engine`; it belongs to one thread at a time."""

    def __init__(self, lib: ctypes.CDLL, structure: Structure, options: COptions) -> None:
        self._lib, self.structure, self._handle = lib, structure, c_void_p()
        code = Code(lib.dv_create(byref(structure.c), byref(options), byref(self._handle)))
        if code is not Code.OK:
            raise SolverError(f"no native engine: {code.name.lower()}")
        own(self, self._handle, lib.dv_destroy)
        self._kept: list[object] = []
        count = structure.contacts
        self._memory = np.empty(count, dtype=np.int32), np.empty(1 + 3 * count)
        since = _address(self._memory[1])
        self._addresses = since, _address(self._memory[0]), since + 8
        self._log = np.empty(0)
        self._numbers = int(lib.dv_number_count(byref(structure.c)))

    def set(self, numbers: Array, x: Array, time: float = 0.0) -> None:
        """Begin anew with these numbers in free flight at ``x``."""
        given, begin = numbers.tobytes(), x.tobytes()  # sooner than their addresses are found
        assert len(given) == 8 * self._numbers
        assert len(begin) == 8 * self.structure.size
        self._lib.dv_set_numbers(self._handle, given)
        self._lib.dv_set_state(self._handle, time, begin)

    def set_location(self, modes: Ints, held: Array) -> Code:
        """Begin in another location; ``held`` are the forces of its node, (contacts, 3)."""
        assert modes.dtype == np.int32
        return Code(self._lib.dv_set_location(self._handle, modes.ctypes.data, held.ctypes.data))

    def run(self, until: float) -> Code:
        """Event updates and stretches of time by turns, to ``until``."""
        return Code(self._lib.dv_run(self._handle, until))

    def step(self, until: float) -> Code:
        """One stretch of time, to the next event or to ``until``."""
        return Code(self._lib.dv_step(self._handle, until))

    def event_update(self) -> Code:
        """Take all jumps of this instant."""
        return Code(self._lib.dv_event_update(self._handle))

    @property
    def time(self) -> float:
        """The present time (s)."""
        return float(self._lib.dv_time(self._handle))

    @property
    def x(self) -> Array:
        """The present state."""
        out = np.empty(self.structure.size)
        self._lib.dv_get_state(self._handle, out.ctypes.data)
        return out

    @property
    def modes(self) -> Ints:
        """The present location, a mode per contact."""
        out = np.empty(self.structure.contacts, dtype=np.int32)
        self._lib.dv_get_modes(self._handle, out.ctypes.data)
        return out

    @property
    def counts(self) -> dict[str, int]:
        """How many events, steps and so on there have been."""
        out = (c_long * len(COUNTS))()
        self._lib.dv_counts(self._handle, out)
        return dict(zip(COUNTS, out, strict=True))

    @property
    def properties(self) -> tuple[Array, Array, Array]:
        """The least depth of each property so far, when it was, and when it was first negative."""
        found = np.empty((3, self.structure.properties))
        self._lib.dv_get_properties(self._handle, *(row.ctypes.data for row in found))
        least, when, failed = found
        return least, when, failed

    @property
    def path(self) -> int:
        """The same for runs with the same events at the same contacts."""
        return int(self._lib.dv_path(self._handle))

    def derivatives(self, time: float, x: Array) -> Array:
        """dx/dt in the present location."""
        out = np.empty(self.structure.size)
        here = np.ascontiguousarray(x)
        self._lib.dv_derivatives(self._handle, time, here.ctypes.data, out.ctypes.data)
        return out

    def indicators(self, time: float, x: Array) -> Array:
        """The watched signals in the present location, two per contact."""
        out = np.empty((self.structure.contacts, 2))
        here = np.ascontiguousarray(x)
        self._lib.dv_indicators(self._handle, time, here.ctypes.data, out.ctypes.data)
        return out

    def remembered(self) -> Remembered:
        """Where a run that stopped can go on."""
        resting, moments = self._memory
        point = POINTS[self._lib.dv_get_memory(self._handle, *self._addresses)]
        ahead = moments[1:].reshape(-1, 3).copy()
        return Remembered(point, float(moments[0]), resting.copy(), ahead)

    def go_on(self, found: Remembered, *, holds: bool) -> None:
        """Go on from there, after the state and the location were set and a log is kept."""
        assert found.resting.dtype == np.int32
        arrays = found.resting.ctypes.data, found.ahead.ctypes.data
        self._lib.dv_go_on(self._handle, found.point, holds, found.since, *arrays)

    def set_sides(self, sides: Array) -> None:
        """The values of functions that switch, as many as there are; before going on."""
        self._lib.dv_set_sides(self._handle, np.ascontiguousarray(sides).ctypes.data)

    def switching(self, count: int) -> tuple[int, list[int], float]:
        """Why the run cannot go on beyond a switch, of which functions, and when they pile up."""
        flags, end = np.zeros(count, dtype=np.int32), c_double()
        reason = self._lib.dv_switching(self._handle, flags.ctypes.data, byref(end))
        return int(reason), np.flatnonzero(flags).tolist(), float(end.value)

    def save(self) -> bytes:
        """The run so far."""
        out = ctypes.create_string_buffer(self._lib.dv_saved_size(self._handle))
        self._lib.dv_save(self._handle, out)
        return out.raw

    def restore(self, saved: bytes) -> None:
        """Go back to a run that was saved by an engine of the same model."""
        assert len(saved) == self._lib.dv_saved_size(self._handle)
        self._lib.dv_restore(self._handle, saved)

    def record_events(self, times: Array, kinds: Ints, contacts: Ints) -> None:
        """Write the first events of the run to these arrays; contacts are (events, 2)."""
        assert len(times) == len(kinds) == len(contacts)
        assert kinds.dtype == contacts.dtype == np.int32
        self._kept[:1] = [(times, kinds, contacts)]
        arrays = (array.ctypes.data for array in (times, kinds, contacts))
        self._lib.dv_set_events(self._handle, *arrays, len(times))

    def run_rows(self, rows: CRows, until: float, go_on: Callable[[], bool]) -> bool:
        """Run all rows of the arrays; whether none was left out because it was not to go on."""
        at, resume = 0, 0
        while at < rows.count:
            if not go_on():
                return False
            done = self._lib.dv_run_rows(self._handle, byref(rows.c), at, rows.count, resume, until)
            at, resume = done, 1
        return True

    def keep_log(self, room: int) -> None:
        """Write all that happens to a log; the run pauses when it has no room for more."""
        if self._log.size < room:
            self._log = np.empty(room)
        self._lib.dv_set_log(self._handle, _address(self._log), self._log.size)

    def take_log(self) -> Array:
        """What has been written since it was taken last; nobody may write to it any more."""
        used = int(self._lib.dv_log_used(self._handle))
        piece = self._log[:used]
        if used < self._log.size / 2:
            piece = piece.copy()
        else:
            self._log = np.empty(self._log.size)
        self._lib.dv_set_log(self._handle, _address(self._log), self._log.size)
        piece.flags.writeable = False
        return piece
