"""UPPAAL files as networks that run.

In comes a file or a document, out goes a model: the network, the document it came from, and notes
on what has no influence on a run. A construct that would have one but is not supported is named
with its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dyverse.automaton.network.component import Channel, Component, Variable
from dyverse.automaton.network.component import Place as NetworkPlace
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.timed import GRAIN, MARGIN, moving_names, timed_clocks
from dyverse.bodies.world import Parameter, Property, World
from dyverse.errors import ModelError, Problem, did_you_mean
from dyverse.expr.term import Term
from dyverse.generation.drawing import Drawing
from dyverse.text.fresh_names import Names
from dyverse.text.tree.builder import Mistake
from dyverse.uppaal.files.reading import read_document
from dyverse.uppaal.language.document import Document, Place, Template
from dyverse.uppaal.language.expression import Expression, Reference
from dyverse.uppaal.language.syntax import ChannelPriority
from dyverse.uppaal.loading.derived import Derivations
from dyverse.uppaal.loading.drafts import Draft, Effects
from dyverse.uppaal.loading.edges import drafts_of
from dyverse.uppaal.loading.instances import Process, assigned_names, processes
from dyverse.uppaal.loading.places import place_of
from dyverse.uppaal.meaning.chance import STATES, draws_numbers
from dyverse.uppaal.meaning.declare import declare
from dyverse.uppaal.meaning.interpret import Machine
from dyverse.uppaal.meaning.kinds import Scalar, leaves
from dyverse.uppaal.meaning.predeclared import predeclared
from dyverse.uppaal.meaning.scope import FunctionMeant, Instantiable, Scope, Stored, mistake
from dyverse.uppaal.meaning.touching import check_function, places
from dyverse.uppaal.meaning.variables import RANDOM, Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class UppaalModel:
    """An UPPAAL file that runs; ``notes`` name what was read but plays no part in a run.

    It answers what a model of the text language answers (`dyverse.generation.model`).
    """

    name: str
    document: Document
    network: Network
    notes: tuple[Problem, ...] = ()

    @property
    def world(self) -> World:
        """No bodies, no properties, no horizon: what the file asks are queries."""
        return World()

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """None: constants of the file are fixed."""
        return ()

    @property
    def properties(self) -> tuple[Property, ...]:
        """None; the queries are in the document."""
        return ()

    @property
    def scene(self) -> tuple[Drawing, ...]:
        """None: a file draws its automata only."""
        return ()

    @property
    def horizon(self) -> Term | None:
        """A file does not say how long a run is to last."""
        return None

    def settable(self) -> tuple[str, ...]:
        """The names of variables, whose starting values can be set."""
        return self.network.variables

    def values(self, settings: Mapping[str, float]) -> dict[str, float]:
        """There are no parameters."""
        return {}

    def until(self, settings: Mapping[str, float], otherwise: float) -> float:
        """How long a run is to last (s)."""
        return otherwise

    def automaton(self, settings: Mapping[str, float] | None = None) -> Network:
        """The network, with other starting values of variables by name."""
        given, known = dict(settings or {}), self.network.variables
        for name in given:
            if name not in known:
                problem = Problem(f"unknown variable {name!r}{did_you_mean(name, known)}")
                raise ModelError([problem], file=self.name)
        shared = tuple(replace(v, start=given.get(v.name, v.start)) for v in self.network.shared)
        return replace(self.network, shared=shared) if given else self.network


def load_uppaal(path: str | Path) -> UppaalModel:
    """The model in the UPPAAL file at ``path``, XML or XTA."""
    return model_of(read_document(path))


def model_of(document: Document) -> UppaalModel:
    """The model that a document describes."""
    try:
        network = _network(document)
    except Mistake as found:
        problems = [found.problem]
        raise ModelError(problems, source=document.source, file=document.file) from None
    notes = tuple(_notes(document))
    return UppaalModel(name=document.file, document=document, network=network, notes=notes)


def _network(document: Document) -> Network:
    machine = Machine(Memory({}))
    if draws_numbers(document):
        machine.memory.changes[RANDOM] = 1
    world = predeclared().inner()
    declare(document.declarations, world, machine)
    for template in document.templates:
        assigned = frozenset(assigned_names(template))
        world.add(template.name, Instantiable(template, world, assigned), template.span)
    system = world.inner()
    declare(document.system, system, machine)
    found = list(processes(document, system, machine))
    scopes = [world, system, *(process.scope for process in found)]
    _check_functions(scopes)
    starts = {path: float(number) for path, number in machine.memory.changes.items()}
    derived = Derivations()
    drafts = [_drafted(process, derived) for process in found]
    effects = Effects(derived)
    components = tuple(replace(c, edges=tuple(d.edge(effects) for d in e)) for c, e in drafts)
    shared = (*_variables(scopes, machine), *derived.variables(starts))
    kinds = {variable.name: variable.kind for variable in shared}
    is_timed = moving_names(kinds, components) <= timed_clocks(kinds, components)
    return Network(
        components=components,
        shared=shared,
        channels=_channels(document, scopes, system),
        assignments="sequential",
        name=Path(document.file).stem,
        margin=MARGIN if is_timed else Network.margin,
        grain=GRAIN,
    )


def _channels(document: Document, scopes: list[Scope], system: Scope) -> tuple[Channel, ...]:
    return tuple(channels(document, [m for _, m in _stored(scopes)], system))


def _check_functions(scopes: list[Scope]) -> None:
    """Each function once, also if many processes have it."""
    meanings = (meaning for scope in scopes for meaning in scope.names.values())
    found = (meaning for meaning in meanings if isinstance(meaning, FunctionMeant))
    for meaning in {id(meaning.function): meaning for meaning in found}.values():
        check_function(meaning)


def _stored(scopes: list[Scope]) -> Iterator[tuple[str, Stored]]:
    """What was declared, each once; parameters by reference are names of the same thing."""
    seen: set[str] = set()
    for scope in scopes:
        for name, meaning in scope.names.items():
            if isinstance(meaning, Stored) and meaning.path not in seen:
                seen.add(meaning.path)
                yield name, meaning


def _variables(scopes: list[Scope], machine: Machine) -> Iterator[Variable]:
    starts = machine.memory.changes
    if RANDOM in starts:
        yield Variable(RANDOM, "int", float(starts.pop(RANDOM)), 0.0, float(STATES))
    for _, stored in _stored(scopes):
        if not stored.is_constant:
            for path, scalar in leaves(stored.kind, stored.path):
                if scalar.kind != "chan" and path in starts:
                    yield _variable(path, scalar, float(starts.pop(path)))


def _variable(path: str, scalar: Scalar, start: float) -> Variable:
    match scalar.kind:
        case "int":
            return Variable(path, "int", start, float(scalar.low), float(scalar.high))
        case "bool":
            return Variable(path, "bool", start)
        case "clock":
            return Variable(path, "clock", start)
        case _:
            return Variable(path, "real", start)


def _drafted(process: Process, derived: Derivations) -> tuple[Component, list[Draft]]:
    """The component of a process, and its edges to be."""
    template, names = process.template, _place_names(process.template)
    if not template.places:
        nowhere = NetworkPlace(name=process.name)
        return Component(name=process.name, places=(nowhere,), initial=nowhere.name), []
    if template.initial not in names:
        raise mistake(f"the template {template.name!r} has no initial location", template.span)
    component = Component(
        name=process.name,
        places=tuple(place_of(p, names[p.id], process.scope, derived) for p in template.places),
        initial=names[template.initial],
        priority=process.priority,
    )
    return component, list(drafts_of(process, names, derived))


def _place_names(template: Template) -> dict[str, str]:
    """A name for each location: its own, or its id; none twice."""
    names = Names(frozenset())
    seen: dict[str, Place] = {}
    for place in template.places:
        if place.name and place.name in seen:
            raise mistake(f"two locations are called {place.name!r}", place.span)
        if place.name:
            seen[place.name] = place
    named = {place.id: names.new(place.name) for place in template.places if place.name}
    return {p.id: named[p.id] if p.id in named else names.new(p.id) for p in template.places}


def _notes(document: Document) -> Iterator[Problem]:
    for template in document.templates:
        for place in template.places:
            if (label := place.label("exponentialrate")) is not None:
                yield Problem("a run leaves at once; the exponential rate is not used", label.span)
    if document.charts:
        yield Problem(f"{len(document.charts)} live sequence charts are kept but not followed")
    if document.queries is not None and document.queries.children:
        count = sum(child.tag == "query" for child in document.queries.children)
        yield Problem(f"{count} queries are kept but not answered")


DEFAULT = Reference("default")


def channels(document: Document, stored: list[Stored], scope: Scope) -> Iterator[Channel]:
    """All channels; those in no group have the priority of ``default``, else the lowest."""
    ranks = _ranks(document, scope)
    seen: set[str] = set()  # a parameter is another name for a channel
    for item in stored:
        for path, scalar in leaves(item.kind, item.path):
            if scalar.kind == "chan" and path not in seen:
                seen.add(path)
                yield Channel(path, scalar.broadcast, scalar.urgent, ranks.get(path, 0))


def _ranks(document: Document, scope: Scope) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in (*document.declarations, *document.system):
        if isinstance(item, ChannelPriority):
            level = next((n for n, group in enumerate(item.groups) if DEFAULT in group), -1)
            for number, group in enumerate(item.groups):
                for path in _paths(group, scope):
                    found[path] = number - level
    return found


def _paths(group: tuple[Expression, ...], scope: Scope) -> Iterator[str]:
    for expression in group:
        if expression != DEFAULT:
            for path, kind, _ in places(expression, scope):
                yield from (leaf for leaf, _ in leaves(kind, path))
