"""The stage in a process of its own: a model that runs away cannot stop the server.

The process hears requests and sends what the stage says through one pipe. It tells at least every
second that it is alive; one that is silent for too long is ended, and another one begins with the
model that was open before, at its start. Nothing is imported here that knows what a model is: pages
are served before there is one.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING

from dyverse.animation.asked import Request
from dyverse.animation.said import Hear
from dyverse.animation.serving.beginning import Begun, begun
from dyverse.animation.serving.packing import Packed, packed
from dyverse.animation.serving.searching import (
    WITNESSES,
    Cancelled,
    Searched,
    Searches,
    Wanted,
    Witness,
)
from dyverse.errors import DyverseError

if TYPE_CHECKING:
    from dyverse.animation.playable import Playable

MEGABYTE = 2**20
WAITING = 2000  # requests that the stage has not heard yet
BEGINNING = 60.0  # s: what a process may take to begin
IDLE = 4  # times its patience: how long a process may wait for something else than itself
Message = tuple[str, int, Request | Packed | Witness | str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a stage begins with; it travels to its process."""

    opened: Callable[[Request], Playable]
    first: Callable[[], Playable] | None = None  # reads what is played at first
    solver: str = "native"
    tick: float | None = None  # s, where time is sampled
    speed: float = 1.0
    memory: int = 4096 * MEGABYTE  # bytes of address space beyond those of an empty stage
    patience: float = 30.0  # s of processor time without a sign of life
    searches: Searched = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sign:
    """When a process last told that it is alive, and how long it had worked by then (s)."""

    clock: float
    worked: float


@dataclass(frozen=True, slots=True)
class Failed:
    """What was to be played at first cannot be."""

    error: Exception


class StageProcess:
    """A stage somewhere else; ``hear`` is called from a thread with all that it says.

    ``first`` is done when what is played at first was read, or has what is wrong with it.
    """

    def __init__(self, setup: Setup, hear: Hear, ready: Begun | None = None) -> None:
        self._setup, self._hear = setup, hear
        self._lock = Lock()
        self._guests: set[int] = set()
        self._good: Packed | None = None  # what was opened last
        self._kept: deque[tuple[int, Witness]] = deque(maxlen=WITNESSES)
        self._searches = Searches(setup.searches, hear, self._keep, memory=setup.memory)
        self._closed = False
        self._outbox: SimpleQueue[Message] = SimpleQueue()
        self.first: Future[None] = Future()
        if setup.first is None:
            self.first.set_result(None)
        else:
            self._send(("first", 0, None))
        self._begin(ready or begun())
        Thread(target=self._carry, daemon=True).start()
        self._watcher = Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def open(self, play: Playable) -> None:
        """Play this model."""
        self._good = packed(play)
        self._send(("open", 0, self._good))

    def join(self, guest: int) -> None:
        """A page has come."""
        with self._lock:
            self._guests.add(guest)
        self._send(("join", guest, None))

    def leave(self, guest: int) -> None:
        """A page has gone."""
        with self._lock:
            self._guests.discard(guest)
        self._searches.leave(guest)
        self._send(("leave", guest, None))

    def ask(self, guest: int, request: Request) -> bool:
        """A page wants something; whether the stage will hear of it: it may be far behind."""
        if self._outbox.qsize() >= WAITING:
            return False
        self._send(("ask", guest, request))
        return True

    def close(self) -> None:
        """End it."""
        self._closed = True
        self._send(("leave", 0, None))  # wakes the thread that waits for something to send
        self._searches.close()
        self._process.terminate()
        self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        with contextlib.suppress(OSError):
            self._pipe.close()  # who listens has heard the end by now: not under its hands

    def _begin(self, ready: Begun) -> None:
        self._process, self._pipe = ready.process, ready.pipe
        with contextlib.suppress(OSError):  # it has died: who watches it will see
            self._pipe.send(self._setup)
        worked = _worked(self._process.pid)
        self._heard = Sign(time.monotonic() + BEGINNING, worked + BEGINNING)
        Thread(target=self._listen, args=(self._pipe,), daemon=True).start()

    def _send(self, message: Message) -> None:
        self._outbox.put(message)

    def _carry(self) -> None:
        """Send what there is: the stage may be busy, and nobody else should wait for it."""
        while not self._closed:
            message = self._outbox.get()
            with contextlib.suppress(OSError):
                self._pipe.send(message)

    def _listen(self, pipe: Connection) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                said = pipe.recv()
                self._heard = Sign(time.monotonic(), _worked(self._process.pid))
                match said:
                    case Packed():
                        self._good = said
                        self._settle(None)
                    case Failed(error):
                        self._settle(error)
                    case Wanted():
                        self._searches.begin(said)
                    case Cancelled(guest, number):
                        self._searches.cancel(guest, number)
                    case [*_] if said:
                        self._hear(said)

    def _settle(self, error: Exception | None) -> None:
        """What is known of the first model, once."""
        if self.first.done():
            return
        if error is None:
            self.first.set_result(None)
        else:
            self.first.set_exception(error)

    def _keep(self, number: int, found: Witness) -> None:
        """Let the stage know a run before the page that looked for it does."""
        self._kept.append((number, found))
        self._send(("keep", number, found))

    def _watch(self) -> None:
        """End a process that does not answer, or has died, and begin anew."""
        while not self._closed:
            time.sleep(0.2)
            died = not self._process.is_alive()
            if not self._closed and (died or self._is_silent()):
                self._again(died=died)

    def _is_silent(self) -> bool:
        """Whether there was no sign of life for too long, by its work or by the clock."""
        worked = _worked(self._process.pid) - self._heard.worked
        waited = time.monotonic() - self._heard.clock
        return worked > self._setup.patience or waited > IDLE * self._setup.patience

    def _forget(self) -> None:
        """What was asked of a stage that is no more."""
        with contextlib.suppress(Empty):
            while True:
                self._outbox.get_nowait()

    def _again(self, *, died: bool) -> None:
        self._process.kill()
        self._process.join()
        limit = f"it worked for over {self._setup.patience:.0f} s without an answer"
        reason = "its process ended" if died else limit
        self._settle(DyverseError(f"the model cannot be read: {reason}"))
        with self._lock:
            guests = sorted(self._guests)
            self._begin(begun())
        self._forget()
        if self._good is not None:
            self._send(("open", 0, self._good))
        for number, found in tuple(self._kept):
            self._send(("keep", number, found))
        for guest in guests:
            self._send(("join", guest, None))
        self._send(("note", 0, f"the model was stopped because {reason}"))


def _worked(number: int | None) -> float:
    """The processor time of a process so far (s); where that is not told, the time of the clock."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
