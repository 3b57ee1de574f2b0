"""Statements about automata as model text, one entry a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from dyverse.expr.printing import formula_text, term_text
from dyverse.text.automata import (
    ActionName,
    Along,
    Argument,
    AutomatonEntry,
    AutomatonStatement,
    ChannelStatement,
    Declaration,
    Declarations,
    DiscontinuousEntry,
    DiscontinuousStatement,
    EdgeEntry,
    EdgePart,
    FieldPart,
    FunctionStatement,
    Guard,
    Initial,
    Instance,
    Invariant,
    LocationEntry,
    LocationPart,
    Rate,
    Sync,
    SystemStatement,
    Update,
    Updates,
)
from dyverse.text.element_text import (
    block_text,
    definition_text,
    entry_text,
    limits_text,
    value_text,
)
from dyverse.text.elements import Entry


def short_text(statement: FunctionStatement | ChannelStatement | SystemStatement) -> str:
    """A statement of one line."""
    match statement:
        case FunctionStatement(name=name, arguments=arguments, value=value):
            names = ", ".join(argument.text for argument in arguments)
            return f"function {name.text}({names}) = {value_text(value)}"
        case ChannelStatement(name=name, entries=entries):
            return f"channel {name.text}{_optional(map(entry_text, entries))}"
        case SystemStatement(instances=instances):
            return f"system {' || '.join(map(_instance, instances))}"
        case _:
            assert_never(statement)


def automaton_text(statement: AutomatonStatement | DiscontinuousStatement) -> str:
    """An automaton, one entry a line."""
    lines = "".join(f"  {_entry(entry)}\n" for entry in statement.entries)
    if isinstance(statement, DiscontinuousStatement):
        return f"discontinuous {statement.name.text} {{\n{lines}}}"
    formals = ", ".join(map(definition_text, statement.formals))
    head = f"{statement.name.text}({formals})" if formals else statement.name.text
    return f"automaton {head} {{\n{lines}}}"


def _optional(parts: Iterable[str]) -> str:
    """A block, or nothing if it is empty."""
    given = list(parts)
    return f" {block_text(given)}" if given else ""


def _instance(instance: Instance) -> str:
    given = ", ".join(map(_argument, instance.arguments))
    made = f"{instance.automaton.text}({given})" if given else instance.automaton.text
    return f"{instance.alias.text} = {made}" if instance.alias else made


def _argument(argument: Argument) -> str:
    value = term_text(argument.value)
    return f"{argument.name.text} = {value}" if argument.name else value


def _entry(entry: AutomatonEntry | DiscontinuousEntry) -> str:
    match entry:
        case Declarations(kind=kind, items=items):
            return f"{kind} {', '.join(map(_declaration, items))}"
        case LocationPart(name=name, entries=entries):
            return f"location {name.text}{_optional(map(_in_location, entries))}"
        case EdgePart(source=source, target=target, entries=entries):
            ends = f"{source.text} -> {target.text}"
            return f"edge {ends}{_optional(map(_on_edge, entries))}"
        case Initial(name=name):
            return f"initial {name.text}"
        case FieldPart(keyword=keyword, rates=rates):
            return f"{keyword} {block_text(map(_rate, rates))}"
        case Along(name=name):
            return f"along {name.text}"
        case Entry():
            return entry_text(entry)
        case _:
            assert_never(entry)


def _declaration(item: Declaration) -> str:
    start = "" if item.start is None else f" = {term_text(item.start)}"
    return f"{item.name.text}{start}{limits_text(item.limits)}"


def _in_location(entry: LocationEntry) -> str:
    match entry:
        case Rate():
            return _rate(entry)
        case Invariant(formula=formula):
            return f"invariant {formula_text(formula)}"
        case Entry():
            return entry_text(entry)
        case _:
            assert_never(entry)


def _rate(rate: Rate) -> str:
    return f"{rate.name.text}' = {value_text(rate.value)}"


def _on_edge(entry: EdgeEntry) -> str:
    match entry:
        case Guard(formula=formula):
            return f"when {formula_text(formula)}"
        case Updates(items=items):
            return f"do {', '.join(map(_update, items))}"
        case Sync(channel=channel, sends=sends):
            return f"sync {channel.text}{'!' if sends else '?'}"
        case ActionName(name=name):
            return f"action {name.text}"
        case Entry():
            return entry_text(entry)
        case _:
            assert_never(entry)


def _update(update: Update) -> str:
    return f"{update.name.text} := {term_text(update.value)}"
