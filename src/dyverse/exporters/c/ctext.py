"""Values of Python as initialisers of C."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from dyverse.exporters.c.quantities import Quantity
from dyverse.native.header import headers

SIZES = tuple(2**power for power in range(12, 0, -1))  # of runs in ``tables.h``
EMPTY = '    {"", "", 0.0, 0.0, 0.0, 0, 0, 0.0}'
SHORTEST = 8  # numbers that are worth a rule


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
    body = "\n".join(
        wrap(", ".join(entries) or "0", 96, break_long_words=False, initial_indent="    ")
    )
    return f"static const {kind} {name}[] = {{\n{body}}};\n"


def doubles(name: str, values: Iterable[float]) -> str:
    """An array of numbers."""
    return _array("double", name, map(number, values))


def ints(name: str, values: Iterable[int]) -> str:
    """An array of whole numbers; what follows a rule is said in few words (``tables.h``)."""
    return _array("int", name, _by_rule([int(value) for value in values]))


def _by_rule(row: Sequence[int]) -> Iterator[str]:
    """The entries of ``row``: runs of numbers, or of pairs, that grow evenly, and all others."""
    at = 0
    while at < len(row):
        width = max((1, 2), key=lambda w: w * _count(row, at, w))
        count = _count(row, at, width)
        if width * count < SHORTEST:
            yield str(row[at])
            at += 1
            continue
        steps = [row[at + width + i] - row[at + i] for i in range(width)]
        for size in (size for size in SIZES if size <= count):
            while count >= size:
                numbers = ", ".join(map(str, [*row[at : at + width], *steps]))
                yield f"DM_RUN{width}_{size}({numbers})"
                at, count = at + width * size, count - size


def _count(row: Sequence[int], at: int, width: int) -> int:
    """How many groups of ``width`` numbers from ``at`` on grow evenly."""
    last = at + width
    while last + width <= len(row) and all(
        row[last + i] - row[last + i - width] == row[at + width + i] - row[at + i]
        for i in range(width)
    ):
        last += width
    return (last - at) // width


def structure(
    kind: str, name: str, counts: Mapping[str, int], tables: Mapping[str, Sequence[int]]
) -> str:
    """A structure of counts and tables, all its fields in order, and its tables before it."""
    arrays = "".join(ints(f"{name}_{table}", row) for table, row in tables.items())
    said = {**counts, **{table: f"{name}_{table}" for table in tables}}
    fields = [field for field, _ in headers().typeof(kind).fields]
    body = ",\n    ".join(f"/* {field} */ {said.get(field, 0)}" for field in fields)
    return f"{arrays}static const {kind} {name} = {{\n    {body}}};\n"


def quantities(name: str, found: Sequence[Quantity]) -> str:
    """An array of `dyverse_quantity`."""
    rows = [f"    {{{', '.join(_entries(item))}}}" for item in found] or [EMPTY]
    return f"static const dyverse_quantity {name}[] = {{\n" + ",\n".join(rows) + "};\n"


def _entries(item: Quantity) -> Iterator[str]:
    yield from (string(item.name), string(item.unit))
    yield from map(number, (item.value, item.low, item.high))
    yield from (str(int(item.kind)), str(item.index), number(item.nominal))
