"""A stretch of text with the place of each character in its file.

In XML the text of an element is not what stands in the file: ``x &lt;= 5`` is ``x <= 5``. A source
remembers where each run of characters began, so that a mistake in a guard is shown where it stands.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from dyverse.errors import Span


class Mark(NamedTuple):
    """The character at ``offset`` stands at ``line`` and ``column``, counted from 1."""

    offset: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Source:
    """Text with its marks, which begin at offset 0 and never lie inside a line break."""

    text: str
    marks: tuple[Mark, ...]

    def span(self, start: int, end: int) -> Span:
        """The place of ``text[start:end]``, at most to the end of its first line."""
        mark = self.marks[bisect_right(self.marks, start, key=lambda mark: mark.offset) - 1]
        stop = self.text.find("\n", start, end)
        width = max(1, (end if stop < 0 else stop) - start)
        column = mark.column + start - mark.offset
        return Span(mark.line, column, column + width)

    @property
    def blank(self) -> bool:
        """Whether there is nothing to see."""
        return not self.text.strip()


def plain(text: str) -> Source:
    """The source that is a whole file, or begins like one."""
    marks, offset = [], 0
    for number, line in enumerate(text.split("\n"), start=1):
        marks.append(Mark(offset, number, 1))
        offset += len(line) + 1
    return Source(text, tuple(marks))
