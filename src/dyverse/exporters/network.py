"""Networks and hand-written automata written down: a listing, a drawing, plain data for JSON.

They are shown component by component, as they were written; their product is never built.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.component import Component, NetworkEdge, Place, Variable
from dyverse.automaton.network.network import Network
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.bodies.world import Parameter
from dyverse.dot import arrow, cluster, digraph, node
from dyverse.errors import ExportError
from dyverse.exporters.json_model import Json
from dyverse.exporters.listing import assignment_text
from dyverse.expr.formula import TRUE
from dyverse.expr.printing import formula_text, number_text, term_text
from dyverse.generation.parts import parts_of

Ranges = Mapping[str, tuple[str, str]]
NOTHING_UNCERTAIN: Ranges = MappingProxyType({})


def as_network(automaton: HybridAutomaton) -> Network:
    """The automata behind ``automaton`` as a network."""
    parts = parts_of(automaton)
    if parts.network:
        return parts.network
    if parts.written:
        return _network(parts.written)
    raise ExportError(f"a {type(automaton).__name__} cannot be written as a network")


def _network(written: WrittenAutomaton) -> Network:
    if written.nodes:
        raise ExportError("computation nodes cannot be written as a network")
    starts = dict(written.initial.values)
    component = Component(
        name=written.name,
        places=tuple(
            Place(name=item.name, rates=item.rates, invariant=item.invariant)
            for item in written.locations
        ),
        edges=tuple(
            NetworkEdge(
                source=str(edge.source),
                target=str(edge.target),
                guard=edge.guard,
                reset=edge.reset,
                name=edge.action,
            )
            for edge in written.edges
        ),
        initial=written.initial.location,
    )
    return Network(
        name=written.name,
        components=(component,),
        shared=tuple(Variable(name, start=starts.get(name, 0.0)) for name in written.variables),
        parameters=written.parameters,
    )


def network_counts(network: Network) -> dict[str, Json]:
    """How many of what there are; ``combinations`` is the size of the product."""
    return {
        "automata": len(network.components),
        "variables": len(network.variables),
        "dynamical_locations": sum(len(item.places) for item in network.components),
        "edges": sum(len(item.edges) for item in network.components),
        "channels": len(_channels(network)),
        "combinations": math.prod(len(item.places) for item in network.components),
    }


def _channels(network: Network) -> list[str]:
    actions = (edge.action for item in network.components for edge in item.edges)
    return list(dict.fromkeys(action.channel for action in actions if action is not None))


def ranges_of(parameters: Iterable[Parameter]) -> Ranges:
    """The limits of what is uncertain in a model, by name: parameters and starts."""
    return {
        p.name: (term_text(p.limits[0]), term_text(p.limits[1])) for p in parameters if p.limits
    }


def network_listing(network: Network, ranges: Ranges = NOTHING_UNCERTAIN) -> Iterator[str]:
    """The lines of a listing for people; ``ranges`` are those of parameters and starts."""
    yield "Network of hybrid automata"
    yield from ("", "Variables, and where they start")
    for variable in network.shared:
        bounds = "" if variable.low is None else f" in [{variable.low:g}, {variable.high:g}]"
        started = f"{number_text(float(variable.start))}{_range(variable.name, ranges)}"
        yield f"  {variable.kind} {variable.name} = {started}{bounds}"
    yield from ("", "Parameters")
    for name, value in network.parameters:
        yield f"  {name} = {number_text(float(value))}{_range(name, ranges)}"
    for item in network.components:
        yield from _listed(item)


def _range(name: str, ranges: Ranges) -> str:
    return f" in [{', '.join(ranges[name])}]" if name in ranges else ""


def _listed(item: Component) -> Iterator[str]:
    yield from ("", f"Automaton {item.name}, initially {item.initial}")
    for place in item.places:
        marks = [word for word in ("urgent", "committed") if getattr(place, word)]
        yield f"  {' '.join([place.name, *marks])}"
        yield from (f"    {r.target}' = {term_text(r.value)}" for r in place.rates)
        if place.invariant != TRUE:
            yield f"    Dom: {formula_text(place.invariant)}"
    for edge in item.edges:
        yield f"  {edge}{f'  ({label})' if (label := _label(edge)) else ''}"
        if edge.guard != TRUE:
            yield f"    when {formula_text(edge.guard)}"
        yield from (f"    then {assignment_text(assignment)}" for assignment in edge.reset)


def _label(edge: NetworkEdge) -> str:
    return str(edge.action) if edge.action else edge.name


def network_dot(network: Network) -> Iterator[str]:
    """The lines of a Graphviz drawing: one cluster per component."""
    clusters = (cluster(n, item.name, _drawn(item)) for n, item in enumerate(network.components))
    return digraph("network", chain.from_iterable(clusters))


def _drawn(item: Component) -> Iterator[str]:
    for place in item.places:
        rims = 2 if place.name == item.initial else 1
        yield node(f"{item.name}.{place.name}", "ellipse", label=place.name, rims=rims)
    for edge in item.edges:
        guard = "" if edge.guard == TRUE else formula_text(edge.guard)
        label = " ".join(filter(None, (_label(edge), guard)))
        yield arrow(f"{item.name}.{edge.source}", f"{item.name}.{edge.target}", label)


def network_json(network: Network, ranges: Ranges = NOTHING_UNCERTAIN) -> dict[str, Json]:
    """The network as a dictionary; formulas and terms as text in the model language."""
    return {
        "counts": network_counts(network),
        "variables": {
            v.name: {"kind": v.kind, "start": v.start, **_range_json(v.name, ranges)}  # type: ignore[dict-item]
            for v in network.shared
        },
        "parameters": {
            name: {"value": float(value), **_range_json(name, ranges)}  # type: ignore[dict-item]
            for name, value in network.parameters
        },
        "automata": [_component_json(item) for item in network.components],
    }


def _range_json(name: str, ranges: Ranges) -> dict[str, Json]:
    return {"range": list(ranges[name])} if name in ranges else {}


def _component_json(item: Component) -> Json:
    return {
        "name": item.name,
        "initial": item.initial,
        "locations": [
            {
                "name": place.name,
                "domain": formula_text(place.invariant),
                "rates": {rate.target: term_text(rate.value) for rate in place.rates},
                "urgent": place.urgent,
                "committed": place.committed,
            }
            for place in item.places
        ],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "action": _label(edge),
                "guard": formula_text(edge.guard),
                "reset": [{"target": a.target, "value": term_text(a.value)} for a in edge.reset],
            }
            for edge in item.edges
        ],
    }
