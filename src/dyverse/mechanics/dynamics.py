"""The mechanics of a scene on numbers: loads, masses, and its contacts closed at a state.

Contacts can be closed at several states at once; every array then has a leading axis for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.placed import Scene
from dyverse.contact.impacts import IMPACT_LAWS
from dyverse.expr.buffered import Buffered
from dyverse.expr.term import Number, Term
from dyverse.expr.value import value
from dyverse.mechanics.closed import Closed, contact_accelerations
from dyverse.mechanics.contacts import Contacts
from dyverse.mechanics.joint.elimination import Joined, Joints
from dyverse.mechanics.joint.reactions import Reactions
from dyverse.mechanics.layout import DOF
from dyverse.mechanics.mass import Mass
from dyverse.mechanics.system import System
from dyverse.mechanics.turning import coordinate_rates, entries, normalised, world_spins

NO_RATE: Array = np.empty(0)
TURN = 2 * np.pi
JUMP = 1e-6  # m, m/s: what a body that automata move may be off before it has jumped
TAKEN = 1e-10  # share of a diagonal entry of G below which joints have taken all of it
JOINING = 2  # steps of Newton's method, each of which squares what is wrong


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """What acts besides contact at several states, one row for each."""

    acceleration: Array  # M⁻¹ h, as far as joints allow it: with no contact
    unjoined: Array  # the same with no joints either
    potential: Array  # energy of gravity and springs (J)
    inputs: Array  # those that have a formula


class Dynamics:
    """The mechanics of one scene: loads, masses, contacts. Nothing here knows about time steps."""

    def __init__(self, system: System, scene: Scene) -> None:
        self.system, self.layout = system, system.layout
        self.impact = IMPACT_LAWS[system.world.impact]  # the law of impact
        self.without_collision = system.world.without_collision
        self.contacts = Contacts(scene, self.layout)
        self._has_idle = bool((self.contacts.follows | self.contacts.single).any())
        self.mass = Mass(scene)
        self.settings: Mapping[str, float] = scene.values
        self.switches = system.switches  # functions of the loads that switch
        self._loads, self._surfaces = Buffered(system.loads), Buffered(system.surfaces)
        numbers = scene.settings
        self._numbers = np.array(list(numbers.values()), dtype=np.float64)
        self._sides = np.zeros(system.loads.nnz_in(3))  # what functions that switch are
        places = {name: place for place, name in enumerate(numbers)}
        self._values = np.array([places[name] for name in scene.values], dtype=np.intp)
        sorts = scene.contacts.sorts
        self._friction = [sorts[one].friction for one in scene.contacts.sort.tolist()]
        constant = (term.value if isinstance(term, Number) else np.nan for term in self._friction)
        self._constant_friction = np.array(list(constant))  # not a number where μ is a function
        self._moved = np.flatnonzero([body.driven for body in scene.moving])
        self.steered = np.array([bool(body.courses) for body in system.world.bodies])
        self.joints: Joints | None = None
        self.reactions: Reactions | None = None
        if scene.held:
            start = np.array(scene.start)
            self.joints = Joints(system.joints, self.mass, self._numbers, start)
            self.reactions = Reactions(scene, self.layout, self.joints)
        last = self.layout.q.stop
        self._angles = slice(last - len(self.layout.joint_coordinates), last)
        self._latest = lru_cache(maxsize=4)(self._close_one)
        numbered = {when: i for i, when in enumerate(system.conditions)}
        owned = (numbered[sort.when] if sort.when else -1 for sort in system.contacts.sorts)
        self._condition = system.contacts.column(owned).astype(np.intp)
        self._enabled = Buffered(system.enabled) if numbered else None
        if self._enabled is not None:
            self._switch(self._enabled)

    @property
    def switched(self) -> NDArray[np.bool_]:
        """Which contacts are there only under a condition."""
        return self._condition >= 0

    def drive(self, numbers: Array) -> None:
        """Give new values to the last of the values: variables of automata that forces read."""
        self._numbers[self._driven(numbers)] = numbers

    def _driven(self, numbers: Array) -> NDArray[np.intp]:
        return self._values[len(self._values) - len(numbers) :]

    def take(self, sides: Array) -> None:
        """The values of functions that switch, from now on."""
        self._sides[:] = sides
        if self._enabled is not None:
            self._switch(self._enabled)

    def _switch(self, enabled: Buffered) -> None:
        """Switch contacts on and off, as their conditions say on the present sides."""
        (holds,) = enabled(self._numbers, self._sides)
        off = np.where(self._condition >= 0, holds[self._condition] == 0, False)
        self.contacts.switch(off)

    def surfaces(
        self, time: float, values: Array, sides: Array, rate: Array, driven: Array = NO_RATE
    ) -> tuple[Array, Array]:
        """The switching functions and their rates; ``driven`` are the rates of driven values."""
        self.take(sides)
        moving = np.zeros(len(self._numbers))
        moving[self._driven(driven)] = driven
        found, speeds = self._surfaces(time, values, self._numbers, sides, rate, moving)
        return found.copy(), speeds.copy()

    def rate(self, values: Array, acceleration: Array) -> Array:
        """The rate of the state: q̇ = N(q) v, and v̇; at one state or several."""
        moved = self.moved(values, values[..., self.layout.v])
        return np.concatenate([moved, acceleration], axis=-1)

    def place(self, time: float, values: Array) -> None:
        """Put bodies that are moved along a function of time where they are exactly."""
        if len(self._moved):
            found = self.system.driven(time, self._numbers)
            places, speeds = (np.asarray(part).reshape(-1, 3) for part in found[:2])
            q = np.array([self.layout.q_of[row].start for row in self._moved])[:, None] + np.arange(
                3
            )
            v = self.layout.v.start + DOF * self._moved[:, None] + np.arange(3)
            values[q] = np.where(np.isnan(places), values[q], places)
            values[v] = speeds
            self._turn(values, np.asarray(found[2]).reshape(-1, 7))

    def _turn(self, values: Array, turns: Array) -> None:
        """The same of how they lie and spin, where they are turned."""
        for row, turn in zip(self._moved.tolist(), turns, strict=True):
            if not np.isnan(turn[0]):
                first, spins = self.layout.q_of[row].start + 3, self.layout.v.start + DOF * row + 3
                values[first : first + 4], values[spins : spins + 3] = turn[:4], turn[4:]

    @property
    def keeps_state(self) -> bool:
        """Whether a state that was followed needs no putting right, apart from closed contacts."""
        return not self.layout.turning and not len(self._moved) and self.joints is None

    def moved(self, values: Array, speeds: Array) -> Array:
        """N(q) times speeds: how the coordinates of each state change."""
        if not self.layout.turning:
            return speeds
        places = entries(values[..., self.layout.q])
        moved = np.stack(coordinate_rates(self.layout, places, entries(speeds)), axis=-1)
        if not self.layout.joint_coordinates:
            return moved
        states = np.concatenate([values[..., self.layout.q], speeds], axis=-1)
        return np.concatenate([moved, self._followed(states)[1]], axis=-1)

    def _followed(self, values: Array) -> tuple[Array, Array, Array]:
        """What `Joints.follow` gives, at one state or several."""
        assert self.joints is not None
        if values.ndim == 1:
            return self.joints.follow(values)
        derived, rates, angles = zip(*map(self.joints.follow, values), strict=True)
        return np.array(derived), np.array(rates), np.array(angles)

    def shift(self, values: Array, change: Array) -> None:
        """Move the bodies of a state a little, as if ``change`` were speeds for a unit of time."""
        values[self.layout.q] += self.moved(values, change)
        normalised(self.layout, values)

    def derived(self, values: Array) -> Array:
        """What follows from states and has a name: see `Layout.derived`."""
        if not self.layout.derived:
            return np.empty((*values.shape[:-1], 0))
        places, speeds = (entries(values[..., part]) for part in (self.layout.q, self.layout.v))
        spins = np.stack(world_spins(self.layout, places, speeds), axis=-1)
        if not self.layout.joint_derived:
            return spins
        return np.concatenate([spins, self._followed(values)[0]], axis=-1)

    def free_acceleration(self, time: float, values: Array) -> Array:
        """M⁻¹ h, as far as joints allow it: how the bodies would accelerate with no contact."""
        free = self.mass.solve(self._called(time, values)[0])
        return free if self.joints is None else self.joints.at(values).acceleration(free)

    def _called(self, time: float, values: Array) -> list[Array]:
        return self._loads(time, values, self._numbers, self._sides)

    def loads(
        self, times: Array, values: Array, driven: Array | None = None, *, joined: bool = True
    ) -> Loads:
        """Loads at several states; each may be ``driven`` by settings of its own, see `drive`.

        Who does not ask for accelerations need not have them ``joined``.
        """
        found = [np.empty((len(times), len(result))) for result in self._loads.results]
        for i, (time, row) in enumerate(zip(times.tolist(), values, strict=True)):
            if driven is not None:
                self.drive(driven[i])
            for whole, part in zip(found, self._called(time, row), strict=True):
                whole[i] = part
        unjoined = free = self.mass.solve(found[0])
        if self.joints is not None and joined:
            held = map(self.joints.at, values)
            free = np.array([one.acceleration(a) for one, a in zip(held, free, strict=True)])
        return Loads(free, unjoined, found[1][:, 0], found[2])

    def energy(self, values: Array, loads: Loads) -> Array:
        """Kinetic energy plus that of gravity and springs (J), at several states."""
        return self.mass.kinetic(values[:, self.layout.v]) + loads.potential

    def friction(self, contact: int, slip_speed: float) -> float:
        """μ at a slip speed."""
        term: Term = self._friction[contact]
        if isinstance(term, Number):
            return term.value
        return value(term, {**self.settings, "slip_speed": slip_speed})

    def frictions(self, contacts: tuple[int, ...], slip_speeds: Array) -> Array:
        """μ of several contacts, each at its slip speed, (…, n)."""
        mu = np.empty_like(slip_speeds)
        mu[:] = self._constant_friction[list(contacts)]
        for place in zip(*np.nonzero(np.isnan(mu)), strict=True):
            mu[place] = self.friction(contacts[place[-1]], float(slip_speeds[place]))
        return mu

    def is_frictionless(self, contact: int) -> bool:
        """Whether μ is the number zero: such a contact has nothing to stick with."""
        return is_smooth(self._friction[contact])

    def close(self, contacts: tuple[int, ...], values: Array) -> Closed:
        """Kinematics of the given contacts, assembled; at one state it is often asked for again."""
        if values.ndim == 1:
            return self._latest(contacts, values.tobytes())
        return self._close(contacts, values)

    def _close_one(self, contacts: tuple[int, ...], values: bytes) -> Closed:
        return self._close(contacts, np.frombuffer(values))

    def _close(self, contacts: tuple[int, ...], values: Array) -> Closed:
        rows = self.contacts.kinematics(self.contacts.bodies(values), contacts)
        W = self.contacts.directions(contacts, rows.jacobian)
        MW, joined = self.mass.solve_columns(W), self._joined(values)
        delassus = W.mT @ MW
        if joined:
            MW, delassus = _left(joined, W, MW, delassus)
        bias = rows.bias.reshape(*rows.gap.shape[:-1], -1)
        own, (leader, single) = list(contacts), self._following(contacts)
        if self._has_idle:
            _fill_idle(delassus, self.contacts.follows[own], single)
        parts = rows.gap, rows.speed, bias, rows.frame, W, MW, delassus, leader, single
        return Closed(contacts, *parts, joined)

    def _following(self, contacts: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Which contact each one follows by place, and which have one tangent only."""
        return self.contacts.leading(contacts), self.contacts.single[list(contacts)]

    def _joined(self, values: Array) -> tuple[Joined, ...]:
        """The joints at each state."""
        return () if self.joints is None else tuple(map(self.joints.at, np.atleast_2d(values)))

    def join(self, values: Array) -> None:
        """Take out by how much joints do not fit, in coordinates and speeds, and count turns."""
        if self.joints is None:
            return
        for _ in range(JOINING):
            joined = self.joints.at(values)
            self.shift(values, joined.back(joined.error))
        joined, speeds = self.joints.at(values), values[self.layout.v]
        speeds += joined.back(joined.W.T @ speeds)
        known = values[self._angles]
        apart = known - self.joints.follow(values)[2]
        values[self._angles] -= apart - TURN * np.round(apart / TURN)

    def accelerations(self, closed: Closed, forces: Array, free: Array) -> Array:
        """γ̇ of the given contacts under the given forces, (n, 3)."""
        return contact_accelerations(closed, free + closed.MW @ forces.ravel())


