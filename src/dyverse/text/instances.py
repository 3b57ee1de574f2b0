"""Which automata of a model run, under which names, and what their variables are called.

With a ``system`` statement these are its instances, and ``tank.level`` is a variable of the
instance ``tank``. Without one, a single automaton runs alone and its variables have plain names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeGuard

from dyverse.expr.term import Symbol, Term, symbols
from dyverse.text.syntax.automata import (
    ActionName,
    Argument,
    AutomatonEntry,
    AutomatonStatement,
    Declarations,
    DiscontinuousStatement,
    EdgePart,
    Instance,
    Kind,
    LocationPart,
    Sync,
    SystemStatement,
)
from dyverse.text.syntax.elements import Name, Row
from dyverse.text.syntax.statements import InputStatement, Model

TIME = "t"
AnyAutomaton = AutomatonStatement | DiscontinuousStatement


@dataclass(frozen=True, slots=True)
class Running:
    """An automaton at work: its name, what comes before the names of its variables."""

    name: Name
    statement: AnyAutomaton
    arguments: tuple[Argument, ...] = ()
    prefix: str = ""
    inputs: frozenset[str] = frozenset()  # of the model, which change in time

    def variables(self) -> dict[str, Kind]:
        """Its variables by their names in the whole model, and their kinds."""
        return {f"{self.prefix}{name}": kind for name, kind in declared(self.statement)}

    def given(self) -> Iterator[tuple[str, Term]]:
        """The value of each parameter; those without one are left out."""
        if isinstance(self.statement, DiscontinuousStatement):
            return
        formals = [formal.name.text for formal in self.statement.formals]
        found = {a.name.text: a.value for a in self.arguments if a.name}
        unnamed = (a.value for a in self.arguments if not a.name)
        found |= dict(zip(formals, unnamed, strict=False))
        for formal in self.statement.formals:
            value = found.get(formal.name.text, formal.formula)
            if value is not None and not isinstance(value, Row):
                yield formal.name.text, value

    def constants(self) -> tuple[str, ...]:
        """Its parameters that do not change, by their names in the whole model."""
        found = (name for name, value in self.given() if self.is_constant(value))
        return tuple(f"{self.prefix}{name}" for name in found)

    def is_constant(self, value: Term) -> bool:
        """Whether what is given for a parameter stays the same: it uses nothing that changes."""
        changing = {*self.inputs, TIME}
        names = [symbol.name for symbol in symbols(value)]
        return not any("." in name or "[" in name or name in changing for name in names)

    def places(self) -> tuple[str, ...]:
        """Its locations by their names in the whole model, with its own even if it runs alone."""
        found = (e.name.text for e in self.statement.entries if isinstance(e, LocationPart))
        return tuple(f"{self.name.text}.{name}" for name in found)


def automata(model: Model) -> tuple[AnyAutomaton, ...]:
    """The automata of a model, whether they run or not."""
    return tuple(s for s in model.statements if isinstance(s, AnyAutomaton))


def systems(model: Model) -> tuple[SystemStatement, ...]:
    """The system statements: one is enough."""
    return tuple(s for s in model.statements if isinstance(s, SystemStatement))


def running(model: Model) -> tuple[Running, ...]:
    """The automata that run; those that do not exist are left out."""
    known = {item.name.text: item for item in automata(model)}
    if not systems(model):
        found = tuple(known.values())
        return (Running(found[0].name, found[0]),) if len(found) == 1 else ()
    inputs = _inputs(model)
    return tuple(
        Running(
            item.name,
            *with_channels(known[item.automaton.text], item),
            f"{item.name.text}.",
            inputs,
        )
        for item in systems(model)[0].instances
        if item.automaton.text in known
    )


def with_channels(
    statement: AnyAutomaton, item: Instance
) -> tuple[AnyAutomaton, tuple[Argument, ...]]:
    """An automaton with the channels that an instance gives it, and the other arguments."""
    if isinstance(statement, DiscontinuousStatement) or not statement.channels:
        return statement, item.arguments
    given = given_channels(statement, item)
    meant = {name: term.name for name, term in given.items() if is_channel(term)}
    rest = tuple(a for a in item.arguments if not any(a.value is term for term in given.values()))
    entries = tuple(_renamed(entry, meant) for entry in statement.entries)
    missing = tuple(name for name in statement.channels if name.text not in meant)
    return replace(statement, entries=entries, channels=missing), rest


def given_channels(statement: AutomatonStatement, item: Instance) -> dict[str, Term]:
    """What an instance gives for the channels of its automaton; some may be missing."""
    names = [channel.text for channel in statement.channels]
    named = {a.name.text: a.value for a in item.arguments if a.name and a.name.text in names}
    unnamed = (a.value for a in item.arguments if a.name is None)
    return dict(zip(names, unnamed, strict=False)) | named


def is_channel(term: Term) -> TypeGuard[Symbol]:
    """Whether a term can be the name of a channel."""
    return isinstance(term, Symbol) and "." not in term.name


def _renamed(entry: AutomatonEntry, meant: Mapping[str, str]) -> AutomatonEntry:
    if not isinstance(entry, EdgePart):
        return entry
    parts = tuple(
        replace(part, channel=replace(part.channel, text=meant[part.channel.text]))
        if isinstance(part, Sync) and part.channel.text in meant
        else part
        for part in entry.entries
    )
    return replace(entry, entries=parts)


def _inputs(model: Model) -> frozenset[str]:
    statements = (s for s in model.statements if isinstance(s, InputStatement))
    return frozenset(item.name.text for s in statements for item in s.definitions)


def readable(model: Model) -> dict[str, Kind]:
    """Variables and constants of the automata that run, and their locations as Booleans."""
    found: dict[str, Kind] = {}
    for item in running(model):
        found |= item.variables()
        found |= dict.fromkeys(item.constants(), "real")
        found |= dict.fromkeys(item.places(), "bool")
    return found


def actions(model: Model) -> frozenset[str]:
    """What jumps of the automata that run are called: by their action or their channel."""
    entries = (entry for item in running(model) for entry in item.statement.entries)
    return frozenset(_action(entry) for entry in entries if isinstance(entry, EdgePart))


def _action(edge: EdgePart) -> str:
    for entry in edge.entries:
        if isinstance(entry, Sync):
            return entry.channel.text
        if isinstance(entry, ActionName):
            return entry.name.text
    return "jump"


def declared(statement: AnyAutomaton) -> Iterator[tuple[str, Kind]]:
    """The variables of an automaton."""
    for entry in statement.entries:
        if isinstance(entry, Declarations):
            yield from ((item.name.text, entry.kind) for item in entry.items)
