"""A syntax tree as model text, one statement a line; parsing the text gives the tree back."""

from __future__ import annotations

from typing import assert_never

from dyverse.expr.printing import formula_text, term_text
from dyverse.text.syntax import (
    SHAPES,
    BodyStatement,
    ContactStatement,
    Definition,
    Entry,
    InputStatement,
    LoadStatement,
    Model,
    Name,
    ParameterStatement,
    PropertyStatement,
    Row,
    SettingStatement,
    SpringStatement,
    Statement,
    Value,
)


def model_text(model: Model) -> str:
    """The whole model as text."""
    return "".join(f"{statement_text(statement)}\n" for statement in model.statements)


def statement_text(statement: Statement) -> str:
    """One statement as text, without a line break."""
    match statement:
        case ParameterStatement(name=name, value=value, limits=limits):
            return f"parameter {name.text} = {value_text(value)}{_limits(limits)}"
        case SettingStatement(keyword=keyword, value=value):
            return f"{keyword} {value_text(value)}"
        case BodyStatement(name=name, entries=entries):
            return f"body {name.text} {_block(entries)}"
        case InputStatement(definitions=definitions):
            return f"input {', '.join(map(_definition, definitions))}"
        case LoadStatement(kind=kind, body=body, value=value):
            return f"{kind} {body.text} {value_text(value)}"
        case SpringStatement(kind=kind, body=body, other=other, entries=entries):
            end = other.text if isinstance(other, Name) else value_text(other)
            return f"{kind} {body.text} {end} {_block(entries)}"
        case ContactStatement(pair=pair, entries=entries):
            who = "all" if pair is None else f"{pair[0].text} {pair[1].text}"
            return f"contact {who} {'off' if entries is None else _block(entries)}"
        case PropertyStatement(name=name, formula=formula, until=until):
            end = "" if until is None else f" until {value_text(until)}"
            return f"property {name.text}: always {formula_text(formula)}{end}"
        case _:
            assert_never(statement)


def value_text(value: Value) -> str:
    """A term, or a row of terms in brackets."""
    return _row(value) if isinstance(value, Row) else term_text(value)


def _row(row: Row) -> str:
    return f"({', '.join(map(term_text, row.items))})"


def _limits(limits: tuple[Value, Value] | None) -> str:
    return "" if limits is None else f" in [{value_text(limits[0])}, {value_text(limits[1])}]"


def _definition(definition: Definition) -> str:
    name, formula = definition.name.text, definition.formula
    return name if formula is None else f"{name} = {value_text(formula)}"


def _block(entries: tuple[Entry, ...]) -> str:
    return "{ " + "  ".join(map(_entry, entries)) + " }"


def _entry(entry: Entry) -> str:
    words = [entry.keyword]
    if entry.keyword in SHAPES:
        words.append(SHAPES[entry.keyword])
    if entry.value is not None:
        words.append(value_text(entry.value))
    return " ".join(words)
