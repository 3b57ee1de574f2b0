"""Ctrl-C that is not lost, wherever it comes.

Python raises `KeyboardInterrupt` wherever the program happens to be. If that is a function that C
has called, the exception cannot pass: IPOPT takes it for a failed search, and cffi prints it and
answers C with anything. While such code runs, Ctrl-C is `Held` back. Raised in a destructor, or in
a library that catches all, it goes no further: whoever must not go on then is `Insistent`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType

Handler = Callable[[int, FrameType | None], object]


def _hearer() -> Handler | None:
    """Who hears of Ctrl-C: nobody in other threads, or where it is ignored or kills."""
    if threading.current_thread() is not threading.main_thread():
        return None
    found = signal.getsignal(signal.SIGINT)
    return found if callable(found) else None


class Held:
    """While it is entered Ctrl-C is only noted; on leaving it is raised, if there was one."""

    def __init__(self) -> None:
        self.heard = False
        self._before: Handler | None = None  # who is not to hear of it; None: it is not held

    def __enter__(self) -> Held:
        self.heard, self._before = False, _hearer()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is None:
            return
        signal.signal(signal.SIGINT, self._before)
        self._before = None
        if self.heard:
            signal.raise_signal(signal.SIGINT)

    def release(self) -> None:
        """From here on Ctrl-C is heard as usual, also one that was noted; until `hold`."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self.heard:
            raise KeyboardInterrupt

    def hold(self) -> None:
        """From here on it is only noted again; outside of the block this does nothing."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._note)

    def _note(self, _: int, __: FrameType | None) -> None:
        self.heard = True


class Insistent:
    """While it is entered no Ctrl-C comes to nothing.

    One that went no further is raised again by `insist`. Whoever leaves this normally, or with
    another exception, leaves it with `KeyboardInterrupt` if there has been one: no answer that was
    found after Ctrl-C is given.
    """

    def __init__(self) -> None:
        self.heard = self.pending = False
        self._before: Handler | None = None

    def __enter__(self) -> Insistent:
        self._before = _hearer()
        if self._before is not None:
            _INSISTENT.append(self)
            signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if self._before is None:
            return
        signal.signal(signal.SIGINT, self._before)
        _INSISTENT.remove(self)
        if self.heard and not isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt from error

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = self.pending = True
        assert self._before is not None
        self._before(number, frame)


_INSISTENT: list[Insistent] = []


def insist() -> None:
    """Raise a Ctrl-C that has come to nothing, if someone insists on it."""
    if not _INSISTENT or threading.current_thread() is not threading.main_thread():
        return
    for one in _INSISTENT:
        if one.pending:
            one.pending = False
            raise KeyboardInterrupt
