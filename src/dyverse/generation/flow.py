"""The flow of a dynamical location: vector field, watched signals, and the way back from drift.

Watched signals are positive inside the location's domain: the gap of every open contact; for every
closed one its normal force; and the friction reserve where it sticks, the slip speed where it
slips, or how far the slip speed is from counting as slip in the transitional mode.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Samples, State
from dyverse.automaton.memory import AHEAD
from dyverse.generation.balance.balance import Motion, contact_balance
from dyverse.generation.balance.distribution import Distribution
from dyverse.generation.skeleton.location import Modes
from dyverse.generation.tolerances import Tolerances
from dyverse.mechanics.closed import (
    Closed,
    correction,
    held_rows,
    in_frames,
    in_world,
    known_forces,
)
from dyverse.mechanics.dynamics import Dynamics
from dyverse.mechanics.turning import normalised

DIRECTION = 1e-3  # rad: how well the direction of slip is to be known after a step
FAINT = 1e-9  # share of the largest force below which friction has no direction to go by


class RigidFlow:
    """One visit to a location ``{ball1-ball2: slip, …}``."""

    def __init__(self, dynamics: Dynamics, state: State, tolerances: Tolerances) -> None:
        location = state.location
        assert isinstance(location, Modes)
        self._dynamics, self._tolerances = dynamics, tolerances
        index = dynamics.contacts.index
        self._closed = tuple(index[name] for name, _ in location.closed)
        modes = [mode for _, mode in location.closed]
        self._open = np.delete(np.arange(len(dynamics.contacts)), self._closed)
        self._sticking = np.array([mode == "stick" for mode in modes], dtype=bool)
        self._trans = np.array([mode == "trans" for mode in modes], dtype=bool)
        self._smooth = np.array([dynamics.is_frictionless(c) for c in self._closed], dtype=bool)
        self._company = dynamics.contacts.company(self._closed) * ~self._smooth
        self._piled = tolerances.unseen(self._company) > 0
        self._held = known_forces(self._closed, state.held, dynamics.contacts.names)
        self._distribution = Distribution(dynamics, self._closed, tolerances.acceleration)
        self._followed = self._held  # forces that were admissible when last looked at, world axes
        going_on = state.stretch
        self._ahead = going_on.kept[AHEAD] if going_on else self._directions(state)
        self._start = state.values

    @property
    def ahead(self) -> Array:
        """Where each closed contact slips or begins to slip, unit vectors in world axes, (n, 3)."""
        return self._ahead

    @property
    def _gone(self) -> NDArray[np.bool_]:
        """Which of the closed contacts have been switched off."""
        return self._dynamics.contacts.off[list(self._closed)]

    @property
    def kept(self) -> dict[str, Array]:
        """Where each closed contact slips or begins to slip."""
        return {AHEAD: self._ahead}

    @cached_property
    def resting(self) -> NDArray[np.bool_]:
        """Open contacts that touch: they have just opened and are armed once they have a gap."""
        gaps = self._dynamics.contacts.approach(self._start)[0][self._open]
        others = 2 * len(self._closed) - int((self._smooth & ~self._sticking).sum())
        return np.concatenate([gaps <= self._tolerances.gap, np.zeros(others, dtype=bool)])

    @cached_property
    def floors(self) -> Array:
        """Next to zero a slip speed counts as zero, also if it turns before it."""
        modes = np.where(self._sticking | self._trans, 0.0, self._tolerances.spent)
        before = np.zeros(len(self._open) + len(self._closed))
        return np.concatenate([before, modes[~self._smooth | self._sticking]])

    def take(self, sides: Array) -> None:
        """The values of functions that switch, from now on."""
        self._dynamics.take(sides)

    def rate(self, time: float, values: Array) -> Array:
        """The vector field: (q̇, q̈)."""
        free = self._dynamics.free_acceleration(time, values)
        if self._closed:
            closed = self._dynamics.close(self._closed, values)
            free = self._motion(closed, free).acceleration
        return self._dynamics.rate(values, free)

    def motion(self, time: float, values: Array) -> Motion:
        """Forces and accelerations, as the location's equations and the laws give them."""
        closed = self._dynamics.close(self._closed, values)
        motion = self._motion(closed, self._dynamics.free_acceleration(time, values))
        return self._distribution.ample(motion)

    def begun(self, motion: Motion, doubt: float = 0.0) -> Array:
        """The speeds at which contacts that have begun to slip count as slipping, (…, n).

        Those who gain speed by ``doubt`` (m/s²) less than they seem to do so sooner.
        """
        onward = np.sum(self._heading(motion.closed) * _tangential(motion), axis=-1)
        return self._tolerances.slip + self._tolerances.brief(onward - doubt, self._company)

    def ended(self, motion: Motion, doubt: float = 0.0) -> Array:
        """The speeds at which contacts that slip count as stopped, beside ``spent``, (…, n).

        Those who lose speed by ``doubt`` (m/s²) more than they seem to do so sooner.
        """
        way = _unit(motion.closed.speed[..., 1:])
        slowing = doubt - np.sum(way * _tangential(motion), axis=-1)
        slips = motion.closed.slip_speed > 0
        return self._tolerances.brief(np.where(slips, slowing, 0.0), self._company)

    def sample(self, times: Array, values: Array) -> Samples:
        """Gaps with their rates, then what is watched at closed contacts, rate unknown."""
        if not self._closed:
            return self._watch(values, None)
        free = self._dynamics.loads(times, values).acceleration
        return self._watch(values, self._motion(self._dynamics.close(self._closed, values), free))

    def excess(self, values: Array, error: Array) -> float:
        """How wrong the direction of slip is after a step, over how wrong it may be.

        Friction turns a slow slip within v/(μ g), which is stiff; tolerances of the speeds of the
        bodies do not see it, and a slip slower than they are would never come to its end.
        """
        slips = ~self._smooth & ~self._sticking & ~self._trans
        if not slips.any():
            return 0.0
        closed = self._dynamics.close(self._closed, values)
        missed = (closed.W.mT @ error[self._dynamics.layout.v]).reshape(closed.speed.shape)
        miss = np.hypot(missed[:, 1], missed[:, 2]) / (DIRECTION * closed.slip_speed + 1e-12)
        return float(miss[slips].max())

    def relaxation(self, time: float, values: Array) -> float:
        """A bound of how fast directions of slip relax (1/s).

        G and the stiffness D of friction across the slip are positive, so no eigenvalue of G D is
        above its trace.
        """
        slips = ~self._smooth & ~self._sticking & ~self._trans
        if not slips.any():
            return 0.0
        closed = self._dynamics.close(self._closed, values)
        motion = self._motion(closed, self._dynamics.free_acceleration(time, values))
        own = np.diag(closed.delassus).reshape(-1, 3)[:, 1:].max(axis=1)
        turning = np.maximum(motion.limit, 0.0) * own / np.maximum(closed.slip_speed, 1e-300)
        return float(turning[slips].sum())

    def sweep(self, values: Array, free: Array) -> tuple[Samples, Array]:
        """What `sample` and `rate` give at several states, from M⁻¹ h there."""
        motion = None
        if self._closed:
            motion = self._motion(self._dynamics.close(self._closed, values), free)
            free = motion.acceleration
        return self._watch(values, motion), self._dynamics.rate(values, free)

    def afresh(self, values: Array, free: Array) -> Motion:
        """Forces and accelerations at several states, each as if the visit began there."""
        closed = self._dynamics.close(self._closed, values)
        ways = self._ways(closed, in_frames(closed, self._held), free)
        balance = contact_balance(self._dynamics, closed, free, self._sticking, ways)
        return self._distribution.least(self._distribution.motion(balance))

    def settle(self, time: float, values: Array) -> Array:
        """Close the gaps of closed contacts again and take out what velocity they must not have.

        Moves along M⁻¹ W, so that momentum stays as it is; remembers the slip directions anew.
        """
        if self._gone.any() or (not self._closed and self._dynamics.keeps_state):
            return values
        settled = values.copy()
        self._dynamics.place(time, settled)
        normalised(self._dynamics.layout, settled)
        self._dynamics.join(settled)
        if not self._closed:
            return settled
        for _ in range(2):
            closed = self._dynamics.close(self._closed, settled)
            normals = np.arange(0, 3 * len(closed.gap), 3)
            self._dynamics.shift(settled, -correction(closed, normals, closed.gap))
        closed = self._dynamics.close(self._closed, settled)
        rows = held_rows(self._sticking)
        settled[self._dynamics.layout.v] -= correction(closed, rows, closed.speed.ravel()[rows])
        self._refresh(closed)
        return settled

    def _motion(self, closed: Closed, free: Array) -> Motion:
        slip = self._slip(closed)
        balance = contact_balance(self._dynamics, closed, free, self._sticking, slip)
        return self._distribution.motion(balance)

    def _admissible(self, motion: Motion) -> Motion:
        """The motion with admissible forces wherever there are some.

        Where loads are shared, any will do to see that the location goes on: those last found, if
        they can be carried over by the smallest change, or else those with the most to spare.
        """
        if not motion.balance.open or self._distribution.admits(motion).all():
            return motion
        forces, start = motion.forces.copy(), in_frames(motion.closed, self._followed)
        for row in motion.balance.open:
            forces[row] = motion.balance.nearest(row, start[row])
        found = self._distribution.ample(replace(motion, forces=forces))
        if (good := np.flatnonzero(self._distribution.admits(found))).size:
            self._followed = in_world(motion.closed, found.forces)[good[-1]]
        return found

    def _watch(self, values: Array, motion: Motion | None) -> Samples:
        gap, speed = self._dynamics.contacts.approach(values)
        gap, speed = gap[:, self._open], speed[:, self._open]
        if motion is None:
            return Samples(gap, speed)
        watched = self._watch_closed(self._admissible(motion))
        return Samples(np.hstack([gap, watched.values]), np.hstack([speed, watched.rates]))

    def _watch_closed(self, motion: Motion) -> Samples:
        """Normal forces and mode signals, with a margin so that zero itself is inside.

        What is next to zero is zero, or its rounding would look like a change. How slip speeds
        change is known, how forces do is not; and a force that others could take the place of has
        no rate: how it changes is a matter of choice, so a dip between samples tells nothing.
        """
        margin = self._tolerances.acceleration * motion.softness
        enough = np.where(np.abs(motion.slack) <= margin / 8, 0.0, motion.slack) + margin
        heading = self._heading(motion.closed)
        along, gain = _along(motion.closed, heading), _gain(motion, heading)
        if self._piled.any():  # how fast the speeds change that count as none is not known
            along, gain = along - self.ended(motion), np.where(self._piled, np.nan, gain)
        begun = self.begun(motion) - motion.closed.slip_speed
        mode = np.where(self._sticking, enough[..., 1], np.where(self._trans, begun, along))
        unknown = np.where(motion.balance.shared, 0.0, np.nan)
        rate = np.where(self._sticking, unknown, np.where(self._trans, -gain, gain))
        enough[..., 0] = np.where(self._gone, -1.0, enough[..., 0])
        rubs = ~self._smooth | self._sticking
        return Samples(
            np.concatenate([enough[..., 0], mode[..., rubs]], axis=-1),
            np.concatenate([unknown, rate[..., rubs]], axis=-1),
        )

    def _slip(self, closed: Closed) -> Array:
        """Unit slip direction in each contact's frame; the remembered one in transitional mode.

        Beyond a change of sign it goes on as before, so that the field is smooth through the event.
        """
        heading = self._heading(closed)
        along = _along(closed, heading)[..., None]
        still = self._trans[:, None] | (along == 0)
        moving = closed.speed[..., 1:] / np.where(still, 1.0, along)
        return np.where(still, heading, moving)

    def _heading(self, closed: Closed) -> Array:
        """The remembered directions in each contact's frame, (…, n, 2)."""
        return in_frames(closed, self._ahead)[..., 1:]

    def _directions(self, state: State) -> Array:
        """Where each contact is heading at first, in world axes."""
        closed = self._dynamics.close(self._closed, state.values)
        free = self._dynamics.free_acceleration(state.time, state.values)
        ways = self._ways(closed, in_frames(closed, self._held), free)
        return np.asarray(np.einsum("nij,nj->ni", closed.frame[:, :, 1:], ways))

    def _ways(self, closed: Closed, held: Array, free: Array) -> Array:
        """Where each contact is heading: along its slip, or against the friction a node found.

        Where the node found no friction to speak of, it is the way in which slip begins.
        """
        friction = held[..., 1:]
        least = FAINT * np.abs(held).max(initial=0.0)
        faint = np.hypot(friction[..., 0], friction[..., 1])[..., None] <= least
        begins = -friction
        if (faint & self._trans[:, None]).any():
            flat = held.reshape(*held.shape[:-2], -1, 1)
            moved = free + (closed.MW @ flat)[..., 0]
            second = (closed.W.mT @ moved[..., None])[..., 0] + closed.bias
            begins = np.where(faint, second.reshape(held.shape)[..., 1:], begins)
        return _unit(np.where(self._trans[:, None], begins, closed.speed[..., 1:]))

    def _refresh(self, closed: Closed) -> None:
        """Remember where slipping contacts are heading now."""
        onward = np.einsum("nij,nj->ni", closed.frame[:, :, 1:], _unit(closed.speed[:, 1:]))
        moves = ~self._trans & (closed.slip_speed > 0)
        self._ahead = np.where(moves[:, None], onward, self._ahead)


