"""The shared object in this process: the functions of ``c/dyverse.h``."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dyverse.automaton.interface import Array
from dyverse.errors import SolverError
from dyverse.native.cache import forget
from dyverse.native.compile import FLAGS, compiled
from dyverse.native.errors import CompileError
from dyverse.native.header import C, c_struct, doubles, headers, ints
from dyverse.native.joints import JointTables
from dyverse.native.running import Code, Running

Ints = NDArray[np.int32]
NATIVE = "native"  # what runs say of who followed them

# What knows a library last may let go of it before its engine, whose end is code of the library.
NOW, FOR_EVER = (getattr(os, f"RTLD_{word}", 0) for word in ("NOW", "NODELETE"))


class CRows:
    """The arrays of a `dv_runs`, kept alive with it."""

    def __init__(self, count: int, room: int, **arrays: NDArray[np.generic]) -> None:
        assert all(array.flags.c_contiguous and len(array) == count for array in arrays.values())
        self.count, self._arrays = count, arrays
        self.c = c_struct("dv_runs", arrays, room=room)


@lru_cache(maxsize=64)
def library(model: str, flags: tuple[str, ...] = FLAGS) -> C:
    """The library of a model's C text, compiled if need be; twice if the first is no use."""
    return opened(lambda: compiled(model, flags), "dv")


def opened(build: Callable[[], Path], prefix: str) -> C:
    """What ``build`` compiles, loaded; a file that turns out to be no use is built again.

    It is some if its version, of the functions with this ``prefix``, is that of the header.
    """
    path = build()
    try:
        return _loaded(path, prefix)
    except OSError:
        forget(path)
    try:
        return _loaded(build(), prefix)
    except OSError as error:
        raise CompileError(str(error)) from error


def _loaded(path: Path, prefix: str) -> C:
    found = headers().dlopen(str(path), NOW | FOR_EVER)
    try:
        version = getattr(found, f"{prefix}_version")()
    except AttributeError as error:
        raise OSError(f"{path} is not an engine: {error}") from error
    if version != headers().integer_const(f"{prefix.upper()}_VERSION"):
        raise OSError(f"{path} is an engine of another version")
    return found


def defaults(lib: C) -> C:
    """The runtime's own options, a `dv_options`."""
    options = headers().new("dv_options *")
    lib.dv_defaults(options)
    return options


class Structure:
    """The arrays of a `dv_structure`, kept alive with it."""

    def __init__(
        self,
        *,
        place: list[int],
        oriented: list[bool],
        driven: list[int],
        ends: ArrayLike,
        kind: ArrayLike,
        law: ArrayLike,
        smooth: ArrayLike,
        flat: ArrayLike,
        linked: ArrayLike,
        resists: ArrayLike,
        single: ArrayLike,
        joints: JointTables,
        settings: int,
        properties: int,
        impact: int,
        shape: int,
        room: int = 0,
    ) -> None:
        self.bodies, self.moving = len(place), sum(row >= 0 for row in place)
        self.settings, self.properties = settings, properties
        sizes = (12 + turns for row, turns in zip(place, oriented, strict=True) if row >= 0)
        self.size = sum(sizes) + joints.angles
        rows: dict[str, ArrayLike] = {
            "place": place,
            "oriented": oriented,
            "driven": driven,
            "ends": ends,
            "kind": kind,
            "law": law,
        }
        rows |= {"smooth": smooth, "flat": flat, "linked": linked}
        rows |= {"resists": resists, "single": single}
        rows |= joints.tables
        self.tables = {name: np.array(row, dtype=np.int32) for name, row in rows.items()}
        self.contacts = len(self.tables["kind"])
        self.counts = {"bodies": self.bodies, "moving": self.moving, "contacts": self.contacts}
        self.counts |= {"settings": settings, "impact": impact, "shape": shape}
        self.counts |= {"joints": joints.joints, "angles": joints.angles}
        watched = {"properties": properties, "room": room}
        self.c = c_struct("dv_structure", self.tables, **self.counts, **watched)


class Point(IntEnum):
    """Where in its course a run can go on."""

    ARRIVED = 0  # the jumps of this instant are to be taken
    SETTLED = 1  # they have been
    FLOWING = 2  # a stretch of time goes on


