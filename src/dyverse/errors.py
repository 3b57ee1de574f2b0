"""The family of errors: each says where, what, and what to do.

An exception means a wrong model or a bug; an outcome that the theory foresees (Zeno, grazing,
not converged) is a value in a run, never an exception.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line of model text; lines and columns count from 1, ``end`` is exclusive."""

    line: int
    column: int
    end: int


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a model: a sentence, and the place in the text where there is one."""

    message: str
    span: Span | None = None


class DyverseError(Exception):
    """The root of every error that dyverse raises on purpose."""


NAMELESS = "<model>"  # a model that came from no file
INCLUDED, END_INCLUDED = "#>>>", "#<<<"  # around the text of another file
HULL, END_HULL = "#[[[", "#]]]"  # before the name of a mesh, and behind the vertices in its place
_INCLUDING = re.compile(rf'{INCLUDED}\s*include\s*"([^"]*)".*')


class ModelError(DyverseError, ValueError):
    """A model that cannot be right: all problems found, in the order of the text."""

    def __init__(
        self, problems: Iterable[Problem], *, source: str = "", file: str = NAMELESS
    ) -> None:
        self.problems = tuple(problems)
        self.source = source
        self.file = file
        super().__init__("\n".join(map(self.sentence, self.problems)))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.problems, self.source, self.file)

    def sentence(self, problem: Problem) -> str:
        """One problem as ``file:line:column: message``, with the line and a caret below."""
        span, message = problem.span, _clipped(problem.message)
        if span is None:
            return visible(f"{self.file}: {message}")
        file, line = self.origin(span)
        place = visible(f"{file}:{line}:{span.column}: {message}")
        lines = self.source.splitlines()
        if span.line > len(lines):
            return place
        return f"{place}\n{_pointed_at(lines[span.line - 1].replace(f'{HULL} ', ''), span)}"

    def origin(self, span: Span) -> tuple[str, int]:
        """The file that a place is in, which may be an included one, and the line there."""
        if INCLUDED not in self.source and HULL not in self.source:
            return self.file, span.line
        files = [(self.file, 0)]
        for text in self.source.splitlines()[: span.line - 1]:
            file, line = files[-1]
            if text.startswith(END_INCLUDED) and len(files) > 1:
                files.pop()
                continue
            files[-1] = file, line + (HULL not in text and not text.endswith(END_HULL))
            if found := _INCLUDING.fullmatch(text):
                files.append((str(PurePath(file).parent / found[1]), 0))
        file, line = files[-1]
        return file, line + 1


def visible(text: str) -> str:
    """``text`` as it may be shown: what a terminal would obey or hide is written by number.

    A model, a name or a file's name could hold escape sequences or turn the direction of writing.
    Line feeds stay.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _by_number(c) for c in text)


def _by_number(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _clipped(message: str) -> str:
    """A message without the middle of a very long name."""
    return message if len(message) <= 1000 else f"{message[:700]} … {message[-200:]}"


def _pointed_at(line: str, span: Span) -> str:
    """The line with carets below; of a very long line, the part about the place.

    What cannot be shown takes one column, so that the carets stand right.
    """
    first = max(0, span.column - 60) if len(line) > 120 else 0
    shown = "".join(map(_one_column, line[first : first + 120]))
    width = min(span.end - span.column, len(shown) - (span.column - 1 - first))
    return f"  {shown}\n  {' ' * (span.column - 1 - first)}{'^' * max(1, width)}"


def _one_column(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else "?"


class ParseError(ModelError):
    """Model text that does not follow the grammar."""


def _rebuilt(
    kind: type[ModelError], problems: tuple[Problem, ...], source: str, file: str
) -> ModelError:
    return kind(problems, source=source, file=file)


class ArgumentError(DyverseError, ValueError, TypeError):
    """Something was given to a function that it can do nothing with."""


class SolverError(DyverseError):
    """A numerical method that was asked for something it cannot do."""


class ExportError(DyverseError):
    """A model or run that cannot be written in the format asked for."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'floor'?`` if some known name is near, else nothing.

    Near is what one slip in five letters makes of a name, and what a name begins with.
    """
    lower = name.lower()
    near = [(_distance(lower, word.lower()), word) for word in known if name]
    near = [(count, word) for count, word in near if count < FAR]
    if not near:
        return ""
    _, best = min(near, key=lambda pair: (pair[0], -_agreeing(lower, pair[1].lower())))
    return f"; did you mean {best!r}?"


def _agreeing(a: str, b: str) -> int:
    """The number of letters that two words begin with in common."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((i for i, (x, y) in pairs if x != y), min(len(a), len(b)))


FAR = 10
LONGEST = 50  # letters between a common beginning and end: nobody types longer names by hand


def _distance(name: str, word: str) -> int:
    """How far a known word is from a name; `FAR` if nobody would mistake one for the other."""
    if name == word:
        return 0
    if len(name) > 2:
        slips = _slips(name, word, max(1, len(name) // 5))
    else:  # of so few letters none is like another
        slips = 1 if len(name) != len(word) and _slips(name, word, 1) == 1 else FAR
    if slips == FAR and len(name) > 2 and (word.startswith(name) or sorted(word) == sorted(name)):
        return FAR - 1
    return slips


def _slips(a: str, b: str, most: int) -> int:
    """Letters left out, added, changed or swapped between two words; `FAR` if more than ``most``.

    The optimal string alignment distance, of what is between a common beginning and end.
    """
    if abs(len(a) - len(b)) > most or len(set(a).difference(b)) > most:
        return FAR
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    found = _aligned(a, b) if len(a) <= LONGEST else FAR
    return found if found <= most else FAR


def _aligned(a: str, b: str) -> int:
    before: list[int] = []
    last: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        before, last, row = last, row, [i + 1]
        for j, y in enumerate(b):
            best = min(row[j] + 1, last[j + 1] + 1, last[j] + (x != y))
            if i and j and x == b[j - 1] and a[i - 1] == y:
                best = min(best, before[j - 1] + 1)
            row.append(best)
    return row[-1]
