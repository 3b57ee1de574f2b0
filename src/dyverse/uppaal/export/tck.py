"""Networks of timed automata in the language of TChecker, an open-source checker.

One line per declaration: ``process``, ``location``, ``edge``, and one ``sync`` for each pair of a
sender and a receiver; a broadcast names its receivers with ``?``, which may then have no guards
(`dyverse.uppaal.export.listening`). Everything is global there, so
names are made unique. Urgent channels and priorities do not exist: leaving them out only adds
behaviour, and a comment says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dyverse.automaton.network.component import Action, Component, NetworkEdge, Place, Variable
from dyverse.automaton.network.dependence import depended_on
from dyverse.automaton.network.network import Network
from dyverse.automaton.signal_bounds import Bounds
from dyverse.errors import ExportError
from dyverse.expr.formula import Compare, Formula, formula_symbols
from dyverse.expr.printing import formula_text, number_text
from dyverse.expr.term import Binary, Negate, Number, Symbol, Term
from dyverse.text.fresh_names import Names
from dyverse.uppaal.export.guards import line_of, split
from dyverse.uppaal.export.listening import attentive
from dyverse.uppaal.export.sequence import Sequencer, old
from dyverse.uppaal.export.stub import Stubbed, stubbed
from dyverse.uppaal.export.to_expression import whole_numbers

_WORDS = """
array clock do edge else end event if int local location nop process sync system then while
"""
WORDS = frozenset(_WORDS.split())
TAU = "tau"
INT = (-32768, 32767)


def tchecker(
    network: Network,
    bounds: Iterable[Bounds] = (),
    *,
    unit: float = 1.0,
    offered: Iterable[str] = (),
) -> str:
    """The network as a TChecker file, hybrid objects as in `dyverse.uppaal.export.stub`."""
    return (
        "\n".join(_Lines(stubbed(network, bounds, unit=unit, offered=offered), unit).all()) + "\n"
    )


class _Lines:
    def __init__(self, found: Stubbed, unit: float) -> None:
        self.found, self.unit = found, unit
        network, self.attentive = attentive(found.network)
        self.network, self.unread = _without_unread(network)
        self.names = Names(WORDS)
        self.kinds = {variable.name: variable for variable in self.network.shared}
        self.sequencer = Sequencer(self.network)

    def is_clock(self, name: str) -> bool:
        """Whether it is a clock."""
        return name in self.kinds and self.kinds[name].kind == "clock"

    def all(self) -> Iterator[str]:
        """The whole file."""
        yield f"system:{Names(WORDS).new(self.network.name)}"
        yield from self._remarks()
        yield from (self._variable(variable) for variable in self.network.shared)
        yield from (self._copy(name) for name in self.sequencer.copied)
        yield f"event:{self.names.of(TAU)}"
        for channel in self._channels():
            yield f"event:{self._event(channel, True)}"
            yield f"event:{self._event(channel, False)}"
        for item in self.network.components:
            yield from self._process(item)
        for channel in self._channels():
            yield from self._syncs(channel)

    def _remarks(self) -> Iterator[str]:
        yield f"# Times are counted in units of {self.unit:.9g} s."
        yield from (f"# {bounds}".replace(":", "") for bounds in self.found.bounds)
        yield from (f"# {name} stands for a hybrid object." for name in self.found.hybrid)
        if any(c.urgent or c.priority for c in self.network.channels) or any(
            item.priority for item in self.network.components
        ):
            yield "# Urgent channels and priorities are left out, which only adds behaviour."
        yield from (f"# {name} is left out, as nothing depends on it." for name in self.unread)
        for name, channel in sorted(self.attentive):
            yield f"# {name} hears each {channel} and ignores it where its guards do not hold."

    def _variable(self, variable: Variable) -> str:
        name = self.names.of(variable.name)
        if variable.kind == "clock":
            if variable.start:
                what = f"{variable.name} starts at {variable.start:g}"
                raise ExportError(f"{what}; clocks of TChecker start at 0")
            return f"clock:1:{name}"
        low, high = _limits(variable)
        return f"int:1:{low}:{high}:{round(variable.start)}:{name}"

    def _copy(self, name: str) -> str:
        copy = self.names.of(old(name), f"old_{name}")
        if self.is_clock(name):
            return f"clock:1:{copy}"
        low, high = _limits(self.kinds[name])
        return f"int:1:{low}:{high}:{round(self.kinds[name].start)}:{copy}"

    def _channels(self) -> tuple[str, ...]:
        edges = (edge for item in self.network.components for edge in item.edges)
        return tuple(dict.fromkeys(edge.action.channel for edge in edges if edge.action))

    def _event(self, channel: str, sends: bool) -> str:
        word = "emit" if sends else "recv"
        return self.names.of(f"{word} {channel}", f"{channel}_{word}")

    def _process(self, item: Component) -> Iterator[str]:
        name, places = self._title(item), Names(WORDS)
        called = {place.name: places.new(place.name) for place in item.places}
        yield f"process:{name}"
        for place in item.places:
            yield f"location:{name}:{called[place.name]}{self._attributes(place, item)}"
        for edge in item.edges:
            if edge.action is not None and not self._has_partner(item, edge.action):
                yield f"# {called[edge.source]} -> {called[edge.target]}: no one to meet on it"
                continue
            ends = f"{called[edge.source]}:{called[edge.target]}"
            yield from (f"edge:{name}:{ends}:{rest}" for rest in self._edges(item, edge))

    def _title(self, item: Component) -> str:
        return self.names.of(f"component {item.name}", item.name)

    def _attributes(self, place: Place, item: Component) -> str:
        options = split(place.invariant, self.is_clock, all_of_it=True)
        if len(options) != 1:
            raise ExportError(f"{item.name}.{place.name}: an invariant cannot have 'or'")
        parts = [
            *(["initial:"] if place.name == item.initial else []),
            *(["committed:"] if place.committed else []),
            *(["urgent:"] if place.urgent else []),
            *([f"invariant: {self._conjunction(options[0])}"] if options[0] else []),
            f"labels: {self._title(item)}.{self._label(place)}",
        ]
        return "{" + " : ".join(parts) + "}"

    def _label(self, place: Place) -> str:
        return Names(frozenset()).new(place.name)

    def _edges(self, item: Component, edge: NetworkEdge) -> Iterator[str]:
        action = edge.action
        event = self.names.of(TAU) if action is None else self._event(action.channel, action.sends)
        steps = self.sequencer.steps(item, edge)
        copies = [f"{self.names.of(old(n))} = {self.names.of(n)}" for n in steps.copies]
        assigns = [f"{self.names.of(a.target)} = {self._term(a.value)}" for a in steps.assignments]
        updates = "; ".join((*copies, *assigns))
        for guard in split(edge.guard, self.is_clock, all_of_it=True):
            parts = [
                *([f"provided: {self._conjunction(guard)}"] if guard else []),
                *([f"do: {updates}"] if updates else []),
            ]
            yield f"{event}{{{' : '.join(parts)}}}"

    def _conjunction(self, parts: tuple[Formula, ...]) -> str:
        return " && ".join(map(self._atom, parts))

    def _atom(self, formula: Formula) -> str:
        if not isinstance(formula, Compare):
            raise ExportError(f"{formula_text(formula)} is no comparison")
        if not any(self.is_clock(symbol.name) for symbol in formula_symbols(formula)):
            return f"{self._term(formula.left)} {formula.relation} {self._term(formula.right)}"
        line = line_of(formula, self.is_clock)
        minus = "" if line.minus is None else f" - {self.names.of(line.minus)}"
        right = self._term(whole_numbers(line.right))
        return f"{self.names.of(line.plus)}{minus} {line.relation} {right}"

    def _term(self, term: Term) -> str:
        match whole_numbers(term):
            case Number(value=value):
                return number_text(value)
            case Symbol(name=name):
                return self.names.of(name)
            case Negate(operand=operand):
                return f"-({self._term(operand)})"
            case Binary(operator="+" | "-" | "*" as sign, left=left, right=right):
                return f"({self._term(left)} {sign} {self._term(right)})"
            case _:
                raise ExportError("TChecker knows only +, - and * of integers")

    def _syncs(self, channel: str) -> Iterator[str]:
        senders, receivers = (self._parties(channel, sends) for sends in (True, False))
        emit, receive = self._event(channel, True), self._event(channel, False)
        broadcast = self.network.moves.channel(channel).broadcast
        for sender in senders:
            others = [item for item in receivers if item is not sender]
            if broadcast and others:
                ends = "".join(f":{self._heard(item, channel)}" for item in others)
                yield f"sync:{self._title(sender)}@{emit}{ends}"
            elif not broadcast:
                yield from (
                    f"sync:{self._title(sender)}@{emit}:{self._title(item)}@{receive}"
                    for item in others
                )

    def _heard(self, item: Component, channel: str) -> str:
        """Who receives a broadcast, with ``?`` if it need not."""
        weak = "" if (item.name, channel) in self.attentive else "?"
        return f"{self._title(item)}@{self._event(channel, False)}{weak}"

    def _has_partner(self, item: Component, action: Action) -> bool:
        """Whether it ever meets anyone; alone, an event would be an internal edge there."""
        if action.sends and self.network.moves.channel(action.channel).broadcast:
            return True
        return any(other is not item for other in self._parties(action.channel, not action.sends))

    def _parties(self, channel: str, sends: bool) -> list[Component]:
        return [
            item
            for item in self.network.components
            if any(
                e.action and e.action.channel == channel and e.action.sends == sends
                for e in item.edges
            )
        ]


def _without_unread(network: Network) -> tuple[Network, tuple[str, ...]]:
    """The network without variables that no jump depends on, such as counters, and these.

    Labels are all that can be asked for there, and a counter has no end.
    """
    kept = depended_on(network)
    components = tuple(
        replace(
            item,
            edges=tuple(
                replace(edge, reset=tuple(a for a in edge.reset if a.target in kept))
                for edge in item.edges
            ),
        )
        for item in network.components
    )
    shared = tuple(variable for variable in network.shared if variable.name in kept)
    unread = tuple(name for name in network.variables if name not in kept)
    return replace(network, components=components, shared=shared), unread


def _limits(variable: Variable) -> tuple[int, int]:
    if variable.kind == "bool":
        return 0, 1
    low, high = variable.low, variable.high
    return (INT[0] if low is None else int(low), INT[1] if high is None else int(high))
