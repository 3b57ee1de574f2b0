"""UPPAAL's expressions and statements in exact fractions, from the syntax tree: see `oracle`."""

from __future__ import annotations

import copy
import itertools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dyverse.uppaal.language.expression import (
    Application,
    Choice,
    Constant,
    Element,
    Infix,
    Member,
    Named,
    Prefix,
    Quantifier,
    Ranged,
    Record,
    Reference,
    Suffix,
    Type,
    Update,
)
from dyverse.uppaal.language.syntax import (
    Block,
    Empty,
    Evaluate,
    For,
    Function,
    If,
    Iterate,
    Listing,
    Parameter,
    Return,
    Variables,
    While,
)

Node = Any  # of the syntax tree
Value = Any  # a number, an `Array`, or a dict of fields


class Wrong(Exception):  # noqa: N818 - an evaluation that UPPAAL calls invalid
    """A number outside of its range, a division by zero, an index outside of its array."""


class _Returned(Exception):  # noqa: N818 - how a function is left
    def __init__(self, value: Value) -> None:
        self.value = value


@dataclass
class Array:
    """Values by index, from ``low`` on."""

    low: int
    items: list[Value]


@dataclass
class Name:
    """What a name means: a value in a store, a function, a type or a template."""

    kind: str  # value, constant, function, type, template, channel
    type: Any = None
    key: Any = None  # of a value in the state; of a channel, its path
    value: Value = None  # of a constant
    scope: Scope | None = None


class Scope:
    """Names in the order of their declaration; who looks sees only what was declared before."""

    def __init__(self, around: Scope | None = None) -> None:
        self.around, self.names = around, list[tuple[str, Name]]()

    def add(self, name: str, meaning: Name) -> None:
        self.names.append((name, meaning))

    def find(self, name: str) -> Name:
        for known, meaning in reversed(self.names):
            if known == name:
                return meaning
        assert self.around is not None, name
        return self.around.find(name)

    def so_far(self) -> Scope:
        """The same scope as it is now."""
        seen = Scope(self.around)
        seen.names = list(self.names)
        return seen


@dataclass
class State:
    """The location of each process, and variables by their path, such as ``P.x``."""

    locations: tuple[str, ...]
    store: dict[str, Value]

    def flat(self) -> dict[str, Fraction]:
        """Each number by its own path."""
        return dict(itertools.chain.from_iterable(_flat(k, v) for k, v in self.store.items()))

    def key(self) -> tuple[Any, ...]:
        """The same for equal states."""
        return (self.locations, tuple(sorted(self.flat().items())))


def _flat(path: str, value: Value) -> Iterator[tuple[str, Fraction]]:
    match value:
        case Array(low=low, items=items):
            for i, item in enumerate(items):
                yield from _flat(f"{path}[{low + i}]", item)
        case dict():
            for name, item in value.items():
                yield from _flat(f"{path}.{name}", item)
        case _:
            yield path, Fraction(value)


def _divided(a: int, b: int) -> int:
    if b == 0:
        raise Wrong("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
    "%": lambda a, b: a - b * _divided(a, b),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<?": min,
    ">?": max,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "xor": lambda a, b: bool(a) != bool(b),
}
INT = ("int", -32768, 32767)


@dataclass
class Place:
    """Where a value is kept, and what it may be."""

    holder: Any
    key: Any
    type: Any

    def read(self) -> Value:
        return self.holder[self.key]

    def write(self, value: Value) -> None:
        self.holder[self.key] = checked(value, self.type)


def checked(value: Value, kind: Any) -> Value:
    """``value`` as one of its type."""
    match kind:
        case ("int", low, high):
            value = int(value)
            if not low <= value <= high:
                raise Wrong(f"{value} is not in [{low}, {high}]")
            return value
        case ("bool",):
            return int(bool(value))
        case ("clock",):
            return Fraction(value)
    return copy.deepcopy(value)


