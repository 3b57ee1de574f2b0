"""The journal of a campaign: results on disk, one line each, so that a kill loses nothing.

A journal belongs to one piece of work, named in its first line; a journal of other work is refused,
not overwritten. A line that was cut off while being written is left out when it is read again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from dyverse.errors import ModelError, Problem

Json = Any  # whatever the json module takes


class Journal:
    """Results by key, kept in ``path`` as they come; without a path, only in memory."""

    def __init__(self, path: Path | None, work: str) -> None:
        self.path, self.work = path, work
        self._results: dict[str, Json] = {}
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        if self.path is not None:
            kept = list(_lines(self.path))
            self._check(kept)
            self._results = {line["key"]: line["result"] for line in kept if "key" in line}
            self._file = self._rewritten(self.path)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, key: str) -> Json:
        """The result of that key, or None."""
        return self._results.get(key)

    def put(self, key: str, result: Json) -> None:
        """Keep a result; once this returns it survives a kill of this process."""
        self._results[key] = result
        if self._file is not None:
            _write(self._file, {"key": key, "result": result})

    def remove(self) -> None:
        """Forget the journal: its work is done."""
        self._close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _check(self, lines: list[dict[str, Json]]) -> None:
        if lines and lines[0].get("work") != self.work:
            problem = "is the journal of other work; name another file, or remove it"
            raise ModelError([Problem(problem)], file=str(self.path))

    def _rewritten(self, path: Path) -> IO[str]:
        """The journal without what was cut off, open for more."""
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.new")
        file = beside.open("w", encoding="utf-8")
        _write(file, {"work": self.work})
        for key, result in self._results.items():
            _write(file, {"key": key, "result": result})
        beside.replace(path)
        return file

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _write(file: IO[str], line: dict[str, Json]) -> None:
    file.write(json.dumps(line) + "\n")
    file.flush()


def _lines(path: Path) -> Iterator[dict[str, Json]]:
    """The whole lines of a journal; none if there is no journal."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        try:
            found = json.loads(line)
        except json.JSONDecodeError:
            found = None
        if not isinstance(found, dict):
            raise ModelError([Problem("is not a journal; name another file")], file=str(path))
        yield found
