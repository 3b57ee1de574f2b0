"""The points of a map as they come: rows of CSV, entries of JSON, and how many are bad.

None of them is kept in memory.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from dyverse.abstraction.survey.mapping import Answer, Axis, Settings
from dyverse.cli.terminal.long_list import LongList
from dyverse.exporters.atomic import open_text, replacing

Row = Callable[[Sequence[Any]], object]


@dataclass(slots=True)
class Points:
    """Takes each point with its answer; lists them where there are lists."""

    bad_names: tuple[str, ...]
    listed: LongList | None = None
    listed_bad: LongList | None = None
    bad: int = field(default=0, init=False)

    def take(self, point: Settings, found: Answer) -> None:
        """Take one point."""
        if self.listed is not None:
            self.listed.append({"parameters": point, **found})
        if found["behaviour"] in self.bad_names:
            self.bad += 1
            if self.listed_bad is not None:
                self.listed_bad.append(point)


@contextmanager
def counted_points(bad: tuple[str, ...], *, as_json: bool) -> Iterator[Points]:
    """Where to hand the points; with ``as_json`` they are listed too."""
    if not as_json:
        yield Points(bad)
        return
    with closing(LongList()) as listed, closing(LongList()) as listed_bad:
        yield Points(bad, listed, listed_bad)


@contextmanager
def csv_points(path: str | None, axes: Sequence[Axis]) -> Iterator[Row]:
    """What writes one row of CSV; the file is there once the block has ended well."""
    if path is None:
        yield lambda row: None
        return
    with replacing(path) as beside, open_text(beside) as file:
        row = csv.writer(file, lineterminator="\n").writerow
        row([*(axis.name for axis in axes), "behaviour", "word"])
        yield row
