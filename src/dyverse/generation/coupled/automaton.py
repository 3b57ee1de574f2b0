"""Rigid bodies and automata in one system: one answer to the `HybridAutomaton` interface.

The bodies are a component like any other, but no one can hold them back: what a contact ``offers``
on its impacts and changes of mode is a broadcast, heard by every automaton that is ready for it.
Automata read the state of the bodies; inputs and forces of the bodies may depend on their
variables. The state has the variables of the bodies first, then those of the automata.

In one instant the bodies jump until they are in a dynamical location where they can stay; then
automata hear the signals of that passage one by one; then automata jump on their own. As soon as
that changes what acts on the bodies so that they jump again, they do, and what they have to tell
about it comes behind the signals that are still to be heard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from dyverse.automaton.interface import (
    Array,
    Edge,
    Event,
    Flow,
    Jump,
    Location,
    State,
    Visit,
)
from dyverse.automaton.jump import jump
from dyverse.automaton.network.code import Outside, Point, Truth
from dyverse.automaton.network.flow import Ready
from dyverse.automaton.network.moves import Move, Places
from dyverse.automaton.network.network import Network
from dyverse.automaton.reading.description import Described
from dyverse.automaton.run import Arc
from dyverse.automaton.sides import NONE, values_at
from dyverse.automaton.switched import SwitchedFlow
from dyverse.bodies.placed import Scene
from dyverse.bodies.world import ORIENTED, World
from dyverse.expr.formula import Formula, both
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.courses import check_places, followed, started
from dyverse.generation.coupled.events import coupled_events
from dyverse.generation.coupled.flow import CoupledFlow
from dyverse.generation.coupled.jumps import Joint, JointEdge, Underway, joint
from dyverse.generation.coupled.offering import Offers, offers_of, signals
from dyverse.generation.fields import CoupledField
from dyverse.generation.naming import contacts_hit
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes, Node
from dyverse.generation.survey import is_settled, pieces
from dyverse.mechanics.layout import Layout


class CoupledAutomaton:
    """Bodies and automata that run together, at given settings."""

    def __init__(
        self, world: World, described: Described, settings: Mapping[str, float] | None = None
    ) -> None:
        self.settings = dict(settings or {})
        world = started(world, described, self.settings)
        self.world, self.described = world, described
        own = {name: x for name, x in self.settings.items() if name not in described.settable()}
        self.rigid = RigidBodyAutomaton(world, own)
        self.network = _network(described, self.rigid.scene, self.settings)
        starts = dict(zip(self.network.variables, self.network.start().values, strict=True))
        driven = {**self.rigid.scene.values, **starts}
        self.rigid.scene = replace(self.rigid.scene, values=driven)  # before its dynamics are made
        self.rigid.check_joints()

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
        assert isinstance(places.location, Places)
        values = np.concatenate([bodies.values, places.values])
        return State(bodies.time, Joint(FREE_FLIGHT, places.location), values, bodies.held)

    def arranged(self, state: State) -> State:
        """A state that was put together by hand, or a `ModelError`."""
        self.rigid.arranged(self.bodies(state))
        self.network.arranged(replace(state, values=state.values[self._size :]))
        return replace(state, location=Joint(FREE_FLIGHT, joint(state).places), held={})

    def fits(self, state: State) -> bool:
        """Whether contacts are closed and open at ``state`` as its location says."""
        return self.rigid.fits(self.bodies(state))

    @property
    def margin(self) -> float:
        """How close to its boundary a guard of the automata counts as there."""
        return self.network.margin

    def is_dynamical(self, location: Location) -> bool:
        """Whether the bodies are not in a computation node."""
        assert isinstance(location, Joint)
        return isinstance(location.bodies, Modes)

    def domain(self, location: Location) -> Formula:
        """Dom: of the bodies and of all automata."""
        assert isinstance(location, Joint)
        return both(self.rigid.domain(location.bodies), self.invariant(location))

    def invariant(self, location: Location) -> Formula:
        """What automata have written down: bodies leave where the laws of contact say so."""
        assert isinstance(location, Joint)
        return self.network.domain(location.places)

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
        sides = self._take(state)
        if self._steered and isinstance(here.bodies, Modes):
            check_places(self.rigid.dynamics, state.time, state.values[: self._size])
        if edges := self.rigid.allowed(self.bodies(state)):
            left = replace(here, underway=self.underway(here))
            return tuple(JointEdge(here, replace(left, bodies=e.target), e) for e in edges)
        if not isinstance(here.bodies, Modes):
            return ()
        return self._moves(here, self.settled(here), self._ready(state, sides))

    def _moves(self, here: Joint, settled: Joint, ready: Ready) -> tuple[JointEdge, ...]:
        """What automata do next: hear the first signal, if there is one, else what they can."""
        places, offered = here.places, settled.offered
        if offered:
            moves = self.network.moves.heard(places, offered[0], ready)
        else:
            moves = self.network.moves.ready(places, ready)
        if not moves and settled != here:
            moves = (Move(places, places, ()),)
        rest = replace(settled, offered=offered[1:])
        return tuple(
            JointEdge(here, replace(rest, places=move.target), move, heard=bool(offered))
            for move in moves
        )

    def called(self, state: State, channel: str) -> tuple[JointEdge, ...]:
        """The jumps that may be taken if something outside takes part in ``channel``."""
        here, ready = joint(state), self._ready_now(state)
        found = self.network.moves.called(here.places, channel, ready)
        return tuple(JointEdge(here, replace(here, places=m.target), m) for m in found)

    def underway(self, here: Joint) -> Underway | None:
        """The passage that the bodies begin or go on with, if there may be something to tell."""
        if here.underway is not None or not self.offers:
            return here.underway
        assert isinstance(here.bodies, Modes)
        return Underway(here.bodies)

    def settled(self, here: Joint) -> Joint:
        """The same place, with the signals of the passage that has brought the bodies there."""
        if here.underway is None:
            return here
        assert isinstance(here.bodies, Modes)
        given = signals(self.offers, here.underway, here.bodies)
        return Joint(here.bodies, here.places, (*here.offered, *given))

    def take(self, edge: Edge, state: State) -> State:
        """The state after ``edge``."""
        assert isinstance(edge, JointEdge)
        if not isinstance(edge.part, Move):
            bodies = jump(self.rigid, edge.part, self.bodies(state))
            values = np.concatenate([bodies.values, state.values[self._size :]])
            return State(state.time, edge.target, values, bodies.held)
        values = state.values.copy()
        for name, number in self.network.changes(edge.part, self._known(state)).items():
            values[self._index[name]] = number
        if self._steered:
            self.rigid.dynamics.drive(values[self._size :])
            own = followed(self.rigid.dynamics, state.time, values[: self._size])
            values[: self._size] = own
        return State(state.time, edge.target, values, state.held)

    def flow(self, state: State) -> Flow:
        """The continuous behaviour from ``state`` on."""
        flow = self._flow(state)
        field = self._field(flow)
        if not field.switches:
            return flow
        return SwitchedFlow(flow, field, state)

    def _flow(self, state: State) -> CoupledFlow:
        """The same, where functions that switch have the values they were given."""
        self.drive(state)
        bodies = self.rigid.plain_flow(self.bodies(state))
        return CoupledFlow(self.rigid, self.network, bodies, lambda: self._ready_now(state), state)

    def _field(self, flow: CoupledFlow) -> CoupledField:
        return CoupledField(self.rigid.dynamics, self.network.code, flow.field, flow)

    def _take(self, state: State) -> Array:
        """Let automata act, and give functions that switch their values; those of the network."""
        self.drive(state)
        if not isinstance(joint(state).bodies, Modes):  # forces are not known yet
            state = replace(state, location=replace(joint(state), bodies=FREE_FLIGHT))
        flow = self._flow(state)
        field = self._field(flow)
        values = values_at(field, replace(state, sides=())) if field.switches else NONE
        flow.take(values)
        return flow.field.spread(values[len(self.rigid.dynamics.switches) :])

    def _ready_now(self, state: State) -> Ready:
        """Which edges may be taken, on whatever sides the run is."""
        return self._ready(state, self._take(state))

    def visit(self, state: State) -> Visit:
        """Pass through a computation node of the bodies."""
        self._take(state)
        return self.passed(state, self.rigid.pass_node(self.bodies(state)))

    def passed(self, state: State, found: Visit) -> Visit:
        """A pass of the bodies as one of the whole; impacts are kept in mind."""
        here = joint(state)
        assert isinstance(found.after.location, Node)
        exit_ = replace(here, bodies=found.after.location, underway=_noted(here, found))
        values = np.concatenate([found.after.values, state.values[self._size :]])
        after = State(state.time, exit_, values, found.after.held)
        return replace(found, before=state, after=after)

    def events(
        self,
        before: State,
        visits: tuple[Visit, ...],
        after: State,
        jumps: tuple[Jump, ...] = (),
    ) -> tuple[Event, ...]:
        """What happened to the bodies and the jumps of the automata, one after the other."""
        return tuple(coupled_events(self.network, before, visits, after, jumps))

    def observe(self, state: State) -> dict[str, float]:
        """All signals of the bodies and of the automata."""
        return next(self.survey(Arc.still(state)))

    def survey(self, arc: Arc, names: Collection[str] | None = None) -> Iterator[dict[str, float]]:
        """`observe` at each state of an arc, of all signals or at least of ``names``."""
        if not self.switches or len(arc.times) == 1:
            yield from self._surveyed(arc, names)
        elif is_settled(arc.start, self._field(self._flow(arc.start)).switches):
            for piece in pieces(arc):
                self._flow(arc.start).take(np.array(arc.start.sides))
                yield from tuple(self._surveyed(piece, names))
        else:  # each state has its own values of functions that switch
            for state in map(arc.state, range(len(arc.times))):
                yield from self._seen(state, names)

    def _seen(self, state: State, names: Collection[str] | None) -> Iterator[dict[str, float]]:
        flow = self._flow(state)
        flow.take(values_at(self._field(flow), state))
        return self._surveyed(Arc.still(state), names)

    @property
    def switches(self) -> bool:
        """Whether there are functions that switch."""
        return bool(self.rigid.dynamics.switches or self.network.code.switches)

    def _surveyed(self, arc: Arc, names: Collection[str] | None) -> Iterator[dict[str, float]]:
        bodies, others = np.hsplit(arc.states, [self._size])
        moving = Arc(start=self.bodies(arc.start), times=arc.times, states=bodies)
        places, seen = joint(arc.start).places, self.rigid.survey(moving, names, others)
        for known, time, row in zip(seen, arc.times.tolist(), others, strict=True):
            yield known | self.network.observe(State(time, places, row))

    @property
    def _size(self) -> int:
        return len(self.rigid.variables)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.variables)}

    @cached_property
    def _steered(self) -> bool:
        """Whether automata move bodies."""
        return bool(self.rigid.dynamics.steered.any())

    @cached_property
    def offers(self) -> Offers:
        """What contacts offer, by contact."""
        return offers_of(self.scene)

    def drive(self, state: State) -> None:
        """Let the variables of automata act on the bodies."""
        self.rigid.dynamics.drive(state.values[self._size :])

    def bodies(self, state: State) -> State:
        """The part of a state that is about the bodies."""
        bodies, values = joint(state).bodies, state.values[: self._size]
        return State(state.time, bodies, values, state.held, memory=state.memory)

    def _known(self, state: State) -> dict[str, float]:
        names = dict(zip(self.variables, state.values.tolist(), strict=True))
        return {**dict(self.network.parameters), "t": state.time, **names}

    def _ready(self, state: State, sides: Array) -> Ready:
        bodies, size = self.bodies(state), self._size
        pushed = np.zeros(size)
        if isinstance(bodies.location, Modes):
            pushed = self.rigid.plain_flow(bodies).rate(state.time, bodies.values)
        selected = self.network.code.selected(joint(state).places)
        point = Point(state.time, state.values[size:], selected, bodies.values, pushed, sides)
        return Ready(Truth(self.network.code, point), lambda: self._known(state))


def _network(described: Described, scene: Scene, settings: Mapping[str, float]) -> Network:
    """The automata, which may read the variables of the bodies."""
    layout = Layout.of(scene.bodies, scene.joints)
    rates = dict(_rates(layout))
    outside = tuple(Outside(name, rates.get(name)) for name in layout.variables)
    return described.network({**scene.constants, **scene.values}, settings, outside)


def _rates(layout: Layout) -> Iterator[tuple[str, str]]:
    """Coordinates whose rate is a speed, and which; a quaternion has no such rate."""
    for motion, q, v in zip(layout.motions, layout.q_of, layout.v_of, strict=True):
        many = 3 if motion == ORIENTED else len(motion.coordinates)
        yield from zip(layout.coordinates[q][:many], layout.speeds[v][:many], strict=True)


def _noted(here: Joint, visit: Visit) -> Underway | None:
    """The passage of the bodies with what ``visit`` adds to it."""
    if here.underway is None:
        return None
    return replace(here.underway, hit=(*here.underway.hit, *contacts_hit(visit)))
