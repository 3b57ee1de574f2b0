"""Files that are there in full or not at all: written beside the place, then moved into it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TextIO

from dyverse.errors import ExportError


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a path to write to; when the block ends well, what was written there is at ``path``.

    A device or a pipe cannot be replaced and is written to directly.
    """
    try:
        if _is_device(path):
            yield Path(path)
        else:
            with _moved_to(Path(os.path.realpath(path))) as place:
                yield place
    except OSError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def _moved_to(target: Path) -> Iterator[Path]:
    place = _beside(target)
    try:
        yield place
        place.replace(target)
    finally:
        place.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    """A new empty file in the folder of ``target``, with its mode; never one that is there."""
    suffix = target.suffix if len(target.suffix) < 20 else ""
    place = target.with_name(f".{target.stem[:40]}.{token_hex(8)}.part{suffix}")
    os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    with suppress(OSError):
        place.chmod(stat.S_IMODE(target.stat().st_mode))
    return place


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines of text, UTF-8, made one by one; what is no Unicode is written by number."""
    with replacing(path) as beside, open_text(beside) as file:
        file.writelines(f"{line}\n" for line in lines)


def open_text(path: Path) -> TextIO:
    """A text file to write, UTF-8; a name of a file may hold what is no Unicode."""
    return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")


def check_writable(path: str | Path) -> None:
    """Refuse a path that cannot be written to, before hours are spent on what belongs there."""
    target = Path(path) if _is_device(path) else Path(os.path.realpath(path))
    folder = target.parent
    if target.is_dir():
        reason = "it is a directory"
    elif not folder.is_dir():
        reason = f"there is no directory {folder}"
    elif not os.access(target if target.exists() else folder, os.W_OK):
        reason = "no permission"
    else:
        return
    raise ExportError(f"{path}: cannot be written: {reason}")


def _is_device(path: str | Path) -> bool:
    return Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir()
