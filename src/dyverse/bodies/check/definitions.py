"""Names that are defined twice or in a circle."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from dyverse.bodies.check.entries import items
from dyverse.bodies.check.names import definition_problems
from dyverse.errors import Problem, Span
from dyverse.expr.term import symbols
from dyverse.text.syntax.automata import AutomatonStatement, DiscontinuousStatement, SystemStatement
from dyverse.text.syntax.statements import (
    BodyStatement,
    ContactStatement,
    ImpactStatement,
    InputStatement,
    JointStatement,
    Model,
    Name,
    ParameterStatement,
    PlanarStatement,
    PropertyStatement,
    SettingStatement,
    Value,
)

MAX_CYCLES = 20


def settings_twice(model: Model) -> Iterator[Problem]:
    """Settings of the whole world that are given more than once."""
    seen: set[str] = set()
    for statement in model.statements:
        if isinstance(statement, SettingStatement | ImpactStatement | PlanarStatement):
            if statement.keyword in seen:
                yield Problem(f"{statement.keyword!r} is given twice; keep one", statement.span)
            seen.add(statement.keyword)


def definitions(model: Model) -> Iterator[Problem]:
    """Names that are taken, or cannot be names."""
    taken: dict[str, str] = {}
    for name, kind in _defined(model):
        yield from definition_problems(name, kind, taken)
        where = f", line {name.span.line}" if name.span else ""
        taken.setdefault(name.text, f"{'an' if kind[0] in 'ai' else 'a'} {kind}{where}")


def _defined(model: Model) -> Iterator[tuple[Name, str]]:
    for statement in model.statements:
        match statement:
            case ParameterStatement(name=name):
                yield name, "parameter"
            case BodyStatement(name=name):
                yield name, "body"
            case JointStatement(name=name):
                yield name, "joint"
            case PropertyStatement(name=name):
                yield name, "property"
            case InputStatement(definitions=definitions):
                yield from ((definition.name, "input") for definition in definitions)
            case AutomatonStatement(name=name) | DiscontinuousStatement(name=name):
                yield name, "automaton"
            case SystemStatement(instances=instances):
                yield from ((item.alias, "instance") for item in instances if item.alias)
            case _:
                pass


def cycles(model: Model) -> Iterator[Problem]:
    """Parameters and inputs that are defined by themselves, one problem for each circle."""
    graph, places = _dependencies(model)
    for _ in range(MAX_CYCLES):
        try:
            return TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1][:0:-1]
        first = min(circle, key=list(graph).index)
        turn = circle.index(first)
        path = " -> ".join([*circle[turn:], *circle[:turn], first])
        yield Problem(f"{first!r} is defined by itself: {path}", places[first])
        graph = {name: needs for name, needs in graph.items() if name not in circle}


def _dependencies(model: Model) -> tuple[dict[str, set[str]], dict[str, Span | None]]:
    graph: dict[str, set[str]] = {}
    places: dict[str, Span | None] = {}
    for statement in model.statements:
        if isinstance(statement, ParameterStatement):
            _depend(graph, places, statement.name, [statement.value, *(statement.limits or ())])
        if isinstance(statement, InputStatement):
            for d in statement.definitions:
                _depend(
                    graph, places, d.name, [*(d.limits or ()), *([d.formula] if d.formula else [])]
                )
    return {name: needs & graph.keys() for name, needs in graph.items()}, places


def _depend(
    graph: dict[str, set[str]], places: dict[str, Span | None], name: Name, values: list[Value]
) -> None:
    terms = [term for value in values for term in items(value)]
    graph.setdefault(name.text, set()).update(s.name for term in terms for s in symbols(term))
    places.setdefault(name.text, name.span)


def contacts_twice(model: Model) -> Iterator[Problem]:
    """Contacts that are written down more than once."""
    seen: set[frozenset[str]] = set()
    for statement in model.statements:
        if isinstance(statement, ContactStatement):
            pair = frozenset(name.text for name in statement.pair or ())
            if pair in seen:
                who = " and ".join(repr(name.text) for name in statement.pair or ()) or "'all'"
                yield Problem(f"the contact of {who} is given twice; keep one", statement.span)
            seen.add(pair)
