"""Failures and results of a command, as people and scripts get them.

An error that dyverse or the system raises on purpose becomes sentences on standard error and exit
code 2, never a traceback; with ``--json`` the problems are also the one object on standard output.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import typer

from dyverse.cli.terminal.long_list import object_text, portable
from dyverse.cli.terminal.streams import OutputError, printing
from dyverse.errors import NAMELESS, DyverseError, ModelError, Problem, visible
from dyverse.interrupts import Insistent

BAD_INPUT = 2
BUG = 70  # as in sysexits.h: not 1, which means falsified
INTERRUPTED = 130  # 128 + SIGINT
BROKEN_PIPE = 141  # 128 + SIGPIPE, as any other program in a pipe

Parameters = ParamSpec("Parameters")


def reported(command: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Turn the failures of ``command`` into messages and exit codes."""

    @wraps(command)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        try:
            with Insistent():
                command(*args, **kwargs)
        except BrokenPipeError:
            raise typer.Exit(BROKEN_PIPE) from None
        except (DyverseError, OSError) as error:
            refuse(_named(error, kwargs.get("model")), as_json=bool(kwargs.get("as_json")))
        except MemoryError:
            refuse(DyverseError("memory is short: ask for less"), as_json=False)
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except (EOFError, typer.Abort):
            say("standard input has ended, and a question is open")
            raise typer.Exit(BAD_INPUT) from None

    return guarded


def _named(error: DyverseError | OSError, model: object) -> DyverseError | OSError:
    """The error; if it is about a model without a name, with that of the command."""
    if isinstance(error, ModelError) and error.file == NAMELESS and isinstance(model, str):
        return ModelError(error.problems, source=error.source, file=model)
    return error


def refuse(error: DyverseError | OSError, *, as_json: bool) -> None:
    """Say what is wrong and end with exit code 2."""
    say(_sentence(error))
    if as_json and not isinstance(error, OutputError):
        print_problems(problems_json(error))
    raise typer.Exit(BAD_INPUT) from None


def print_problems(problems: list[dict[str, str | int | None]]) -> None:
    """The one object of ``--json`` on bad input; where it cannot be printed, say so too."""
    try:
        print_json({"problems": problems})
    except OutputError as error:
        say(str(error))
    except BrokenPipeError:
        return  # the problems have been said


def say(text: str) -> None:
    """A message, on standard error; if that is full or gone there is no one to tell."""
    with suppress(OSError):
        typer.echo(visible(text), err=True)


def interrupted(journal: Path | None) -> str:
    """What is said of a search that was interrupted."""
    if journal is None:
        return "interrupted; nothing is kept, for there is no journal (name one with --journal)"
    kept = f"what was finished is kept in {journal}"
    return f"interrupted; {kept}: the same command goes on from there"


def print_text(pieces: Iterable[str]) -> None:
    """Text, on standard output."""
    with printing():
        sys.stdout.writelines(pieces)


def print_json(answer: dict[str, Any]) -> None:  # any JSON
    """The one object of ``--json``; a list in it may be a `LongList`."""
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    print_text(portable(piece, ascii_only=ascii_only) for piece in object_text(answer))


def problems_json(error: DyverseError | OSError) -> list[dict[str, str | int | None]]:
    """Problems with their places, counted from 1, or nulls where they have none.

    One in a file that the model includes has that file, too.
    """
    if not isinstance(error, ModelError):
        return [problem_json(_sentence(error))]
    return [_placed(error, problem) for problem in error.problems]


def problem_json(message: str) -> dict[str, str | int | None]:
    """A problem that has no place."""
    return {"message": message, "line": None, "column": None}


def _placed(error: ModelError, problem: Problem) -> dict[str, str | int | None]:
    if problem.span is None:
        return problem_json(problem.message)
    file, line = error.origin(problem.span)
    found: dict[str, str | int | None] = {
        "message": problem.message,
        "line": line,
        "column": problem.span.column,
    }
    return found if file == error.file else {**found, "file": file}


def _sentence(error: DyverseError | OSError) -> str:
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename else ""
        return f"{file}{error.strerror or error}"
    return str(error)