def _along(closed: Closed, heading: Array) -> Array:
    """Slip speed, counted negative once a contact slips back past where it was heading."""
    onward = np.sum(heading * closed.speed[..., 1:], axis=-1)
    return np.where(onward < 0, -closed.slip_speed, closed.slip_speed)


def _gain(motion: Motion, heading: Array) -> Array:
    """How fast the slip speed of each contact changes, counted as in `_along`, (…, n)."""
    closed = motion.closed
    slip = closed.speed[..., 1:]
    back = np.sum(heading * slip, axis=-1) < 0
    way = np.where(closed.slip_speed[..., None] > 0, _unit(slip), heading)
    gain = np.sum(way * _tangential(motion), axis=-1)
    return np.asarray(np.where(back, -gain, gain))


def _tangential(motion: Motion) -> Array:
    """How contacts accelerate along their surfaces, in their frames, (…, n, 2)."""
    closed = motion.closed
    second = (closed.W.mT @ motion.acceleration[..., None])[..., 0] + closed.bias
    return np.asarray(second.reshape(closed.speed.shape)[..., 1:])


def _unit(vectors: Array) -> Array:
    """Each row at length one; some direction for a row of zeros."""
    length = np.hypot(vectors[..., 0], vectors[..., 1])[..., None]
    return np.where(length > 0, vectors / np.where(length > 0, length, 1.0), [1.0, 0.0])
