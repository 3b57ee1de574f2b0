"""The command ``dyverse``: its commands, and what becomes of their failures.

This file and those of the commands import next to nothing, so that ``--help`` is quick; each
command fetches its work, and with it the heavy packages, when it is called.
"""

from __future__ import annotations

import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from importlib.metadata import version
from typing import Annotated, TextIO

import typer

from dyverse.cli.abstract import abstract
from dyverse.cli.animate import animate
from dyverse.cli.build import build
from dyverse.cli.check import check
from dyverse.cli.examples import examples
from dyverse.cli.export import export
from dyverse.cli.falsify import falsify
from dyverse.cli.import_ import import_
from dyverse.cli.map import map as map_
from dyverse.cli.prove import prove
from dyverse.cli.simulate import simulate
from dyverse.cli.terminal.keyboard import Keyboard
from dyverse.cli.terminal.reported import (
    BAD_INPUT,
    BROKEN_PIPE,
    BUG,
    INTERRUPTED,
    print_problems,
    problem_json,
    say,
)
from dyverse.cli.terminal.streams import OutputError, prepare_streams, printing

# Usage errors of Typer; it does not export their base.
USAGE: type[typer.BadParameter] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "UsageError"
)

app = typer.Typer(
    name="dyverse",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Hybrid automata of rigid bodies with impacts and friction, from a model text.",
    epilog="Exit codes: 0 done, 1 falsified, 2 bad input, 3 undecided, 130 interrupted.",
)
for command in (examples, check, build, simulate, falsify, prove, abstract, map_, animate, export):
    app.command()(command)
app.command("import")(import_)


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


def exit_code(*, listens: bool = False) -> int:
    """Run the command line; if it ``listens``, Ctrl-C is from now on an exception, as usual."""
    prepare_streams()
    warnings.showwarning = _tell_warning
    keyboard = Keyboard(listens=listens)
    try:
        with keyboard, printing():
            return _code()
    except BrokenPipeError:
        return BROKEN_PIPE
    except OutputError as error:
        say(str(error))
        return BAD_INPUT
    except (Exception, KeyboardInterrupt) as error:
        if keyboard.pressed or isinstance(error, KeyboardInterrupt):
            say("interrupted")
            return INTERRUPTED
        traceback.print_exc()
        print("this is a bug in dyverse: please report it with the lines above", file=sys.stderr)
        return BUG


def _tell_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning of ours is a sentence; one of a library comes with its place in the code."""
    ours = category.__module__.startswith("dyverse.")
    say(str(message) if ours else warnings.formatwarning(message, category, filename, lineno, line))


def _code() -> int:
    try:
        return app(prog_name="dyverse", standalone_mode=False) or 0
    except USAGE as error:
        return _misused(error)
    except SystemExit:  # Typer and Rich end so when nobody reads the help any more; we never do
        raise BrokenPipeError from None


def _misused(error: typer.BadParameter) -> int:
    """Say what is wrong with the command itself, also as JSON where that is wanted."""
    if len(sys.argv) == 1:  # not wrong: the help is shown
        error.show()
        return BAD_INPUT
    message = misuse_sentence(error, sys.argv[1:])
    if error.ctx is not None:
        say(error.ctx.get_usage())
        say(f"Try '{error.ctx.command_path} --help' for help.\n")
    say(f"Error: {message}")
    if "--json" in sys.argv[1:]:
        print_problems([problem_json(message)])
    return BAD_INPUT


def misuse_sentence(error: typer.BadParameter, arguments: list[str]) -> str:
    """What is wrong, with the value in question: Typer does not always tell it."""
    names: list[str] = getattr(getattr(error, "param", None), "opts", [])
    given = next(_values(names, arguments), None)
    if given is None or repr(given) in error.message:
        return error.format_message()
    hint = "; write a decimal point" if re.fullmatch(r"[-+]?\d+,\d+", given) else ""
    return f"Invalid value {given!r} for '{names[0]}': {error.message}{hint}"


def _values(names: list[str], arguments: list[str]) -> Iterator[str]:
    """What is given for an option, the last first."""
    for place, text in reversed(list(enumerate(arguments))):
        option, equals, value = text.partition("=")
        if option in names and (equals or place + 1 < len(arguments)):
            yield value if equals else arguments[place + 1]
