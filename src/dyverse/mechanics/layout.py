"""Where each quantity sits in the state vector: q of all moving bodies, then q̇.  [navarro2018] §2.

Fixed bodies have no variables; their quantities are constants of the same names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.scene import PlacedBody
from dyverse.bodies.world import COORDINATES, SPEEDS

DOF = 6  # coordinates per body: position and rotation


@dataclass(frozen=True)  # without slots: what follows from the bodies is worked out once
class Layout:
    """The bodies of a scene and the places of the moving ones in the state."""

    bodies: tuple[PlacedBody, ...]

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """Indices of the bodies that move, in order."""
        return tuple(i for i, body in enumerate(self.bodies) if not body.fixed)

    @cached_property
    def size(self) -> int:
        """The number of coordinates q, and of speeds q̇."""
        return DOF * len(self.moving)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The names of the state's entries: ``ball1.x`` … ``ball1.rz`` …, then ``ball1.vx`` …."""
        names = [self.bodies[i].name for i in self.moving]
        return tuple(
            f"{name}.{c}" for part in (COORDINATES, SPEEDS) for name in names for c in part
        )

    @cached_property
    def constants(self) -> dict[str, float]:
        """The quantities of the fixed bodies."""
        fixed = [body for body in self.bodies if body.fixed]
        return {
            f"{body.name}.{c}": number
            for body in fixed
            for c, number in zip(COORDINATES + SPEEDS, _numbers(body), strict=True)
        }

    def start(self) -> Array:
        """The state as the scene gives it."""
        rows = np.array([_numbers(self.bodies[i]) for i in self.moving]).reshape(-1, 2 * DOF)
        return np.concatenate([rows[:, :DOF].ravel(), rows[:, DOF:].ravel()])

    def inverse_mass(self) -> Array:
        """The diagonal of M⁻¹: a sphere's mass and inertia do not depend on where it is."""
        bodies = [self.bodies[i] for i in self.moving]
        return np.array([1 / m for b in bodies for m in [b.mass] * 3 + [b.inertia] * 3])


def _numbers(body: PlacedBody) -> tuple[float, ...]:
    still = (0.0,) * 3
    motion = (still, still) if body.fixed else (body.velocity, body.spin)
    return (*body.position, *body.rotation, *motion[0], *motion[1])
