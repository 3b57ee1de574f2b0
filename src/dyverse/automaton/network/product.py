"""The product of a small network, as one hand-written automaton.

What works on a `WrittenAutomaton` alone (abstraction, sensitivities, falsification) works on the
product too. Only the combinations of places that edges can reach are built, whatever the guards
say. Ranges of variables are no longer watched; priorities and procedures cannot be multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterator

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Variable
from dyverse.automaton.network.moves import Half, Move, Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.written.written import Start, WrittenAutomaton, WrittenEdge, WrittenLocation
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import Formula, Not, both, either
from dyverse.expr.term import Number

MOST = 10_000  # locations


def product(network: Network, *, most: int = MOST) -> WrittenAutomaton:
    """The automaton whose locations are the reachable combinations of places."""
    if reason := _obstacle(network):
        raise ModelError([Problem(f"the product cannot be built: {reason}")], file=network.name)
    start = network.start()
    assert isinstance(start.location, Places)
    found, edges = {start.location: None}, []
    waiting = [start.location]
    while waiting:
        places = waiting.pop(0)
        for move in _leaving(network, places):
            edges.append(_edge(network, move))
            if move.target not in found:
                found[move.target] = None
                waiting.append(move.target)
        if len(found) > most:
            raise ModelError([Problem(f"the product has over {most} locations")], file=network.name)
    return WrittenAutomaton(
        name=network.name,
        variables=network.variables,
        parameters=network.parameters,
        locations=tuple(_location(network, places) for places in found),
        edges=tuple(edges),
        initial=Start(str(start.location), tuple((v.name, v.start) for v in network.shared)),
        margin=network.margin,
    )


def _obstacle(network: Network) -> str:
    edges = [edge for item in network.components for edge in item.edges]
    ranks = [item.priority for item in network.components]
    ranks += [channel.priority for channel in network.channels]
    if any(ranks) or any(edge.priority for edge in edges):
        return "it has priorities"
    if any(edge.procedure for edge in edges):
        return "it has procedures"
    return "it reads variables from outside" if network.outside else ""


def _leaving(network: Network, places: Places) -> Iterator[Move]:
    """The jumps from ``places``, in the order in which a network takes them."""
    committed = network.moves.offers(places).committed
    moves = sorted(network.moves.listed(places), key=lambda m: [half.number for half in m.halves])
    for move in moves:
        if not committed or committed.intersection(move.components):
            yield move


def _edge(network: Network, move: Move) -> WrittenEdge:
    deaf = (Not(either(*guards)) for guards in _left_out(network, move))
    reset = dict.fromkeys(move.reset)  # both sides may assign the same
    return WrittenEdge(
        source=str(move.source),
        target=str(move.target),
        guard=both(move.guard, *deaf),
        reset=tuple(reset),
        action=move.action,
    )


def _left_out(network: Network, move: Move) -> Iterator[list[Formula]]:
    """The guards of each component that hears a broadcast but takes no part in this jump."""
    first = move.halves[0].edge.action
    if first is None or not network.moves.channel(first.channel).broadcast:
        return
    listening: dict[int, list[Half]] = {}
    for half in network.moves.offers(move.source).receivers.get(first.channel, ()):
        if half.component not in move.components:
            listening.setdefault(half.component, []).append(half)
    for halves in listening.values():
        yield [half.edge.guard for half in halves]


def _location(network: Network, places: Places) -> WrittenLocation:
    rates = {v.name: Assignment(v.name, Number(1.0)) for v in network.shared if _runs(v)}
    for i, name in enumerate(places):
        rates |= {rate.target: rate for rate in network.moves.place(i, name).rates}
    return WrittenLocation(str(places), tuple(rates.values()), network.domain(places))


def _runs(variable: Variable) -> bool:
    return variable.kind == "clock"
