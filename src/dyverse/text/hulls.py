"""``hull "rock.obj"  scale 0.01`` in a line of a model's text, and the vertices in its place.

The line is cut in three: what stands before, with the statement as a comment; the polyhedron, which
ends with a comment; and what stands behind. All keep their columns, so that errors in them name the
place in the file (`dyverse.errors.ModelError.origin`), and the line can be put together again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from dyverse.errors import END_HULL, HULL, ModelError, Problem, Span
from dyverse.text.comments import SKIPPED

FEWEST, MAX_CORNERS = 4, 128  # that 'most' may ask for
_NAMED = re.compile(rf'{SKIPPED}|(?<![\w.])hull\s*"([^"\n]*)"')
_OPTION = re.compile(r'\s*(?:(scale|most)(?!\w)\s*([^\s{}#"]*)|(centred)(?!\w))')
_CUT = re.compile(rf"(.*){re.escape(HULL)} (hull.*)")


class Option(NamedTuple):
    """A word behind the name of the file, and what belongs to it."""

    word: str
    text: str
    start: int
    end: int


class Asked(NamedTuple):
    """A hull that a line asks for, from ``start`` to ``end``, of the file ``name``."""

    start: int
    end: int
    name: str
    at: int  # of the name, with its quotes
    options: tuple[Option, ...]

    def given(self, word: str) -> str | None:
        """What is written behind a word; nothing if the word is not there."""
        return next((option.text for option in self.options if option.word == word), None)

    def problem(self, line: int) -> Problem | None:
        """What is wrong with the words behind the name, in that line."""
        for i, option in enumerate(self.options):
            wrong = _wrong(option)
            if option.word in (other.word for other in self.options[:i]):
                wrong = f"{option.word!r} is there twice"
            if wrong:
                return Problem(wrong, Span(line, option.start + 1, option.end + 1))
        return None


def hull_asked(line: str) -> Asked | None:
    """The first hull that a line asks for."""
    found = next((found for found in _NAMED.finditer(line) if found[1] is not None), None)
    if found is None:
        return None
    options, end = [], found.end()
    while option := _OPTION.match(line, end):
        start, end = option.start(1 if option[1] else 3), option.end()
        options.append(Option(option[1] or option[3], option[2] or "", start, end))
    return Asked(found.start(), end, found[1], found.start(1) - 1, tuple(options))


def _wrong(option: Option) -> str:
    match option.word:
        case "scale" if not _positive(option.text):
            return "'scale' has a positive number on the same line: scale 0.001"
        case "most" if not FEWEST <= _whole(option.text) <= MAX_CORNERS:
            return f"'most' has a whole number from {FEWEST} to {MAX_CORNERS} on the same line"
    return ""


def _positive(text: str) -> bool:
    try:
        return 0 < float(text) < math.inf
    except ValueError:
        return False


def _whole(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1


def polyhedron_text(asked: Asked, data: bytes) -> str:
    """The hull of the mesh in a file, in words of the language; a `ModelError` has no place."""
    from dyverse.text.mesh import MOST, centred_corners, corners, mesh_points  # slow to load

    points = mesh_points(data, asked.name, scale=float(asked.given("scale") or 1))
    most = asked.given("most")
    found = corners(points, most=len(points) if most is None else int(most))
    if most is None and len(found) > MOST:
        message = f"has a hull of {len(found)} corners, each of which is a contact"
        hint = f"write 'most {MOST}' behind it to keep those that are farthest apart"
        raise ModelError([Problem(f"{message}; {hint}")])
    found = found if asked.given("centred") is None else centred_corners(found)
    places = (f"({', '.join(repr(x + 0.0) for x in at)})" for at in found.tolist())  # no -0.0
    return f"polyhedron vertices {' '.join(places)}"


def cut(line: str, asked: Asked, polyhedron: str) -> tuple[str, str, str]:
    """The three lines that take the place of one."""
    first = f"{line[: asked.start]}{HULL} {line[asked.start : asked.end]}"
    return (
        first,
        f"{' ' * asked.start}{polyhedron} {END_HULL}",
        f"{' ' * asked.end}{line[asked.end :]}".rstrip(),
    )


def hulls_again(text: str, whole: str) -> str | None:
    """``text``, which was made of ``whole``, with its statements for hulls.

    None if vertices or such a statement were changed: these belong together.
    """
    known, made = set(_kept(whole)), []
    lines = iter(text.splitlines())
    for line in lines:
        again = line
        while found := _CUT.fullmatch(again):
            if (found[2], next(lines, "").strip()) not in known:
                return None
            again = _joined(f"{found[1]}{found[2]}", next(lines, ""))
        made.append(f"{again}\n")
    return "".join(made)


def _kept(whole: str) -> Iterator[tuple[str, str]]:
    """Statements for hulls, each with its vertices."""
    lines = whole.splitlines()
    for line, following in pairwise(lines):
        if found := _CUT.fullmatch(line):
            yield found[2], following.strip()


def _joined(before: str, behind: str) -> str:
    """A line with what was cut from its end, which may have been moved."""
    in_place = not behind[: len(before)].strip()
    rest = behind[len(before) :] if in_place else behind.strip()
    return f"{before}  {rest}" if rest[:1].isalnum() else f"{before}{rest}".rstrip()
