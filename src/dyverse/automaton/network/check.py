"""What can be wrong with a network: all of it, each in a sentence."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from dyverse.automaton.network.component import Component, NetworkEdge, Place
from dyverse.automaton.written.check import assignment_words, formula_words, not_finite, twice
from dyverse.errors import Problem, did_you_mean
from dyverse.expr.printing import term_text
from dyverse.expr.term import CONSTANTS
from dyverse.expr.value import holds

if TYPE_CHECKING:
    from dyverse.automaton.network.network import Network

Words = Iterator[str]
Written = dict[str, list[tuple[str, str]]]  # variable -> who writes it, and what


def network_problems(network: Network) -> list[Problem]:
    """Every problem, in the order in which the network is written."""
    names = _Names(network)
    parts = (_component(item, names) for item in network.components)
    words = chain(_names(network), _variables(network), *parts, _drivers(network))
    both = chain(words, _conflicts(network) if network.assignments == "concurrent" else ())
    found = [Problem(message) for message in dict.fromkeys(both)]
    return found or [Problem(message) for message in _start(network)]


def _start(network: Network) -> Words:
    """With UPPAAL's rules a run has no first state where an invariant does not hold."""
    known = {v.name: v.start for v in network.shared} | dict(network.parameters) | {"t": 0.0}
    for item in network.components if network.grain else ():
        place = next(place for place in item.places if place.name == item.initial)
        if not holds(place.invariant, known, margin=network.margin):
            where = f"component {item.name!r}: the invariant of its initial location"
            yield f"{where} {place.name!r} does not hold at the start"


class _Names:
    """What can be named, each kind looked up by name: there may be thousands."""

    def __init__(self, network: Network) -> None:
        self.known = dict.fromkeys(_known(network))
        self.variables = dict.fromkeys(v.name for v in network.shared)
        self.movable = dict.fromkeys(v.name for v in network.shared if v.is_continuous)
        self.fixed = {v.name: v.kind for v in network.shared if not v.is_continuous}
        self.checked: set[tuple[str, ...]] = set()  # names that procedures share


def _known(network: Network) -> tuple[str, ...]:
    outside = (item.name for item in network.outside)
    parameters = (name for name, _ in network.parameters)
    return (*(v.name for v in network.shared), *outside, *parameters, "t", *CONSTANTS)


def _names(network: Network) -> Words:
    yield from twice("name", _known(network))
    yield from twice("component", (item.name for item in network.components))
    yield from twice("channel", (channel.name for channel in network.channels))
    yield from not_finite("parameter", network.parameters)
    if not network.margin >= 0:
        yield f"the margin must not be negative, not {network.margin}"


def _variables(network: Network) -> Words:
    for variable in network.shared:
        low, high = variable.limits
        if not math.isfinite(variable.start):
            yield f"variable {variable.name!r} starts at {variable.start}, not a finite number"
        elif low > high:
            where = f"the range [{low:g}, {high:g}] of variable {variable.name!r}"
            yield f"{where} is upside down; write [{high:g}, {low:g}]"
        elif not low <= variable.start <= high:
            where = f"outside its range [{low:g}, {high:g}]"
            yield f"variable {variable.name!r} starts at {variable.start:g}, {where}"
        elif not variable.is_continuous and variable.start != round(variable.start):
            yield f"variable {variable.name!r} starts at {variable.start:g}, not a whole number"


def _component(item: Component, names: _Names) -> Words:
    places = dict.fromkeys(place.name for place in item.places)
    yield from twice(f"component {item.name!r}: location", (p.name for p in item.places))
    if item.initial not in places:
        hint = did_you_mean(item.initial, places)
        yield f"component {item.name!r}: unknown initial location {item.initial!r}{hint}"
    for place in item.places:
        yield from _place(f"component {item.name!r}, location {place.name!r}", place, names)
    for edge in item.edges:
        yield from _edge(f"component {item.name!r}, edge {edge}", edge, places, names)


