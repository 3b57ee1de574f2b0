"""A run as a table: one row per sampled state, as CSV or Parquet.

Columns are the time, the location, every variable, the signals of every contact, the energy and the
inputs. At the instant of a jump there are two rows, before and after; between several jumps of one
instant, one for each state that the run passes.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Run
from dyverse.bodies.signals import SIGNALS
from dyverse.errors import ExportError
from dyverse.exporters.atomic import open_text, replacing
from dyverse.generation.parts import parts_of
from dyverse.generation.skeleton.names import signal_name
from dyverse.simulation.observing import Row, pour

BATCH = 4096  # rows per group of a Parquet file


def columns(run: Run) -> tuple[str, ...]:
    """The names of the numeric columns after ``t`` and ``location``."""
    automaton = run.automaton
    if bodies := parts_of(automaton).only_bodies:
        signals = (signal_name(s, contact) for contact in bodies.contacts for s in SIGNALS)
        inputs = (item.name for item in bodies.world.inputs)
        return (*automaton.variables, *signals, "energy", *inputs)
    others = automaton.observe(automaton.start())
    skipped = {"t", *automaton.variables}
    return (*automaton.variables, *(name for name in others if name not in skipped))


@dataclass(slots=True, eq=False)
class Kept:
    """The columns of some signals along the arcs of a run, in memory; perhaps empty."""

    names: tuple[str, ...]
    times: list[float] = field(default_factory=list)
    rows: list[tuple[float, ...]] = field(default_factory=list)

    def take(self, row: Row) -> None:
        """Keep what was asked for; not a number where it is not defined."""
        if not row.lasts:
            return
        self.times.append(row.state.time)
        self.rows.append(tuple(row.known.get(name, math.nan) for name in self.names))

    def column(self, name: str) -> Array:
        """The values of one signal, in the order of the rows."""
        place = self.names.index(name)
        return np.array([row[place] for row in self.rows], dtype=np.float64)


class CsvSink:
    """Rows as comma-separated text with full precision; undefined numbers are left empty."""

    def __init__(self, file: TextIO, names: tuple[str, ...]) -> None:
        self._names = names
        self._writer = csv.writer(file, lineterminator="\n")
        self._writer.writerow(("t", "location", *names))

    def take(self, row: Row) -> None:
        """Write one line."""
        numbers = [_digits(row.known.get(name, math.nan)) for name in self._names]
        self._writer.writerow((_digits(row.state.time), str(row.state.location), *numbers))


def _digits(number: float) -> str:
    return "" if math.isnan(number) else repr(float(number))


class ParquetSink:
    """Rows in groups of `BATCH`, as columns of doubles; locations are stored once each."""

    def __init__(self, file: BinaryIO, names: tuple[str, ...]) -> None:
        self._arrow, parquet = _pyarrow()
        pa, self._names = self._arrow, names
        fields = [("t", pa.float64()), ("location", pa.dictionary(pa.int32(), pa.string()))]
        self._schema = pa.schema(fields + [(name, pa.float64()) for name in names])
        self._writer = parquet.ParquetWriter(file, self._schema)
        self._rows: list[tuple[float, ...]] = []
        self._locations: list[str] = []

    def take(self, row: Row) -> None:
        """Hold the row until its group is full."""
        numbers = (row.known.get(name, math.nan) for name in self._names)
        self._rows.append((row.state.time, *numbers))
        self._locations.append(str(row.state.location))
        if len(self._rows) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Write the last group and the end of the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if not self._rows:
            return
        pa, block = self._arrow, np.array(self._rows)
        words = pa.array(self._locations).dictionary_encode()
        arrays = [pa.array(block[:, 0]), words, *(pa.array(column) for column in block[:, 1:].T)]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._rows, self._locations = [], []


def check_parquet() -> None:
    """Refuse to promise a Parquet file where none can be written."""
    _pyarrow()


def _pyarrow() -> tuple[Any, Any]:  # pyarrow ships no types
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        text = "Parquet needs pyarrow; install it with: pip install 'dyverse[parquet]'"
        raise ExportError(text) from None
    return pyarrow, pyarrow.parquet


@contextmanager
def csv_sink(run: Run, path: str | Path) -> Iterator[CsvSink]:
    """A sink for a CSV file, which is there once the block has ended well."""
    with replacing(path) as beside, open_text(beside) as file:
        yield CsvSink(file, columns(run))


@contextmanager
def parquet_sink(run: Run, path: str | Path) -> Iterator[ParquetSink]:
    """A sink for a Parquet file, which is there once the block has ended well."""
    with replacing(path) as beside, beside.open("wb") as file:
        sink = ParquetSink(file, columns(run))
        yield sink
        sink.close()


def write_csv(run: Run, path: str | Path) -> None:
    """The table of ``run`` as CSV, ready for ``pandas.read_csv``."""
    with csv_sink(run, path) as sink:
        pour(run, [sink])


def write_parquet(run: Run, path: str | Path) -> None:
    """The table of ``run`` as Parquet; needs the extra ``parquet``."""
    with parquet_sink(run, path) as sink:
        pour(run, [sink])
