"""The continuous behaviour of bodies and automata together during one visit to a location."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Samples, State
from dyverse.automaton.network.code import Point
from dyverse.automaton.network.field import NetworkField
from dyverse.automaton.network.flow import NetworkFlow, Ready, columns
from dyverse.automaton.network.network import Network
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.jumps import joint
from dyverse.generation.flow import RigidFlow


class CoupledFlow:
    """One visit: at each moment the automata's variables drive the bodies, and read them."""

    def __init__(
        self,
        rigid: RigidBodyAutomaton,
        network: Network,
        bodies: RigidFlow,
        ready: Callable[[], Ready],
        state: State,
    ) -> None:
        self._dynamics, self._bodies, self._code = rigid.dynamics, bodies, network.code
        self._moves, self._ready, self._start = network.moves, ready, state
        self._size = len(rigid.variables)
        self._selected = network.code.selected(joint(state).places)
        self.field = NetworkField(network.code, joint(state).places)
        self._sides = self.field.spread(np.zeros(len(self.field.switches)))

    def take(self, sides: Array) -> None:
        """The values of functions that switch from now on, first those of the bodies' loads."""
        own, places = np.split(sides, [len(self._dynamics.switches)])
        self._dynamics.take(own)
        self._sides = self.field.spread(places)

    @cached_property
    def _places(self) -> NetworkFlow:
        """The automata, for those who ask for more than the vector field."""
        watched = columns(self._moves, self._code, joint(self._start).places)

        def point(time: float, values: Array, sides: Array) -> Point:
            return self._point(time, values)

        return NetworkFlow(self._code, watched, self._ready(), point, self._start)

    @property
    def resting(self) -> NDArray[np.bool_]:
        """Which watched signals are not armed yet."""
        return np.concatenate([self._bodies.resting, self._places.resting])

    @property
    def kept(self) -> dict[str, Array]:
        """What the bodies and the automata keep."""
        return self._bodies.kept | self._places.kept

    @property
    def floors(self) -> Array:
        """Where the signals of the bodies count as zero; those of the automata cross it."""
        return np.concatenate([self._bodies.floors, np.zeros(len(self._places.resting))])

    def rate(self, time: float, values: Array) -> Array:
        """The vector field."""
        point = self._point(time, values)
        return np.concatenate([point.pushed, self._code.rate(point)])

    def sample(self, times: Array, values: Array) -> Samples:
        """The watched signals of the bodies, then those of the automata."""
        bodies, others = np.hsplit(values, [self._size])
        free = self._dynamics.loads(times, bodies, others).acceleration
        found, pushed = self._bodies.sweep(bodies, free)
        rows = zip(times.tolist(), others, bodies, pushed, strict=True)
        points = [Point(t, x, self._selected, b, p, self._sides) for t, x, b, p in rows]
        places = self._places.watch(points)
        signals = np.hstack([found.values, places.values])
        return Samples(signals, np.hstack([found.rates, places.rates]))

    def excess(self, values: Array, error: Array) -> float:
        """How wrong the direction of slip becomes over how wrong it may."""
        return self._bodies.excess(values[: self._size], error[: self._size])

    def relaxation(self, time: float, values: Array) -> float:
        """How fast directions of slip relax."""
        self._dynamics.drive(values[self._size :])
        return self._bodies.relaxation(time, values[: self._size])

    def settle(self, time: float, values: Array) -> Array:
        """The bodies moved back onto their constraints."""
        self._dynamics.drive(values[self._size :])
        bodies = self._bodies.settle(time, values[: self._size])
        return np.concatenate([bodies, values[self._size :]])

    def _point(self, time: float, values: Array) -> Point:
        bodies, others = values[: self._size], values[self._size :]
        self._dynamics.drive(others)
        pushed = self._bodies.rate(time, bodies)
        return Point(time, others, self._selected, bodies, pushed, self._sides)
