"""The journal of a campaign: results on disk, one line each, so that a kill loses nothing.

A journal belongs to one piece of work, named in its first line; a journal of other work and a file
that is none are refused, not touched. Lines are written and read in the order of the campaign, one
at a time, however many there are. A line that was cut off while being written is left out; a line
that was changed since, or is of another task, is refused: each has a checksum of both.

A journal in the cache is nobody's choice: where that cannot be used, because another process writes
it or it is of an older dyverse, there is none, or a new one, and nothing is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from dyverse.cache.folder import cache_folder, own_folder, warn_once
from dyverse.errors import ExportError, ModelError, Problem

Json = Any  # whatever the json module takes
JOURNALS = "journals"  # the folder of them in the cache
MISSING: Final = object()  # what is recalled of a task that was not done yet
LONGEST = 64 * 2**20  # bytes of a line
HEADING = 10_000  # bytes of the first one


class JournalInUseError(ModelError):
    """A journal that another process is writing."""


class Journal:
    """Results by key in the order of a campaign, kept in ``path``; without a path, nowhere."""

    def __init__(self, path: Path | None, work: str) -> None:
        self.path, self.work = path, work
        self._file: BinaryIO | None = None
        self._line = 1  # the last one read or written
        self._recalls = False  # whether there may be more lines to read
        self._torn = True  # whether there may be half a line behind the last one

    def __enter__(self) -> Self:
        try:
            if self.path is not None:
                self._open(self.path)
        except (ModelError, ExportError):
            self._close()
            if not self._is_ours:
                raise
        except BaseException:
            self._close()
            raise
        return self

    def _open(self, path: Path) -> None:
        with _naming(path):
            self._file = _opened(path)
        self._begin(self._file)

    def __exit__(self, *_: object) -> None:
        self._close()

    def recall(self, key: str, task: Json) -> Json:
        """The next result, which is of that task, or `MISSING`: from then on nothing is recalled.

        A line of another task, or one that was changed, is a `ModelError`.
        """
        if self._file is None or not self._recalls:
            return MISSING
        start, line = self._file.tell(), self._next_line(self._file)
        try:
            return self._result(line, key, task) if line else MISSING
        except ModelError:
            if not self._is_ours:
                raise
        self._file.seek(start)  # and what is behind goes with the first result that is put
        self._recalls = False
        return MISSING

    def put(self, key: str, task: Json, result: Json) -> None:
        """Keep a result behind all others; once this returns it survives a kill of this process."""
        if self._file is None:
            return
        if self._recalls:
            raise ValueError("what is kept has to be recalled first")
        self._line += 1
        line = {"key": key, "result": result, "sum": _sum(key, task, result)}
        try:
            self._write(self._file, line)
        except ExportError as error:
            if not self._is_ours:
                raise
            self.remove()
            warn_once(f"{error}; if this is interrupted, nothing is kept")

    @property
    def _is_ours(self) -> bool:
        """Whether it is in the cache, where nobody but us writes."""
        return (
            self.path is not None
            and self.path.parent.name == JOURNALS
            and (self.path.parent.parent == cache_folder())
        )

    def remove(self) -> None:
        """Forget the journal: its work is done."""
        if self.path is not None and self._file is not None:
            self.path.unlink(missing_ok=True)
        self._close()

    def _begin(self, file: BinaryIO) -> None:
        """Check the first line, or write it."""
        own = _encoded({"work": self.work})
        first = file.readline(max(HEADING, len(own)))
        if first == own:
            self._recalls = True
        elif (first.endswith(b"\n") or not own.startswith(first)) and not self._is_ours:
            raise self._refused(_other_heading(first))
        else:  # nothing, what a kill left of it, or of an older dyverse
            file.seek(0)
            self._write(file, {"work": self.work})

    def _next_line(self, file: BinaryIO) -> bytes:
        """The next whole line, or nothing: then the file stands where it ended."""
        start, line = file.tell(), file.readline(LONGEST)
        if line.endswith(b"\n"):
            self._line += 1
            return line
        if len(line) >= LONGEST:
            raise self._refused(f"line {self._line + 1} is too long for a journal")
        self._recalls = False
        file.seek(start)
        return b""

    def _result(self, line: bytes, key: str, task: Json) -> Json:
        found = _decoded(line)
        if not isinstance(found, dict) or not {"key", "result", "sum"} <= found.keys():
            raise self._refused(f"line {self._line} is not one of a journal")
        if found["key"] != key or found["sum"] != _sum(key, task, found["result"]):
            reason = f"line {self._line} was changed, or is of a search with other limits"
            raise self._refused(reason)
        return found["result"]

    def _refused(self, reason: str) -> ModelError:
        hint = "name another file, or remove it to begin again"
        return ModelError([Problem(f"{reason}; {hint}")], file=str(self.path))

    def _write(self, file: BinaryIO, line: dict[str, Json]) -> None:
        """Write a line behind the last one that was read; what was cut off there goes."""
        assert self.path is not None
        with _naming(self.path):
            if self._torn:
                file.truncate(file.tell())
                self._torn = False
            file.write(_encoded(line))
            file.flush()

    def _close(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # what could not be written has been said
                self._file.close()
            self._file = None


def own_journal(name: str) -> Path | None:
    """A journal in the cache, for when nobody named one; nothing where there is no cache."""
    folder = own_folder()
    return None if folder is None else folder / JOURNALS / f"{name}.jsonl"


def forget_journal(path: Path | None) -> None:
    """Remove a journal whose work is done, unless another process does it again."""
    with suppress(OSError, ModelError):
        if path is not None and path.exists():
            _opened(path).close()
            path.unlink()


def _opened(path: Path) -> BinaryIO:
    """The file, open for reading and writing, with its content as it is and nobody else in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise ModelError([Problem("is not a file; name another one")], file=str(path))
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags, 0o666), "r+b")
    try:
        _lock(file)
    except BlockingIOError:
        file.close()
        problem = "is the journal of a search that is running; wait for it, or name another file"
        raise JournalInUseError([Problem(problem)], file=str(path)) from None
    return file


def _lock(file: BinaryIO) -> None:
    """Hold the file until it is closed, where the system has such locks."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:  # a file system without locks
        return


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Say of which file the system complains."""
    try:
        yield
    except OSError as error:
        message = f"{path}: the journal cannot be used: {error.strerror or error}"
        raise ExportError(message) from None


def _other_heading(line: bytes) -> str:
    found = _decoded(line)
    if isinstance(found, dict) and "work" in found:
        return "is the journal of other work"
    return "is not a journal"


def _encoded(line: dict[str, Json]) -> bytes:
    return json.dumps(line).encode() + b"\n"


def _decoded(line: bytes) -> Json:
    """What a line says; nothing if it is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):  # also of bytes that are no text
        return None


def _sum(key: str, task: Json, result: Json) -> str:
    text = json.dumps([key, task, result])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
