"""Files that are there in full or not at all: written beside the place, then moved into it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dyverse.errors import ExportError


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a path to write to; when the block ends well, what was written there is at ``path``.

    A device or a pipe cannot be replaced and is written to directly.
    """
    target = Path(os.path.realpath(path))
    special = _is_device(path)
    part = f".{target.stem[:80]}.{os.getpid()}.part{target.suffix}"
    place = Path(path) if special else target.with_name(part)
    try:
        yield place
        if not special:
            place.replace(target)
    except OSError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        if not special:
            place.unlink(missing_ok=True)


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines of text, UTF-8, made one by one."""
    with replacing(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


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
