"""Parameters of a network put in as numbers, so that what is constant is known as such."""

from __future__ import annotations

from dataclasses import replace

from dyverse.automaton.interface import Assignment
from dyverse.automaton.network.component import Component
from dyverse.automaton.network.network import Network
from dyverse.expr.rewrite import Rewrite, rewritten, rewritten_formula, with_values


def with_numbers(network: Network) -> Network:
    """The same network without parameters."""
    known = with_values(dict(network.parameters))
    components = tuple(_component(item, known) for item in network.components)
    return replace(network, components=components, parameters=()) if network.parameters else network


def _component(item: Component, known: Rewrite) -> Component:
    places = tuple(
        replace(
            p, rates=_assignments(p.rates, known), invariant=rewritten_formula(p.invariant, known)
        )
        for p in item.places
    )
    edges = tuple(
        replace(e, guard=rewritten_formula(e.guard, known), reset=_assignments(e.reset, known))
        for e in item.edges
    )
    return replace(item, places=places, edges=edges)


def _assignments(assignments: tuple[Assignment, ...], known: Rewrite) -> tuple[Assignment, ...]:
    return tuple(Assignment(a.target, rewritten(a.value, known)) for a in assignments)
