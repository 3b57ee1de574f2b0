"""The processes of a system: templates with their parameters bound, each in a scope of its own.

A template with parameters left open in the line ``system …`` stands for one process per value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import product
from typing import NamedTuple

from dyverse.automaton.network.component import Fault
from dyverse.errors import Span, did_you_mean
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language.document import Document, Template
from dyverse.uppaal.language.syntax import Instantiation, Parameter
from dyverse.uppaal.meaning.declare import declare, fixed, kind_of_type, span_of_range
from dyverse.uppaal.meaning.interpret import Machine
from dyverse.uppaal.meaning.kinds import INT, INT32, Kind, Scalar, leaves
from dyverse.uppaal.meaning.scope import Instantiable, Scope, Stored, mistake
from dyverse.uppaal.meaning.variables import Memory

MAX_PROCESSES = 20_000


@dataclass(frozen=True, slots=True)
class Process:
    """A template, the scope in which its labels are read, and the priority of its edges."""

    name: str
    template: Template
    scope: Scope
    priority: int


class _Argument(NamedTuple):
    expression: ex.Expression
    scope: Scope


def processes(document: Document, scope: Scope, machine: Machine) -> Iterator[Process]:
    """The processes that the line ``system …;`` names."""
    line = document.line
    if line is None:
        raise mistake("there is no line 'system …;' that names the processes", None)
    count = 0
    for priority, group in enumerate(line.groups):
        for reference in group:
            meaning = scope.find(reference.name)
            if not isinstance(meaning, Instantiable):
                known = (n for n in scope.known() if isinstance(scope.find(n), Instantiable))
                hint = did_you_mean(reference.name, known)
                message = f"unknown process or template {reference.name!r}{hint}"
                raise mistake(message, reference.span)
            for process in _expanded(reference.name, meaning, priority, machine, reference.span):
                count += 1
                if count > MAX_PROCESSES:
                    raise mistake(f"more than {MAX_PROCESSES} processes", reference.span)
                yield process


def _expanded(
    name: str, meaning: Instantiable, priority: int, machine: Machine, span: Span | None
) -> Iterator[Process]:
    free = meaning.template.parameters
    for parameter in free:
        if parameter.by_reference or parameter.dimensions:
            what = f"{name!r} needs an argument for {parameter.name!r}"
            raise mistake(f"{what}: instantiate it, as in P1 = {name}(…);", span)
    ranges = [span_of_range(parameter.type, meaning.scope, machine) for parameter in free]
    for values in product(*ranges):
        called = f"{name}({','.join(map(str, values))})" if values else name
        arguments = [_Argument(_literal(value), meaning.scope) for value in values]
        yield _made(called, meaning, arguments, priority, machine, span)


def _literal(value: int) -> ex.Expression:
    number = ex.Constant(str(abs(value)))
    return ex.Prefix("-", number) if value < 0 else number


def _made(
    name: str,
    meaning: Instantiable,
    arguments: list[_Argument],
    priority: int,
    machine: Machine,
    span: Span | None,
) -> Process:
    template = meaning.template
    scope = meaning.scope.inner(f"{name}.")
    _bind(template, arguments, scope, machine, span, meaning.assigned)
    if isinstance(template, Template):
        declare(template.declarations, scope, machine)
        return Process(name, template, scope, priority)
    inner = _instantiated(template, meaning.scope)
    passed = [_Argument(argument, scope) for argument in template.arguments]
    return _made(name, inner, passed, priority, machine, template.span)


def _instantiated(item: Instantiation, scope: Scope) -> Instantiable:
    found = scope.find(item.template)
    if isinstance(found, Instantiable) and found.template is not item:
        return found
    known = (n for n in scope.known() if isinstance(scope.find(n), Instantiable))
    hint = did_you_mean(item.template, known)
    raise mistake(f"unknown template {item.template!r}{hint}", item.span)


def _bind(
    template: Template | Instantiation,
    arguments: list[_Argument],
    scope: Scope,
    machine: Machine,
    span: Span | None,
    assigned: frozenset[str],
) -> None:
    parameters = template.parameters
    if len(parameters) != len(arguments):
        message = f"{template.name} takes {len(parameters)} arguments, not {len(arguments)}"
        raise mistake(message, span)
    for parameter, argument in zip(parameters, arguments, strict=True):
        try:
            stored = _bound(parameter, argument, scope, machine)
            if parameter.name in assigned:
                stored = _variable(stored, machine)
        except Fault as fault:
            raise mistake(str(fault), argument.expression.span or span) from None
        scope.add(parameter.name, stored, parameter.span)


def _variable(stored: Stored, machine: Machine) -> Stored:
    """A parameter by value that the template assigns: a variable with this start."""
    if stored.values is None:
        return stored
    machine.memory.changes.update(stored.values)
    return Stored(stored.path, stored.kind)


def assigned_names(node: object) -> Iterator[str]:
    """The variables that a piece of syntax assigns to, or to parts of them."""
    match node:
        case ex.Update(target=target) | ex.Suffix(operand=target):
            yield _base(target)
        case ex.Prefix(operator="++" | "--", operand=target):
            yield _base(target)
        case Span():
            return
        case tuple():
            for item in node:
                yield from assigned_names(item)
    if is_dataclass(node):
        for part in fields(node):
            yield from assigned_names(getattr(node, part.name))


def _base(target: ex.Expression) -> str:
    while isinstance(target, ex.Element | ex.Member):
        target = target.base
    return target.name if isinstance(target, ex.Reference) else ""


def _bound(parameter: Parameter, argument: _Argument, scope: Scope, machine: Machine) -> Stored:
    kind = kind_of_type(parameter.type, parameter.dimensions, scope, machine)
    kind = INT32 if kind == INT else kind
    channel = any(scalar.kind == "chan" for _, scalar in leaves(kind, ""))
    if parameter.by_reference or channel:
        return _referred(parameter, kind, argument)
    path = f"{scope.prefix}{parameter.name}"
    memory = Memory({}, held=dict(machine.memory.held))
    if isinstance(kind, Scalar):
        memory.write(path, kind, fixed(argument.expression, argument.scope, machine))
    else:
        place = Machine(memory).place(argument.expression, argument.scope)
        pairs = zip(leaves(place.kind, place.path), leaves(kind, path), strict=True)
        for (source, scalar), (target, wanted) in pairs:
            memory.write(target, wanted, memory.read(source, scalar))
    values = tuple((leaf, memory.changes[leaf]) for leaf, _ in leaves(kind, path))
    return Stored(path, kind, values)


def _referred(parameter: Parameter, kind: Kind, argument: _Argument) -> Stored:
    """What an argument by reference stands for; its indices are known before the run."""
    memory = Memory({})
    try:
        place = Machine(memory).place(argument.expression, argument.scope)
    except KeyError as error:
        message = f"{error.args[0]!r} may change; a constant index is needed here"
        raise mistake(message, argument.expression.span) from None
    if _shape(place.kind) != _shape(kind):
        message = f"this does not fit the type of the parameter {parameter.name!r}"
        raise mistake(message, argument.expression.span)
    paths = [path for path, _ in leaves(place.kind, place.path)]
    values = tuple((path, memory.held[path]) for path in paths) if place.constant else None
    return Stored(place.path, place.kind, values)


def _shape(kind: Kind) -> list[tuple[str, str]]:
    return [(path, scalar.kind) for path, scalar in leaves(kind, "")]
