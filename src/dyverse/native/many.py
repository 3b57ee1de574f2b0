"""Many runs of one world in one call: settings in, arrays out, on all cores.

Every run is computed by itself, in an engine that begins anew, and written to its own rows: the
result does not depend on the number of workers. Threads suffice, because the C runtime runs without
the interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from queue import SimpleQueue
from threading import Event

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Stop
from dyverse.bodies.world import World
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.native.engine import DEFAULTS, STOPS, Options, c_options
from dyverse.native.library import Code, CRows, Engine
from dyverse.native.model import NativeModel, native_model
from dyverse.native.preparation import Prepared, Settings, prepare

KINDS = ("", "impact", "accumulation", "touch", "release", "stick", "slip", "graze")
BATCH = 64  # runs between two looks at whether to go on, at most
UNFINISHED = (Code.OK, Code.PAUSED)  # what is in the rows of runs that were not to be finished

Progress = Callable[[int, int], bool]  # (runs done, runs in all) -> whether to go on


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Many:
    """What became of n runs; rows are runs."""

    variables: tuple[str, ...]
    contacts: tuple[str, ...]
    properties: tuple[str, ...]
    codes: NDArray[np.int32]  # (n,) how each ended, a `Code`
    times: Array  # (n,) when (s)
    final: Array  # (n, variables)
    counts: NDArray[np.int64]  # (n,) events
    paths: NDArray[np.uint64]  # (n,) the same for runs with the same events at the same contacts
    event_times: Array  # (n, limit), not a number after the last
    event_kinds: NDArray[np.int32]  # (n, limit), an index into `KINDS`, 0 after the last
    event_contacts: NDArray[np.int32]  # (n, limit, 2): its first contact, and how many there are
    least: Array  # (n, properties) the least depth: negative where the property failed
    least_at: Array  # (n, properties) when that was (s)
    failed_at: Array  # (n, properties) when the property first failed (s), or not a number

    @property
    def stops(self) -> tuple[Stop | None, ...]:
        """Why each run ended; None for a run that is an error (see `codes`)."""
        known = STOPS | dict.fromkeys(UNFINISHED, Stop.INTERRUPTED)
        return tuple(known.get(Code(code)) for code in self.codes.tolist())

    def column(self, variable: str) -> Array:
        """The final value of one variable in every run."""
        return np.asarray(self.final[:, self.variables.index(variable)])

    def path(self, run: int) -> str:
        """The events of one run in words, as far as they were kept: ``impact ball-floor, …``."""
        kept = min(int(self.counts[run]), self.event_kinds.shape[1])
        words = [
            f"{KINDS[kind]} {self.contacts[first]}" + (f" and {count - 1} more" * (count > 1))
            for kind, (first, count) in zip(
                self.event_kinds[run, :kept].tolist(),
                self.event_contacts[run, :kept].tolist(),
                strict=True,
            )
        ]
        return ", ".join(words + ["…"] * bool(kept < self.counts[run]))


def simulate_many(
    model: World | RigidBodyAutomaton,
    settings: Settings,
    *,
    until: float,
    events: int = 64,
    workers: int | None = None,
    options: Options = DEFAULTS,
    progress: Progress | None = None,
) -> Many:
    """Run ``model`` once for each of ``settings``; of each the first ``events`` are kept.

    ``settings`` is a list of settings by name, or columns: ``{"K": [1.0, 1.5, 2.0]}``. They mean
    what they mean to `dyverse.generation.automaton.generate`; a row that cannot be is a
    `ModelError` that names it. When ``progress`` says no, the runs that are left stop as
    `Stop.INTERRUPTED`.
    """
    base = model if isinstance(model, RigidBodyAutomaton) else RigidBodyAutomaton(model)
    native = native_model(base.world, base.scene)
    prepared = prepare(base, native, settings)
    result = _empty(base, native, len(prepared), events)
    count = max(1, min(workers or os.cpu_count() or 1, len(prepared)))
    chosen = c_options(native, base, options)
    engines: SimpleQueue[Engine] = SimpleQueue()
    for _ in range(count):
        engines.put(Engine(native.library, native.structure, chosen))
    _share_out(_Work(prepared, result, until, engines), count, progress)
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """Runs to be done, and idle engines to do them; whoever wants to stop it sets ``cancelled``."""

    prepared: Prepared
    result: Many
    until: float
    engines: SimpleQueue[Engine]
    cancelled: Event = field(default_factory=Event)

    def batch(self, first: int, last: int) -> int:
        """Run some of them; how many."""
        engine = self.engines.get()
        try:
            engine.run_rows(self._rows(first, last), self.until, self._goes_on)
        finally:
            self.engines.put(engine)
        return last - first

    def _goes_on(self) -> bool:
        return not self.cancelled.is_set()

    def _rows(self, first: int, last: int) -> CRows:
        numbers, starts = self.prepared.rows(first, last)
        mine = {
            part.name: getattr(self.result, part.name)[first:last]
            for part in fields(Many)
            if part.name not in ("variables", "contacts", "properties")
        }
        finals = mine.pop("final")
        room = self.result.event_times.shape[1]
        return CRows(last - first, room, numbers=numbers, starts=starts, finals=finals, **mine)


def _share_out(work: _Work, workers: int, progress: Progress | None) -> None:
    """All runs, batch by batch, in as many threads as there are workers."""
    total, done = len(work.prepared), 0
    size = max(1, min(BATCH, total // (4 * workers)))
    with ThreadPoolExecutor(workers) as pool:
        parts = [
            pool.submit(work.batch, first, min(first + size, total))
            for first in range(0, total, size)
        ]
        try:
            for part in parts:
                done += part.result()
                if progress is not None and not progress(done, total):
                    work.cancelled.set()
                    progress = None
        except BaseException:  # also Ctrl-C: let the workers stop before the pool waits for them
            work.cancelled.set()
            raise


def _empty(base: RigidBodyAutomaton, native: NativeModel, n: int, events: int) -> Many:
    properties = native.code.properties
    return Many(
        variables=base.variables,
        contacts=base.contacts,
        properties=properties,
        codes=np.zeros(n, dtype=np.int32),
        times=np.zeros(n),
        final=np.zeros((n, len(base.variables))),
        counts=np.zeros(n, dtype=np.int64),
        paths=np.zeros(n, dtype=np.uint64),
        event_times=np.full((n, events), np.nan),
        event_kinds=np.zeros((n, events), dtype=np.int32),
        event_contacts=np.zeros((n, events, 2), dtype=np.int32),
        least=np.full((n, len(properties)), np.inf),
        least_at=np.full((n, len(properties)), np.nan),
        failed_at=np.full((n, len(properties)), np.nan),
    )
