"""Elements of statements as text: values, limits, definitions and blocks of entries."""

from __future__ import annotations

from collections.abc import Iterable

from dyverse.expr.printing import term_text
from dyverse.text.syntax.elements import (
    Definition,
    Entry,
    InPieces,
    Joining,
    Name,
    Offering,
    PartEntry,
    Row,
    Value,
)
from dyverse.text.syntax.statements import SHAPES


def value_text(value: Value) -> str:
    """A term, or a row of terms in brackets."""
    return _row(value) if isinstance(value, Row) else term_text(value)


def _row(row: Row) -> str:
    return f"({', '.join(map(term_text, row.items))})"


def limits_text(limits: tuple[Value, Value] | None) -> str:
    """A range with ``in`` before it, or nothing."""
    return "" if limits is None else f" in [{value_text(limits[0])}, {value_text(limits[1])}]"


def definition_text(definition: Definition) -> str:
    """A name, perhaps with its formula, or with its range and in what pieces it is."""
    name, formula = definition.name.text, definition.formula
    if formula is not None:
        return f"{name} = {value_text(formula)}"
    return f"{name}{limits_text(definition.limits)}{_pieces_text(definition.pieces)}"


def _pieces_text(pieces: InPieces | None) -> str:
    if pieces is None:
        return ""
    words = {"linear": pieces.linear, "switching": pieces.switching}
    return " ".join([f" pieces {value_text(pieces.count)}", *(w for w in words if words[w])])


def block_text(parts: Iterable[str]) -> str:
    """Entries in braces."""
    return "{ " + "  ".join(parts) + " }"


def entry_text(entry: Entry) -> str:
    """One entry: a word, and a value if it has one."""
    if entry.keyword in SHAPES:
        return _shape_text(entry)
    if entry.keyword == "limits" and isinstance(entry.value, Row):
        return f"limits [{', '.join(map(term_text, entry.value.items))}]"
    value = [] if entry.value is None else [value_text(entry.value)]
    return " ".join([entry.keyword, *value])


def part_text(part: PartEntry) -> str:
    """A part of a body."""
    return f"part {part.name.text} {block_text(map(entry_text, part.entries))}"


def _shape_text(entry: Entry) -> str:
    """A shape with its measures; if it has several, they are the items of a row."""
    names, value = SHAPES[entry.keyword], entry.value
    if names == ("vertices",) and isinstance(value, Row):
        x, y, z = (value.items[i::3] for i in range(3))
        rows = (value_text(Row(at)) for at in zip(x, y, z, strict=False))
        return " ".join((entry.keyword, *names, *rows))
    values = value.items if isinstance(value, Row) and len(names) > 1 else (value,)
    known = zip(names, values, strict=False)
    measures = (f" {name} {value_text(v)}" for name, v in known if v is not None)
    return entry.keyword + "".join(measures)


def end_text(end: Name | Value) -> str:
    """A body, or a point."""
    return end.text if isinstance(end, Name) else value_text(end)


def joining_text(joins: Joining) -> str:
    """What a joint joins, and how."""
    return f"{joins.kind.text} {joins.a.text} {end_text(joins.b)}"


def offering_text(offering: Offering) -> str:
    """What a contact offers, and on what if that was written."""
    on = "" if offering.on is None else f" on {offering.on.text}"
    return f"offers {offering.channel.text}{on}"
