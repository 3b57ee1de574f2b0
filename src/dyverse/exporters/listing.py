"""The automaton as a listing for people, line by line: what ``--display FILE`` writes.

A small automaton is listed in full: contacts, X, Init, F, the meaning of every name, each location
with its domain and the modes that its flow obeys, each computation node with its inside, each edge
with guard and reset. Of a large one the listing is a summary: the counts per rule, and two
locations with their first edges; Init, F and definitions are there all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from dyverse.automaton.interface import Assignment
from dyverse.bodies.world import World
from dyverse.exporters.listed.mechanics import definitions, flow, initial, offers
from dyverse.expr.formula import And, Formula
from dyverse.expr.printing import formula_text, term_text
from dyverse.generation.skeleton.counts import Counts, counted, graph_name
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.skeleton.places import ForceNode
from dyverse.generation.skeleton.rules import RULES
from dyverse.generation.skeleton.skeleton import RigidEdge, Skeleton

LIMIT = 2000  # edges; beyond, a summary
FEW = 4  # edges, conditions or names shown of many in a summary


def listing(skeleton: Skeleton, world: World, *, limit: int = LIMIT) -> Iterator[str]:
    """The lines of the listing, made one by one; with more than ``limit`` edges, a summary.

    ``skeleton`` is that of ``world``.
    """
    size = counted(skeleton)
    small = size.edges <= limit
    yield from _head(skeleton, size)
    yield from _names("Contacts", skeleton.contacts, small)
    yield from offers(world)
    yield from _names("Moving bodies", skeleton.moving, True)
    yield from _names("Variables X", skeleton.variables, small)
    yield from initial(world)
    yield from flow(world)
    yield from definitions(world)
    yield from _table(size)
    yield from _full(skeleton) if small else _summary(skeleton)


def _head(skeleton: Skeleton, size: Counts) -> Iterator[str]:
    yield "Multi-rigid-body hybrid automaton H = (S, E, X, Dom, F, Init, G, R)"
    yield "S: Locations, and the places of Computation nodes. E, G, R: Edges, 'when' and 'then'."
    yield f"Contact combination graph: {graph_name(skeleton.graph)}. Rules: {skeleton.rules}."
    if not size.exact:
        yield "Geometry leaves out some combinations of contacts: the counts are upper bounds."


def _names(title: str, names: tuple[str, ...], in_full: bool) -> Iterator[str]:
    yield ""
    yield f"{title} ({len(names)})"
    shown = names if in_full else names[:FEW]
    yield "  " + ", ".join(shown) + _left(len(names) - len(shown))


def _left(number: int) -> str:
    return f", … and {number} more" if number else ""


def _table(size: Counts) -> Iterator[str]:
    rows = [
        ("dynamical locations", size.dynamical_locations),
        ("contact nodes", size.contact_nodes),
        ("impact nodes", size.impact_nodes),
        ("edges", size.edges),
        *((f"  {name} {RULES[name].paper}", number) for name, number in size.per_rule.items()),
    ]
    yield ""
    yield "Counts"
    yield from (f"  {name:<44} {number_text(number):>12}" for name, number in rows)
    yield "  k, j: sets of closed contacts; s_k,i: location; S0: location {}; I_k, C_k: impact and"
    yield "  contact node, en and ex their entrance and exit"


def number_text(number: int) -> str:
    """An integer with its thousands apart, or in powers of ten if it is very long."""
    digits = str(number)
    if len(digits) <= 18:
        return f"{number:,}"
    return f"{digits[0]}.{digits[1:4]}e{len(digits) - 1}"


def _full(skeleton: Skeleton) -> Iterator[str]:
    yield from ("", "Locations")
    yield from chain.from_iterable(_location(skeleton, s) for s in skeleton.locations())
    yield from ("", "Computation nodes")
    yield from chain.from_iterable(_node(skeleton, node) for node in skeleton.nodes())
    yield from ("", "Edges")
    yield from chain.from_iterable(map(_edge, skeleton.edges()))


def _location(skeleton: Skeleton, location: Modes) -> Iterator[str]:
    yield f"  {location}"
    yield f"    Dom: {formula_text(skeleton.domain(location))}"
    if skeleton.contacts:
        yield f"    F: {', '.join(mode_names(skeleton, location))}"


def mode_names(skeleton: Skeleton, location: Modes) -> Iterator[str]:
    """F of a location: the equations that each contact adds, ``stick[ball1,ball2]``."""
    closed = dict(location.closed)
    return (signal_name(closed.get(name, "open"), name) for name in skeleton.contacts)


def _node(skeleton: Skeleton, node: ForceNode) -> Iterator[str]:
    yield f"  {node.name}: places {', '.join(place.place for place in node.places())}"
    for place in node.places():
        if place.place != "ex":
            yield from ("  " + line for edge in skeleton.outgoing(place) for line in _edge(edge))


def _edge(edge: RigidEdge) -> Iterator[str]:
    yield f"  {edge.source} -> {edge.target}  ({edge.rule})"
    yield f"    when {formula_text(edge.guard)}"
    yield from (f"    then {assignment_text(assignment)}" for assignment in edge.reset)


def assignment_text(assignment: Assignment) -> str:
    """An assignment as text, ``lambda_N[ball1,ball2] := 0``."""
    return f"{assignment.target} := {term_text(assignment.value)}"


def _summary(skeleton: Skeleton) -> Iterator[str]:
    yield from ("", f"Two locations and their first {FEW} edges each; the rest is made on demand.")
    for location in islice(skeleton.locations(), 2):
        yield f"  {location}"
        yield f"    Dom: {_shortened(skeleton.domain(location))}"
        for edge in islice(skeleton.outgoing(location), FEW):
            yield f"    -> {edge.target}  ({edge.rule})"
            yield f"      when {_shortened(edge.guard)}"


def _shortened(formula: Formula) -> str:
    if not isinstance(formula, And) or len(formula.parts) <= FEW:
        return formula_text(formula)
    return formula_text(And(formula.parts[:FEW])) + _left(len(formula.parts) - FEW)