class Evaluator:
    """Expressions and statements on one store; ``holder`` has the values by their paths."""

    def __init__(self, store: dict[str, Value]) -> None:
        self.store = store

    def value(self, node: Node, scope: Scope) -> Value:
        match node:
            case Constant(text=text):
                return {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text)
            case Reference() | Element() | Member():
                return self.place(node, scope).read()
            case Prefix(operator="++" | "--" as sign):
                place = self.place(node.operand, scope)
                place.write(place.read() + (1 if sign == "++" else -1))
                return place.read()
            case Suffix(operator="++" | "--" as sign):
                place = self.place(node.operand, scope)
                before = place.read()
                place.write(before + (1 if sign == "++" else -1))
                return before
            case Prefix(operator=sign):
                number = self.value(node.operand, scope)
                return int(not number) if sign == "!" else -number if sign == "-" else number
            case Infix():
                return self._infix(node, scope)
            case Choice():
                return self.value(node.yes if self.value(node.test, scope) else node.no, scope)
            case Update(operator=sign):
                place, value = self.place(node.target, scope), self.value(node.value, scope)
                if sign != "=":
                    value = ARITHMETIC[sign[:-1]](place.read(), value)
                place.write(value)
                return place.read()
            case Quantifier():
                return self._quantifier(node, scope)
            case Application():
                return self._call(node, scope)
        raise AssertionError(node)

    def _infix(self, node: Infix, scope: Scope) -> Value:
        left = self.value(node.left, scope)
        match node.operator:
            case "&&":
                return int(bool(left) and bool(self.value(node.right, scope)))
            case "||":
                return int(bool(left) or bool(self.value(node.right, scope)))
            case "imply":
                return int(not left or bool(self.value(node.right, scope)))
        found = ARITHMETIC[node.operator](left, self.value(node.right, scope))
        return int(found) if isinstance(found, bool) else found

    def _quantifier(self, node: Quantifier, scope: Scope) -> Value:
        bodies = [self.value(node.body, s) for s in self.each(node.variable, node.type, scope)]
        if node.kind == "sum":
            return sum(bodies)
        return int(all(bodies) if node.kind == "forall" else any(bodies))

    def each(self, name: str, type_: Type, scope: Scope) -> Iterator[Scope]:
        _, low, high = self.kind(type_, (), scope)
        for number in range(low, high + 1):
            inner = Scope(scope)
            inner.add(name, Name("constant", value=number))
            yield inner

    def place(self, node: Node, scope: Scope) -> Place:
        match node:
            case Reference(name=name):
                found = scope.find(name)
                if found.kind == "constant":
                    return Place({0: found.value}, 0, None)
                assert found.kind == "value", (name, found)
                if isinstance(found.key, Place):
                    return found.key
                return Place(self.store, found.key, found.type)
            case Element(base=base, index=index):
                inner, number = self.place(base, scope), self.value(index, scope)
                array = inner.read()
                if not 0 <= number - array.low < len(array.items):
                    raise Wrong(f"no element {number}")
                kind = inner.type[1] if inner.type else None
                return Place(array.items, number - array.low, kind)
            case Member(base=base, name=name):
                inner = self.place(base, scope)
                return Place(inner.read(), name, dict(inner.type[1])[name] if inner.type else None)
        raise AssertionError(node)

    def kind(self, type_: Type, dimensions: tuple[Node, ...], scope: Scope) -> Any:
        match type_.base:
            case Named(name="int"):
                kind: Any = INT
            case Named(name="bool" | "clock" | "chan" | "void" as word):
                kind = (word, *type_.prefixes) if word == "chan" else (word,)
            case Named(name=name):
                kind = scope.find(name).type
            case Ranged(low=low, high=high):
                kind = ("int", self.value(low, scope), self.value(high, scope))
            case Record(fields=fields):
                kind = (
                    "record",
                    [
                        (d.name, self.kind(f.type, d.dimensions, scope))
                        for f in fields
                        for d in f.declarators
                    ],
                )
            case _:
                raise AssertionError(type_)
        for dimension in reversed(dimensions):
            kind = ("array", kind, *self._extent(dimension, scope))
        return kind

    def _extent(self, dimension: Node, scope: Scope) -> tuple[int, int]:
        if isinstance(dimension, Type):
            _, low, high = self.kind(dimension, (), scope)
            return low, high - low + 1
        if isinstance(dimension, Reference) and scope.find(dimension.name).kind == "type":
            _, low, high = scope.find(dimension.name).type
            return low, high - low + 1
        return 0, self.value(dimension, scope)

    def initial(self, kind: Any, given: Node | None, scope: Scope) -> Value:
        match kind:
            case ("array", item, low, size):
                parts = given.items if isinstance(given, Listing) else [None] * size
                return Array(low, [self.initial(item, part, scope) for part in parts])
            case ("record", fields):
                parts = given.items if isinstance(given, Listing) else [None] * len(fields)
                pairs = zip(fields, parts, strict=True)
                return {name: self.initial(inner, p, scope) for (name, inner), p in pairs}
            case ("int", low, high) if given is None:
                return max(low, min(0, high))
        return checked(0 if given is None else self.value(given, scope), kind)

    def _call(self, node: Application, scope: Scope) -> Value:
        assert isinstance(node.function, Reference)
        found = scope.find(node.function.name)
        assert found.kind == "function", node.function.name
        function: Function = found.value
        inner = Scope(found.scope)
        for parameter, argument in zip(function.parameters, node.arguments, strict=True):
            self._pass(parameter, argument, inner, scope)
        try:
            self.run(function.body, inner)
        except _Returned as left:
            return left.value
        return 0

    def _pass(self, parameter: Parameter, argument: Node, inner: Scope, scope: Scope) -> None:
        kind = self.kind(parameter.type, parameter.dimensions, inner)
        if parameter.by_reference:
            place = self.place(argument, scope)
        else:
            place = Place({0: checked(self.value(argument, scope), kind)}, 0, kind)
        inner.add(parameter.name, Name("value", kind, place))

    def run(self, node: Node, scope: Scope) -> None:
        match node:
            case Block(items=items):
                inner = Scope(scope)
                for item in items:
                    self.run(item, inner)
            case Variables(type=type_, declarators=declarators):
                for declarator in declarators:
                    kind = self.kind(type_, declarator.dimensions, scope)
                    value = self.initial(kind, declarator.initial, scope)
                    scope.add(declarator.name, Name("value", kind, Place({0: value}, 0, kind)))
            case Evaluate(expression=expression):
                self.value(expression, scope)
            case If(tests=tests, yes=yes, no=no):
                branch = yes if [self.value(test, scope) for test in tests][-1] else no
                if branch is not None:
                    self.run(branch, scope)
            case For(first=first, tests=tests, then=then, body=body):
                for one in first:
                    self.value(one, scope)
                while all([self.value(test, scope) for test in tests][-1:]):
                    self.run(body, scope)
                    for one in then:
                        self.value(one, scope)
            case While(tests=tests, body=body, kind=kind):
                if kind == "do":
                    self.run(body, scope)
                while [self.value(test, scope) for test in tests][-1]:
                    self.run(body, scope)
            case Iterate(variable=variable, type=type_, body=body):
                for inner in self.each(variable, type_, scope):
                    self.run(body, inner)
            case Return(value=value):
                raise _Returned(None if value is None else self.value(value, scope))
            case Empty():
                pass
            case _:
                raise AssertionError(node)
