"""Time a call and say what came of it; runs in every environment, so it needs Python alone."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from typing import Any

Answer = dict[str, Any]  # as it goes through JSON


def best(
    function: Callable[[], object], *, batches: int = 40, seconds: float = 0.02, wall: bool = False
) -> float:
    """The shortest time of one call (s), over batches that last about ``seconds`` each.

    Processor time, because the machine is shared: for one thread that computes it is the time that
    would pass undisturbed. Where threads work together only the wall clock tells (``wall``).
    """
    clock = time.perf_counter if wall else time.process_time
    if batches > 1:
        function()  # caches, compilers
    calls = max(1, round(seconds / max(once(function), 1e-9)))
    batches = batches if calls > 1 else min(batches, 20)
    return min(once(function, calls, clock) for _ in range(batches)) / calls


def once(
    function: Callable[[], object],
    calls: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """How long ``calls`` calls take together (s)."""
    gc.collect()
    start = clock()
    for _ in range(calls):
        function()
    return clock() - start


def say(*answers: Answer) -> None:
    """Print answers for the process that asked; the last line of the output."""
    sys.stdout.flush()
    print("\n" + json.dumps(answers), flush=True)
