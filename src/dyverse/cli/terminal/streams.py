"""Standard output and standard error, such that every text can be written to them.

A stream need not take all characters (another encoding, a C locale): what it does not take is
written with plain characters. A stream that is closed is replaced by nothing, before some file is
opened in its place.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper

from dyverse.errors import DyverseError

PLAIN = "dyverse.plain"  # the name of our way to encode what cannot be encoded
LIKE = {
    "→": "->",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "−": "-",
    "·": "*",
    "°": " degrees",
    "²": "^2",
    "ε": "eps",
    "ω": "omega",
    "μ": "mu",
}


def prepare_streams() -> None:
    """Make both streams take any text, and occupy those that are closed."""
    codecs.register_error(PLAIN, _plain)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "r" if number == 0 else "w"
            setattr(sys, name, os.fdopen(_occupied(number), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=PLAIN)


def _occupied(number: int) -> int:
    """A descriptor that leads nowhere: ``number`` itself, if it is free."""
    nothing = os.open(os.devnull, os.O_RDWR)
    if nothing != number:
        with suppress(OSError):
            os.dup2(nothing, number)
            os.close(nothing)
            return number
    return nothing


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The characters that a stream does not take, as others that look alike, or by number."""
    assert isinstance(error, UnicodeEncodeError)
    wrong = error.object[error.start : error.end]
    return "".join(
        LIKE.get(c, c.encode("unicode_escape").decode("ascii")) for c in wrong
    ), error.end


class OutputError(DyverseError):
    """Standard output that does not take what is printed."""


@contextmanager
def printing() -> Iterator[None]:
    """Print in here, to standard output: all of it arrives, or there is an error that says so."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard("stdout")
        raise
    except OSError as error:
        discard("stdout")  # or Python tries again at the end
        raise OutputError(f"standard output: {error.strerror or error}") from None


def discard(stream: str) -> None:
    """Let nothing more be written to ``stdout`` or ``stderr``: the system refuses it."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, getattr(sys, stream).fileno())
        os.close(nothing)