def _left(joined: tuple[Joined, ...], W: Array, MW: Array, delassus: Array) -> tuple[Array, Array]:
    """M⁻¹ W and G without what joints take.

    Along a direction that they take as a whole nothing moves and no force does anything. There G
    keeps what it would be without joints, so that laws find no force.
    """
    parts = zip(joined, W.reshape(len(joined), *W.shape[-2:]), strict=True)
    left = MW - np.array([held.taken(part) for held, part in parts]).reshape(W.shape)
    found, own = W.mT @ left, np.diagonal(delassus, axis1=-2, axis2=-1)
    taken = np.diagonal(found, axis1=-2, axis2=-1) <= TAKEN * own
    left = np.where(taken[..., None, :], 0.0, left)
    found = np.where(taken[..., None, :] | taken[..., :, None], 0.0, found)
    return left, found + np.where(taken, own, 0.0)[..., None] * np.eye(own.shape[-1])


def _fill_idle(delassus: Array, follows: NDArray[np.bool_], single: NDArray[np.bool_]) -> None:
    """Give directions that push nothing a place on the diagonal of G, so that it is regular."""
    normal, first = (np.diagonal(delassus, axis1=-2, axis2=-1)[..., i::3].copy() for i in (0, 1))
    own = np.where(first == 0, normal, first)
    for flags, direction in ((follows, 0), (single, 1), (single, 2)):
        places = np.flatnonzero(flags)
        delassus[..., 3 * places + direction, 3 * places + direction] = own[..., places]


def is_smooth(friction: Term) -> bool:
    """Whether a coefficient of friction is the number zero."""
    return isinstance(friction, Number) and friction.value == 0
