"""Statements about automata as model text, one entry a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from dyverse.expr.printing import formula_text, term_text
from dyverse.text.printing.elements import (
    block_text,
    definition_text,
    entry_text,
    limits_text,
    value_text,
)
from dyverse.text.syntax import automata
from dyverse.text.syntax.elements import Entry


def short_text(
    statement: automata.FunctionStatement | automata.ChannelStatement | automata.SystemStatement,
) -> str:
    """A statement of one line."""
    match statement:
        case automata.FunctionStatement(name=name, arguments=arguments, value=value):
            names = ", ".join(argument.text for argument in arguments)
            return f"function {name.text}({names}) = {value_text(value)}"
        case automata.ChannelStatement(name=name, entries=entries):
            return f"channel {name.text}{_optional(map(entry_text, entries))}"
        case automata.SystemStatement(instances=instances):
            return f"system {' || '.join(map(_instance, instances))}"
        case _:
            assert_never(statement)


def automaton_text(statement: automata.AutomatonStatement | automata.DiscontinuousStatement) -> str:
    """An automaton, one entry a line."""
    lines = "".join(f"  {_entry(entry)}\n" for entry in statement.entries)
    if isinstance(statement, automata.DiscontinuousStatement):
        return f"discontinuous {statement.name.text} {{\n{lines}}}"
    channels = (f"channel {name.text}" for name in statement.channels)
    formals = ", ".join([*channels, *map(definition_text, statement.formals)])
    head = f"{statement.name.text}({formals})" if formals else statement.name.text
    return f"automaton {head} {{\n{lines}}}"


def _optional(parts: Iterable[str]) -> str:
    """A block, or nothing if it is empty."""
    given = list(parts)
    return f" {block_text(given)}" if given else ""


def _instance(instance: automata.Instance) -> str:
    given = ", ".join(map(_argument, instance.arguments))
    made = f"{instance.automaton.text}({given})" if given else instance.automaton.text
    return f"{instance.alias.text} = {made}" if instance.alias else made


def _argument(argument: automata.Argument) -> str:
    value = term_text(argument.value)
    return f"{argument.name.text} = {value}" if argument.name else value


def _entry(entry: automata.AutomatonEntry | automata.DiscontinuousEntry) -> str:
    match entry:
        case automata.Declarations(kind=kind, items=items):
            return f"{kind} {', '.join(map(_declaration, items))}"
        case automata.LocationPart(name=name, entries=entries):
            return f"location {name.text}{_optional(map(_in_location, entries))}"
        case automata.EdgePart(source=source, target=target, entries=entries):
            ends = f"{source.text} -> {target.text}"
            return f"edge {ends}{_optional(map(_on_edge, entries))}"
        case automata.Initial(name=name):
            return f"initial {name.text}"
        case automata.FmuPart(file=file, step=step, links=links):
            return f'fmu "{file.text}" step {value_text(step)}{_optional(map(_link, links))}'
        case automata.FieldPart(keyword=keyword, rates=rates):
            return f"{keyword} {block_text(map(_rate, rates))}"
        case automata.Along(name=name):
            return f"along {name.text}"
        case Entry():
            return entry_text(entry)
        case _:
            assert_never(entry)


def _link(link: automata.FmuLink) -> str:
    return f'{link.name.text} = "{link.signal.text}"'


def _declaration(item: automata.Declaration) -> str:
    start = "" if item.start is None else f" = {term_text(item.start)}"
    return f"{item.name.text}{start}{limits_text(item.limits)}"


def _in_location(entry: automata.LocationEntry) -> str:
    match entry:
        case automata.Rate():
            return _rate(entry)
        case automata.Invariant(formula=formula):
            return f"invariant {formula_text(formula)}"
        case Entry():
            return entry_text(entry)
        case _:
            assert_never(entry)


def _rate(rate: automata.Rate) -> str:
    return f"{rate.name.text}' = {value_text(rate.value)}"


def _on_edge(entry: automata.EdgeEntry) -> str:
    match entry:
        case automata.Guard(formula=formula):
            return f"when {formula_text(formula)}"
        case automata.Updates(items=items):
            return f"do {', '.join(map(_update, items))}"
        case automata.Sync(channel=channel, sends=sends):
            return f"sync {channel.text}{'!' if sends else '?'}"
        case automata.ActionName(name=name):
            return f"action {name.text}"
        case Entry():
            return entry_text(entry)
        case _:
            assert_never(entry)


def _update(update: automata.Update) -> str:
    return f"{update.name.text} := {term_text(update.value)}"
