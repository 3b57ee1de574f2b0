"""Which variables a piece of UPPAAL code may read and write, found without running it.

An index that is not known before the run stands for all elements. Functions are looked into, with
their parameters as what they stand for. Names without a meaning are found on the way.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import cast

from dyverse.automaton.network.component import Fault
from dyverse.errors import Span, did_you_mean
from dyverse.uppaal.language import expression as ex
from dyverse.uppaal.language.syntax import Block, Iterate, Statement, TypeDefinition, Variables
from dyverse.uppaal.language.words import BUILT_IN
from dyverse.uppaal.meaning.chance import STATES
from dyverse.uppaal.meaning.declare import kind_of_type
from dyverse.uppaal.meaning.interpret import Machine, literal
from dyverse.uppaal.meaning.kinds import INT, ArrayOf, Kind, RecordOf, Scalar, leaves
from dyverse.uppaal.meaning.scope import Alias, FunctionMeant, Scope, Stored, mistake
from dyverse.uppaal.meaning.variables import LOCAL, RANDOM, Located, Memory

MAX_NESTED = 50


@dataclass(slots=True)
class Touched:
    """Leaves that are read and written; locals and constants are left out."""

    reads: dict[str, Scalar] = field(default_factory=dict)
    writes: dict[str, Scalar] = field(default_factory=dict)

    @property
    def reads_clocks(self) -> bool:
        """Whether it looks at something that time changes."""
        return any(scalar.kind == "clock" for scalar in self.reads.values())


def touched(codes: Iterable[ex.Expression | Statement], scope: Scope) -> Touched:
    """What ``codes`` may touch."""
    walker = _Walker()
    for code in codes:
        walker.walk(code, scope)
    return walker.found


def places(expression: ex.Expression, scope: Scope) -> list[tuple[str, Kind, bool]]:
    """The parts of variables that ``expression`` may name: path, type, and whether constant."""
    match expression:
        case ex.Reference(name=name, span=span):
            meaning = scope.find(name)
            if isinstance(meaning, Alias):
                return places(meaning.expression, meaning.scope)
            stored = scope.stored(name, span)
            return [(stored.path, stored.kind, stored.is_constant)]
        case ex.Element(base=base, index=index):
            number = known_number(index, scope)
            return [part for item in places(base, scope) for part in _items(item, number, index)]
        case ex.Member(base=base, name=name):
            found = places(base, scope)
            inner = found[0][1].field(name) if isinstance(found[0][1], RecordOf) else None
            if inner is None:
                raise mistake(f"there is no field {name!r} here", expression.span)
            return [(f"{path}.{name}", inner, const) for path, _, const in found]
        case ex.Update(target=target):
            return places(target, scope)
    raise mistake("this is no variable", expression.span)


def _items(
    part: tuple[str, Kind, bool], number: float | None, index: ex.Expression
) -> Iterator[tuple[str, Kind, bool]]:
    path, kind, const = part
    if not isinstance(kind, ArrayOf):
        raise mistake("only an array has elements", index.span)
    last = kind.low + kind.size - 1  # an index outside is a fault of the run that meets it
    known = number is not None and kind.low <= number <= last
    indices = (int(cast(float, number)),) if known else range(kind.low, last + 1)
    yield from ((f"{path}[{i}]", kind.item, const) for i in indices)


def known_number(expression: ex.Expression, scope: Scope) -> float | None:
    """Its number if that is known before the run and nothing is assigned on the way.

    What has a variable in it is none, which most expressions tell without being evaluated.
    """
    match expression:
        case ex.Constant(text=text):
            return literal(text)
        case ex.Reference(name=name):
            meaning = scope.find(name)
            if isinstance(meaning, Alias):
                return known_number(meaning.expression, meaning.scope)
            if isinstance(meaning, Stored):
                return _constant(meaning)
        case ex.Element(base=base) | ex.Member(base=base):
            if not _is_constant(base, scope):
                return None
        case ex.Prefix(operator="-" | "+" | "!", operand=operand):
            if known_number(operand, scope) is None:
                return None
        case ex.Infix(operator=sign, left=left, right=right) if sign not in ("&&", "||", "imply"):
            if known_number(left, scope) is None or known_number(right, scope) is None:
                return None
        case ex.Update() | ex.Suffix() | ex.Prefix():
            return None
    return _evaluated(expression, scope)


def _constant(stored: Stored) -> float | None:
    """The number of a constant; none if it is a variable, an array or a record."""
    if stored.values is None or not isinstance(stored.kind, Scalar):
        return None
    number = stored.values[0][1]
    return round(number) if stored.kind.is_whole else float(number)


def _is_constant(base: ex.Expression, scope: Scope) -> bool:
    """Whether a part of this may be known before the run."""
    while isinstance(base, ex.Element | ex.Member):
        base = base.base
    meaning = scope.find(base.name) if isinstance(base, ex.Reference) else None
    return not isinstance(meaning, Stored) or meaning.is_constant


def _evaluated(expression: ex.Expression, scope: Scope) -> float | None:
    memory = Memory({})
    try:
        value = Machine(memory).value(expression, scope)
        if isinstance(value, Located):
            scalar = value.kind
            number = memory.read(value.path, scalar) if isinstance(scalar, Scalar) else None
        else:
            number = value
    except (KeyError, Fault):
        return None
    return None if memory.changes else number


def mentions(node: object, names: Container[str]) -> bool:
    """Whether a piece of syntax has one of ``names`` in it."""
    match node:
        case ex.Reference(name=name):
            return name in names
        case tuple():
            return any(mentions(item, names) for item in node)
        case Span():
            return False
    if not is_dataclass(node):
        return False
    return any(mentions(getattr(node, part.name), names) for part in fields(node))


class _Walker:
    def __init__(self) -> None:
        self.found = Touched()
        self._inside: list[str] = []

    def walk(self, code: object, scope: Scope) -> None:
        """Look at one expression or statement."""
        match code:
            case ex.Reference() | ex.Element() | ex.Member():
                self._name(cast(ex.Expression, code), scope, self.found.reads)
            case ex.Update(operator=sign, target=target, value=value):
                self.walk(value, scope)
                self._write(target, scope, also_read=sign != "=")
            case ex.Prefix(operator="++" | "--", operand=operand) | ex.Suffix(operand=operand):
                self._write(operand, scope, also_read=True)
            case ex.Application():
                self._call(code, scope)
            case ex.Quantifier(variable=variable, body=body):
                self.walk(body, with_local(scope, variable))
            case Block(items=items):
                inner = scope.inner()
                for item in items:
                    self._item(item, inner)
            case Iterate(variable=variable, body=body):
                self.walk(body, with_local(scope, variable))
            case ex.Constant() | ex.Type() | Span():
                pass
            case tuple():
                for item in code:
                    self.walk(item, scope)
            case _ if is_dataclass(code):
                for part in fields(code):
                    self.walk(getattr(code, part.name), scope)

    def _item(self, item: Statement, scope: Scope) -> None:
        if isinstance(item, TypeDefinition):
            Machine(Memory({})).run(item, scope)
        elif isinstance(item, Variables):
            for declarator in item.declarators:
                self.walk(declarator.initial, scope)
                machine = Machine(Memory({}))
                kind = kind_of_type(item.type, declarator.dimensions, scope, machine)
                stored = Stored(f"{LOCAL}.{declarator.name}", kind)
                scope.add(declarator.name, stored, declarator.span)
        else:
            self.walk(item, scope)

    def _name(self, code: ex.Expression, scope: Scope, into: dict[str, Scalar]) -> None:
        for path, kind, constant in places(code, scope):
            if not constant and not path.startswith(LOCAL):
                into.update(leaves(kind, path))
        self._indices(code, scope)

    def _indices(self, code: ex.Expression, scope: Scope) -> None:
        match code:
            case ex.Element(base=base, index=index):
                self.walk(index, scope)
                self._indices(base, scope)
            case ex.Member(base=base):
                self._indices(base, scope)

    def _write(self, target: ex.Expression, scope: Scope, *, also_read: bool) -> None:
        for path, _, constant in places(target, scope):
            if constant:
                raise mistake(f"{path!r} is a constant", target.span)
        self._name(target, scope, self.found.writes)
        if also_read:
            self._name(target, scope, self.found.reads)

    def _call(self, call: ex.Application, scope: Scope) -> None:
        name = call.function.name if isinstance(call.function, ex.Reference) else ""
        meaning = scope.find(name)
        if not isinstance(meaning, FunctionMeant):
            self._built_in(call, name, scope)
            return
        parameters = meaning.function.parameters
        if len(parameters) != len(call.arguments):
            message = f"{name} takes {len(parameters)} arguments, not {len(call.arguments)}"
            raise mistake(message, call.span)
        inner = meaning.scope.inner()
        for parameter, argument in zip(parameters, call.arguments, strict=True):
            if parameter.by_reference:
                inner.names[parameter.name] = Alias(argument, scope)
                self._indices(argument, scope)
            else:
                self.walk(argument, scope)
                machine = Machine(Memory({}))
                kind = kind_of_type(parameter.type, parameter.dimensions, inner, machine)
                inner.names[parameter.name] = Stored(f"{LOCAL}.{parameter.name}", kind)
        self._body(meaning, inner, call.span)

    def _built_in(self, call: ex.Application, name: str, scope: Scope) -> None:
        if name not in BUILT_IN:
            hint = did_you_mean(name, (*scope.known(), *BUILT_IN))
            raise mistake(f"unknown function {name!r}{hint}", call.span)
        if BUILT_IN[name] != len(call.arguments):
            message = f"{name} takes {BUILT_IN[name]} arguments, not {len(call.arguments)}"
            raise mistake(message, call.span)
        if name.startswith(RANDOM):
            drawn = {RANDOM: Scalar("int", 0, STATES)}
            self.found.reads.update(drawn)
            self.found.writes.update(drawn)
        self.walk(call.arguments, scope)

    def _body(self, meaning: FunctionMeant, inner: Scope, span: Span | None) -> None:
        name = meaning.function.name
        if name in self._inside:
            raise mistake(f"{name!r} calls itself, which UPPAAL does not allow", span)
        self._inside.append(name)
        self.walk(meaning.function.body, inner)
        self._inside.pop()


def with_local(scope: Scope, name: str) -> Scope:
    """``scope`` with one more name, whose number is not known."""
    inner = scope.inner()
    inner.names[name] = Stored(f"{LOCAL}.{name}", INT)
    return inner


def check_function(meaning: FunctionMeant) -> None:
    """Find names without a meaning in a function that perhaps nothing calls."""
    inner = meaning.scope.inner()
    for parameter in meaning.function.parameters:
        machine = Machine(Memory({}))
        kind = kind_of_type(parameter.type, parameter.dimensions, inner, machine)
        inner.names[parameter.name] = Stored(f"{LOCAL}.{parameter.name}", kind)
    touched([meaning.function.body], inner)
