"""The command ``dyverse``: its commands, and what becomes of their failures.

This file and those of the commands import next to nothing, so that ``--help`` is quick; each
command fetches its work, and with it the heavy packages, when it is called.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib.metadata import version
from typing import Annotated

import typer

from dyverse.cli.abstract import abstract
from dyverse.cli.build import build
from dyverse.cli.check import check
from dyverse.cli.examples import examples
from dyverse.cli.export import export
from dyverse.cli.falsify import falsify
from dyverse.cli.map import map as map_
from dyverse.cli.reported import BROKEN_PIPE, BUG, INTERRUPTED
from dyverse.cli.simulate import simulate

app = typer.Typer(
    name="dyverse",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Hybrid automata of rigid bodies with impacts and friction, from a model text.",
    epilog="Exit codes: 0 done, 1 falsified, 2 bad input, 3 undecided, 130 interrupted.",
)
for command in (examples, check, build, simulate, falsify, abstract, map_, export):
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dyverse {version('dyverse')}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="The version."),
    ] = False,
) -> None:
    """Hybrid automata of rigid bodies with impacts and friction, from a model text."""


def run() -> None:
    """Run the command line and exit with the code of the contract."""
    sys.exit(_exit_code())


def _exit_code() -> int:
    try:
        app(prog_name="dyverse")
    except SystemExit as end:
        return _flushed(end.code if isinstance(end.code, int) else 2)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:
        traceback.print_exc()
        print("this is a bug in dyverse: please report it with the lines above", file=sys.stderr)
        return BUG
    return _flushed(0)


def _flushed(code: int) -> int:
    """The exit code, once standard output has taken everything."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing left to flush
        return BROKEN_PIPE
    except OSError as error:
        print(f"standard output: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return code
