"""Hybrid objects as timed automata with the same signals, so that the control can be checked.

In comes a network, out goes a network of timed automata: clocks, integers and Booleans only. A
component that reads or moves anything else is a hybrid object. It keeps its places, its signals
and what it does to discrete variables; conditions on continuous ones are dropped, which only adds
behaviour; and the time between its signals is bounded by what was observed or established.
A signal is what is sent on a channel, or an internal jump that has a name. [amnell2000] §3.1

Times are counted in ``unit`` seconds and made whole: lower bounds are rounded down, upper ones up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dyverse.automaton.guard.robustness import normal
from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import (
    Action,
    Channel,
    Component,
    NetworkEdge,
    Place,
    Variable,
)
from dyverse.automaton.network.fixing import with_numbers
from dyverse.automaton.network.network import Network
from dyverse.automaton.signal_bounds import Bounds
from dyverse.errors import ExportError
from dyverse.expr.formula import (
    TRUE,
    And,
    Compare,
    Formula,
    Or,
    both,
    compare,
    either,
    formula_symbols,
)
from dyverse.expr.term import Binary, Number, Symbol, Term, symbols

BODIES, MOVING = "bodies", "moving"
ELAPSED = "elapsed"  # the clock that says when bounds for a limited time end


@dataclass(frozen=True, slots=True)
class Stubbed:
    """A network of timed automata, and which of its components stand for hybrid objects."""

    network: Network
    hybrid: tuple[str, ...]
    bounds: tuple[Bounds, ...]


def stubbed(
    network: Network,
    bounds: Iterable[Bounds] = (),
    *,
    unit: float = 1.0,
    offered: Iterable[str] = (),
) -> Stubbed:
    """The network with each hybrid object replaced by a timed automaton.

    Bodies that move ``network.outside`` are one more object: its signals are the channels that
    they have ``offered``.
    """
    network, given = _with_bodies(with_numbers(network), tuple(offered)), tuple(bounds)
    timed = _timed(network)
    objects = [item for item in network.components if _is_hybrid(item, timed)]
    _check_signals(given, objects)
    by_action = {item.action: item for item in given}
    components = tuple(
        _stub(item, timed, by_action, unit)
        if item in objects
        else _scaled(item, timed, by_action, unit)
        for item in network.components
    )
    kept = tuple(variable for variable in network.shared if variable.name in timed)
    extra = (
        *((Variable(ELAPSED, "clock"),) if any(map(_ends, given)) else ()),
        *(Variable(_since(item), "clock") for item in given),
        *(Variable(_begun(item), "bool") for item in given),
    )
    changed = replace(
        network,
        components=components,
        shared=(*(_start(variable, unit) for variable in kept), *extra),
        outside=(),
    )
    return Stubbed(changed, tuple(item.name for item in objects), given)


def _with_bodies(network: Network, offered: tuple[str, ...]) -> Network:
    """The network with one more component, which sends what bodies offer to all who listen."""
    if not network.outside and not offered:
        return network
    calls = (
        NetworkEdge(source=MOVING, target=MOVING, action=Action(name, True)) for name in offered
    )
    places = (Place(name=MOVING),)
    bodies = Component(name=BODIES, places=places, edges=tuple(calls), initial=MOVING)
    named = {channel.name for channel in network.channels}
    channels = (Channel(name, broadcast=True) for name in offered if name not in named)
    return replace(
        network,
        components=(*network.components, bodies),
        channels=(*network.channels, *channels),
    )


def signals_of(network: Network, offered: Iterable[str] = ()) -> tuple[str, ...]:
    """The channels on which hybrid objects send, and the names of their internal jumps."""
    network = _with_bodies(with_numbers(network), tuple(offered))
    timed = _timed(network)
    return tuple(_sent(item for item in network.components if _is_hybrid(item, timed)))


def _sent(objects: Iterable[Component]) -> dict[str, None]:
    found = (_signal_of(edge) for item in objects for edge in item.edges)
    return dict.fromkeys(name for name in found if name)


def _signal_of(edge: NetworkEdge) -> str:
    """What others see of an edge: the channel it sends on, or its own name."""
    if edge.action is None:
        return edge.name
    return edge.action.channel if edge.action.sends else ""


def _timed(network: Network) -> dict[str, Variable]:
    """The variables of a timed automaton: discrete ones, and clocks that always run at rate 1."""
    places = (place for item in network.components for place in item.places)
    driven = {rate.target for place in places for rate in place.rates}
    return {v.name: v for v in network.shared if v.kind != "real" and v.name not in driven}


def _is_hybrid(item: Component, timed: dict[str, Variable]) -> bool:
    formulas = [place.invariant for place in item.places] + [edge.guard for edge in item.edges]
    read = {symbol.name for formula in formulas for symbol in formula_symbols(formula)}
    for edge in item.edges:
        if edge.procedure is not None:
            raise ExportError(f"{item.name}: the edge {edge} runs code, which no checker takes")
        read |= set(edge.writes)
        read |= {s.name for assignment in edge.reset for s in symbols(assignment.value)}
    moves = any(place.rates for place in item.places)
    return item.name == BODIES or moves or not read <= set(timed)


def _check_signals(bounds: tuple[Bounds, ...], objects: list[Component]) -> None:
    sent = _sent(objects)
    for item in bounds:
        if item.action not in sent:
            known = ", ".join(sorted(sent)) or "none"
            raise ExportError(f"no hybrid object sends {item.action!r} (known: {known})")


def _since(bounds: Bounds) -> str:
    return f"since_{bounds.action}"


def _begun(bounds: Bounds) -> str:
    return f"begun_{bounds.action}"


def _start(variable: Variable, unit: float) -> Variable:
    return replace(variable, start=variable.start / unit) if variable.kind == "clock" else variable


def _stub(
    item: Component, timed: dict[str, Variable], bounds: dict[str, Bounds], unit: float
) -> Component:
    bounded = _bounded(item, timed, bounds, unit)
    sent = {_signal_of(edge) for edge in item.edges}
    ends = [limit.until for limit in bounds.values() if limit.action in sent and _ends(limit)]
    if not ends:
        return bounded
    return _freed(bounded, _bounded(item, timed, {}, unit), bounds, min(filter(None, ends)) / unit)


def _bounded(
    item: Component, timed: dict[str, Variable], bounds: dict[str, Bounds], unit: float
) -> Component:
    edges = tuple(_signal(edge, timed, bounds, unit, item.name) for edge in item.edges)
    places = tuple(_waiting(place, item.edges, timed, bounds, unit) for place in item.places)
    return replace(item, places=places, edges=edges)


def _ends(bounds: Bounds) -> bool:
    """Whether what was proved is about the runs to a horizon only."""
    return bounds.marked == "established" and bounds.until is not None


def _freed(
    bounded: Component, free: Component, bounds: dict[str, Bounds], horizon: float
) -> Component:
    """The object with its bounds up to the horizon, and without them behind it.

    Behind it the signals still begin their clocks again, which others may read.
    """
    end = Number(float(math.floor(horizon + 1e-9)))
    before = compare(Symbol(ELAPSED), "<=", end)
    early = tuple(replace(p, invariant=both(p.invariant, before)) for p in bounded.places)
    late = tuple(replace(place, name=_later(place.name)) for place in free.places)
    passing = (
        NetworkEdge(
            source=place.name,
            target=_later(place.name),
            guard=compare(Symbol(ELAPSED), ">=", end),
        )
        for place in bounded.places
        if not place.committed
    )
    behind = (
        replace(
            edge,
            source=_later(edge.source),
            target=_later(edge.target),
            reset=(*edge.reset, *_begun_by(edge, bounds)),
        )
        for edge in free.edges
    )
    edges = (*bounded.edges, *passing, *behind)
    return replace(bounded, places=(*early, *late), edges=edges)


def _begun_by(edge: NetworkEdge, bounds: dict[str, Bounds]) -> tuple[Assignment, ...]:
    limit = bounds.get(_signal_of(edge))
    return () if limit is None else _begins_again(limit)


def _later(place: str) -> str:
    return f"{place} later"


def _signal(
    edge: NetworkEdge,
    timed: dict[str, Variable],
    bounds: dict[str, Bounds],
    unit: float,
    where: str,
) -> NetworkEdge:
    guard = scaled(weakened(edge.guard, timed), timed, unit)
    reset = tuple(
        _scaled_assignment(assignment, timed, unit)
        for assignment in edge.reset
        if assignment.target in timed and _known(assignment, timed, f"{where}: {edge}")
    )
    limit = bounds.get(_signal_of(edge))
    if limit is None:
        return replace(edge, guard=guard, reset=reset)
    slack = _slack(limit)
    low, first = (max(0, math.floor(x / unit + slack)) for x in (limit.low, limit.first_low))
    early = Compare(">=", Symbol(_since(limit)), _between(limit, low, first))
    return replace(edge, guard=both(guard, early), reset=(*reset, *_begins_again(limit)))


def _begins_again(bounds: Bounds) -> tuple[Assignment, Assignment]:
    return Assignment(_since(bounds), Number(0.0)), Assignment(_begun(bounds), Number(1.0))


def _known(assignment: Assignment, timed: dict[str, Variable], where: str) -> bool:
    missing = [s.name for s in symbols(assignment.value) if s.name not in timed]
    if missing:
        raise ExportError(
            f"{where}: {assignment.target} gets its value from {', '.join(missing)}, which a "
            "timed automaton does not have"
        )
    return True


def _waiting(
    place: Place,
    edges: tuple[NetworkEdge, ...],
    timed: dict[str, Variable],
    bounds: dict[str, Bounds],
    unit: float,
) -> Place:
    """A place in which a signal is due by its upper bound."""
    sent = dict.fromkeys(_signal_of(edge) for edge in edges if edge.source == place.name)
    parts = [scaled(weakened(place.invariant, timed), timed, unit)]
    for limit in (bounds[name] for name in sent if name in bounds):
        if limit.high is not None and limit.first_high is not None:
            slack = _slack(limit)
            high, first = (math.ceil(x / unit - slack) for x in (limit.high, limit.first_high))
            parts.append(Compare("<=", Symbol(_since(limit)), _between(limit, high, first)))
    return replace(place, rates=(), invariant=both(*(p for p in parts if p != TRUE)))


def _slack(bounds: Bounds) -> float:
    """How far a bound may miss a whole number of units and still be it; proofs give, not take."""
    return -1e-9 if bounds.by else 1e-9


def _between(bounds: Bounds, later: int, first: int) -> Term:
    """``first`` before the first signal, ``later`` behind it."""
    if later == first:
        return Number(float(first))
    return Number(float(first)) + Number(float(later - first)) * Symbol(_begun(bounds))


def weakened(formula: Formula, timed: dict[str, Variable]) -> Formula:
    """What is left when conditions on anything but ``timed`` variables may hold or not."""
    formula = normal(formula)
    match formula:
        case And(parts=parts):
            return both(*(p for part in parts if (p := weakened(part, timed)) != TRUE))
        case Or(parts=parts) if parts:
            found = [weakened(part, timed) for part in parts]
            return TRUE if TRUE in found else either(*found)
        case Compare():
            known = all(symbol.name in timed for symbol in formula_symbols(formula))
            return formula if known else TRUE
    return formula


def _scaled(
    item: Component, timed: dict[str, Variable], bounds: dict[str, Bounds], unit: float
) -> Component:
    """A timed automaton with its times in other units; its own signals count too."""
    places = tuple(replace(p, invariant=scaled(p.invariant, timed, unit)) for p in item.places)
    edges = []
    for edge in item.edges:
        limit = bounds.get(_signal_of(edge))
        reset = tuple(_scaled_assignment(a, timed, unit) for a in edge.reset)
        reset += () if limit is None else _begins_again(limit)
        edges.append(replace(edge, guard=scaled(edge.guard, timed, unit), reset=reset))
    return replace(item, places=places, edges=tuple(edges))


def _scaled_assignment(
    assignment: Assignment, timed: dict[str, Variable], unit: float
) -> Assignment:
    if timed[assignment.target].kind != "clock" or unit == 1.0:
        return assignment
    return Assignment(assignment.target, _over(assignment.value, unit, timed))


def scaled(formula: Formula, timed: dict[str, Variable], unit: float) -> Formula:
    """A formula with clocks counted in ``unit`` seconds."""
    formula = normal(formula)
    match formula:
        case And(parts=parts):
            return And(tuple(scaled(part, timed, unit) for part in parts))
        case Or(parts=parts):
            return Or(tuple(scaled(part, timed, unit) for part in parts))
        case Compare(relation=relation, left=left, right=right) if unit != 1.0:
            names = {symbol.name for symbol in (*symbols(left), *symbols(right))}
            if any(timed[name].kind == "clock" for name in names if name in timed):
                return compare(_over(left, unit, timed), relation, _over(right, unit, timed))
    return formula


def _over(term: Term, unit: float, timed: dict[str, Variable]) -> Term:
    """A time in units: clocks count in them already, everything else is divided."""
    match term:
        case Number(value=value):
            return Number(value / unit)
        case Symbol(name=name) if timed[name].kind == "clock":
            return term
        case Binary(operator="+" | "-" as sign, left=left, right=right):
            return Binary(sign, _over(left, unit, timed), _over(right, unit, timed))
    return term / unit
