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
        span = problem.span
        if span is None:
            return f"{self.file}: {problem.message}"
        place = f"{self.file}:{span.line}:{span.column}: {problem.message}"
        lines = self.source.splitlines()
        if span.line > len(lines):
            return place
        return f"{place}\n{_pointed_at(lines[span.line - 1].expandtabs(1), span)}"


def _pointed_at(line: str, span: Span) -> str:
    """The line with carets below; of a very long line, the part about the place."""
    first = max(0, span.column - 60) if len(line) > 120 else 0
    shown = line[first : first + 120]
    width = min(span.end - span.column, len(shown) - (span.column - 1 - first))
    return f"  {shown}\n  {' ' * (span.column - 1 - first)}{'^' * max(1, width)}"


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
