"""Ctrl-C as an exception that does not get lost.

Python drops an exception in a function that C calls and in a finaliser, and turns one in the making
of a class into another. Here the signal is noted: what is dropped is raised again as soon as it can
be, and whoever catches something else can ask whether it was an interrupt.
"""

from __future__ import annotations

import signal
import sys
import threading
from _thread import interrupt_main
from types import FrameType
from typing import Self

AGAIN = 0.01  # s, after which an interrupt that was dropped is tried once more


class Keyboard:
    """Listens for Ctrl-C in the main thread while it is entered; without ``listens`` to nothing."""

    def __init__(self, *, listens: bool) -> None:
        self._listens = listens
        self.pressed = False

    def __enter__(self) -> Self:
        self._before = sys.unraisablehook
        if self._listens:
            sys.unraisablehook = self._dropped
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        sys.unraisablehook = self._before
        if self._listens:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: Python only tidies up

    def _interrupt(self, _: int, __: FrameType | None) -> None:
        self.pressed = True
        raise KeyboardInterrupt

    def _dropped(self, found: sys.UnraisableHookArgs) -> None:
        if not issubclass(found.exc_type, KeyboardInterrupt):
            self._before(found)
            return
        again = threading.Timer(AGAIN, interrupt_main)  # from here it would be dropped once more
        again.daemon = True
        again.start()
