"""Statements about automata to what they mean: a syntax tree in, a `Described` out.

The tree has been checked by `dyverse.automaton.reading.check`; names are made those of the whole
model here. In an instance ``tank`` the variable ``level`` is ``tank.level``. A parameter of an
automaton is a constant of that kind of name, or stands for what was given for it if that changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Action, Channel, Component, NetworkEdge, Place
from dyverse.automaton.reading.description import Constant, Declared, Described
from dyverse.automaton.reading.fmu import ForeignInstance
from dyverse.automaton.surface.discontinuous import WIDTH, DiscontinuousSystem
from dyverse.automaton.written.written import Start
from dyverse.expr.formula import TRUE, Formula
from dyverse.expr.rewrite import Rewrite, rewritten, rewritten_formula, substitution
from dyverse.expr.term import Number, Symbol, Term
from dyverse.text.instances import Running, declared, running
from dyverse.text.syntax import automata
from dyverse.text.syntax.elements import Entry, Name, Row, Value
from dyverse.text.syntax.statements import Model


def described(model: Model, *, name: str = "system", folder: str | Path = ".") -> Described | None:
    """The automata of ``model`` that run, or nothing if there are none.

    Files that the text names are looked for from ``folder`` on.
    """
    found = running(model)
    if not found:
        return None
    if isinstance(found[0].statement, automata.DiscontinuousStatement):
        return _surfaces(found, name)
    parts = [_part(item, Path(folder)) for item in found]
    alone = not found[0].prefix
    return Described(
        name=found[0].name.text if alone else name,
        components=tuple(part.component() for part in parts),
        declared=tuple(item for part in parts for item in part.declared()),
        constants=tuple(item for part in parts for item in part.constants),
        channels=tuple(_channels(model)),
        alone=alone,
    )


def _part(item: Running, folder: Path) -> _Instance | ForeignInstance:
    """What is said about one that runs."""
    assert isinstance(item.statement, automata.AutomatonStatement)
    if fmu := item.statement.fmu:
        return ForeignInstance(item, item.statement, fmu, folder)
    return _Instance.of(item)


def _channels(model: Model) -> Iterator[Channel]:
    for statement in model.statements:
        if isinstance(statement, automata.ChannelStatement):
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
    statement: automata.AutomatonStatement
    constants: tuple[Constant, ...]
    rewrite: Rewrite

    @classmethod
    def of(cls, item: Running) -> _Instance:
        """Sort the arguments into constants and names for what changes."""
        assert isinstance(item.statement, automata.AutomatonStatement)
        meanings: dict[str, Term] = {
            name: Symbol(f"{item.prefix}{name}") for name, _ in declared(item.statement)
        }
        constants = []
        for formal, value in item.given():
            full = f"{item.prefix}{formal}"
            if item.is_constant(value):
                constants.append(Constant(full, value, value.span))
                meanings[formal] = Symbol(full)
            else:
                meanings[formal] = value
        return cls(item, item.statement, tuple(constants), substitution(meanings))

    def declared(self) -> Iterator[Declared]:
        """The variables, in the order written."""
        for entry in self.statement.entries:
            if isinstance(entry, automata.Declarations):
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
            places=tuple(self._place(e) for e in entries if isinstance(e, automata.LocationPart)),
            edges=tuple(self._edge(e) for e in entries if isinstance(e, automata.EdgePart)),
            initial=next(e.name.text for e in entries if isinstance(e, automata.Initial)),
        )

    def _place(self, part: automata.LocationPart) -> Place:
        words = {entry.keyword for entry in part.entries if isinstance(entry, Entry)}
        invariants = [e.formula for e in part.entries if isinstance(e, automata.Invariant)]
        return Place(
            name=part.name.text,
            rates=tuple(self._rate(e) for e in part.entries if isinstance(e, automata.Rate)),
            invariant=self._formula(invariants[0]) if invariants else TRUE,
            urgent="urgent" in words,
            committed="committed" in words,
        )

    def _rate(self, rate: automata.Rate) -> Assignment:
        return Assignment(f"{self.item.prefix}{rate.name.text}", self._term(rate.value))

    def _edge(self, part: automata.EdgePart) -> NetworkEdge:
        words = {entry.keyword: entry.value for entry in part.entries if isinstance(entry, Entry)}
        guards = [e.formula for e in part.entries if isinstance(e, automata.Guard)]
        syncs = [e for e in part.entries if isinstance(e, automata.Sync)]
        names = [e.name.text for e in part.entries if isinstance(e, automata.ActionName)]
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

    def _resets(self, part: automata.EdgePart) -> Iterator[Assignment]:
        for entry in part.entries:
            for item in entry.items if isinstance(entry, automata.Updates) else ():
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


def _surfaces(found: tuple[Running, ...], name: str) -> Described:
    """Systems with a surface of discontinuity each: one alone, or several together."""
    parts = [_Surface.of(item) for item in found]
    alone = not found[0].prefix
    return Described(
        name=found[0].name.text if alone else name,
        components=(),
        declared=tuple(item for part in parts for item in part.declared()),
        surfaces=tuple(part.system() for part in parts),
        alone=alone,
    )


@dataclass(frozen=True, slots=True)
class _Surface:
    """One system with a surface, and what its names mean."""

    item: Running
    statement: automata.DiscontinuousStatement
    rewrite: Rewrite

    @classmethod
    def of(cls, item: Running) -> _Surface:
        """Give its variables their names in the whole model."""
        assert isinstance(item.statement, automata.DiscontinuousStatement)
        own = (name for name, _ in declared(item.statement))
        meanings: dict[str, Term] = {name: Symbol(f"{item.prefix}{name}") for name in own}
        return cls(item, item.statement, substitution(meanings))

    def declared(self) -> Iterator[Declared]:
        """The variables, in the order written."""
        for entry in self.statement.entries:
            for item in entry.items if isinstance(entry, automata.Declarations) else ():
                start = Number(0.0) if item.start is None else self._term(item.start)
                limits = None if item.limits is None else tuple(map(self._term, item.limits))
                bounds = None if limits is None else (limits[0], limits[1])
                yield Declared(self._name(item.name), "real", start, bounds, item.name.span)

    def system(self) -> DiscontinuousSystem:
        """The fields and the surface; its numbers are not known yet."""
        entries = self.statement.entries
        words = {e.keyword: e.value for e in entries if isinstance(e, Entry)}
        fields = {e.keyword: self._rates(e) for e in entries if isinstance(e, automata.FieldPart)}
        surface, width, control, period = (
            None if words.get(word) is None else self._term(words[word])
            for word in ("surface", "width", "control", "period")
        )
        assert surface is not None
        return DiscontinuousSystem(
            name=self.item.name.text,
            variables=tuple(item.name for item in self.declared()),
            surface=surface,
            width=WIDTH if width is None else width,
            along=next((self._name(e.name) for e in entries if isinstance(e, automata.Along)), ""),
            above=fields["above"],
            below=fields["below"],
            sliding=fields.get("sliding"),
            rising=fields.get("rising"),
            falling=fields.get("falling"),
            control=control,
            period=period,
            initial=Start(next(e.name.text for e in entries if isinstance(e, automata.Initial))),
        )

    def _name(self, name: Name) -> str:
        return f"{self.item.prefix}{name.text}"

    def _rates(self, part: automata.FieldPart) -> tuple[Assignment, ...]:
        return tuple(
            Assignment(self._name(rate.name), self._term(rate.value)) for rate in part.rates
        )

    def _term(self, value: Value | None) -> Term:
        assert value is not None
        assert not isinstance(value, Row)
        return rewritten(value, self.rewrite)
