"""Automata as they were written down, before numbers are put in.

Starts, ranges and arguments are terms over the model's parameters; `Described.automaton` puts
numbers in. A single automaton with real variables and no synchronisation becomes a
`WrittenAutomaton`, everything else a `Network`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from dyverse.automaton.fmu.component import Foreign, foreign_of, trusting
from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.code import Outside
from dyverse.automaton.network.component import Channel, Component, Kind, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.surface.composed import composed_automaton
from dyverse.automaton.surface.discontinuous import (
    DiscontinuousSystem,
    discontinuous_automaton,
    surface_component,
)
from dyverse.automaton.written.written import Start, WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.errors import Span
from dyverse.expr.rewrite import Rewrite, rewritten, rewritten_formula, substitution
from dyverse.expr.term import Number, Symbol, Term
from dyverse.expr.value import value

Known = Mapping[str, float]

ZERO, ONE = Number(0.0), Number(1.0)
REAL = ("real", "clock")


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable: where it starts, and a range; of a real one, the range of its start."""

    name: str
    kind: Kind
    start: Term = ZERO
    limits: tuple[Term, Term] | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """An argument of an automaton that stays the same all the time."""

    name: str
    value: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The automata that run together, or one alone; names are those of the whole model."""

    name: str
    components: tuple[Component, ...]
    declared: tuple[Declared, ...] = ()
    constants: tuple[Constant, ...] = ()
    channels: tuple[Channel, ...] = ()
    surfaces: tuple[DiscontinuousSystem, ...] = ()  # instead of components; without numbers
    alone: bool = False  # without a system statement

    def reading(self, meanings: Mapping[str, Term]) -> Described:
        """The same with names in it that stand for terms, such as inputs with a formula."""
        if not meanings:
            return self
        rewrite = expanded(meanings)
        return replace(
            self,
            components=tuple(_component(item, rewrite) for item in self.components),
            surfaces=tuple(_surface(item, rewrite) for item in self.surfaces),
        )

    def mentioned(self) -> frozenset[str]:
        """Every name in rates, invariants, guards and resets."""
        found: set[str] = set()

        def note(term: Term) -> Term:
            if isinstance(term, Symbol):
                found.add(term.name)
            return term

        for item in self.components:
            _component(item, note)
        for system in self.surfaces:
            _surface(system, note)
        return frozenset(found)

    def located(self) -> Iterator[str]:
        """The names of its locations, ``gait.stance``."""
        return (f"{item.name}.{place.name}" for item in self.components for place in item.places)

    def flagging(self, named: Collection[str]) -> Described:
        """The same with a Boolean for each location in ``named``, which is true while it is there.

        It has the name of the location, ``gait.stance``, so that whatever reads variables can read
        where an automaton is.
        """
        flags = tuple(
            (item.name, place.name, f"{item.name}.{place.name}")
            for item in self.components
            for place in item.places
            if f"{item.name}.{place.name}" in named
        )
        if not flags:
            return self
        starts = {item.name: item.initial for item in self.components}
        more = (
            Declared(name, "bool", ONE if starts[owner] == place else ZERO)
            for owner, place, name in flags
        )
        components = tuple(_flagged(item, flags) for item in self.components)
        return replace(self, components=components, declared=(*self.declared, *more))

    def switching(self) -> Described:
        """The same with automata for its systems with a surface each."""
        return replace(
            self,
            components=(*self.components, *map(surface_component, self.surfaces)),
            surfaces=(),
        )

    @property
    def foreign(self) -> tuple[Foreign, ...]:
        """The FMUs among its components."""
        return tuple(filter(None, map(foreign_of, self.components)))

    def trusting(self) -> Described:
        """The same, whose FMUs may run."""
        return replace(self, components=tuple(map(trusting, self.components)))

    def settable(self) -> tuple[str, ...]:
        """The names of starting values and arguments."""
        return (*(item.name for item in self.constants), *(item.name for item in self.declared))

    def numbers(self, known: Known, settings: Known) -> dict[str, float]:
        """The value of every argument and the start of every variable, by name."""
        found = dict(known)
        for constant in self.constants:
            own = value(constant.value, known)
            found[constant.name] = settings.get(constant.name, own)
        for item in self.declared:
            found[item.name] = settings.get(item.name, value(item.start, found))
        return {name: found[name] for name in self.settable()}

    def automaton(self, known: Known, settings: Known) -> WrittenAutomaton | Network:
        """The automaton with numbers; ``known`` has the values of the model's parameters."""
        numbers = self.numbers(known, settings)
        if self.surfaces:
            return self._discontinuous(known, numbers)
        if self.alone and self._is_plain():
            return self._written(known, numbers)
        return self._network(known, numbers, ())

    def network(self, known: Known, settings: Known, outside: tuple[Outside, ...] = ()) -> Network:
        """The same as a network, even of one, that reads the variables ``outside``."""
        return self._network(known, self.numbers(known, settings), outside)

    def _parameters(self, known: Known, numbers: Known) -> tuple[tuple[str, float], ...]:
        own = ((constant.name, numbers[constant.name]) for constant in self.constants)
        return (*known.items(), *own)

    def _network(self, known: Known, numbers: Known, outside: tuple[Outside, ...]) -> Network:
        parameters = self._parameters(known, numbers)
        return Network(
            name=self.name,
            components=self.components,
            shared=tuple(_variables(self.declared, dict(parameters), numbers)),
            channels=self.channels,
            parameters=parameters,
            outside=outside,
        )

    def _is_plain(self) -> bool:
        (component,) = self.components
        marked = any(p.urgent or p.committed for p in component.places)
        special = any(e.action or e.urgent or e.priority or e.procedure for e in component.edges)
        return not marked and not special and all(d.kind in REAL for d in self.declared)

    def _written(self, known: Known, numbers: Known) -> WrittenAutomaton:
        (component,) = self.components
        clocks = tuple(item.name for item in self.declared if item.kind == "clock")
        return WrittenAutomaton(
            name=self.name,
            variables=tuple(item.name for item in self.declared),
            parameters=self._parameters(known, numbers),
            locations=tuple(_locations(component, clocks)),
            edges=tuple(_edges(component)),
            initial=Start(component.initial, self._starts(numbers)),
        )

    def _discontinuous(self, known: Known, numbers: Known) -> WrittenAutomaton:
        parameters = self._parameters(known, numbers)
        systems = [
            replace(
                system,
                parameters=parameters,
                initial=Start(
                    system.initial.location,
                    tuple((name, numbers[name]) for name in system.variables),
                ),
            )
            for system in self.surfaces
        ]
        return discontinuous_automaton(systems[0]) if self.alone else composed_automaton(systems)

    def _starts(self, numbers: Known) -> tuple[tuple[str, float], ...]:
        return tuple((item.name, numbers[item.name]) for item in self.declared)


