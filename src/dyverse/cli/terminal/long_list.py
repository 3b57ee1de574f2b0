"""A list of ``--json`` that may be longer than memory: on disk from some size on.

It is printed when all of it is known, so that an interrupt never leaves half an object behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

IN_MEMORY = 16 * 2**20  # bytes
CHUNK = 2**20  # characters read at once


class LongList:
    """Items of a list that is a value of the one JSON object, as its text."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(  # noqa: SIM115 - closed by `close`
            IN_MEMORY, "w+", encoding="utf-8", newline="\n"
        )
        self._length = 0

    def close(self) -> None:
        """Let go of it."""
        self._file.close()

    def __len__(self) -> int:
        return self._length

    def append(self, item: Any) -> None:  # any JSON
        """Add an item at the end."""
        self._file.write(",\n" if self._length else "\n")
        self._file.write(indented(json_text(item), 4))
        self._length += 1

    def text(self) -> Iterator[str]:
        """The list as it stands in an object, in pieces."""
        self._file.seek(0)
        yield "["
        yield from iter(lambda: self._file.read(CHUNK), "")
        yield "\n  ]" if self._length else "]"


def json_text(value: Any) -> str:  # any JSON
    """A value as all JSON is printed."""
    return json.dumps(value, allow_nan=False, indent=2, ensure_ascii=False)


def portable(text: str, *, ascii_only: bool) -> str:
    """JSON text without what a terminal would obey or hide; with ``ascii_only`` for any stream.

    Such characters are in strings only, where they can be written by number.
    """
    if text.isprintable() and (text.isascii() or not ascii_only):
        return text
    return "".join(c if _is_fine(c, ascii_only) else _by_number(c) for c in text)


def _is_fine(character: str, ascii_only: bool) -> bool:
    if character.isascii():
        return character != "\x7f"
    return character.isprintable() and not ascii_only


def _by_number(character: str) -> str:
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def indented(text: str, columns: int) -> str:
    """JSON further to the right; its strings hold no line feeds."""
    return " " * columns + text.replace("\n", "\n" + " " * columns)


def object_text(answer: dict[str, Any]) -> Iterator[str]:
    """The text of an object in pieces: as `json_text` writes it, with long lists among its values.

    Everything short is made before the first piece: a number that is none spoils no output.
    """
    short = {k: json_text(v) for k, v in answer.items() if not isinstance(v, LongList)}
    yield "{"
    for place, (key, value) in enumerate(answer.items()):
        yield f"{',' if place else ''}\n  {json_text(key)}: "
        if isinstance(value, LongList):
            yield from value.text()
        else:
            yield indented(short[key], 2).lstrip(" ")
    yield "\n}\n" if answer else "}\n"