def _place(where: str, place: Place, names: _Names) -> Words:
    fixed = names.fixed
    for rate in place.rates:
        if rate.target in fixed:
            yield f"{where}: {rate.target!r} is {_a(fixed[rate.target])} and has no rate"
    rates = tuple(r for r in place.rates if r.target not in fixed)
    yield from assignment_words(where, rates, names.movable, names.known)
    yield from formula_words(where, place.invariant, names.known)


def _a(kind: str) -> str:
    return {"int": "an integer", "bool": "a Boolean"}[kind]


def _edge(where: str, edge: NetworkEdge, places: Collection[str], names: _Names) -> Words:
    for end in (edge.source, edge.target):
        if end not in places:
            yield f"{where}: unknown location {end!r}{did_you_mean(end, places)}"
    yield from formula_words(where, edge.guard, names.known)
    yield from assignment_words(where, edge.reset, names.variables, names.known)
    if edge.procedure is not None:
        yield from _procedure(where, edge, names)


def _procedure(where: str, edge: NetworkEdge, names: _Names) -> Words:
    assert edge.procedure is not None
    writes, reads = edge.procedure.writes, edge.procedure.reads
    for assignment in edge.reset:
        if assignment.target in writes:
            name = assignment.target
            yield f"{where}: {name!r} is written by an assignment and by the procedure"
    for name in () if writes in names.checked else writes:
        if name not in names.variables:
            yield f"{where}: its procedure writes an unknown variable {name!r}"
    for name in () if reads in names.checked else reads:
        if name not in names.known:
            yield f"{where}: its procedure reads an unknown name {name!r}"
    names.checked |= {writes, reads}


def _drivers(network: Network) -> Words:
    """The rate of a variable is the business of one component."""
    drivers: dict[str, str] = {}
    for item in network.components:
        for name in dict.fromkeys(rate.target for place in item.places for rate in place.rates):
            if name in drivers:
                yield f"the rate of {name!r} is given by both {drivers[name]!r} and {item.name!r}"
            drivers[name] = item.name


def _conflicts(network: Network) -> Words:
    """Two sides of a possible synchronisation that write one variable differently."""
    broadcast = {channel.name for channel in network.channels if channel.broadcast}
    sent, received = _written(network, sends=True), _written(network, sends=False)
    for channel, senders in sent.items():
        receivers = received.get(channel, {})
        for variable, left in senders.items():
            yield from _clash(channel, variable, left, receivers.get(variable, ()))
        for variable, both in receivers.items() if channel in broadcast else ():
            yield from _clash(channel, variable, both, both)


def _written(network: Network, *, sends: bool) -> dict[str, Written]:
    """Channel -> variable -> who writes it on that side, and what."""
    found: dict[str, Written] = {}
    for item in network.components:
        for edge in item.edges:
            if edge.action is not None and edge.action.sends == sends:
                written = found.setdefault(edge.action.channel, {})
                for assignment in edge.reset:
                    entry = (item.name, term_text(assignment.value))
                    written.setdefault(assignment.target, []).append(entry)
                for name in edge.procedure.writes if edge.procedure else ():
                    written.setdefault(name, []).append((item.name, ""))
    return found


def _clash(
    channel: str,
    variable: str,
    left: Iterable[tuple[str, str]],
    right: Iterable[tuple[str, str]],
) -> Words:
    others = dict.fromkeys(right)
    for who, what in dict.fromkeys(left):
        for other, value in others:
            if who < other and (what != value or not what):
                yield _both_write(channel, variable, (who, what), (other, value))
            elif who > other and (what != value or not what) and left is not right:
                yield _both_write(channel, variable, (other, value), (who, what))


def _both_write(channel: str, variable: str, a: tuple[str, str], b: tuple[str, str]) -> str:
    texts = [f"{who!r} ({text or 'by a procedure'})" for who, text in (a, b)]
    return f"{texts[0]} and {texts[1]} both assign {variable!r} when they meet on {channel!r}"
