"""The flow of a dynamical location: vector field, watched signals, and the way back from drift.

Watched signals are positive inside the location's domain: the gap of every open contact; for every
closed one its normal force; and the friction reserve where it sticks, the slip speed where it
slips, or how far the slip speed is from counting as slip in the transitional mode.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array, Samples, State
from dyverse.automaton.memory import AHEAD
from dyverse.generation.balance import Motion, contact_motion
from dyverse.generation.dynamics import Closed, Dynamics, correction, in_frames, known_forces
from dyverse.generation.location import Modes
from dyverse.generation.tolerances import Tolerances


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
        self._held = known_forces(self._closed, state.held, dynamics.contacts.names)
        going_on = state.stretch
        self._ahead = going_on.kept[AHEAD] if going_on else self._directions(state)
        self._start = state.values

    @property
    def ahead(self) -> Array:
        """Where each closed contact slips or begins to slip, unit vectors in world axes, (n, 3)."""
        return self._ahead

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
        """Below half its tolerance a slip speed counts as zero, also if it turns before it."""
        modes = np.where(self._sticking | self._trans, 0.0, self._tolerances.slip / 2)
        before = np.zeros(len(self._open) + len(self._closed))
        return np.concatenate([before, modes[~self._smooth | self._sticking]])

    def take(self, sides: Array) -> None:
        """The values of functions that switch, from now on."""
        self._dynamics.take(sides)

    def rate(self, time: float, values: Array) -> Array:
        """The vector field: (q̇, q̈)."""
        half = self._dynamics.size
        free = self._dynamics.free_acceleration(time, values)
        if self._closed:
            closed = self._dynamics.close(self._closed, values)
            free = self._motion(closed, free).acceleration
        return np.concatenate([values[half:], free])

    def motion(self, time: float, values: Array) -> Motion:
        """Forces and accelerations, as the location's equations give them."""
        closed = self._dynamics.close(self._closed, values)
        return self._motion(closed, self._dynamics.free_acceleration(time, values))

    def sample(self, times: Array, values: Array) -> Samples:
        """Gaps with their rates, then what is watched at closed contacts, rate unknown."""
        if not self._closed:
            return self._watch(values, None)
        free = self._dynamics.loads(times, values).acceleration
        return self._watch(values, self._motion(self._dynamics.close(self._closed, values), free))

    def sweep(self, values: Array, free: Array) -> tuple[Samples, Array]:
        """What `sample` and `rate` give at several states, from M⁻¹ h there."""
        motion = None
        if self._closed:
            motion = self._motion(self._dynamics.close(self._closed, values), free)
            free = motion.acceleration
        return self._watch(values, motion), np.hstack([values[:, self._dynamics.size :], free])

    def afresh(self, values: Array, free: Array) -> Motion:
        """Forces and accelerations at several states, each as if the visit began there."""
        closed = self._dynamics.close(self._closed, values)
        held = in_frames(closed, self._held)
        ways = self._ways(closed, held)
        return contact_motion(self._dynamics, closed, free, self._sticking, ways, held)

    def settle(self, time: float, values: Array) -> Array:
        """Close the gaps of closed contacts again and take out what velocity they must not have.

        Moves along M⁻¹ W, so that momentum stays as it is; remembers the slip directions anew.
        """
        if not self._closed:
            return values
        settled = values.copy()
        half = self._dynamics.size
        for _ in range(2):
            closed = self._dynamics.close(self._closed, settled)
            normals = np.arange(0, 3 * len(closed.gap), 3)
            settled[:half] -= correction(closed, normals, closed.gap)
        closed = self._dynamics.close(self._closed, settled)
        rows = held_rows(self._sticking)
        settled[half:] -= correction(closed, rows, closed.speed.ravel()[rows])
        self._refresh(closed)
        return settled

    def _motion(self, closed: Closed, free: Array) -> Motion:
        held = in_frames(closed, self._held)
        return contact_motion(
            self._dynamics, closed, free, self._sticking, self._slip(closed), held
        )

    def _watch(self, values: Array, motion: Motion | None) -> Samples:
        gap, speed = self._dynamics.contacts.approach(values)
        gap, speed = gap[:, self._open], speed[:, self._open]
        if motion is None:
            return Samples(gap, speed)
        watched = self._watch_closed(motion)
        unknown = np.full_like(watched, np.nan)
        return Samples(np.hstack([gap, watched]), np.hstack([speed, unknown]))

    def _watch_closed(self, motion: Motion) -> Array:
        """Normal forces and mode signals, with a margin so that zero itself is inside."""
        margin = self._tolerances.acceleration
        normal = motion.forces[..., 0] + margin * motion.normal_softness
        friction = np.hypot(motion.forces[..., 1], motion.forces[..., 2])
        reserve = motion.limit - friction + margin * motion.friction_softness
        along = _along(motion.closed, self._heading(motion.closed))
        begun = self._tolerances.slip - motion.closed.slip_speed
        mode = np.where(self._sticking, reserve, np.where(self._trans, begun, along))
        return np.concatenate([normal, mode[..., ~self._smooth | self._sticking]], axis=-1)

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
        ways = self._ways(closed, in_frames(closed, self._held))
        return np.asarray(np.einsum("nij,nj->ni", closed.frame[:, :, 1:], ways))

    def _ways(self, closed: Closed, held: Array) -> Array:
        """Where each contact is heading: along its slip, or against the friction a node found."""
        return _unit(np.where(self._trans[:, None], -held[..., 1:], closed.speed[..., 1:]))

    def _refresh(self, closed: Closed) -> None:
        """Remember where slipping contacts are heading now."""
        onward = np.einsum("nij,nj->ni", closed.frame[:, :, 1:], _unit(closed.speed[:, 1:]))
        moves = ~self._trans & (closed.slip_speed > 0)
        self._ahead = np.where(moves[:, None], onward, self._ahead)


def _along(closed: Closed, heading: Array) -> Array:
    """Slip speed, counted negative once a contact slips back past where it was heading."""
    onward = np.sum(heading * closed.speed[..., 1:], axis=-1)
    return np.where(onward < 0, -closed.slip_speed, closed.slip_speed)


def _unit(vectors: Array) -> Array:
    """Each row at length one; some direction for a row of zeros."""
    length = np.hypot(vectors[..., 0], vectors[..., 1])[..., None]
    return np.where(length > 0, vectors / np.where(length > 0, length, 1.0), [1.0, 0.0])


def held_rows(sticking: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The components of γ that a location holds at zero: normals, and slip where it sticks."""
    return np.flatnonzero(np.stack([np.ones_like(sticking), sticking, sticking], axis=1).ravel())
