"""What can be wrong inside one automaton of a text: its entries, each with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dyverse.automaton.reading.names import (
    Names,
    Problems,
    condition_problems,
    term_problems,
    twice,
    value_problems,
)
from dyverse.automaton.surface.discontinuous import LOCATIONS
from dyverse.errors import Problem, Span, did_you_mean
from dyverse.expr.term import CONSTANTS, FUNCTIONS, Number
from dyverse.text.instances import TIME, AnyAutomaton
from dyverse.text.syntax import automata
from dyverse.text.syntax.elements import Entry, Name


def formals_of(statement: AnyAutomaton) -> list[str]:
    """The names of its parameters."""
    if isinstance(statement, automata.DiscontinuousStatement):
        return []
    return [formal.name.text for formal in statement.formals]


def own_names(
    statement: AnyAutomaton, constants: Collection[str], inputs: Collection[str]
) -> Problems:
    """Names given twice, taken, or with another meaning."""
    names = [item.name for item in getattr(statement, "formals", ())]
    names += [
        i.name for e in statement.entries if isinstance(e, automata.Declarations) for i in e.items
    ]
    yield from twice("name", names)
    for name in names:
        if name.text in (TIME, *CONSTANTS) or name.text in FUNCTIONS:
            yield Problem(f"{name.text!r} is a word of the language; choose another", name.span)
        elif name.text in constants:
            yield Problem(f"the name {name.text!r} is taken by a parameter", name.span)
        elif name.text in inputs:
            yield Problem(f"the name {name.text!r} is taken by an input", name.span)
    yield from twice(
        "location", (e.name for e in statement.entries if isinstance(e, automata.LocationPart))
    )
    yield from _initial(statement)


def _initial(statement: AnyAutomaton) -> Problems:
    known: list[str] = [
        e.name.text for e in statement.entries if isinstance(e, automata.LocationPart)
    ]
    if isinstance(statement, automata.DiscontinuousStatement):
        known = [*LOCATIONS]
    found = [e.name for e in statement.entries if isinstance(e, automata.Initial)]
    if isinstance(statement, automata.AutomatonStatement) and statement.fmu:
        return
    if not found:
        hint = f"; write 'initial {known[0]}'" if known else ""
        yield Problem(f"{statement.name.text!r} has no initial location{hint}", statement.name.span)
    for extra in found[1:]:
        yield Problem("'initial' is given twice; keep one", extra.span)
    for name in found[:1]:
        yield from _location(name, known)


def _location(name: Name, known: Iterable[str]) -> Problems:
    known = list(known)
    if name.text not in known:
        hint = did_you_mean(name.text, known)
        yield Problem(f"unknown location {name.text!r}{hint}", name.span)


def automaton_entries(statement: automata.AutomatonStatement, names: Names) -> Problems:
    """What is wrong with the entries of an automaton."""
    places = [e.name.text for e in statement.entries if isinstance(e, automata.LocationPart)]
    for formal in statement.formals:
        if formal.formula is not None:
            default = Names(names.constants - set(formals_of(statement)), {}, {})
            yield from value_problems(formal.formula, default, constant=True)
    for entry in statement.entries:
        match entry:
            case automata.Declarations(kind=kind, items=items):
                yield from _declarations(kind, items, names)
            case automata.LocationPart(entries=parts):
                yield from _rates([p for p in parts if isinstance(p, automata.Rate)], names)
                yield from once(parts, entry.name.span)
                for part in parts:
                    if isinstance(part, automata.Invariant):
                        yield from condition_problems(part.formula, names)
            case automata.EdgePart():
                yield from _edge(entry, places, names)
            case automata.Initial() | automata.FmuPart():
                pass


def _declarations(
    kind: automata.Kind, items: tuple[automata.Declaration, ...], names: Names
) -> Problems:
    for item in items:
        if item.start is not None:
            yield from term_problems(item.start, names, constant=True)
        for bound in item.limits or ():
            yield from value_problems(bound, names, constant=True)
        if kind == "bool" and item.limits:
            yield Problem(f"the Boolean {item.name.text!r} needs no range", item.name.span)


def _rates(rates: Iterable[automata.Rate], names: Names) -> Problems:
    rates = list(rates)
    yield from twice("rate of", (rate.name for rate in rates))
    for rate in rates:
        kind = names.own.get(rate.name.text)
        if kind is None:
            hint = did_you_mean(rate.name.text, names.own)
            yield Problem(f"unknown variable {rate.name.text!r}{hint}", rate.name.span)
        elif kind not in ("real", "clock"):
            word = "an integer" if kind == "int" else "a Boolean"
            yield Problem(f"{rate.name.text!r} is {word} and has no rate", rate.name.span)
        yield from value_problems(rate.value, names)


def _edge(part: automata.EdgePart, places: list[str], names: Names) -> Problems:
    for end in (part.source, part.target):
        yield from _location(end, places)
    yield from once(part.entries, part.source.span)
    for entry in part.entries:
        if isinstance(entry, automata.Guard):
            yield from condition_problems(entry.formula, names)
        elif isinstance(entry, automata.Updates):
            yield from _updates(entry, names)
    if any(isinstance(e, automata.Sync) for e in part.entries):
        for entry in part.entries:
            if isinstance(entry, automata.ActionName):
                message = "an edge with 'sync' is called after its channel; leave out 'action'"
                yield Problem(message, entry.name.span)


def _updates(entry: automata.Updates, names: Names) -> Problems:
    yield from twice("assignment to", (item.name for item in entry.items))
    for item in entry.items:
        known = {**names.own, **names.others}
        if item.name.text in names.inputs:
            message = f"{item.name.text!r} is an input and cannot be assigned"
            yield Problem(message, item.name.span)
        elif item.name.text not in known and item.name.text not in names.constants:
            hint = did_you_mean(item.name.text, known)
            yield Problem(f"unknown variable {item.name.text!r}{hint}", item.name.span)
        elif item.name.text in names.constants:
            message = f"{item.name.text!r} is a parameter and cannot be assigned"
            yield Problem(message, item.name.span)
        yield from term_problems(item.value, names)


def once(entries: Iterable[object], place: Span | None) -> Problems:
    """Entries of a location or an edge that may be given only once."""
    words = {
        automata.Invariant: "invariant",
        automata.Guard: "when",
        automata.Updates: "do",
        automata.Sync: "sync",
    }
    seen: set[str] = set()
    for entry in entries:
        word = entry.keyword if isinstance(entry, Entry) else words.get(type(entry), "")
        span = entry.span if isinstance(entry, Entry) else _span_of(entry) or place
        if word in seen:
            yield Problem(f"{word!r} is given twice; keep one", span)
        if isinstance(entry, Entry) and word == "priority":
            yield from _whole(entry)
        seen |= {word} - {""}


def _span_of(entry: object) -> Span | None:
    match entry:
        case automata.Invariant(formula=formula) | automata.Guard(formula=formula):
            return formula.span
        case automata.Updates(items=items):
            return items[0].name.span
        case automata.Sync(channel=channel):
            return channel.span
        case _:
            return None


def _whole(entry: Entry) -> Problems:
    number = entry.value
    if not isinstance(number, Number) or number.value != round(number.value):
        yield Problem("a priority is a whole number, such as 2", entry.span)


def surface_entries(statement: automata.DiscontinuousStatement, names: Names) -> Problems:
    """What is wrong with the entries of a discontinuous system."""
    words = [e.keyword for e in statement.entries if isinstance(e, Entry | automata.FieldPart)]
    for word in ("surface", "above", "below"):
        if word not in words:
            yield Problem(f"{statement.name.text!r} has no {word!r}", statement.name.span)
    seen: set[str] = set()
    for entry in statement.entries:
        match entry:
            case Entry(keyword=keyword, value=value) if value is not None:
                yield from value_problems(value, names, constant=keyword in ("width", "period"))
            case automata.FieldPart(rates=rates):
                yield from _rates(rates, names)
            case automata.Declarations(items=items):
                yield from _declarations("real", items, names)
            case automata.Along(name=name) if name.text not in names.own:
                hint = did_you_mean(name.text, names.own)
                yield Problem(f"unknown variable {name.text!r}{hint}", name.span)
            case _:
                pass
        if isinstance(entry, Entry | automata.FieldPart):
            if entry.keyword in seen:
                yield Problem(f"{entry.keyword!r} is given twice; keep one", entry.span)
            seen.add(entry.keyword)
