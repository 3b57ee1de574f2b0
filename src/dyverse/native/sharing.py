"""Many runs on all cores: batches of rows, and idle engines to do them.

Every run is computed by itself, in an engine that begins anew, and written to its own rows: the
result does not depend on the number of workers. Threads suffice, because the C runtime runs without
the interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event
from typing import Generic, Protocol, TypeVar

BATCH = 64  # runs between two looks at whether to go on, at most

Progress = Callable[[int, int], bool]  # (runs done, runs in all) -> whether to go on
Rows = TypeVar("Rows")
Taken = TypeVar("Taken", contravariant=True)


class RowEngine(Protocol[Taken]):
    """An engine that does many runs in one call."""

    def run_rows(self, rows: Taken, until: float, go_on: Callable[[], bool]) -> bool:
        """Run all rows of the arrays; whether none was left out because it was not to go on."""


@dataclass(frozen=True, slots=True, eq=False)
class Work(Generic[Rows]):
    """Runs to be done; ``rows`` gives the arrays of those from the first to before the last."""

    total: int
    rows: Callable[[int, int], Rows]
    engine: Callable[[], RowEngine[Rows]]
    until: float
    idle: SimpleQueue[RowEngine[Rows]] = field(default_factory=SimpleQueue)
    cancelled: Event = field(default_factory=Event)

    def batch(self, first: int, last: int) -> int:
        """Run some of them; how many."""
        engine = self.idle.get()
        try:
            engine.run_rows(self.rows(first, last), self.until, self._goes_on)
        finally:
            self.idle.put(engine)
        return last - first

    def _goes_on(self) -> bool:
        return not self.cancelled.is_set()


def share_out(work: Work[Rows], workers: int | None, progress: Progress | None) -> None:
    """All runs, batch by batch, in as many threads as there are workers."""
    count = max(1, min(workers or os.cpu_count() or 1, work.total))
    size, done = max(1, min(BATCH, work.total // (4 * count))), 0
    for _ in range(count):
        work.idle.put(work.engine())
    with ThreadPoolExecutor(count) as pool:
        parts = [
            pool.submit(work.batch, first, min(first + size, work.total))
            for first in range(0, work.total, size)
        ]
        try:
            for part in parts:
                done += part.result()
                if progress is not None and not progress(done, work.total):
                    work.cancelled.set()
                    progress = None
        except BaseException:  # also Ctrl-C: let the workers stop before the pool waits for them
            work.cancelled.set()
            raise
