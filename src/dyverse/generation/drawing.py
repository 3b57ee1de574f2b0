"""What is drawn for a model: the drawings of its ``scene``, and what can be wrong with them.

Numbers of a drawing are terms over the signals of the model; of an automaton that runs, the name of
a location with the automaton's before it, ``hose.at_left``, is 1 there and 0 elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from dyverse.errors import Problem, Span, did_you_mean
from dyverse.expr.formula import And, Compare, Formula, Not, Or, formula_symbols
from dyverse.expr.term import CONSTANTS, Call, Number, Symbol, Term, Vector, children, symbols
from dyverse.text.mistakes.calls import call_message
from dyverse.text.syntax.drawings import DrawingEntry, DrawingPart, SceneStatement
from dyverse.text.syntax.elements import Name, Quoted, Row
from dyverse.text.syntax.statements import Model

COLOURS = ("black", "orange", "sky", "green", "yellow", "blue", "red", "purple", "grey")
VECTORS = ("at", "from", "to", "size")
COMMON = ("colour", "glow", "show")
NEEDED = {
    "line": ("from", "to"),
    "circle": ("at", "radius"),
    "box": ("at", "size"),
    "text": ("at", "say"),
    "gauge": ("at", "say", "value"),
}
OPTIONAL = {
    "line": ("width",),
    "circle": (),
    "box": ("turn",),
    "text": ("value", "digits", "unit"),
    "gauge": ("unit",),
}
MOST_DIGITS = 12
Content = Term | Vector | Formula | str
Problems = Iterator[Problem]


@dataclass(frozen=True, slots=True)
class Drawing:
    """One drawing: what each of its entries says, and the limits of a gauge."""

    kind: str
    entries: tuple[tuple[str, Content], ...]
    limits: tuple[Term, Term] | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


def drawings(model: Model) -> tuple[Drawing, ...]:
    """The drawings of a syntax tree without problems."""
    return tuple(_drawing(part) for part in _parts(model))


def drawing_problems(model: Model) -> Problems:
    """What is wrong with the form of drawings: entries that are missing, or make no sense."""
    for part in _parts(model):
        yield from _form_problems(part)
        for entry in part.entries:
            yield from _entry_problems(part.kind, entry)


def name_problems(model: Model, known: Collection[str], constants: Collection[str]) -> Problems:
    """Names in drawings that the model does not have; limits may only have constants."""
    for part in _parts(model):
        for entry in part.entries:
            for symbol in _symbols(entry):
                if symbol.name not in known and symbol.name not in CONSTANTS:
                    hint = did_you_mean(symbol.name, sorted(known))
                    yield Problem(f"unknown name {symbol.name!r}{hint}", symbol.span)
            for bound in entry.limits or ():
                for name in sorted(_names(bound) - {*constants, *CONSTANTS}):
                    yield Problem(f"limits must be constant, and {name!r} is not", bound.span)


def _parts(model: Model) -> Iterator[DrawingPart]:
    for statement in model.statements:
        if isinstance(statement, SceneStatement):
            yield from statement.drawings


def _form_problems(part: DrawingPart) -> Problems:
    words = [entry.keyword for entry in part.entries]
    allowed = (*NEEDED[part.kind], *OPTIONAL[part.kind], *COMMON)
    for missing in (word for word in NEEDED[part.kind] if word not in words):
        yield Problem(f"a {part.kind} needs {missing!r}", part.span)
    for number, entry in enumerate(part.entries):
        if entry.keyword not in allowed:
            there = ", ".join(allowed)
            yield Problem(f"a {part.kind} has no {entry.keyword!r}; it has {there}", entry.span)
        elif entry.keyword in words[:number]:
            yield Problem(f"{entry.keyword!r} is given twice", entry.span)


def _entry_problems(kind: str, entry: DrawingEntry) -> Problems:
    value, word = entry.value, entry.keyword
    if word in VECTORS and not (isinstance(value, Row) and len(value.items) == 3):
        yield Problem(f"{word!r} needs a vector such as (0, 1, 0)", entry.span)
    elif isinstance(value, Row) and word not in VECTORS:
        yield Problem(f"{word!r} needs a number, found a vector", entry.span)
    if isinstance(value, Name) and value.text not in COLOURS:
        hint = did_you_mean(value.text, COLOURS) or f"; there are {', '.join(COLOURS)}"
        yield Problem(f"unknown colour {value.text!r}{hint}", value.span)
    if word == "digits" and not _is_count(value):
        yield Problem(f"digits are a whole number from 0 to {MOST_DIGITS}", entry.span)
    if word == "value" and (kind == "gauge") != (entry.limits is not None):
        wish = "a gauge needs limits: value x in [0, 1]"
        yield Problem(wish if kind == "gauge" else f"a {kind} has no limits", entry.span)
    for bound in entry.limits or ():
        if isinstance(bound, Row):
            yield Problem("limits are numbers, found a vector", bound.span)
    yield from (found for term in _terms(entry) for found in _call_problems(term))


def _is_count(value: object) -> bool:
    return isinstance(value, Number) and value.value in range(MOST_DIGITS + 1)


def _call_problems(term: Term) -> Problems:
    if isinstance(term, Call) and (message := call_message(term)):
        yield Problem(message, term.span)
    for child in children(term):
        yield from _call_problems(child)


def _terms(entry: DrawingEntry) -> Iterator[Term]:
    """The terms of an entry that is no condition, and of its limits."""
    for value in (entry.value, *(entry.limits or ())):
        match value:
            case Row(items=items):
                yield from items
            case Name() | Quoted():
                pass
            case Compare() | And() | Or() | Not():
                yield from _sides(value)
            case _:
                yield value


def _sides(formula: Formula) -> Iterator[Term]:
    match formula:
        case Compare(left=left, right=right):
            yield from (left, right)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _sides(part)
        case Not(part=part):
            yield from _sides(part)


def _symbols(entry: DrawingEntry) -> Iterator[Symbol]:
    return (symbol for term in _terms(entry) for symbol in symbols(term))


def _names(value: Term | Row) -> set[str]:
    return set() if isinstance(value, Row) else {symbol.name for symbol in symbols(value)}


def _drawing(part: DrawingPart) -> Drawing:
    limits = next((entry.limits for entry in part.entries if entry.limits is not None), None)
    bounds = None if limits is None else (_term(limits[0]), _term(limits[1]))
    entries = tuple((entry.keyword, _content(entry)) for entry in part.entries)
    return Drawing(part.kind, entries, bounds, part.span)


def _term(value: Term | Row) -> Term:
    assert not isinstance(value, Row)
    return value


def _content(entry: DrawingEntry) -> Content:
    match entry.value:
        case Row(items=(x, y, z)):
            return (x, y, z)
        case Name(text=text) | Quoted(text=text):
            return text
        case Row():
            raise AssertionError(entry)
        case value:
            return value


def drawing_names(drawing: Drawing) -> frozenset[str]:
    """The signals that a drawing needs."""
    found: set[str] = set()
    for _, content in drawing.entries:
        match content:
            case str():
                pass
            case tuple():
                found.update(symbol.name for term in content for symbol in symbols(term))
            case Compare() | And() | Or() | Not():
                found.update(symbol.name for symbol in formula_symbols(content))
            case _:
                found.update(symbol.name for symbol in symbols(content))
    return frozenset(found - CONSTANTS.keys())
