"""Networks for UPPAAL's statistical checker, which integrates rates and draws at random.

It knows no handshakes: any binary channel switches it off. So each pair of a sender and a receiver
gets a broadcast channel of its own, on which the sender waits until the receiver is ready: where
each component is can be read from a variable. Every edge is urgent, as it is here, by an urgent
channel. Its steps never meet an equality of moving quantities exactly, so these get a tolerance;
and where jumps pile up there is an escape (`dyverse.automaton.escape`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dyverse.automaton.escape import with_escapes
from dyverse.automaton.guard.robustness import normal
from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Action, Channel, Component, NetworkEdge, Variable
from dyverse.automaton.network.network import Network
from dyverse.errors import ExportError
from dyverse.expr.formula import And, Compare, Formula, Or, both, compare, formula_symbols
from dyverse.expr.term import Number

AT_ONCE = "at_once"


@dataclass(frozen=True, slots=True)
class Options:
    """``tolerance`` of equalities, in the units of what is compared; ``within`` (s) of escapes."""

    tolerance: float = 1e-3
    within: float | None = 1e-3  # none: no escapes


DEFAULTS = Options()


def statistical(network: Network, options: Options = DEFAULTS) -> Network:
    """The network with broadcasts only, urgent edges, tolerant equalities and escapes."""
    if network.outside:
        names = ", ".join(item.name for item in network.outside)
        raise ExportError(f"bodies cannot be written to UPPAAL; replace what reads {names}")
    found = network if options.within is None else with_escapes(network, within=options.within)
    return _relaxed(_broadcasting(found), options.tolerance)


def _broadcasting(network: Network) -> Network:
    kept = tuple(replace(c, urgent=True) for c in network.channels if c.broadcast)
    writer = _Pairs(network)
    components = tuple(writer.component(i) for i in range(len(network.components)))
    made = tuple(Channel(name, broadcast=True, urgent=True) for name in (*writer.made, AT_ONCE))
    where = tuple(
        Variable(_at(item), "int", _number(item, item.initial), 0.0, len(item.places) - 1.0)
        for item in network.components
        if item.name in writer.asked
    )
    return replace(
        network, components=components, channels=(*kept, *made), shared=(*network.shared, *where)
    )


def _at(item: Component) -> str:
    return f"{item.name}.at"


def _number(item: Component, place: str) -> float:
    return float([p.name for p in item.places].index(place))


class _Pairs:
    """Handshakes as broadcasts between two."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.made: dict[str, None] = {}
        self.asked = {
            item.name
            for item in network.components
            if any(self._is_handshake(edge) and not edge.action.sends for edge in item.edges)  # type: ignore[union-attr]
        }

    def _is_handshake(self, edge: NetworkEdge) -> bool:
        action = edge.action
        return action is not None and not self._network.moves.channel(action.channel).broadcast

    def component(self, index: int) -> Component:
        """One component with its edges rewritten."""
        item = self._network.components[index]
        edges = (new for edge in item.edges for new in self._edges(item, edge))
        return replace(item, edges=tuple(self._told(item, edge) for edge in edges))

    def _told(self, item: Component, edge: NetworkEdge) -> NetworkEdge:
        """An edge that says where the component is then, if someone asks."""
        if item.name not in self.asked or edge.source == edge.target:
            return edge
        where = Assignment(_at(item), Number(_number(item, edge.target)))
        return replace(edge, reset=(*edge.reset, where))

    def _edges(self, item: Component, edge: NetworkEdge) -> Iterator[NetworkEdge]:
        action = edge.action
        if action is None:
            yield replace(edge, action=Action(AT_ONCE, True))
        elif not self._is_handshake(edge):
            yield edge
        else:
            for other in self._network.components:
                if other is not item:
                    yield from self._paired(item, edge, other, action)

    def _paired(
        self, item: Component, edge: NetworkEdge, other: Component, action: Action
    ) -> Iterator[NetworkEdge]:
        opposite = Action(action.channel, not action.sends)
        partners = [e for e in other.edges if e.action == opposite]
        if not partners:
            return
        sender, receiver = (item, other) if action.sends else (other, item)
        name = f"{action.channel}__{sender.name}__{receiver.name}"
        self.made[name] = None
        if not action.sends:
            yield replace(edge, action=Action(name, False))
            return
        for partner in partners:
            if partner.procedure is not None:
                raise ExportError(f"{other.name}: the edge {partner} runs code")
            there = compare(_at(other), "==", _number(other, partner.source))
            guard = both(edge.guard, there, partner.guard)
            yield replace(edge, guard=guard, action=Action(name, True))


def _relaxed(network: Network, tolerance: float) -> Network:
    places = (place for item in network.components for place in item.places)
    moving = {rate.target for place in places for rate in place.rates} | {"t"}
    moving |= {variable.name for variable in network.shared if variable.kind == "clock"}

    def tolerant(formula: Formula) -> Formula:
        return _tolerant(normal(formula), moving.__contains__, tolerance)

    components = tuple(
        replace(item, edges=tuple(replace(e, guard=tolerant(e.guard)) for e in item.edges))
        for item in network.components
    )
    return replace(network, components=components)


def _tolerant(formula: Formula, moves: Callable[[str], bool], tolerance: float) -> Formula:
    match formula:
        case And(parts=parts):
            return And(tuple(_tolerant(part, moves, tolerance) for part in parts))
        case Or(parts=parts):
            return Or(tuple(_tolerant(part, moves, tolerance) for part in parts))
        case Compare(relation="==", left=left, right=right):
            if any(moves(symbol.name) for symbol in formula_symbols(formula)):
                return And(
                    (
                        Compare(">=", left, right - tolerance),
                        Compare("<=", left, right + tolerance),
                    )
                )
    return formula
