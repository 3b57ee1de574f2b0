"""Searches that pages start: each in a process of its own, so that playing goes on meanwhile.

What can be searched for is handed in: functions from a model, at the numbers that are shown, and a
request, to messages. A search that has said something is under way; what is wrong with it before
that is the answer to its request. To cancel it ends its process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from dyverse.animation.asked import Request
from dyverse.animation.mistakes import explained, problems
from dyverse.animation.said import Hear, Said, spoken
from dyverse.animation.serving.limiting import deaf, limit_memory, limit_work
from dyverse.animation.serving.packing import Packed

if TYPE_CHECKING:
    from dyverse.animation.playable import Playable

AT_ONCE = 2  # searches of all pages together
LONGEST = 1800.0  # s of processor time for one of them
WITNESSES = 64  # that are kept
Message = Mapping[str, Any]  # as JSON has it
Say = Callable[[Message], None]
Search = Callable[["Playable", Request, Say], None]
Searched = Mapping[str, Search]  # by what pages call it


@dataclass(frozen=True, slots=True)
class Witness:
    """A run that was found: a model, and what is set for it."""

    play: Packed
    settings: Mapping[str, float]


Keep = Callable[[int, Witness], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search that a page wants, of a model with the numbers of the run that is shown."""

    guest: int
    play: Packed
    request: Request

    @property
    def key(self) -> tuple[int, object]:
        """By what it is cancelled."""
        return self.guest, self.request.get("id")


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A search that a page wants no more."""

    guest: int
    number: object  # the id of its request


class Searches:
    """Those under way; ``hear`` gets what they say, ``keep`` the runs that they have found."""

    def __init__(self, known: Searched, hear: Hear, keep: Keep, *, memory: int) -> None:
        self._known, self._hear, self._keep, self._memory = known, hear, keep, memory
        self.running: dict[tuple[int, object], BaseProcess] = {}
        self._lock, self._witnesses = Lock(), count(1)

    def begin(self, wanted: Wanted) -> None:
        """Start a search, unless there are too many."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        search = self._known[wanted.request["do"]]
        process = context.Process(
            target=_run, args=(theirs, search, wanted, self._memory), daemon=True
        )
        with self._lock:
            if len(self.running) >= AT_ONCE:
                self._answer(wanted, _refused(f"{AT_ONCE} searches are under way; cancel one"))
                return
            self.running[wanted.key] = process
            process.start()
        theirs.close()
        Thread(target=self._listen, args=(ours, wanted), daemon=True).start()

    def cancel(self, guest: int, number: object) -> None:
        """End a search, if it is still there."""
        with self._lock:
            process = self.running.pop((guest, number), None)
        if process is not None:
            _end(process)

    def leave(self, guest: int) -> None:
        """End all that a page has started."""
        for owner, number in list(self.running):
            if owner == guest:
                self.cancel(guest, number)

    def close(self) -> None:
        """End all of them."""
        for guest, number in list(self.running):
            self.cancel(guest, number)

    def _listen(self, pipe: Connection, wanted: Wanted) -> None:
        """Hand on what a search says, until it has ended."""
        under_way, ended = False, False
        with contextlib.suppress(EOFError, OSError):
            while True:
                said = pipe.recv()
                if said is None:
                    ended = True
                    continue
                under_way = under_way or said.get("ok", False)
                self._answer(wanted, self._witnessed(wanted, said))
        with self._lock:
            cancelled = self.running.pop(wanted.key, None) is None
        if not ended and not cancelled:
            why = "the search was stopped: it wanted too much memory or time"
            self._answer(wanted, _failed(why) if under_way else _refused(why))

    def _witnessed(self, wanted: Wanted, said: Message) -> Message:
        """A run that was found gets a number, by which it can be opened."""
        witness = said.get("witness")
        if witness is None:
            return said
        number = next(self._witnesses)
        self._keep(number, Witness(wanted.play, witness["settings"]))
        return {**said, "witness": {**witness, "id": number}}

    def _answer(self, wanted: Wanted, said: Message) -> None:
        text = spoken({**said, "re": wanted.request.get("id")})
        self._hear([Said((wanted.guest,), text)])


def _end(process: BaseProcess) -> None:
    process.kill()
    process.join()


def _refused(why: str) -> Message:
    return {"ok": False, "problems": problems(Exception(why))}


def _failed(why: str) -> Message:
    return {"say": "verdict", "verdict": "unknown", "text": why}


def _run(pipe: Connection, search: Search, wanted: Wanted, memory: int) -> None:
    """What the process does."""
    deaf()
    limit_memory(memory)
    limit_work(LONGEST)
    said: list[Message] = []

    def say(message: Message) -> None:
        if not said:
            said.append({"ok": True})
            pipe.send(said[0])
        pipe.send(message)

    with contextlib.suppress(OSError):
        try:
            search(wanted.play.unpacked(), wanted.request, say)
        except Exception as error:
            found = explained(error)
            refused = {"ok": False, "problems": problems(found)}
            pipe.send(_failed(str(found)) if said else refused)
        pipe.send(None)
