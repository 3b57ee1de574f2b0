"""Failures and results of a command, as people and scripts get them.

An error that dyverse or the system raises on purpose becomes sentences on standard error and exit
code 2, never a traceback; with ``--json`` the problems are also the one object on standard output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Annotated, Any, ParamSpec

import typer

from dyverse.cli.long_list import object_text
from dyverse.errors import DyverseError, ModelError, Problem

BAD_INPUT = 2
BUG = 70  # as in sysexits.h: not 1, which means falsified
INTERRUPTED = 130  # 128 + SIGINT
BROKEN_PIPE = 141  # 128 + SIGPIPE, as any other program in a pipe

Parameters = ParamSpec("Parameters")

AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, nothing else.")
]
ModelArgument = Annotated[
    str, typer.Argument(metavar="MODEL", help="A file of model text, or example:NAME.")
]


def reported(command: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Turn the failures of ``command`` into messages and exit codes."""

    @wraps(command)
    def guarded(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except BrokenPipeError:
            _silence()
            raise typer.Exit(BROKEN_PIPE) from None
        except (DyverseError, OSError) as error:
            refuse(error, as_json=bool(kwargs.get("as_json")))
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None

    return guarded


def refuse(error: DyverseError | OSError, *, as_json: bool) -> None:
    """Say what is wrong and end with exit code 2."""
    say(_sentence(error))
    if as_json:
        print_json({"problems": problems_json(_problems(error))})
    raise typer.Exit(BAD_INPUT) from None


def say(text: str) -> None:
    """A message, on standard error."""
    typer.echo(text, err=True)


def print_json(answer: dict[str, Any]) -> None:  # any JSON
    """The one object of ``--json``; a list in it may be a `LongList`."""
    sys.stdout.writelines(object_text(answer))


def problems_json(problems: Iterable[Problem]) -> list[dict[str, str | int | None]]:
    """Problems with their places, counted from 1, or nulls where they have none."""
    return [
        {
            "message": problem.message,
            "line": problem.span.line if problem.span else None,
            "column": problem.span.column if problem.span else None,
        }
        for problem in problems
    ]


def _problems(error: DyverseError | OSError) -> tuple[Problem, ...]:
    return error.problems if isinstance(error, ModelError) else (Problem(_sentence(error)),)


def _sentence(error: DyverseError | OSError) -> str:
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename else ""
        return f"{file}{error.strerror or error}"
    return str(error)


def _silence() -> None:
    """Whoever read standard output is gone; let Python's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
