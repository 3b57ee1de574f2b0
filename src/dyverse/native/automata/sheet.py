"""What hand-written automata and networks have in common, without their numbers.

In comes an automaton, out goes a `Sheet`: components with places and edges, kinds of variables,
names of parameters. It is what code is generated from, and it is equal for all settings of a model,
so that one compiled library serves all of them. A hand-written automaton is a network of one
component, whose edges may also lead through computation nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dyverse.automaton.interface import HybridAutomaton
from dyverse.automaton.network.component import Channel, Component, Kind, NetworkEdge, Place
from dyverse.automaton.network.network import Network
from dyverse.automaton.network.timed import moving_names, timed_clocks
from dyverse.automaton.node import ComputationNode, NodePlace
from dyverse.automaton.written.written import WrittenAutomaton
from dyverse.expr.formula import Formula
from dyverse.generation.parts import parts_of
from dyverse.native.automata.lifting import without_numbers

Automaton = WrittenAutomaton | Network
REAL: Kind = "real"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """An automaton without numbers. ``watched`` are formulas whose least margin is wanted.

    Parameters are in the order of their names: that in an automaton may change with its settings.
    """

    variables: tuple[tuple[str, Kind], ...]
    parameters: tuple[str, ...]
    components: tuple[Component, ...]
    channels: tuple[Channel, ...] = ()
    nodes: tuple[ComputationNode, ...] = ()
    watched: tuple[Formula, ...] = ()
    margin: float
    sequential: bool = False
    grain: float = 0.0
    doubtful: tuple[
        bool, ...
    ] = ()  # edges that may not land: see `dyverse.automaton.network.landing`
    is_network: bool = False
    outside: tuple[str, ...] = ()  # the first variables, if they move by laws of their own

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(name for name, _ in self.variables)

    @property
    def moving(self) -> frozenset[str]:
        """What changes while time passes, besides time."""
        return moving_names(dict(self.variables), self.components).union(self.outside)

    @property
    def timed(self) -> frozenset[str]:
        """The clocks that are read exactly, if there is a grain."""
        return timed_clocks(dict(self.variables), self.components)


def is_called(node: ComputationNode) -> bool:
    """Whether some of its steps are Python functions."""
    return any(step.function is not None for step in node.steps)


def is_followed(automaton: HybridAutomaton) -> bool:
    """Whether the native engine can follow single runs of it; Python functions are called back."""
    parts = parts_of(automaton)
    network = parts.only_network
    return parts.written is not None or (network is not None and not network.outside)


def is_supported(automaton: HybridAutomaton) -> bool:
    """Whether it runs without Python, also many times at once: no Python functions anywhere."""
    parts = parts_of(automaton)
    if parts.written is not None:
        return not any(map(is_called, parts.written.nodes))
    if (network := parts.only_network) is None:
        return False
    edges = (edge for item in network.components for edge in item.edges)
    return not network.outside and all(edge.procedure is None for edge in edges)


def sheet(automaton: Automaton, watched: tuple[Formula, ...] = ()) -> Sheet:
    """``automaton`` without its numbers."""
    parts = parts_of(automaton)
    if parts.written is not None:
        return _written(parts.written, watched)
    assert parts.network is not None
    return _network(parts.network, watched)


def _network(automaton: Network, watched: tuple[Formula, ...]) -> Sheet:
    outside = tuple(variable.name for variable in automaton.outside)
    own = ((variable.name, variable.kind) for variable in automaton.shared)
    lifted = automaton.grain > 0  # a file of UPPAAL: many processes that differ in numbers alone
    components, numbers = (
        without_numbers(automaton.landing.components)
        if lifted
        else (
            automaton.landing.components,
            (),
        )
    )
    return Sheet(
        variables=(*((name, REAL) for name in outside), *own),
        outside=outside,
        parameters=(*sorted(name for name, _ in automaton.parameters), *numbers),
        components=tuple(replace(c, initial=c.places[0].name) for c in components),
        channels=automaton.channels,
        watched=watched,
        margin=automaton.margin,
        sequential=automaton.assignments == "sequential",
        grain=automaton.grain,
        doubtful=automaton.landing.doubtful,
        is_network=True,
    )


def _written(automaton: WrittenAutomaton, watched: tuple[Formula, ...]) -> Sheet:
    places = tuple(
        Place(name=place.name, rates=place.rates, invariant=place.invariant)
        for place in automaton.locations
    )
    component = Component(
        name=automaton.name,
        places=places,
        edges=tuple(_edges(automaton)),
        initial=places[0].name,
    )
    return Sheet(
        variables=tuple((name, "real") for name in automaton.variables),
        parameters=tuple(sorted(name for name, _ in automaton.parameters)),
        components=(component,),
        nodes=automaton.nodes,
        watched=watched,
        margin=automaton.margin,
    )


def _edges(automaton: WrittenAutomaton) -> Iterator[NetworkEdge]:
    for edge in automaton.edges:
        ends = (e.node if isinstance(e, NodePlace) else e for e in (edge.source, edge.target))
        source, target = ends
        yield NetworkEdge(
            source=source, target=target, guard=edge.guard, reset=edge.reset, name=edge.action
        )
