"""Which forces are taken where contacts share a load, so that the balance leaves some of them open.

Λ are the forces that keep the balance of a location and obey its laws: λ_N ≥ 0, and ‖λ_T‖ ≤ μ λ_N
where a contact sticks. While Λ is not empty the location goes on: who can stay at rest, stays. Of
Λ the forces of least norm are taken for signals, and for the motion where it depends on them (it
does where a contact slips whose normal force is open); for watching, any will do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.contact.law.sharing import Load, least, share
from dyverse.generation.balance.balance import Balance, Flags, Freedom, Motion, Row
from dyverse.mechanics.dynamics import Dynamics

Choice = Callable[[Load], Array]

MOVES = 1e-5  # share of what a force does by itself: more than that of a redundant one


class Distribution:
    """How the loads of some closed contacts are shared, island by island.

    ``margin`` (m/s²) is the acceleration that counts as none.
    """

    def __init__(self, dynamics: Dynamics, contacts: tuple[int, ...], margin: float) -> None:
        self._islands = dynamics.contacts.places(contacts)
        self._margin = margin

    def motion(self, balance: Balance) -> Motion:
        """The motion; it depends on how loads are shared where a force that is open causes slip."""
        motion = Motion(balance, balance.least, balance.acceleration(balance.least))
        if not balance.open or not balance.friction[..., balance.word.slipping].any():
            return motion
        shared = self._chosen(motion, self._least, only_moving=True)
        return replace(shared, acceleration=balance.acceleration(shared.forces))

    def least(self, motion: Motion) -> Motion:
        """The admissible forces of least norm; if there are none, those that miss by the least."""
        return self._chosen(motion, self._least)

    def ample(self, motion: Motion) -> Motion:
        """Admissible forces with about the most to spare; if there are none, the same."""
        return self._chosen(motion, lambda load: share(load, margin=self._margin).forces)

    def admits(self, motion: Motion) -> Flags:
        """Where the forces of a motion are admissible, (…)."""
        return np.asarray((self._spare(motion) >= -self._margin / 8).all(axis=-1))

    def stays(self, motion: Motion) -> Flags:
        """Which contacts are in an island that the forces of a motion keep as it is, (…, n)."""
        spare = self._spare(motion)
        found = np.empty(spare.shape, dtype=bool)
        for members in self._islands:
            enough = spare[..., members].min(axis=-1) >= -self._margin / 2
            found[..., members] = enough[..., None]
        return found

    def _spare(self, motion: Motion) -> Array:
        """The acceleration that each contact has to spare, (…, n)."""
        return np.asarray((motion.slack / motion.softness).min(axis=-1))

    def _least(self, load: Load) -> Array:
        found = share(load, margin=self._margin)
        if found.reserve < -self._margin / 2:
            return found.forces
        return least(load, found, margin=self._margin)

    def _chosen(self, motion: Motion, choice: Choice, *, only_moving: bool = False) -> Motion:
        """``motion`` with other forces in each island whose own are open and not admissible."""
        if not motion.balance.open:
            return motion
        spare, forces = self._spare(motion), motion.forces.copy()
        for row, freedoms in motion.balance.open.items():
            for freedom in freedoms:
                if spare[row][freedom.members].min() >= -self._margin / 8:
                    continue
                if not only_moving or _moves(motion, row, freedom):
                    forces[row][freedom.members] = choice(_load(motion, row, freedom))
        return replace(motion, forces=forces)


def _load(motion: Motion, row: Row, freedom: Freedom) -> Load:
    """What the contacts of one island carry at one state."""
    members = freedom.members
    return Load(
        forces=motion.forces[row][members],
        changes=freedom.changes,
        friction=motion.balance.friction[row][members],
        sticking=motion.balance.word.sticking[members],
        softness=motion.softness[row][members],
    )


def _moves(motion: Motion, row: Row, freedom: Freedom) -> bool:
    """Whether changes of force that keep the balance still change how bodies accelerate."""
    columns = (3 * freedom.members[:, None] + np.arange(3)).ravel()
    MW = motion.closed.MW[row][:, columns]
    pushed = MW @ freedom.changes.reshape(len(freedom.changes), -1).T
    return bool(np.abs(pushed).max() > MOVES * np.abs(MW).max())
