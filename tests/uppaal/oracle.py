"""UPPAAL's semantics once more, in exact fractions: what the engines are held against.

It reads the syntax tree of a file by itself and shares nothing with the engines or with their way
from the tree to a network. A state has the locations of all processes and the values of all
variables; clocks are fractions. `System.successors` gives all states that one action leads to,
`System.may_delay` says whether time may pass. Rules: the page "Semantics" of UPPAAL's manual.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from dyverse.uppaal.language.document import Arrow, Document, Template
from dyverse.uppaal.language.expression import (
    Element,
    Infix,
    Member,
    Reference,
    Suffix,
    Type,
)
from dyverse.uppaal.language.syntax import (
    ChannelPriority,
    Function,
    Instantiation,
    TypeDefinition,
    Variables,
)
from tests.uppaal.evaluating import Array as Array
from tests.uppaal.evaluating import Evaluator, Name, Node, Place, Scope, Value
from tests.uppaal.evaluating import State as State
from tests.uppaal.evaluating import Wrong as Wrong


@dataclass
class Process:
    """A template with its parameters bound."""

    name: str
    template: Template
    scope: Scope
    priority: int


@dataclass
class Half:
    """An edge of a process that may be taken now, with a value for each name of its select."""

    number: int
    process: Process
    target: str
    scope: Scope
    updates: tuple[Node, ...]
    channel: str | None = None
    sends: bool = False
    committed: bool = False


@dataclass
class System:
    """A whole file."""

    document: Document
    processes: list[Process] = field(default_factory=list)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of channels, by path
    ranks: dict[str, int] = field(default_factory=dict)
    start: State = field(init=False)

    def __post_init__(self) -> None:
        self.start = State((), {})
        world, evaluator = Scope(), Evaluator(self.start.store)
        self._declare(self.document.declarations, world, "", evaluator)
        for template in self.document.templates:
            world.add(template.name, Name("template", value=template, scope=world.so_far()))
        self._declare(self.document.system, world, "", evaluator)
        self._make(world, evaluator)
        self.start.locations = tuple(str(p.template.initial) for p in self.processes)
        for item in (*self.document.declarations, *self.document.system):
            if isinstance(item, ChannelPriority):
                self._rank(item, world, evaluator)

    def _declare(
        self, items: tuple[Node, ...], scope: Scope, prefix: str, evaluator: Evaluator
    ) -> None:
        for item in items:
            match item:
                case Variables(type=type_, declarators=declarators):
                    for declarator in declarators:
                        self._variable(declarator, type_, scope, prefix, evaluator)
                case TypeDefinition(type=type_, declarators=declarators):
                    for declarator in declarators:
                        kind = evaluator.kind(type_, declarator.dimensions, scope)
                        scope.add(declarator.name, Name("type", kind))
                case Function(name=name):
                    scope.add(name, Name("function", value=item, scope=scope.so_far()))
                case Instantiation(name=name):
                    scope.add(name, Name("template", value=item, scope=scope.so_far()))

    def _variable(
        self, declarator: Node, type_: Type, scope: Scope, prefix: str, evaluator: Evaluator
    ) -> None:
        kind = evaluator.kind(type_, declarator.dimensions, scope)
        path, base = f"{prefix}{declarator.name}", kind
        while base[0] == "array":
            base = base[1]
        if base[0] == "chan":
            for leaf in _channels(path, kind):
                self.kinds[leaf] = base[1:]
            scope.add(declarator.name, Name("channel", kind, path))
            return
        value = evaluator.initial(kind, declarator.initial, scope)
        if "const" in type_.prefixes:
            scope.add(declarator.name, Name("constant", kind, value=value))
        else:
            evaluator.store[path] = value
            scope.add(declarator.name, Name("value", kind, path))

    def _make(self, world: Scope, evaluator: Evaluator) -> None:
        line = self.document.line
        assert line is not None
        for priority, group in enumerate(line.groups):
            for reference in group:
                found = world.find(reference.name)
                free = found.value.parameters
                assert found.scope is not None
                ranges = [evaluator.kind(p.type, (), found.scope) for p in free]
                for values in itertools.product(*(range(r[1], r[2] + 1) for r in ranges)):
                    called = f"({','.join(map(str, values))})" if values else ""
                    name = f"{reference.name}{called}"
                    arguments = [Place({0: value}, 0, None) for value in values]
                    self._instance(name, found, arguments, priority, evaluator)

    def _instance(
        self, name: str, found: Name, given: list[Place], priority: int, evaluator: Evaluator
    ) -> None:
        scope = Scope(found.scope)
        for parameter, place in zip(found.value.parameters, given, strict=True):
            if parameter.by_reference:
                scope.add(parameter.name, Name("value", place.type, place))
            else:
                scope.add(parameter.name, Name("constant", value=place.read()))
        if isinstance(found.value, Instantiation):
            inner = scope.find(found.value.template)
            passed = [_passed(a, scope, evaluator) for a in found.value.arguments]
            self._instance(name, inner, passed, priority, evaluator)
            return
        self._declare(found.value.declarations, scope, f"{name}.", evaluator)
        self.processes.append(Process(name, found.value, scope, priority))

    def _rank(self, item: ChannelPriority, world: Scope, evaluator: Evaluator) -> None:
        default = Reference("default")
        level = next(n for n, group in enumerate(item.groups) if default in group)
        for number, group in enumerate(item.groups):
            for channel in group:
                if channel != default:
                    path = self._channel(channel, world, evaluator)
                    for leaf in self.kinds:
                        if leaf == path or leaf.startswith(f"{path}["):
                            self.ranks[leaf] = number - level

    def _channel(self, node: Node, scope: Scope, evaluator: Evaluator) -> str:
        if isinstance(node, Element):
            base, number = (
                self._channel(node.base, scope, evaluator),
                evaluator.value(node.index, scope),
            )
            return f"{base}[{number}]"
        return str(scope.find(node.name).key)

    def invariant(self, state: State) -> bool:
        """Whether the invariants of all processes hold."""
        evaluator = Evaluator(state.store)
        for process, location in zip(self.processes, state.locations, strict=True):
            for part in conjuncts(written(_place(process.template, location), "invariant")):
                if _stopped(part) is None and not evaluator.value(part, process.scope):
                    return False
        return True

    def halves(self, state: State) -> Iterator[Half]:
        """The edges whose guards hold."""
        for number, process in enumerate(self.processes):
            for arrow in process.template.arrows:
                if arrow.source == state.locations[number]:
                    yield from self._chosen(arrow, number, process, state)

    def _chosen(self, arrow: Arrow, number: int, process: Process, state: State) -> Iterator[Half]:
        evaluator = Evaluator(copy.deepcopy(state.store))
        scopes = [process.scope]
        for selection in written(arrow, "select") or ():
            scopes = [s for o in scopes for s in evaluator.each(selection.name, selection.type, o)]
        for scope in scopes:
            guard = written(arrow, "guard")
            if guard is not None and not evaluator.value(guard, scope):
                continue
            half = Half(number, process, arrow.target, scope, _updates(arrow))
            place = _place(process.template, arrow.source)
            half.committed = place.committed
            if (sync := written(arrow, "synchronisation")) is not None:
                half.channel = self._channel(sync.channel, scope, evaluator)
                half.sends = sync.direction == "!"
            yield from _branches(half, process.template)

    def actions(self, state: State) -> Iterator[tuple[Half, ...]]:
        """Internal edges, handshakes and broadcasts, whatever invariants and priorities say."""
        halves = list(self.halves(state))
        for half in halves:
            if half.channel is None:
                yield (half,)
            elif half.sends and "broadcast" in self.kinds[half.channel]:
                yield from self._broadcasts(half, halves)
            elif half.sends:
                for other in halves:
                    if _hears(other, half):
                        yield half, other

    def _broadcasts(self, sender: Half, halves: list[Half]) -> Iterator[tuple[Half, ...]]:
        others: dict[int, list[Half]] = {}
        for half in halves:
            if _hears(half, sender):
                others.setdefault(half.number, []).append(half)
        for choice in itertools.product(*(others[number] for number in sorted(others))):
            yield (sender, *choice)

    def successors(self, state: State) -> list[State]:
        """The states behind all actions that may be taken; or `Wrong`, if one is invalid."""
        committed = any(
            _place(p.template, at).committed
            for p, at in zip(self.processes, state.locations, strict=True)
        )
        found: list[tuple[tuple[int, int], State]] = []
        for action in self.actions(state):
            if committed and not any(half.committed for half in action):
                continue
            after = self._after(action, state)
            if self.invariant(after):
                rank = self.ranks.get(action[0].channel or "", 0)
                found.append(((rank, max(half.process.priority for half in action)), after))
        highest = max((rank for rank, _ in found), default=None)
        return [after for rank, after in found if rank == highest]

    def _after(self, action: tuple[Half, ...], state: State) -> State:
        after = copy.deepcopy(state)
        evaluator, locations = Evaluator(after.store), list(after.locations)
        for half in action:
            locations[half.number] = half.target
            for update in half.updates:
                evaluator.value(update, half.scope)
        after.locations = tuple(locations)
        return after

    def delayed(self, state: State, delay: Fraction) -> State:
        """The state after so much time."""
        after = copy.deepcopy(state)
        still = set(self._still(state))
        for path in state.flat():
            if path in self.clocks and path not in still:
                _add(after.store, path, delay)
        return after

    def _still(self, state: State) -> Iterator[str]:
        for process, location in zip(self.processes, state.locations, strict=True):
            for part in conjuncts(written(_place(process.template, location), "invariant")):
                if (clock := _stopped(part)) is not None:
                    key = process.scope.find(clock).key
                    yield key.key if isinstance(key, Place) else key

    @property
    def clocks(self) -> set[str]:
        """The paths of all clocks: what starts as a fraction."""
        return set(_fractions(self.start.store))

    def may_delay(self, state: State, delay: Fraction) -> bool:
        """Whether time may pass: no urgent place, no urgent synchronisation, invariants kept."""
        if delay == 0:
            return True
        for process, at in zip(self.processes, state.locations, strict=True):
            place = _place(process.template, at)
            if place.committed or place.urgent:
                return False
        if any("urgent" in self.kinds.get(a[0].channel or "", ()) for a in self.actions(state)):
            return False
        return self.invariant(state) and self.invariant(self.delayed(state, delay))


def _hears(half: Half, sender: Half) -> bool:
    same = half.channel == sender.channel and half.number != sender.number
    return same and not half.sends


def _passed(argument: Node, scope: Scope, evaluator: Evaluator) -> Place:
    if isinstance(argument, Reference | Element | Member):
        return evaluator.place(argument, scope)
    return Place({0: evaluator.value(argument, scope)}, 0, None)


def written(item: Node, kind: str) -> Node:
    """What stands at a location or an edge, if there is something of that kind."""
    label = item.label(kind)
    return None if label is None else label.value


def _updates(arrow: Arrow) -> tuple[Node, ...]:
    return tuple(written(arrow, "assignment") or ())


def _branches(half: Half, template: Template) -> Iterator[Half]:
    """The edge itself, or one for each branch behind its branchpoint."""
    if half.target not in {point.id for point in template.branchpoints}:
        yield half
        return
    for arrow in template.arrows:
        if arrow.source == half.target:
            yield replace(half, target=arrow.target, updates=half.updates + _updates(arrow))


def _place(template: Template, identity: str) -> Node:
    return next(place for place in template.places if place.id == identity)


def conjuncts(node: Node) -> Iterator[Node]:
    """The parts of ``a && b``; none if there is nothing."""
    if isinstance(node, Infix) and node.operator == "&&":
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    elif node is not None:
        yield node


def _stopped(node: Node) -> str | None:
    """The clock of ``x' == 0``."""
    match node:
        case Infix(operator="==", left=Suffix(operator="'", operand=Reference(name=name))):
            return name
    return None


def _channels(path: str, kind: Any) -> Iterator[str]:
    if kind[0] != "array":
        yield path
        return
    for i in range(kind[2], kind[2] + kind[3]):
        yield from _channels(f"{path}[{i}]", kind[1])


def _fractions(store: dict[str, Value]) -> Iterator[str]:
    for path, value in store.items():
        if isinstance(value, Fraction):
            yield path
        elif isinstance(value, Array):
            yield from _fractions(
                {f"{path}[{value.low + i}]": v for i, v in enumerate(value.items)}
            )


def _add(store: dict[str, Value], path: str, delay: Fraction) -> None:
    if path in store:
        store[path] += delay
        return
    base, _, index = path.rpartition("[")
    array = store[base]
    array.items[int(index[:-1]) - array.low] += delay
