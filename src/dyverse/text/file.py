"""Files of models: read as far as a model can go, and no further.

A device, a pipe or a file of another kind may have no end; what is too long is refused when so much
of it has been read, not when memory is.
"""

from __future__ import annotations

from pathlib import Path

from dyverse.errors import ModelError, Problem

MAX_LENGTH = 1_000_000  # characters of a model's text


def file_text(path: str | Path) -> str:
    """The text of a file in UTF-8, or a `ModelError` that says why it cannot be read."""
    data = file_bytes(path, most=4 * MAX_LENGTH)  # a character takes up to four
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"not a text file in UTF-8 (byte {error.start + 1}); save it as UTF-8"
        raise ModelError([Problem(message)], file=str(path)) from None


def file_bytes(path: str | Path, *, most: int) -> bytes:
    """What is in a file, or a `ModelError`: why it cannot be read, or that there is too much."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError([Problem(f"cannot be read: {reason}")], file=str(path)) from None
    if len(data) > most:
        message = f"has more than {most:,} bytes, which is too much for a model"
        raise ModelError([Problem(message)], file=str(path))
    return data
