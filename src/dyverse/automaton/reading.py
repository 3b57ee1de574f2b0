"""Statements about automata to what they mean: a syntax tree in, a `Described` out.

The tree has been checked by `dyverse.automaton.reading_check`; names are made those of the whole
model here. In an instance ``tank`` the variable ``level`` is ``tank.level``. A parameter of an
automaton is a constant of that kind of name, or stands for what was given for it if that changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dyverse.automaton.component import Action, Channel, Component, NetworkEdge, Place
from dyverse.automaton.description import Constant, Declared, Described
from dyverse.automaton.discontinuous import WIDTH, DiscontinuousSystem
from dyverse.automaton.interface import Assignment
from dyverse.automaton.written import Start
from dyverse.expr.formula import TRUE, Formula
from dyverse.expr.rewrite import Rewrite, rewritten, rewritten_formula, substitution
from dyverse.expr.term import Number, Symbol, Term
from dyverse.text.automata import (
    ActionName,
    Along,
    AutomatonStatement,
    ChannelStatement,
    Declarations,
    DiscontinuousStatement,
    EdgePart,
    FieldPart,
    Guard,
    Initial,
    Invariant,
    LocationPart,
    Rate,
    Sync,
    Updates,
)
from dyverse.text.elements import Entry, Row, Value
from dyverse.text.instances import Running, declared, is_constant, running
from dyverse.text.syntax import Model


def described(model: Model, *, name: str = "system") -> Described | None:
    """The automata of ``model`` that run, or nothing if there are none."""
    found = running(model)
    if not found:
        return None
    if isinstance(found[0].statement, DiscontinuousStatement):
        return _surface(found[0].statement)
    parts = [_Instance.of(item) for item in found]
    alone = not found[0].prefix
    return Described(
        name=found[0].name.text if alone else name,
        components=tuple(part.component() for part in parts),
        declared=tuple(item for part in parts for item in part.declared()),
        constants=tuple(item for part in parts for item in part.constants),
        channels=tuple(_channels(model)),
        alone=alone,
    )


def _channels(model: Model) -> Iterator[Channel]:
    for statement in model.statements:
        if isinstance(statement, ChannelStatement):
            words = {entry.keyword: entry.value for entry in statement.entries}
            yield Channel(
                statement.name.text,
                broadcast="broadcast" in words,
                urgent="urgent" in words,
                priority=_priority(words.get("priority")),
            )


@dataclass(frozen=True, slots=True)
class _Instance:
    """One automaton that runs, and what its names mean."""

    item: Running
    statement: AutomatonStatement
    constants: tuple[Constant, ...]
    rewrite: Rewrite

    @classmethod
    def of(cls, item: Running) -> _Instance:
        """Sort the arguments into constants and names for what changes."""
        assert isinstance(item.statement, AutomatonStatement)
        meanings: dict[str, Term] = {
            name: Symbol(f"{item.prefix}{name}") for name, _ in declared(item.statement)
        }
        constants = []
        for formal, value in item.given():
            full = f"{item.prefix}{formal}"
            if is_constant(value):
                constants.append(Constant(full, value, value.span))
                meanings[formal] = Symbol(full)
            else:
                meanings[formal] = value
        return cls(item, item.statement, tuple(constants), substitution(meanings))

    def declared(self) -> Iterator[Declared]:
        """The variables, in the order written."""
        for entry in self.statement.entries:
            if isinstance(entry, Declarations):
                for item in entry.items:
                    start = Number(0.0) if item.start is None else self._term(item.start)
                    limits = item.limits
                    bounds = (self._term(limits[0]), self._term(limits[1])) if limits else None
                    name = f"{self.item.prefix}{item.name.text}"
                    yield Declared(name, entry.kind, start, bounds, item.name.span)

    def component(self) -> Component:
        """Its locations and edges."""
        entries = self.statement.entries
        return Component(
            name=self.item.name.text,
            places=tuple(self._place(e) for e in entries if isinstance(e, LocationPart)),
            edges=tuple(self._edge(e) for e in entries if isinstance(e, EdgePart)),
            initial=next(e.name.text for e in entries if isinstance(e, Initial)),
        )

    def _place(self, part: LocationPart) -> Place:
        words = {entry.keyword for entry in part.entries if isinstance(entry, Entry)}
        invariants = [e.formula for e in part.entries if isinstance(e, Invariant)]
        return Place(
            name=part.name.text,
            rates=tuple(self._rate(e) for e in part.entries if isinstance(e, Rate)),
            invariant=self._formula(invariants[0]) if invariants else TRUE,
            urgent="urgent" in words,
            committed="committed" in words,
        )

    def _rate(self, rate: Rate) -> Assignment:
        return Assignment(f"{self.item.prefix}{rate.name.text}", self._term(rate.value))

    def _edge(self, part: EdgePart) -> NetworkEdge:
        words = {entry.keyword: entry.value for entry in part.entries if isinstance(entry, Entry)}
        guards = [e.formula for e in part.entries if isinstance(e, Guard)]
        syncs = [e for e in part.entries if isinstance(e, Sync)]
        names = [e.name.text for e in part.entries if isinstance(e, ActionName)]
        return NetworkEdge(
            source=part.source.text,
            target=part.target.text,
            guard=self._formula(guards[0]) if guards else TRUE,
            reset=tuple(self._resets(part)),
            action=Action(syncs[0].channel.text, syncs[0].sends) if syncs else None,
            priority=_priority(words.get("priority")),
            urgent="urgent" in words,
            name=names[0] if names else "",
        )

    def _resets(self, part: EdgePart) -> Iterator[Assignment]:
        for entry in part.entries:
            for item in entry.items if isinstance(entry, Updates) else ():
                target = self.rewrite(Symbol(item.name.text))
                assert isinstance(target, Symbol)
                yield Assignment(target.name, self._term(item.value))

    def _term(self, value: Value) -> Term:
        assert not isinstance(value, Row)
        return rewritten(value, self.rewrite)

    def _formula(self, formula: Formula) -> Formula:
        return rewritten_formula(formula, self.rewrite)


def _priority(value: Value | None) -> int:
    return int(value.value) if isinstance(value, Number) else 0


def _surface(statement: DiscontinuousStatement) -> Described:
    """A system with a surface of discontinuity."""
    entries = statement.entries
    words = {e.keyword: e.value for e in entries if isinstance(e, Entry)}
    fields = {e.keyword: _rates(e) for e in entries if isinstance(e, FieldPart)}
    variables = tuple(_declared(statement))
    surface, width, control = (_optional(words.get(w)) for w in ("surface", "width", "control"))
    assert surface is not None
    system = DiscontinuousSystem(
        name=statement.name.text,
        variables=tuple(item.name for item in variables),
        surface=surface,
        width=WIDTH if width is None else width,
        along=next((e.name.text for e in entries if isinstance(e, Along)), ""),
        above=fields["above"],
        below=fields["below"],
        sliding=fields.get("sliding"),
        rising=fields.get("rising"),
        falling=fields.get("falling"),
        control=control,
        initial=Start(next(e.name.text for e in entries if isinstance(e, Initial))),
    )
    return Described(
        name=system.name, components=(), declared=variables, surface=system, alone=True
    )


def _declared(statement: DiscontinuousStatement) -> Iterator[Declared]:
    for entry in statement.entries:
        for item in entry.items if isinstance(entry, Declarations) else ():
            start = Number(0.0) if item.start is None else item.start
            limits = None if item.limits is None else tuple(map(_number, item.limits))
            bounds = None if limits is None else (limits[0], limits[1])
            yield Declared(item.name.text, "real", start, bounds, item.name.span)


def _rates(part: FieldPart) -> tuple[Assignment, ...]:
    return tuple(Assignment(rate.name.text, _number(rate.value)) for rate in part.rates)


def _number(value: Value) -> Term:
    assert not isinstance(value, Row)
    return value


def _optional(value: Value | None) -> Term | None:
    return None if value is None else _number(value)
