"""A question with its table, its promises and its notes; and all of them as Markdown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from benchmarks.peers.measure import Answer
from benchmarks.table import Cell


@dataclass(frozen=True, slots=True)
class Promise:
    """``value`` is to be at least, or at most, ``limit``; ``why`` says what stands in its way."""

    text: str
    value: float | None  # None: the peer could not be measured
    limit: float
    sense: Literal["at least", "at most"] = "at most"
    why: str = ""

    @property
    def reached(self) -> bool:
        """Whether it is kept."""
        if self.value is None or math.isnan(self.value):
            return False
        return self.value >= self.limit if self.sense == "at least" else self.value <= self.limit

    def __str__(self) -> str:
        if self.value is None:
            return f"**not measured**: {self.text}"
        word = "reached" if self.reached else "**NOT reached**"
        told = f"{word}: {self.text}: {number(self.value)} ({self.sense} {number(self.limit)})"
        return told if self.reached or not self.why else f"{told}. Why: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The answer to one question."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    promises: tuple[Promise, ...] = ()
    notes: tuple[str, ...] = ()

    def markdown(self) -> str:
        """A heading, the table, what was promised, what to know."""
        head = [" | ".join(self.columns), " | ".join(["---"] + ["---:"] * (len(self.columns) - 1))]
        body = [" | ".join(map(number, row)) for row in self.rows]
        lines = [f"## {self.title}", "", *(f"| {line} |" for line in head + body), ""]
        lines += [f"- {promise}" for promise in self.promises]
        lines += [f"- {note}" for note in self.notes]
        return "\n".join(lines).rstrip()


def number(cell: Cell) -> str:
    """Three digits are all that a timing has."""
    if not isinstance(cell, float):
        return f"{cell:,}" if isinstance(cell, int) else cell
    if not math.isfinite(cell):
        return "–"
    if cell != 0 and abs(cell) < 1e-3:
        return f"{cell:.1e}"
    return f"{cell:.3g}" if abs(cell) < 1000 else f"{cell:,.0f}"


def value(answer: Answer | None, key: str, scale: float = 1.0) -> float | None:
    """A number of an answer, if there is one."""
    return scale * float(answer[key]) if answer else None


def ratio(slow: Answer | None, fast: Answer | None) -> float | None:
    """How many times faster ``fast`` is."""
    return slow["seconds"] / fast["seconds"] if slow and fast else None
