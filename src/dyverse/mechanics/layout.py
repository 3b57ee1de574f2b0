"""Where each quantity sits in the state: q of all moving bodies, then their speeds v.

[navarro2018] §2 has v = q̇. Fixed bodies have no variables; their quantities are constants of the
same names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from dyverse.bodies.scene import PlacedBody
from dyverse.bodies.world import COORDINATES, SPEEDS, Body

DOF = len(SPEEDS)  # of a body: velocity and spin


@dataclass(frozen=True)  # without slots: what follows from the bodies is worked out once
class Layout:
    """The bodies of a world and the places of the moving ones in the state."""

    bodies: tuple[str, ...]
    moving: tuple[int, ...]  # which of them are not fixed

    @staticmethod
    def of(bodies: Iterable[Body | PlacedBody]) -> Layout:
        """The layout of a world or a scene with these bodies."""
        known = tuple(bodies)
        moving = (i for i, body in enumerate(known) if not body.fixed)
        return Layout(tuple(body.name for body in known), tuple(moving))

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q: ``ball1.x`` … ``ball1.rz`` …."""
        return tuple(f"{self.bodies[i]}.{name}" for i in self.moving for name in COORDINATES)

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """The names of v: ``ball1.vx`` … ``ball1.wz`` …."""
        return tuple(f"{self.bodies[i]}.{name}" for i in self.moving for name in SPEEDS)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The names of the state's entries."""
        return self.coordinates + self.speeds

    @cached_property
    def q(self) -> slice:
        """Where the coordinates are in the state."""
        return slice(0, len(self.coordinates))

    @cached_property
    def v(self) -> slice:
        """Where the speeds are."""
        return slice(len(self.coordinates), len(self.variables))
