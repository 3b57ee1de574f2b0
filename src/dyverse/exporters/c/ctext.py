"""Values of Python as initialisers of C."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from dyverse.exporters.c.quantities import Quantity


def number(value: float) -> str:
    """A number with all its digits."""
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return "NAN" if math.isnan(value) else repr(float(value))


def string(text: str) -> str:
    """A string in plain ASCII; other characters as the bytes of UTF-8."""
    kept = (chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode())
    return '"' + "".join(kept) + '"'


def _array(kind: str, name: str, entries: Iterable[str]) -> str:
    """An array; one entry at least, as C has none without."""
    body = "\n".join(wrap(", ".join(entries) or "0", 96, initial_indent="    "))
    return f"static const {kind} {name}[] = {{\n{body}}};\n"


def ints(name: str, values: Iterable[int]) -> str:
    """An array of whole numbers."""
    return _array("int", name, (str(int(value)) for value in values))


def structure(
    kind: str, name: str, counts: Mapping[str, int], tables: Mapping[str, Sequence[int]]
) -> str:
    """A structure of counts and tables, and its tables before it."""
    arrays = "".join(ints(f"{name}_{table}", row) for table, row in tables.items())
    fields = [f".{count} = {value}" for count, value in counts.items()]
    fields += [f".{table} = {name}_{table}" for table in tables]
    body = ",\n    ".join(fields)
    return f"{arrays}static const {kind} {name} = {{\n    {body}}};\n"


def quantities(name: str, found: Sequence[Quantity]) -> str:
    """An array of `dyverse_quantity`."""
    rows = [f"    {{{', '.join(_entries(item))}}}" for item in found] or ["    {0}"]
    return f"static const dyverse_quantity {name}[] = {{\n" + ",\n".join(rows) + "};\n"


def _entries(item: Quantity) -> Iterator[str]:
    yield from (string(item.name), string(item.unit))
    yield from map(number, (item.value, item.low, item.high))
    yield from (str(int(item.kind)), str(item.index))
