"""Tables and lines for people, on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dyverse.cli.terminal.streams import printing
from dyverse.errors import visible

PIPED_WIDTH = 140  # columns where there is no terminal to ask


class _Console(Console):
    """One that lets us know when nobody reads any more; Rich itself would end with code 1."""

    def on_broken_pipe(self) -> None:
        """Is called while the exception is being handled."""
        raise BrokenPipeError


def console(*, err: bool = False) -> Console:
    """A console that takes text as it is: no markup, for contacts are written with brackets."""
    out = _Console(stderr=err, markup=False, highlight=False, emoji=False, soft_wrap=False)
    if not out.is_terminal:
        out.width = PIPED_WIDTH
    return out


def print_line(text: str, style: str = "") -> None:
    """One line, however long."""
    with printing():
        console().print(Text(visible(text), style=style), soft_wrap=True)


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    numbers: Sequence[int] = (),
) -> None:
    """A table; the columns in ``numbers`` are set to the right."""
    table = Table(
        title=Text(visible(title)) if title else None, box=box.SIMPLE_HEAD, title_justify="left"
    )
    for place, heading in enumerate(headings):
        table.add_column(
            Text(visible(heading)),
            justify="right" if place in numbers else "left",
            overflow="fold",
            no_wrap=place in numbers,
        )
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    with printing():
        console().print(table)