POINTS = tuple(Point)


class Remembered(NamedTuple):
    """What `dv_get_memory` tells; see ``c/dyverse.h``."""

    point: Point
    since: float  # when the stretch of time began (s)
    resting: Ints  # (contacts,)
    ahead: Array  # (contacts, 3)


def created(destroy: C, kind: str, create: C, *arguments: C) -> C:
    """What ``create`` makes of these arguments; it goes by ``destroy`` with its last reference.

    That is a function of C, so that no Ctrl-C is lost in it.
    """
    place = headers().new(f"{kind} **")
    if (code := Code(create(*arguments, place))) is not Code.OK:
        raise SolverError(f"no native engine: {code.name.lower()}")
    return headers().gc(place[0], destroy)


class Engine(Running):
    """One `dv_engine`."""

    def __init__(self, lib: C, structure: Structure, options: C) -> None:
        self.structure = structure
        handle = created(lib.dv_destroy, "dv_engine", lib.dv_create, structure.c, options)
        size, signals, switches = structure.size, 2 * structure.contacts, lib.dv_model_switches()
        super().__init__(lib, "dv", handle, size=size, signals=signals, switches=switches)
        self._kept: list[object] = []
        self._numbers = int(lib.dv_number_count(structure.c))
        self._given: tuple[Array | None, C] = (None, None)  # the numbers of the last run, and where
        self._began: tuple[Array | None, C] = (None, None)  # the same of its start
        count = structure.contacts
        self._since = headers().new("double *")
        self._resting, self._ahead = np.empty(count, dtype=np.int32), np.empty((count, 3))
        self._memory = self._since, ints(self._resting), doubles(self._ahead)

    def set(self, numbers: Array, x: Array, time: float = 0.0) -> None:
        """Begin anew with these numbers in free flight at ``x``."""
        assert x.size == self.structure.size
        if self._given[0] is not numbers:
            assert numbers.size == self._numbers
            self._given = numbers, doubles(numbers)
        if self._began[0] is not x:
            self._began = x, doubles(x)
        self._lib.dv_set_numbers(self._handle, self._given[1])
        self._lib.dv_set_state(self._handle, time, self._began[1])

    def set_location(self, modes: Ints, held: Array) -> Code:
        """Begin in another location; ``held`` are the forces of its node, (contacts, 3)."""
        return Code(self._lib.dv_set_location(self._handle, ints(modes), doubles(held)))

    @property
    def modes(self) -> Ints:
        """The present location, a mode per contact."""
        out = np.empty(self.structure.contacts, dtype=np.int32)
        self._lib.dv_get_modes(self._handle, ints(out))
        return out

    @property
    def properties(self) -> tuple[Array, Array, Array]:
        """The least depth of each property so far, when it was, and when it was first negative."""
        least, when, failed = found = np.empty((3, self.structure.properties))
        self._lib.dv_get_properties(self._handle, *map(doubles, found))
        return least, when, failed

    @property
    def path(self) -> int:
        """The same for runs with the same events at the same contacts."""
        return int(self._lib.dv_path(self._handle))

    def remembered(self) -> Remembered:
        """Where a run that stopped can go on."""
        point = self._lib.dv_get_memory(self._handle, *self._memory)
        resting, ahead = self._resting.copy(), self._ahead.copy()  # other runs write there, too
        return Remembered(POINTS[point], self._since[0], resting, ahead)

    def go_on(self, found: Remembered, *, holds: bool) -> None:
        """Go on from there, after the state and the location were set and a log is kept."""
        arrays = ints(found.resting), doubles(found.ahead)
        self._lib.dv_go_on(self._handle, found.point, holds, found.since, *arrays)

    def set_sides(self, sides: Array) -> None:
        """The values of functions that switch, as many as there are; before going on."""
        self._lib.dv_set_sides(self._handle, doubles(sides))

    def record_events(self, times: Array, kinds: Ints, contacts: Ints) -> None:
        """Write the first events of the run to these arrays; contacts are (events, 2)."""
        assert len(times) == len(kinds) == len(contacts)
        self._kept[:] = arrays = [doubles(times), ints(kinds), ints(contacts)]
        self._lib.dv_set_events(self._handle, *arrays, len(times))
