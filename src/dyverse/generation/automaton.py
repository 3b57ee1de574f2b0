"""The rigid-body hybrid automaton of a world: an answer to the `HybridAutomaton` interface.

`generate` puts numbers into a world and ties the two halves together: the skeleton (locations,
edges, guards as formulas) and the dynamics (vector fields, signals, computation nodes on numbers).
Nothing is enumerated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from threading import local
from typing import get_args

import numpy as np

from dyverse.automaton.interface import Array, Event, Flow, Jump, Location, State, Visit
from dyverse.automaton.run import Arc
from dyverse.automaton.sides import values_at
from dyverse.automaton.switched import SwitchedFlow
from dyverse.bodies.placed import Scene
from dyverse.bodies.scene import scene
from dyverse.bodies.world import World
from dyverse.errors import ArgumentError, ModelError, Problem
from dyverse.expr.formula import TRUE, Formula
from dyverse.generation.fields import RigidField
from dyverse.generation.flow import RigidFlow
from dyverse.generation.naming import rigid_events
from dyverse.generation.node.striking import visit_impact
from dyverse.generation.node.visiting import visit_contact
from dyverse.generation.reading import OVERLAP, read
from dyverse.generation.skeleton.location import FREE_FLIGHT, Modes, Node
from dyverse.generation.skeleton.names import signal_name
from dyverse.generation.skeleton.rules import RuleSet
from dyverse.generation.skeleton.skeleton import RigidEdge, Skeleton
from dyverse.generation.skeleton.solids import skeleton_of
from dyverse.generation.survey import is_settled, pieces, survey
from dyverse.generation.switching import next_location
from dyverse.generation.tolerances import Tolerances, tolerances_of
from dyverse.given import check_kind
from dyverse.mechanics.dynamics import Dynamics
from dyverse.mechanics.joint.start import start_problems
from dyverse.mechanics.planar import leaving
from dyverse.mechanics.system import system_of


class _Own(local):
    """What a thread has of an automaton for itself."""

    dynamics: Dynamics | None = None


class RigidBodyAutomaton:
    """H_MRB = (S, E, X, Dom, F, Init, G, R) of a world at given settings.  [navarro2018] §3.1"""

    def __init__(
        self,
        world: World,
        settings: Mapping[str, float] | None = None,
        *,
        rules: RuleSet = "complete",
        tolerances: Tolerances | None = None,
    ) -> None:
        self.world = world
        self.settings = dict(settings or {})
        self.scene: Scene = scene(world, self.settings)
        self.rules = rules
        self.tolerances = tolerances or tolerances_of(world, self.scene)
        self._own = _Own()

    def check_joints(self) -> None:
        """Raise a `ModelError` if bodies do not start as their joints let them."""
        if self.world.joints:
            start = np.array(self.scene.start)
            if problems := list(start_problems(self.dynamics, start)):
                raise ModelError(problems)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (self.world, self.settings, self.rules, self.tolerances)

    @property
    def dynamics(self) -> Dynamics:
        """The mechanics of the scene; each thread has its own, since they remember where they are.

        That is what drives them, and which side functions that switch are on.
        """
        if self._own.dynamics is None:
            system = system_of(self.world, tuple(self.scene.settings))
            self._own.dynamics = Dynamics(system, self.scene)
        return self._own.dynamics

    @cached_property
    def skeleton(self) -> Skeleton:
        """Locations, edges and formulas."""
        return skeleton_of(self.world, self.scene, rules=self.rules)

    @cached_property
    def contacts(self) -> tuple[str, ...]:
        """I: the contact list."""
        return tuple(pair.name for pair in self.scene.contacts)

    @property
    def variables(self) -> tuple[str, ...]:
        """X without the forces, which follow from the rest: q of all bodies, then q̇."""
        return self.dynamics.layout.variables

    def start(self) -> State:
        """Init: free flight; bodies that touch at the start close in the first instant."""
        values = np.array(self.scene.start)
        if self.scene.joints:
            self.dynamics.join(values)
        return State(0.0, FREE_FLIGHT, values)

    def arranged(self, state: State) -> State:
        """A state that was put together by hand: free flight, which finds who touches.

        Raises a `ModelError` where bodies overlap, or leave the planes that they are kept in.
        """
        if out := list(leaving(self.scene, self.dynamics.layout, state.values)):
            raise ModelError(out)
        gaps = self.dynamics.contacts.approach(state.values)[0]
        deep = np.flatnonzero(gaps < -OVERLAP * self.tolerances.gap)
        if deep.size:
            raise ModelError(
                Problem(f"bodies of {self.contacts[i]!r} overlap by {-gaps[i]:.6g} m") for i in deep
            )
        return replace(state, location=FREE_FLIGHT, held={})

    def fits(self, state: State) -> bool:
        """Whether contacts are closed and open at ``state`` as its location says."""
        assert isinstance(state.location, Modes)
        closed = frozenset(state.location.contacts)
        gaps = self.dynamics.contacts.approach(state.values)[0] / (OVERLAP * self.tolerances.gap)
        named = zip(self.contacts, gaps.tolist(), strict=True)
        return all(-1 <= gap <= (1 if name in closed else np.inf) for name, gap in named)

    def is_dynamical(self, location: Location) -> bool:
        """Whether ``location`` is a word of contact modes, not a place in a computation node."""
        return isinstance(location, Modes)

    def domain(self, location: Location) -> Formula:
        """Dom(s_k,i).  [navarro2018] §3.6"""
        assert isinstance(location, Modes)
        return self.skeleton.domain(location)

    def invariant(self, location: Location) -> Formula:
        """Nothing is written down: bodies leave a location when the laws of contact say so."""
        return TRUE

    def outgoing(self, location: Location) -> Iterator[RigidEdge]:
        """E: the edges that leave ``location``.  [navarro2018] §3.5"""
        assert isinstance(location, Modes | Node)
        return self.skeleton.outgoing(location)

    def watched(self, location: Location) -> tuple[str, ...]:
        """One gap per open contact; normal force and reserve or slip speed per closed one."""
        assert isinstance(location, Modes)
        closed = dict(location.closed)
        gaps = [signal_name("gap", name) for name in self.contacts if name not in closed]
        forces = [signal_name("normal_force", name) for name in closed]
        index = self.dynamics.contacts.index
        modes = [
            signal_name("friction_reserve" if mode == "stick" else "slip_speed", name)
            for name, mode in closed.items()
            if mode == "stick" or not self.dynamics.is_frictionless(index[name])
        ]
        return (*gaps, *forces, *modes)

    def enabled(self, state: State) -> tuple[RigidEdge, ...]:
        """The edge that the state allows, if any and if the rules have it."""
        self._take(state)
        return self.allowed(state)

    def allowed(self, state: State) -> tuple[RigidEdge, ...]:
        """The same, where functions that switch have the values they were given."""
        target = next_location(self.dynamics, self.tolerances, state)
        assert isinstance(state.location, Modes | Node)
        if target is None or not self.skeleton.has_edge(state.location, target):
            return ()
        return (self.skeleton.edge(state.location, target),)

    def flow(self, state: State) -> Flow:
        """The continuous behaviour from ``state`` on.  [navarro2018] Eqs. (14), (15)"""
        flow = self.plain_flow(state)
        if not self.dynamics.switches:
            return flow
        return SwitchedFlow(flow, RigidField(self.dynamics, flow), state)

    def plain_flow(self, state: State) -> RigidFlow:
        """The same, where functions that switch have the values they were given."""
        return RigidFlow(self.dynamics, state, self.tolerances)

    def _take(self, state: State) -> None:
        """Give functions that switch their values from this instant on."""
        if not self.dynamics.switches:
            return
        if not isinstance(state.location, Modes):  # forces are not known yet
            state = replace(state, location=FREE_FLIGHT)
        field = RigidField(self.dynamics, self.plain_flow(state))
        self.dynamics.take(values_at(field, replace(state, sides=())))

    def visit(self, state: State) -> Visit:
        """Pass through an impact or contact node."""
        self._take(state)
        return self.pass_node(state)

    def pass_node(self, state: State) -> Visit:
        """The same, where functions that switch have the values they were given."""
        assert isinstance(state.location, Node)
        pass_through = visit_impact if state.location.kind == "impact" else visit_contact
        return pass_through(self.dynamics, self.tolerances, state)

    def events(
        self,
        before: State,
        visits: tuple[Visit, ...],
        after: State,
        jumps: tuple[Jump, ...] = (),
    ) -> tuple[Event, ...]:
        """Impacts, accumulations, touches, releases, sticks and slips."""
        return rigid_events(before, visits, after)

    def observe(self, state: State) -> dict[str, float]:
        """Variables, parameters, energy, and the signals of every contact."""
        return next(self.survey(Arc.still(state)))

    def survey(
        self, arc: Arc, names: Collection[str] | None = None, driven: Array | None = None
    ) -> Iterator[dict[str, float]]:
        """`observe` at each state of an arc, of all signals or at least of ``names``.

        Each state may be ``driven`` by settings of its own.
        """
        known = {**self.scene.constants, **self.scene.values}
        for seen in self._surveyed(arc, names, driven):
            yield known | seen

    def _surveyed(
        self, arc: Arc, names: Collection[str] | None, driven: Array | None
    ) -> Iterator[dict[str, float]]:
        """All rows at once, or one by one where functions that switch slide: each has its own."""
        if not self.dynamics.switches or driven is not None:
            yield from survey(self.dynamics, self.tolerances, arc, names, driven)
            return
        if is_settled(arc.start, self.dynamics.switches):
            for piece in pieces(arc):
                self.dynamics.take(np.array(arc.start.sides))
                yield from tuple(survey(self.dynamics, self.tolerances, piece, names))
            return
        for row in range(len(arc.times)):
            state = arc.state(row)
            field = RigidField(self.dynamics, self.plain_flow(state))
            self.dynamics.take(values_at(field, state))
            yield from survey(self.dynamics, self.tolerances, Arc.still(state), names)

    def read(self, state: State) -> dict[str, float]:
        """`observe` as guards read it: what is zero within the tolerances is zero."""
        return read(self.dynamics, self.tolerances, state, self.observe(state))


def _rebuilt(
    world: World, settings: Mapping[str, float], rules: RuleSet, tolerances: Tolerances
) -> RigidBodyAutomaton:
    return RigidBodyAutomaton(world, settings, rules=rules, tolerances=tolerances)


def generate(
    world: World,
    settings: Mapping[str, float] | None = None,
    *,
    rules: RuleSet = "complete",
    tolerances: Tolerances | None = None,
) -> RigidBodyAutomaton:
    """The automaton of ``world`` with parameters, ports or initial values set by name.

    Without ``tolerances`` they are those that suit its scene.
    """
    check_kind(world, World, "a world", "a model has an automaton: model.automaton()")
    if rules not in (known := get_args(RuleSet)):
        raise ArgumentError(f"there are no rules {rules!r}; there are {', '.join(known)}")
    automaton = RigidBodyAutomaton(world, settings, rules=rules, tolerances=tolerances)
    automaton.check_joints()
    return automaton
