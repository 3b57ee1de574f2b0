"""Tables and lines for people, on standard output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

PIPED_WIDTH = 140  # columns where there is no terminal to ask


def console(*, err: bool = False) -> Console:
    """A console that takes text as it is: no markup, for contacts are written with brackets."""
    out = Console(stderr=err, markup=False, highlight=False, emoji=False, soft_wrap=False)
    if not out.is_terminal:
        out.width = PIPED_WIDTH
    return out


def print_line(text: str, style: str = "") -> None:
    """One line, however long."""
    console().print(Text(text, style=style), soft_wrap=True)


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    numbers: Sequence[int] = (),
) -> None:
    """A table; the columns in ``numbers`` are set to the right."""
    table = Table(title=Text(title) if title else None, box=box.SIMPLE_HEAD, title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(
            Text(heading),
            justify="right" if place in numbers else "left",
            overflow="fold",
            no_wrap=place in numbers,
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)
