"""Automata of a text that are FMUs: what they are told and asked for, and what can be wrong there.

``automaton motor(u, R = 2) { fmu "motor.fmu" step 0.01  real w }`` is told ``u`` and ``R``, and
``w`` is read of it; names in the FMU that are none of the language are given in brackets behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dyverse.automaton.fmu.component import COURSE, EXCHANGE, Foreign, Link, foreign_component
from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Component
from dyverse.automaton.reading.description import Constant, Declared
from dyverse.automaton.reading.names import Names, Problems, twice, value_problems
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.term import Number
from dyverse.text.instances import Running, declared
from dyverse.text.syntax import automata
from dyverse.text.syntax.elements import Row, Value

NOTHING_ELSE = "an automaton that is an FMU has variables and nothing else of its own"


@dataclass(frozen=True, slots=True)
class ForeignInstance:
    """One FMU that runs."""

    item: Running
    statement: automata.AutomatonStatement
    part: automata.FmuPart
    folder: Path

    @property
    def constants(self) -> tuple[Constant, ...]:
        """What it is told once and for all."""
        found = ((name, x) for name, x in self.item.given() if self.item.is_constant(x))
        return tuple(Constant(self._full(name), x, x.span) for name, x in found)

    def declared(self) -> Iterator[Declared]:
        """What is read of it, what it was told last, and its own variables."""
        for link in self._read():
            yield Declared(link.name, link.kind, span=link.span)
        for told in self._told():
            yield Declared(told.target, "real", span=told.value.span)
        yield Declared(self._full(EXCHANGE), "real")
        yield Declared(self._full(COURSE), "int")

    def component(self) -> Component:
        """Its automaton."""
        assert not isinstance(self.part.step, Row)
        foreign = Foreign(
            name=self.item.name.text,
            path=str(self.folder / self.part.file.text),
            given=tuple(self._given()),
            read=tuple(self._read()),
            step=self.part.step,
            exchange=self._full(EXCHANGE),
            course=self._full(COURSE),
            span=self.part.file.span,
        )
        return foreign_component(foreign, self._told())

    def _told(self) -> tuple[Assignment, ...]:
        """What is told at each communication point."""
        found = ((name, x) for name, x in self.item.given() if not self.item.is_constant(x))
        return tuple(Assignment(self._full(name), x) for name, x in found)

    def _given(self) -> Iterator[Link]:
        places = {formal.name.text: formal.name.span for formal in self.statement.formals}
        for name, x in self.item.given():
            changes = not self.item.is_constant(x)
            yield Link(self._full(name), self._signal(name), changes=changes, span=places.get(name))

    def _read(self) -> Iterator[Link]:
        places = {
            item.name.text: item.name.span
            for entry in self.statement.entries
            if isinstance(entry, automata.Declarations)
            for item in entry.items
        }
        for name, kind in declared(self.statement):
            yield Link(self._full(name), self._signal(name), kind, span=places[name])

    def _full(self, name: str) -> str:
        return f"{self.item.prefix}{name}"

    def _signal(self, name: str) -> str:
        """What a name stands for in the FMU: itself, if nothing is said."""
        links = {link.name.text: link.signal.text for link in self.part.links}
        return links.get(name, name)


def foreign_entries(statement: automata.AutomatonStatement, names: Names) -> Problems:
    """What is wrong with an automaton that is an FMU, as far as its text says."""
    formals = [formal.name.text for formal in statement.formals]
    known = [*formals, *names.own]
    seen = 0
    for entry in statement.entries:
        match entry:
            case automata.FmuPart(file=file, step=step, links=links):
                seen += 1
                if seen > 1:
                    yield Problem("'fmu' is given twice; keep one", file.span)
                yield from _step(step, Names(names.constants - set(formals), {}, names.others))
                yield from twice("name", (link.name for link in links))
                for link in links:
                    if link.name.text not in known:
                        hint = did_you_mean(link.name.text, known)
                        yield Problem(f"unknown name {link.name.text!r}{hint}", link.name.span)
            case automata.Declarations(kind=kind, items=items):
                yield from _read(kind, items)
            case automata.LocationPart(name=name) | automata.Initial(name=name):
                yield Problem(NOTHING_ELSE, name.span)
            case automata.EdgePart(source=source):
                yield Problem(NOTHING_ELSE, source.span)


def _step(step: Value, names: Names) -> Problems:
    yield from value_problems(step, names, constant=True)
    if isinstance(step, Number) and not step.value > 0:
        yield Problem("the step must be over 0 s", step.span)


def _read(kind: automata.Kind, items: tuple[automata.Declaration, ...]) -> Problems:
    for item in items:
        if kind == "clock":
            yield Problem("an FMU has no clocks; write 'real'", item.name.span)
        if item.start is not None or item.limits is not None:
            message = f"{item.name.text!r} is read of the FMU, which gives its start and its range"
            yield Problem(message, item.name.span)
        if item.name.text in (EXCHANGE, COURSE):
            hint = f'choose another name for it, and {{ NAME = "{item.name.text}" }}'
            yield Problem(f"every FMU has {item.name.text!r} of its own; {hint}", item.name.span)
