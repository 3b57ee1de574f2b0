"""What is wrong with a request or a model, as pages are told.

Little is imported here: the server has this, too, and begins before there is a model.
"""

from __future__ import annotations

import traceback

from dyverse.animation.asked import Refused
from dyverse.animation.said import Json
from dyverse.errors import DyverseError, ModelError, Problem


def explained(error: Exception) -> Exception:
    """The error in words for people; of a bug, the traceback goes to standard error."""
    if isinstance(error, DyverseError | Refused):
        return error
    if isinstance(error, MemoryError):
        return Refused("memory is short: the model is too large, or its run too long")
    traceback.print_exception(error)
    return Refused(f"a bug in dyverse: {type(error).__name__}: {error}")


def problems(error: Exception) -> list[Json]:
    """What is wrong, with places in the text where there are some."""
    if isinstance(error, ModelError):
        return list(map(problem, error.problems))
    return [problem(Problem(str(error)))]


def problem(found: Problem) -> Json:
    """One thing that is wrong; without a place in the text, at its beginning."""
    span = found.span
    line, column, end = (1, 1, 2) if span is None else (span.line, span.column, span.end)
    return {"line": line, "column": column, "length": end - column, "message": found.message}
