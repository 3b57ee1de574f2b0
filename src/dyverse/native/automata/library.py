"""The shared object of an automaton in this process: the functions of ``automata.h``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.native.automata.tables import Tables
from dyverse.native.compile import COURSE, FLAGS, SOURCES, Runtime, compiled
from dyverse.native.header import C, c_struct, doubles, headers, ints
from dyverse.native.library import Ints, created, opened
from dyverse.native.running import Running

RUNTIME = Runtime(SOURCES / "automata", "automata", (SOURCES,), (COURSE,))


class CRows:
    """The arrays of a `da_runs`, kept alive with it; ``positions`` is one row for all."""

    def __init__(
        self, count: int, room: int, positions: Ints, **arrays: NDArray[np.generic]
    ) -> None:
        assert all(array.flags.c_contiguous and len(array) == count for array in arrays.values())
        self.count, self._arrays = count, {**arrays, "positions": positions}
        self.c = c_struct("da_runs", self._arrays, room=room)


class Structure:
    """The arrays of a `da_structure`, kept alive with it."""

    def __init__(self, tables: Tables) -> None:
        self.counts: Mapping[str, int] = tables.counts
        self.rows = {name: np.array(row, dtype=np.int32) for name, row in tables.rows.items()}
        self.c = c_struct("da_structure", self.rows, **tables.counts)


@lru_cache(maxsize=64)
def automaton_library(model: str, flags: tuple[str, ...] = FLAGS) -> C:
    """The library of an automaton's C text, compiled if need be."""
    return opened(lambda: compiled(model, flags, RUNTIME), "da")


class Signal(IntEnum):
    """What a watched signal belongs to."""

    ALONE = 0
    SENDER = 1
    HEARD = 2
    INVARIANT = 3
    URGENT = 4
    OUTSIDE = 5


Column = tuple[Signal, int]  # and the number of its edge, or of one outside


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

    def in_c(self) -> C:
        """As the runtime takes it, a `da_memory`; the arrays are this one's."""
        flags = {"settled": self.settled, "flowing": self.flowing, "waiting": self.waiting}
        times = {"since": self.since, "tick_begin": self.tick_begin, "ticks": self.ticks}
        arrays = {"resting": self.resting, "turned": self.turned, "behind": self.behind}
        values = {"approach": self.approach, "side_values": self.sides}
        return c_struct("da_memory", {**arrays, **values}, sides=len(self.sides), **flags, **times)


class Engine(Running):
    """One `da_engine`.

    ``create`` makes it, if it is not one of automata alone: it is called as `da_create` is. So many
    functions switch outside.
    """

    def __init__(
        self,
        lib: C,
        structure: Structure,
        options: C,
        create: Callable[..., int] | None = None,
        outside_switches: int = 0,
    ) -> None:
        self.structure = structure
        make = create or lib.da_create
        handle = created(lib.da_destroy, "da_engine", make, structure.c, options)
        size, signals = structure.counts["variables"], lib.da_indicator_count(handle)
        switches = structure.counts["switches"] + outside_switches
        super().__init__(lib, "da", handle, size=size, signals=signals, switches=switches)
        self._numbers = int(lib.da_number_count(structure.c))

    def set(self, numbers: Array, time: float, x: Array, positions: Ints) -> None:
        """Begin anew with these numbers and this state."""
        assert numbers.size == self._numbers
        assert x.size == self.structure.counts["variables"]
        assert positions.size == self.structure.counts["components"]
        self._lib.da_set_numbers(self._handle, doubles(np.ascontiguousarray(numbers)))
        start = np.ascontiguousarray(x, dtype=np.float64)
        self._lib.da_set_state(self._handle, time, doubles(start), ints(positions))

    def set_host(self, host: C) -> None:
        """Who answers what C cannot, a `da_host`; its functions must be kept while it runs."""
        self._lib.da_set_host(self._handle, host)

    @property
    def positions(self) -> list[int]:
        """The present places of the components."""
        out = headers().new("int[]", self.structure.counts["components"])
        self._lib.da_get_positions(self._handle, out)
        return list(out)

    def move(self, number: int) -> list[int]:
        """The edges of one of the moves that may be taken; with -1, of the one that was chosen."""
        out = headers().new("int[]", self.structure.counts["components"] + 1)
        return list(out[0 : self._lib.da_move(self._handle, number, out)])

    def columns(self, *, waiting: bool) -> list[Column]:
        """The signals that are watched in the present location."""
        kinds, watches = (headers().new("int[]", self._signals) for _ in range(2))
        count = self._lib.da_columns(self._handle, waiting, kinds, watches)
        return list(zip(map(Signal, kinds[0:count]), watches[0:count], strict=True))

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
            resting=np.zeros(self._signals, dtype=np.int32),
            turned=np.zeros(self._signals, dtype=np.int32),
            approach=np.ones(atoms),
            sides=np.empty(0),
            behind=np.zeros(counts["edges"], dtype=np.int32),
        )

    def remembered(self) -> Remembered:
        """Where a run that stopped can go on."""
        found = self.blank()
        told = found.in_c()
        self._lib.da_get_memory(self._handle, told)
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
        out = np.empty(self._switches)
        return out[: self._lib.da_get_sides(self._handle, doubles(out))]

    @property
    def is_flowing(self) -> bool:
        """Whether the run has stopped in the middle of a stretch of time."""
        return bool(self._lib.da_is_flowing(self._handle))

    def go_on(self, found: Remembered) -> None:
        """Go on from there, after the state was set and a log is kept."""
        self._lib.da_go_on(self._handle, found.in_c())

    @property
    def events(self) -> int:
        """How many events there have been."""
        return int(self._lib.da_events(self._handle))

    @property
    def crossed(self) -> tuple[int, ...]:
        """The numbers of the watched signals that ended the last arc."""
        out = headers().new("int[]", self._signals)
        return tuple(out[0 : self._lib.da_crossed(self._handle, out)])

    @property
    def failure(self) -> tuple[int, int]:
        """Why the solver stopped, and which variable or signal is to blame, or -1."""
        reason, variable = (headers().new("int *") for _ in range(2))
        self._lib.da_failure(self._handle, reason, variable)
        return int(reason[0]), int(variable[0])
