"""The rigid-body automaton without its numbers: S, E, Dom, G and R as formulas, on demand.

`Skeleton` answers for one location at a time; only `locations`, `nodes` and `edges` walk over the
whole automaton, one by one, for those who ask. The vector fields and signals belong to
`dyverse.generation.automaton`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dyverse.automaton.interface import Assignment, Location
from dyverse.bodies.world import CENTRED, Motion
from dyverse.contact.geometry import bodies_of
from dyverse.contact.graph import ContactGraph, Vertex, remembered
from dyverse.errors import ModelError, Problem
from dyverse.expr.formula import Formula
from dyverse.generation.skeleton import domain as domains
from dyverse.generation.skeleton import guards
from dyverse.generation.skeleton.location import EXIT, Kind, Modes, Node, RigidLocation, words
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.skeleton.places import FORCES, ForceNode, Step
from dyverse.generation.skeleton.rules import (
    AFTER_CONTACT,
    AFTER_IMPACT,
    FROM_CLOSED,
    FROM_FREE_FLIGHT,
    RULES,
    RuleSet,
    rule_between,
)


@dataclass(slots=True, unsafe_hash=True)  # a frozen one takes four times as long to make
class RigidEdge:
    """An edge, named by its ``rule``; guard and reset are computed when asked for. Never changed.

    Between locations and nodes, source and target say which rule it is; inside a node several edges
    join the same two places.
    """

    source: RigidLocation
    target: RigidLocation
    rule: str
    skeleton: Skeleton = field(compare=False, repr=False)

    @property
    def guard(self) -> Formula:
        """Where it is allowed (G)."""
        return self.skeleton.guard(self)

    @property
    def reset(self) -> tuple[Assignment, ...]:
        """What it changes (R): nothing, except inside a computation node."""
        return self.skeleton.reset(self)

    @property
    def action(self) -> str:
        """The event that it stands for, such as ``impact`` or ``release``; in a node its rule."""
        return RULES[self.rule].action if self.rule in RULES else self.rule


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Locations, edges, guards, domains and resets of the rigid-body automaton.

    ``moving`` names the bodies that are not fixed, ``motions`` are theirs; if left out, these are
    all bodies that have a contact. ``smooth`` names the contacts without friction.
    """

    contacts: tuple[str, ...]
    graph: ContactGraph
    rules: RuleSet = "complete"
    moving: tuple[str, ...] = ()
    smooth: tuple[str, ...] = ()
    motions: tuple[Motion, ...] = ()

    def __post_init__(self) -> None:
        if self.graph.contacts != self.contacts:
            raise ModelError([Problem("the contact graph is made for another contact list")])
        if not self.moving:
            bodies = (body for contact in self.contacts for body in bodies_of(contact))
            object.__setattr__(self, "moving", tuple(dict.fromkeys(bodies)))
        if not self.motions:
            object.__setattr__(self, "motions", (CENTRED,) * len(self.moving))

    @property
    def variables(self) -> tuple[str, ...]:
        """X: x = (q, q̇, λ_N, λ_T).  [navarro2018] §3.1"""
        owned = tuple(zip(self.moving, self.motions, strict=True))
        q = tuple(f"{body}.{name}" for body, motion in owned for name in motion.coordinates)
        return q + self._speeds + tuple(signal_name(f, c) for c in self.contacts for f in FORCES)

    @property
    def _speeds(self) -> tuple[str, ...]:
        owned = zip(self.moving, self.motions, strict=True)
        return tuple(f"{body}.{name}" for body, motion in owned for name in motion.speeds)

    @property
    def reading(self) -> domains.Reading:
        """What the rules mean by an open contact."""
        return domains.Reading(self.contacts, self.rules, self.smooth)

    def locations(self) -> Iterator[Modes]:
        """All dynamical locations S_d, free flight first."""
        return (location for vertex in self.graph.vertices() for location in words(vertex))

    def nodes(self) -> Iterator[ForceNode]:
        """All computation nodes, an impact and a contact node for each set of closed contacts."""
        for vertex in filter(None, self.graph.vertices()):
            yield self.node("impact", vertex)
            yield self.node("contact", vertex)

    def node(self, kind: Kind, contacts: Vertex) -> ForceNode:
        """One computation node, 𝓘_k or 𝓒_k."""
        return ForceNode(kind, contacts, self._speeds)

    def edges(self) -> Iterator[RigidEdge]:
        """All edges between locations and nodes, which [navarro2018] Table 2 counts."""
        graph = remembered(self.graph)
        for vertex in self.graph.vertices():
            for location in words(vertex):
                yield from self._between(location, graph)
            if vertex:
                yield from self._between(Node("impact", vertex, EXIT), graph)
                yield from self._between(Node("contact", vertex, EXIT), graph)

    def outgoing(self, location: Location) -> Iterator[RigidEdge]:
        """The edges that leave ``location``, one by one."""
        known = self.known(location)
        if isinstance(known, Node) and known.place != EXIT:
            return self._within(known)
        return self._between(known, self.graph)

    def edge(self, source: RigidLocation, target: RigidLocation) -> RigidEdge:
        """The edge between two locations or nodes, found without listing others, else an error."""
        rule = rule_between(self.graph, source, target, self.rules)
        if rule is None:
            text = f"the rules {self.rules!r} have no edge from {source} to {target}"
            raise ModelError([Problem(text)])
        return RigidEdge(source, target, rule, self)

    def has_edge(self, source: RigidLocation, target: RigidLocation) -> bool:
        """Whether there is an edge between two locations or nodes."""
        return rule_between(self.graph, source, target, self.rules) is not None

    def _between(self, source: RigidLocation, graph: ContactGraph) -> Iterator[RigidEdge]:
        if isinstance(source, Modes):
            for rule in FROM_CLOSED if source.closed else FROM_FREE_FLIGHT:
                for target in rule.targets(graph, source, self.rules):
                    yield RigidEdge(source, target, rule.name, self)
        else:
            for exit_rule in AFTER_IMPACT if source.kind == "impact" else AFTER_CONTACT:
                for target in exit_rule.targets(graph, source, self.rules):
                    yield RigidEdge(source, target, exit_rule.name, self)

    def _within(self, source: Node) -> Iterator[RigidEdge]:
        node = self.node(source.kind, source.contacts)
        for step in node.steps(source.place):
            yield RigidEdge(source, node.at(step.place), step.name, self)

    def domain(self, location: Location) -> Formula:
        """Dom of a dynamical location."""
        known = self.known(location)
        if isinstance(known, Node):
            raise ModelError([Problem(f"no time passes in {known}: it has no domain")])
        return domains.domain(known, self.reading)

    def guard(self, edge: RigidEdge) -> Formula:
        """G(edge)."""
        if edge.rule in RULES:
            return guards.guard(edge.source, edge.target, self.reading)
        node, step = self._step(edge)
        return step.guard(node, step.contact)

    def reset(self, edge: RigidEdge) -> tuple[Assignment, ...]:
        """R(edge)."""
        if edge.rule in RULES:
            return ()
        node, step = self._step(edge)
        return step.reset(node, step.contact)

    def _step(self, edge: RigidEdge) -> tuple[ForceNode, Step]:
        assert isinstance(edge.source, Node)
        node = self.node(edge.source.kind, edge.source.contacts)
        return node, next(s for s in node.steps(edge.source.place) if s.name == edge.rule)

    def is_dynamical(self, location: Location) -> bool:
        """Whether time passes in ``location``."""
        return isinstance(location, Modes)

    def known(self, location: Location) -> RigidLocation:
        """``location`` if it is one of this automaton's, else an error."""
        if isinstance(location, Modes) and self.graph.has(location.contacts):
            return location
        if isinstance(location, Node) and self._has_place(location):
            return location
        raise ModelError([Problem(f"unknown location {location}")])

    def _has_place(self, place: Node) -> bool:
        node = self.node(place.kind, place.contacts)
        return bool(place.contacts) and self.graph.has(place.contacts) and node.has(place.place)
