"""The family of errors: each says where, what, and what to do.

An exception means a wrong model or a bug; an outcome that the theory foresees (Zeno, grazing,
not converged) is a value in a run, never an exception.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


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


class ModelError(DyverseError, ValueError):
    """A model that cannot be right: all problems found, in the order of the text."""

    def __init__(
        self, problems: Iterable[Problem], *, source: str = "", file: str = "<model>"
    ) -> None:
        self.problems = tuple(problems)
        self.source = source
        self.file = file
        super().__init__("\n".join(map(self.sentence, self.problems)))

    def sentence(self, problem: Problem) -> str:
        """One problem as ``file:line:column: message``, with the line and a caret below."""
        span = problem.span
        if span is None:
            return f"{self.file}: {problem.message}"
        lines = self.source.splitlines()
        text = lines[span.line - 1] if span.line <= len(lines) else ""
        caret = " " * (span.column - 1) + "^" * max(1, span.end - span.column)
        place = f"{self.file}:{span.line}:{span.column}: {problem.message}"
        return f"{place}\n  {text.expandtabs(1)}\n  {caret}"


class ParseError(ModelError):
    """Model text that does not follow the grammar."""


class SolverError(DyverseError):
    """A numerical method that was asked for something it cannot do."""


class ExportError(DyverseError):
    """A model or run that cannot be written in the format asked for."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'floor'?`` if some known name is close, else nothing."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""
