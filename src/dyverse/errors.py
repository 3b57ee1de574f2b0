"""The family of errors: each says where, what, and what to do.

An exception means a wrong model or a bug; an outcome that the theory foresees (Zeno, grazing,
not converged) is a value in a run, never an exception.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice


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
        place = visible(f"{self.file}:{span.line}:{span.column}: {message}")
        lines = self.source.splitlines()
        if span.line > len(lines):
            return place
        return f"{place}\n{_pointed_at(lines[span.line - 1], span)}"


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


class SolverError(DyverseError):
    """A numerical method that was asked for something it cannot do."""


class ExportError(DyverseError):
    """A model or run that cannot be written in the format asked for."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'floor'?`` if some known name is close, else nothing."""
    lower = {word.lower(): word for word in islice(known, 1000)}  # more would take too long
    close = get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    return f"; did you mean {lower[close[0]]!r}?" if close else ""