def expanded(meanings: Mapping[str, Term]) -> Rewrite:
    """Puts in what names stand for, and what names in that stand for; none leads to itself."""
    plain = substitution(meanings)

    def rewrite(term: Term) -> Term:
        found = plain(term)
        return found if found is term else rewritten(found, rewrite)

    return rewrite


def _component(item: Component, rewrite: Rewrite) -> Component:
    places = (
        replace(
            place,
            rates=_assigned(place.rates, rewrite),
            invariant=rewritten_formula(place.invariant, rewrite),
        )
        for place in item.places
    )
    edges = (
        replace(
            edge,
            guard=rewritten_formula(edge.guard, rewrite),
            reset=_assigned(edge.reset, rewrite),
        )
        for edge in item.edges
    )
    return replace(item, places=tuple(places), edges=tuple(edges))


def _flagged(item: Component, flags: Iterable[tuple[str, str, str]]) -> Component:
    """A component whose edges keep the flags of its locations."""
    own = [(place, name) for owner, place, name in flags if owner == item.name]
    edges = (
        replace(
            edge,
            reset=(
                *edge.reset,
                *(
                    Assignment(name, Number(float(edge.target == place)))
                    for place, name in own
                    if (edge.source == place) != (edge.target == place)
                ),
            ),
        )
        for edge in item.edges
    )
    return replace(item, edges=tuple(edges)) if own else item


def _assigned(items: tuple[Assignment, ...], rewrite: Rewrite) -> tuple[Assignment, ...]:
    return tuple(replace(item, value=rewritten(item.value, rewrite)) for item in items)


def _surface(system: DiscontinuousSystem, rewrite: Rewrite) -> DiscontinuousSystem:
    def perhaps(rates: tuple[Assignment, ...] | None) -> tuple[Assignment, ...] | None:
        return None if rates is None else _assigned(rates, rewrite)

    return replace(
        system,
        surface=rewritten(system.surface, rewrite),
        above=_assigned(system.above, rewrite),
        below=_assigned(system.below, rewrite),
        sliding=perhaps(system.sliding),
        rising=perhaps(system.rising),
        falling=perhaps(system.falling),
        control=None if system.control is None else rewritten(system.control, rewrite),
    )


def _variables(
    declared: tuple[Declared, ...], parameters: Known, numbers: Known
) -> Iterator[Variable]:
    for item in declared:
        variable = Variable(item.name, item.kind, numbers[item.name])
        if item.limits is not None and item.kind not in REAL:
            low, high = (value(bound, parameters) for bound in item.limits)
            variable = replace(variable, low=low, high=high)
        yield variable


def _locations(component: Component, clocks: tuple[str, ...]) -> Iterator[WrittenLocation]:
    """The places of a component, with the rates of clocks written out."""
    for place in component.places:
        given = {rate.target for rate in place.rates}
        running = tuple(Assignment(name, ONE) for name in clocks if name not in given)
        yield WrittenLocation(place.name, (*place.rates, *running), place.invariant)


def _edges(component: Component) -> Iterator[WrittenEdge]:
    for edge in component.edges:
        yield WrittenEdge(
            source=edge.source,
            target=edge.target,
            guard=edge.guard,
            reset=edge.reset,
            action=edge.name,
        )
