"""Rigid bodies and automata in one system: one answer to the `HybridAutomaton` interface.

The bodies are a component like any other, but no one can hold them back: an impact of a contact
that ``offers`` a channel is a broadcast, heard by every automaton that is ready for it. Automata
read the state of the bodies; inputs and forces of the bodies may depend on their variables. The
state has the variables of the bodies first, then those of the automata.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from dyverse.automaton.description import Described
from dyverse.automaton.interface import Array, Edge, Event, Jump, Location, State, Visit
from dyverse.automaton.jump import jump
from dyverse.automaton.moves import Move
from dyverse.automaton.network import Network
from dyverse.automaton.network_code import Outside, Point, Truth
from dyverse.automaton.network_flow import Ready
from dyverse.bodies.scene import Scene
from dyverse.bodies.world import World
from dyverse.expr.formula import Formula, both
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled_flow import CoupledFlow
from dyverse.generation.joint import Joint, JointEdge, joint
from dyverse.generation.layout import Layout
from dyverse.generation.location import Modes
from dyverse.generation.naming import contacts_hit

BODIES = "bodies"


class CoupledAutomaton:
    """Bodies and automata that run together, at given settings."""

    def __init__(
        self, world: World, described: Described, settings: Mapping[str, float] | None = None
    ) -> None:
        self.world, self.described = world, described
        self.settings = dict(settings or {})
        own = {name: x for name, x in self.settings.items() if name not in described.settable()}
        self.rigid = RigidBodyAutomaton(world, own)
        self.network = _network(described, self.rigid.scene, self.settings)
        starts = dict(zip(self.network.variables, self.network.start().values, strict=True))
        driven = {**self.rigid.scene.values, **starts}
        self.rigid.scene = replace(self.rigid.scene, values=driven)  # before its dynamics are made

    def __reduce__(self) -> tuple[object, ...]:
        return CoupledAutomaton, (self.world, self.described, self.settings)

    @property
    def scene(self) -> Scene:
        """The bodies with numbers."""
        return self.rigid.scene

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """X: the variables of the bodies, then those of the automata."""
        return (*self.rigid.variables, *self.network.variables)

    def start(self) -> State:
        """Init: free flight, and every automaton in its initial place."""
        bodies, places = self.rigid.start(), self.network.start()
        return self._state(bodies, places.location, places.values)

    def is_dynamical(self, location: Location) -> bool:
        """Whether the bodies are not in a computation node."""
        assert isinstance(location, Joint)
        return isinstance(location.bodies, Modes)

    def domain(self, location: Location) -> Formula:
        """Dom: of the bodies and of all automata."""
        assert isinstance(location, Joint)
        bodies = self.rigid.domain(location.bodies)
        return both(bodies, self.network.domain(location.places))

    def outgoing(self, location: Location) -> Iterator[JointEdge]:
        """E: the jumps of the bodies, then those of the automata."""
        assert isinstance(location, Joint)
        for edge in self.rigid.outgoing(location.bodies):
            yield JointEdge(location, replace(location, bodies=edge.target), edge)
        for move in self.network.outgoing(location.places):
            yield JointEdge(location, replace(location, places=move.target), move)

    def watched(self, location: Location) -> tuple[str, ...]:
        """The signals of the bodies, then those of the automata."""
        assert isinstance(location, Joint)
        return (*self.rigid.watched(location.bodies), *self.network.watched(location.places))

    def enabled(self, state: State) -> tuple[JointEdge, ...]:
        """What the bodies do; else who hears a signal that they gave; else what automata can do."""
        here = joint(state)
        self._drive(state)
        if edges := self.rigid.enabled(self._bodies(state)):
            return tuple(JointEdge(here, replace(here, bodies=e.target), e) for e in edges)
        if not isinstance(here.bodies, Modes):
            return ()
        ready = self._ready(state)
        if here.offered:
            moves = self.network.moves.heard(here.places, here.offered[0], ready)
            rest = here.offered[1:]
            return tuple(JointEdge(here, Joint(here.bodies, m.target, rest), m) for m in moves)
        moves = self.network.moves.ready(here.places, ready)
        return tuple(JointEdge(here, replace(here, places=m.target), m) for m in moves)

    def take(self, edge: Edge, state: State) -> State:
        """The state after ``edge``."""
        assert isinstance(edge, JointEdge)
        if not isinstance(edge.part, Move):
            bodies = jump(self.rigid, edge.part, self._bodies(state))
            values = np.concatenate([bodies.values, state.values[self._size :]])
            return State(state.time, edge.target, values, bodies.held)
        values = state.values.copy()
        for name, number in self.network.changes(edge.part, self._known(state)).items():
            values[self._index[name]] = number
        return State(state.time, edge.target, values, state.held)

    def flow(self, state: State) -> CoupledFlow:
        """The continuous behaviour from ``state`` on."""
        self._drive(state)
        bodies = self.rigid.flow(self._bodies(state))
        return CoupledFlow(self.rigid, self.network, bodies, self._ready(state), state)

    def visit(self, state: State) -> Visit:
        """Pass through a computation node of the bodies; impacts give their signals."""
        here = joint(state)
        self._drive(state)
        found = self.rigid.visit(self._bodies(state))
        offered = [self._offers.get(contact, "") for contact in contacts_hit(found)]
        signals = (*here.offered, *dict.fromkeys(filter(None, offered)))
        after = self._state(found.after, here.places, state.values[self._size :], signals)
        return replace(found, before=state, after=after)

    def events(
        self,
        before: State,
        visits: tuple[Visit, ...],
        after: State,
        jumps: tuple[Jump, ...] = (),
    ) -> tuple[Event, ...]:
        """What happened to the bodies, and the jumps of the automata."""
        passed = tuple(
            replace(v, before=self._bodies(v.before), after=self._bodies(v.after)) for v in visits
        )
        bodies = self.rigid.events(self._bodies(before), passed, self._bodies(after))
        source, target = before.location, after.location
        named = tuple(replace(event, source=source, target=target) for event in bodies)
        return named + tuple(self._heard(jump) for jump in jumps if _moves(jump))

    def _heard(self, jump: Jump) -> Event:
        assert isinstance(jump.edge, JointEdge)
        event = self.network.event(replace(jump, edge=jump.edge.part))
        if not jump.edge.source.offered:
            return event
        names = [self.network.components[i].name for i in _components(jump.edge.part)]
        who = f"{BODIES} to {', '.join(names)}"
        return replace(event, remark="; ".join(filter(None, (who, jump.chosen))))

    def observe(self, state: State) -> dict[str, float]:
        """All signals of the bodies and of the automata."""
        self._drive(state)
        places = State(state.time, joint(state).places, state.values[self._size :])
        return {**self.rigid.observe(self._bodies(state)), **self.network.observe(places)}

    @property
    def _size(self) -> int:
        return len(self.rigid.variables)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.variables)}

    @cached_property
    def _offers(self) -> dict[str, str]:
        """The channel that each contact gives its impacts to, if any."""
        own = {frozenset(rule.pair): rule.offers for rule in self.world.contacts if rule.pair}
        others = next((rule.offers for rule in self.world.contacts if rule.pair is None), "")
        pairs = self.rigid.scene.contacts
        return {pair.name: own.get(frozenset((pair.a, pair.b)), others) for pair in pairs}

    def _drive(self, state: State) -> None:
        self.rigid.dynamics.drive(state.values[self._size :])

    def _bodies(self, state: State) -> State:
        """The part of a state that is about the bodies."""
        return State(state.time, joint(state).bodies, state.values[: self._size], state.held)

    def _state(
        self, bodies: State, places: Location, values: Array, offered: tuple[str, ...] = ()
    ) -> State:
        whole = np.concatenate([bodies.values, values])
        location = Joint(bodies.location, places, offered)  # type: ignore[arg-type]
        return State(bodies.time, location, whole, bodies.held)

    def _known(self, state: State) -> dict[str, float]:
        names = dict(zip(self.variables, state.values.tolist(), strict=True))
        return {**dict(self.network.parameters), "t": state.time, **names}

    def _ready(self, state: State) -> Ready:
        bodies, size = self._bodies(state), self._size
        pushed = np.zeros(size)
        if isinstance(bodies.location, Modes):
            pushed = self.rigid.flow(bodies).rate(state.time, bodies.values)
        selected = self.network.code.selected(joint(state).places)
        point = Point(state.time, state.values[size:], selected, bodies.values, pushed)
        return Ready(Truth(self.network.code, point), lambda: self._known(state))


def _network(described: Described, scene: Scene, settings: Mapping[str, float]) -> Network:
    """The automata, which may read the variables of the bodies."""
    layout = Layout(scene.bodies)
    rates = (*layout.variables[layout.size :], *[None] * layout.size)
    outside = tuple(map(Outside, layout.variables, rates))
    network = described.automaton({**layout.constants, **scene.values}, settings, outside)
    assert isinstance(network, Network)
    return network


def _moves(jump: Jump) -> bool:
    return isinstance(jump.edge, JointEdge) and bool(_components(jump.edge.part))


def _components(part: object) -> tuple[int, ...]:
    return part.components if isinstance(part, Move) else ()
