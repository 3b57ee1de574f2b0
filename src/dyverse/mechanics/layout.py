"""Where each quantity sits in the state: q of all moving bodies, then their speeds v.

[navarro2018] §2 has v = q̇. Fixed bodies have no variables; their quantities are constants of the
same names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from dyverse.bodies.joint.joint import Joint, PlacedJoint
from dyverse.bodies.placed import PlacedBody
from dyverse.bodies.world import ORIENTED, SPEEDS, Body, Motion

DOF = len(SPEEDS)  # of a body: velocity and spin


@dataclass(frozen=True)  # without slots: what follows from the bodies is worked out once
class Layout:
    """The bodies of a world and the places of the moving ones in the state."""

    bodies: tuple[str, ...]
    moving: tuple[int, ...]  # which of them are not fixed
    motions: tuple[Motion, ...]  # of those that are not
    joint_coordinates: tuple[str, ...] = ()  # that are part of q, behind those of the bodies
    joint_derived: tuple[str, ...] = ()  # what else is known of joints, see `derived`

    @staticmethod
    def of(
        bodies: Iterable[Body | PlacedBody], joints: Iterable[Joint | PlacedJoint] = ()
    ) -> Layout:
        """The layout of a world or a scene with these bodies and joints."""
        known = tuple(bodies)
        moving = tuple(i for i, body in enumerate(known) if not body.fixed)
        motions = tuple(known[i].motion for i in moving)
        own = tuple(joints)
        return Layout(
            tuple(body.name for body in known),
            moving,
            motions,
            tuple(name for joint in own for name in joint.variables),
            tuple(name for joint in own for name in joint.derived),
        )

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """The names of q: ``ball1.x`` … ``ball1.rz`` …, and angles of joints."""
        own = self._named(motion.coordinates for motion in self.motions)
        return own + self.joint_coordinates

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """The names of v: ``ball1.vx`` … ``ball1.wz`` …."""
        return self._named(motion.speeds for motion in self.motions)

    def _named(self, names: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        owned = zip((self.bodies[i] for i in self.moving), names, strict=True)
        return tuple(f"{body}.{name}" for body, own in owned for name in own)

    @cached_property
    def spins(self) -> tuple[str, ...]:
        """The names of spins in world axes that are no variables."""
        return self._named(motion.derived for motion in self.motions)

    @cached_property
    def derived(self) -> tuple[str, ...]:
        """The names of what follows from these: such spins, and rates and lengths of joints."""
        return self.spins + self.joint_derived

    @cached_property
    def turning(self) -> tuple[int, ...]:
        """Which of the moving bodies have an orientation."""
        return tuple(i for i, motion in enumerate(self.motions) if motion == ORIENTED)

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

    @cached_property
    def q_of(self) -> tuple[slice, ...]:
        """Where the coordinates of each moving body are among q."""
        sizes = (len(motion.coordinates) for motion in self.motions)
        return tuple(slice(a, b) for a, b in pairwise(accumulate(sizes, initial=0)))

    @cached_property
    def v_of(self) -> tuple[slice, ...]:
        """Where the speeds of each moving body are among v."""
        return tuple(slice(DOF * i, DOF * (i + 1)) for i in range(len(self.moving)))
