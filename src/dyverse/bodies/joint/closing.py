"""What each kind of joint asks for: conditions c(q) = 0, and the coordinate that it leaves free.

Only where both sides are is written down here, as expressions; speeds, directions, biases and
forces follow by differentiation (`dyverse.mechanics.joint.equations`). With ρ for the turn of the
second body in the axes of the first since its angle was zero, and Δ from one anchor to the other:

- spherical: Δ = 0
- revolute: Δ = 0 and 2 t·vec(ρ) = 0 for two directions t across the axis n; the angle is
  2 atan2(n·vec(ρ), ρ_w)
- prismatic: 2 vec(ρ) = 0 and t·Δ = 0; the length is n·Δ, and what it was at the start
- weld: Δ = 0 and 2 vec(ρ) = 0
- distance: ‖Δ‖ = length

The twos make turns by an angle count as that angle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from dyverse.bodies.joint.joint import UNTURNED, Fitting, relative
from dyverse.contact.pair.kinematics import as_matrix, tangents
from dyverse.expr.rotation import Quaternion, matrix, product
from dyverse.expr.symbolic import SX


@dataclass(frozen=True, slots=True)
class Side:
    """Where one side of a joint is, in expressions; the world itself is at zero, unturned."""

    position: SX
    orientation: Quaternion = UNTURNED

    def point(self, local: SX) -> SX:
        """A point of the body, in world axes."""
        return self.position + as_matrix(matrix(self.orientation)) @ local


@dataclass(frozen=True)  # without slots: what all kinds use is worked out once
class Pose:
    """A joint somewhere: its two sides, and how it sits on them."""

    a: Side
    b: Side
    fitting: Fitting

    @cached_property
    def apart(self) -> SX:
        """Δ, in world axes."""
        first, second = (ca.vertcat(*anchor) for anchor in self.fitting.anchors)
        return self.b.point(second) - self.a.point(first)

    @cached_property
    def apart_in_first(self) -> SX:
        """Δ, in the axes of the first body."""
        return as_matrix(matrix(self.a.orientation)).T @ self.apart

    @cached_property
    def turn(self) -> Quaternion:
        """ρ."""
        w, x, y, z = self.fitting.turn
        lies = relative(self.a.orientation, self.b.orientation)
        return product(lies, (w, -x, -y, -z))

    @property
    def turned(self) -> SX:
        """2 vec(ρ)."""
        return 2 * ca.vertcat(*self.turn[1:])

    @property
    def axis(self) -> SX:
        """Its axis, in the axes of the first body."""
        return ca.vertcat(*self.fitting.axis)

    def across(self, vector: SX) -> SX:
        """The two components of a vector across the axis."""
        return ca.vertcat(*(ca.dot(way, vector) for way in tangents(self.axis)))


@dataclass(frozen=True, slots=True)
class Closing:
    """The conditions of a joint, and its coordinate if it has one."""

    conditions: SX
    coordinate: SX | None = None


def _revolute(pose: Pose) -> Closing:
    angle = 2 * ca.atan2(ca.dot(pose.axis, pose.turned) / 2, pose.turn[0])
    return Closing(ca.vertcat(pose.apart, pose.across(pose.turned)), angle)


def _prismatic(pose: Pose) -> Closing:
    length = ca.dot(pose.axis, pose.apart_in_first) + pose.fitting.length
    return Closing(ca.vertcat(pose.turned, pose.across(pose.apart_in_first)), length)


def _spherical(pose: Pose) -> Closing:
    return Closing(pose.apart)


def _weld(pose: Pose) -> Closing:
    return Closing(ca.vertcat(pose.apart, pose.turned))


def _distance(pose: Pose) -> Closing:
    return Closing(ca.norm_2(pose.apart) - pose.fitting.length)


CLOSINGS: dict[str, Callable[[Pose], Closing]] = {
    "revolute": _revolute,
    "prismatic": _prismatic,
    "spherical": _spherical,
    "weld": _weld,
    "distance": _distance,
}
