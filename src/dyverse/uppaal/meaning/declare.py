"""Declarations put into a scope: types worked out, constants evaluated, variables given paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, assert_never

from dyverse.automaton.network.component import Fault
from dyverse.errors import Span, did_you_mean
from dyverse.expr.term import CONSTANTS
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language import syntax
from dyverse.uppaal.meaning.arithmetic import Number
from dyverse.uppaal.meaning.kinds import (
    BOOL,
    CLOCK,
    DOUBLE,
    INT,
    INT32,
    MAX_LEAVES,
    VOID,
    ArrayOf,
    Kind,
    RecordOf,
    Scalar,
    leaves,
    same_shape,
    size,
)
from dyverse.uppaal.meaning.scope import (
    FunctionMeant,
    Instantiable,
    Scope,
    Stored,
    TypeMeant,
    mistake,
)
from dyverse.uppaal.meaning.variables import Located, Memory

if TYPE_CHECKING:
    from dyverse.uppaal.meaning.interpret import Machine

OURS = ("t", *CONSTANTS)  # names that every network has
BASIC: dict[str, Kind] = {
    "int": INT,
    "bool": BOOL,
    "double": DOUBLE,
    "clock": CLOCK,
    "chan": Scalar("chan"),
    "void": VOID,
}


def declare(items: Iterable[syntax.Declaration], scope: Scope, machine: Machine) -> None:
    """Put declarations into ``scope``; initial values of variables go into the memory."""
    for item in items:
        match item:
            case syntax.Variables():
                _variables(item, scope, machine)
            case syntax.TypeDefinition():
                _types(item, scope, machine)
            case syntax.Function(name=name, span=span):
                scope.add(name, FunctionMeant(item, scope.so_far(1)), span)
            case syntax.Instantiation(name=name, span=span):
                scope.add(name, Instantiable(item, scope.so_far()), span)
            case syntax.Hook(kind=kind, span=span):
                raise mistake(f"{kind} is not supported in a run", span)
            case (
                syntax.ChannelPriority()
                | syntax.SystemLine()
                | syntax.Progress()
                | syntax.Gantt()
                | syntax.Remark()
            ):
                pass
            case _:
                assert_never(item)


def declare_locals(
    item: syntax.Variables | syntax.TypeDefinition, scope: Scope, machine: Machine
) -> None:
    """Declarations inside a function: new variables each time they are passed."""
    if isinstance(item, syntax.TypeDefinition):
        _types(item, scope, machine)
        return
    for declarator in item.declarators:
        kind = kind_of_type(item.type, declarator.dimensions, scope, machine)
        place = Located(machine.memory.fresh(declarator.name), kind)
        _fill(place, declarator, scope, machine)
        scope.add(declarator.name, Stored(place.path, kind), declarator.span)


def _variables(item: syntax.Variables, scope: Scope, machine: Machine) -> None:
    for declarator in item.declarators:
        kind = kind_of_type(item.type, declarator.dimensions, scope, machine)
        place = Located(_path(declarator.name, scope), kind)
        if _is_channel(kind):
            scope.add(declarator.name, Stored(place.path, kind), declarator.span)
            continue
        _fill(place, declarator, scope, machine)
        values = None
        if "const" in item.type.prefixes:
            changes = machine.memory.changes
            values = tuple((path, changes.pop(path)) for path, _ in leaves(kind, place.path))
        scope.add(declarator.name, Stored(place.path, kind, values), declarator.span)


def _path(name: str, scope: Scope) -> str:
    """What a variable is called in the network, where ``t`` is the time already."""
    path = f"{scope.prefix}{name}"
    while path in OURS or (path != name and not scope.prefix and path in scope.names):
        path += "_"
    return path


def _types(item: syntax.TypeDefinition, scope: Scope, machine: Machine) -> None:
    for declarator in item.declarators:
        kind = kind_of_type(item.type, declarator.dimensions, scope, machine)
        scope.add(declarator.name, TypeMeant(kind), declarator.span)


def _is_channel(kind: Kind) -> bool:
    return any(scalar.kind == "chan" for _, scalar in leaves(kind, ""))


def _fill(place: Located, declarator: syntax.Declarator, scope: Scope, machine: Machine) -> None:
    """Give a variable its first value: as written, or 0, or the number of its range next to 0."""
    try:
        if declarator.initial is None:
            for path, scalar in leaves(place.kind, place.path):
                whole = scalar.kind == "int"
                if whole and scalar.low > scalar.high:
                    raise Fault(f"the range [{scalar.low}, {scalar.high}] is empty")
                machine.memory.write(
                    path, scalar, max(scalar.low, min(0, scalar.high)) if whole else 0
                )
        else:
            _assign(place, declarator.initial, scope, machine)
    except Fault as fault:
        raise mistake(str(fault), declarator.span) from None


def _assign(place: Located, initial: syntax.Initial, scope: Scope, machine: Machine) -> None:
    if not isinstance(initial, syntax.Listing):
        if isinstance(place.kind, Scalar):
            machine.memory.write(place.path, place.kind, machine.number(initial, scope))
            return
        value = machine.value(initial, scope)
        if not isinstance(value, Located) or not same_shape(value.kind, place.kind):
            raise mistake("this value does not fit the type", initial.span)
        machine.memory.copy(value, place)
        return
    parts = list(_parts(place, initial))
    if len(parts) != len(initial.items):
        message = f"{len(parts)} values are needed, not {len(initial.items)}"
        raise mistake(message, initial.span)
    for part, item in zip(parts, initial.items, strict=True):
        _assign(part, item, scope, machine)


def _parts(place: Located, initial: syntax.Listing) -> Iterator[Located]:
    match place.kind:
        case ArrayOf(item=item, low=low, size=count):
            yield from (Located(f"{place.path}[{i}]", item) for i in range(low, low + count))
        case RecordOf(fields=fields):
            named = any(initial.names)
            for name, inner in _ordered(fields, initial) if named else fields:
                yield Located(f"{place.path}.{name}", inner)
        case _:
            raise mistake("one number is needed, not a list", initial.span)


def _ordered(
    fields: tuple[tuple[str, Kind], ...], initial: syntax.Listing
) -> Iterator[tuple[str, Kind]]:
    known = dict(fields)
    for name in initial.names:
        if name not in known:
            raise mistake(f"unknown field {name!r}{did_you_mean(name, known)}", initial.span)
        yield name, known[name]


def kind_of_type(
    type_: ex.Type, dimensions: tuple[ex.Dimension, ...], scope: Scope, machine: Machine
) -> Kind:
    """The type of a declared name, with its dimensions."""
    kind = _base(type_, scope, machine)
    for dimension in reversed(dimensions):
        low, count = _extent(dimension, scope, machine)
        kind = ArrayOf(kind, low, count)
        if size(kind) > MAX_LEAVES:
            raise mistake(f"more than {MAX_LEAVES:,} variables in one array", type_.span)
    return kind


def _base(type_: ex.Type, scope: Scope, machine: Machine) -> Kind:
    match type_.base:
        case ex.Named(name="clock"):
            return Scalar("clock", hybrid="hybrid" in type_.prefixes)
        case ex.Named(name="chan"):
            urgent, broadcast = "urgent" in type_.prefixes, "broadcast" in type_.prefixes
            return Scalar("chan", urgent=urgent, broadcast=broadcast)
        case ex.Named(name="int") if "const" in type_.prefixes:
            return INT32
        case ex.Named(name=name) if name in BASIC:
            return BASIC[name]
        case ex.Named(name=name):
            return _named(name, type_.span, scope)
        case ex.Ranged(low=low, high=high):
            ends = constant(low, scope, machine), constant(high, scope, machine)
            return Scalar("int", *ends)
        case ex.ScalarSet(size=count):
            return Scalar("int", 0, constant(count, scope, machine) - 1)
        case ex.Record(fields=fields):
            return RecordOf(
                tuple(
                    (d.name, kind_of_type(f.type, d.dimensions, scope, machine))
                    for f in fields
                    for d in f.declarators
                )
            )
        case _:
            assert_never(type_.base)


def _named(name: str, span: Span | None, scope: Scope) -> Kind:
    meaning = scope.find(name)
    if isinstance(meaning, TypeMeant):
        return meaning.kind
    types = (n for n in scope.known() if isinstance(scope.find(n), TypeMeant))
    raise mistake(f"unknown type {name!r}{did_you_mean(name, (*types, *BASIC))}", span)


def _extent(dimension: ex.Dimension, scope: Scope, machine: Machine) -> tuple[int, int]:
    """The first index and the number of elements."""
    if isinstance(dimension, ex.Reference):
        meaning = scope.find(dimension.name)
        if isinstance(meaning, TypeMeant):
            return _range(meaning.kind, dimension.span)
    if isinstance(dimension, ex.Type):
        return _range(_base(dimension, scope, machine), dimension.span)
    count = constant(dimension, scope, machine)
    if count < 0:
        raise mistake(f"an array cannot have {count} elements", dimension.span)
    return 0, count


def _range(kind: Kind, span: Span | None) -> tuple[int, int]:
    if not isinstance(kind, Scalar) or not kind.is_whole:
        raise mistake("this type has no range of integers", span)
    return kind.low, max(0, kind.high - kind.low + 1)


def constant(expression: ex.Expression, scope: Scope, machine: Machine) -> int:
    """An integer known before the run."""
    number = fixed(expression, scope, machine)
    if number != int(number):
        raise mistake(f"an integer is needed, not {number}", expression.span)
    return int(number)


def fixed(expression: ex.Expression, scope: Scope, machine: Machine) -> Number:
    """A number known before the run: constants only, no variables."""
    memory = Memory({}, held=dict(machine.memory.held))
    try:
        return type(machine)(memory).number(expression, scope)
    except KeyError as error:
        name = error.args[0]
        raise mistake(f"{name!r} may change; a constant is needed here", expression.span) from None
    except Fault as fault:
        raise mistake(str(fault), expression.span) from None


def span_of_range(type_: ex.Type, scope: Scope, machine: Machine) -> range:
    """The values of a bounded type."""
    kind = _base(type_, scope, machine)
    low, count = _range(kind, type_.span)
    return range(low, low + count)
