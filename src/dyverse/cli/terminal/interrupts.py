"""Ctrl-C and progress while a simulation or a map is made.

The first Ctrl-C lets the current step end and keeps everything; the second aborts at once. A bar
appears after a second, on standard error, and only if someone can see it.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from dyverse.cli.terminal.tables import console

PATIENCE = 1.0  # s before a bar appears
REFRESH = 0.1  # s
NOTICE = b"stopping after this step; press Ctrl-C again to abort at once\n"


class Watch:
    """What the simulator asks after each step whether to go on."""

    def __init__(self, until: float, *, visible: bool) -> None:
        self._until = until
        self._visible = visible and console(err=True).is_terminal
        self._started = self._shown = time.monotonic()
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self.interrupts = 0

    def __call__(self, reached: float, events: int) -> bool:
        """Whether to go on; keeps the bar up to date."""
        now = time.monotonic()
        if self._visible and now - self._started > PATIENCE and now - self._shown > REFRESH:
            self._shown = now
            self._show(reached, events)
        return self.interrupts == 0

    def __enter__(self) -> Watch:
        self._main = threading.current_thread() is threading.main_thread()
        if self._main:
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        if self._main:
            signal.signal(signal.SIGINT, self._before)
        if self._bar is not None:
            self._bar.stop()

    def _interrupt(self, _: int, __: FrameType | None) -> None:
        self.interrupts += 1
        if self.interrupts > 1:
            raise KeyboardInterrupt
        os.write(2, NOTICE)  # a handler may have interrupted a write, so none of Python's

    def _show(self, reached: float, events: int) -> None:
        if self._bar is None:
            self._bar = _bar("simulating", "t = {task.fields[at]} s, {task.fields[events]} events")
            self._task = self._bar.add_task("simulating", total=self._until, events=0, at="0")
            self._bar.start()
        self._bar.update(self._task, completed=reached, events=events, at=f"{reached:.4g}")
        self._bar.refresh()


@contextmanager
def counted(things: str, total: int, visible: bool) -> Iterator[Callable[[], None]]:
    """Something to call after each of ``total`` things, which shows how many are done."""
    columns = "mapping", f"{{task.completed:,}} of {{task.total:,}} {things}"
    bar, began, done = _bar(*columns), time.monotonic(), 0
    task = bar.add_task("", total=total)
    shown = began + PATIENCE if visible and console(err=True).is_terminal else math.inf

    def step() -> None:
        nonlocal done, shown
        done += 1
        if (now := time.monotonic()) > shown:
            bar.start()
            shown = now + REFRESH
            bar.update(task, completed=done)
            bar.refresh()

    try:
        yield step
    finally:
        if bar.live.is_started:
            bar.stop()


def _bar(doing: str, reached: str) -> Progress:
    return Progress(
        TextColumn(doing),
        BarColumn(),
        TextColumn(reached),
        TimeRemainingColumn(),
        console=console(err=True),
        transient=True,
        auto_refresh=False,
    )
