"""Work in pieces: whoever has something else to do in between takes one piece at a time."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Found = TypeVar("Found")
Work = Generator[None, None, Found]  # it stops after each piece, and returns what was found


def done(work: Work[Found]) -> Found:
    """What was found, after all pieces at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: Found = end.value
            return found
