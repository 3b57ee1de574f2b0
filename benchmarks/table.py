"""What a benchmark gives: a table of numbers, and which requirements it meets."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.table import Table as RichTable

Cell = str | int | float

ENOUGH = 2.0  # s: no more repetitions after this


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A promise of the product: ``value`` stays at or below ``limit``."""

    text: str
    value: float
    limit: float

    @property
    def met(self) -> bool:
        """Whether it is kept."""
        return self.value <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The answer to one question; ``remarks`` say what a reader must know to trust it."""

    question: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    requirements: tuple[Requirement, ...] = ()
    remarks: tuple[str, ...] = ()


def shown(cell: Cell) -> str:
    """A cell for people: three digits are all that a timing has."""
    if isinstance(cell, float):
        return f"{cell:.3g}" if abs(cell) < 1000 else f"{cell:,.0f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def verdict(requirement: Requirement) -> str:
    """A requirement with its number: ``met: … (0.45, at most 3)``."""
    word = "met" if requirement.met else "MISSED"
    numbers = f"{shown(requirement.value)}, at most {shown(requirement.limit)}"
    return f"{word}: {requirement.text} ({numbers})"


def rich_table(table: Table) -> RichTable:
    """The table for a terminal."""
    drawn = RichTable(title=table.question, title_justify="left", caption_justify="left")
    drawn.caption = "\n".join([*map(verdict, table.requirements), *table.remarks])
    for column in table.columns:
        drawn.add_column(column, justify="right")
    for row in table.rows:
        drawn.add_row(*map(shown, row))
    return drawn


def best(function: Callable[[], object], repeat: int) -> float:
    """The shortest of some timings (s): what is left when nothing else disturbs.

    What takes long is disturbed little, and not repeated as often.
    """
    times = [_once(function)]
    while len(times) < repeat and sum(times) < ENOUGH:
        times.append(_once(function))
    return min(times)


def _once(function: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
