"""The joints of a world as expressions: conditions, directions, biases, coordinates and rates.

In come the conditions c(q) = 0 of each joint (`dyverse.bodies.joint.closing`); out go, by
differentiation, their rate ċ = Wᵀ v with W the generalised directions, and c̈ = Wᵀ v̇ + β. Bodies
that are moved along functions of time count as all others: their speeds are part of v.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from dyverse.bodies.joint.closing import CLOSINGS, Closing, Pose, Side
from dyverse.bodies.joint.joint import NUMBERS, Joint, fitting
from dyverse.bodies.world import AXES, ORIENTED, World
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX
from dyverse.expr.term import Vector
from dyverse.mechanics.layout import DOF, Layout
from dyverse.mechanics.turning import coordinate_rates


@dataclass(frozen=True, eq=False)  # without slots: what follows is worked out once
class JointEquations:
    """Expressions of ``state`` and ``settings``, whose names are in ``table``."""

    world: World
    layout: Layout
    state: SX
    settings: SX
    table: Mapping[str, SX]

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """Those of the world that ask for something; ropes are contacts."""
        return tuple(joint for joint in self.world.joints if not joint.is_contact)

    @cached_property
    def closings(self) -> tuple[Closing, ...]:
        """The conditions and the coordinate of each joint."""
        return tuple(CLOSINGS[joint.kind.word](self.pose(joint)) for joint in self.joints)

    def pose(self, joint: Joint) -> Pose:
        """Where a joint is."""
        numbers = [self.table[f"{joint.name}.joint{i}"] for i in range(NUMBERS)]
        return Pose(self._side(joint.a), self._side(joint.b), fitting(numbers))

    def _side(self, end: str | Vector) -> Side:
        if not isinstance(end, str):
            return Side(ca.SX.zeros(3))
        place = ca.vertcat(*(self.table[f"{end}.{axis}"] for axis in AXES))
        if self.world.body(end).motion != ORIENTED:
            return Side(place)
        w, x, y, z = (self.table[f"{end}.q{part}"] for part in "wxyz")
        return Side(place, (w, x, y, z))

    @property
    def _speeds(self) -> SX:
        return self.state[self.layout.v]

    @cached_property
    def _moved(self) -> tuple[SX, SX]:
        """The coordinates of bodies, and their rates."""
        size = len(self.layout.coordinates) - len(self.layout.joint_coordinates)
        q, v = ca.vertsplit(self.state[:size]), ca.vertsplit(self._speeds)
        return self.state[:size], column(coordinate_rates(self.layout, q, v))

    def _rate(self, quantity: SX) -> SX:
        """How fast a quantity of the coordinates changes as bodies move, their speeds kept."""
        return ca.jtimes(quantity, *self._moved)

    @cached_property
    def conditions(self) -> SX:
        """The column c of all joints."""
        return column([closing.conditions for closing in self.closings])

    @cached_property
    def _closing_speed(self) -> SX:
        return self._rate(self.conditions)

    @cached_property
    def directions(self) -> SX:
        """The matrix W, a column for each condition."""
        return ca.jacobian(self._closing_speed, self._speeds).T

    @cached_property
    def bias(self) -> SX:
        """The column β."""
        return self._rate(self._closing_speed)

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """Which joint each condition belongs to."""
        sizes = (closing.conditions.numel() for closing in self.closings)
        return tuple(i for i, size in enumerate(sizes) for _ in range(size))

    @cached_property
    def rates(self) -> dict[str, SX]:
        """How fast the coordinate of each joint that has one changes, by joint."""
        named = zip(self.joints, self.closings, strict=True)
        return {
            joint.name: self._rate(closing.coordinate)
            for joint, closing in named
            if closing.coordinate is not None
        }

    def along(self, joint: str) -> SX:
        """The generalised direction of a joint's coordinate; a moved body is pushed by nothing."""
        pushed = ca.SX.ones(len(self.layout.speeds))
        for row, body in enumerate(self.layout.moving):
            if self.world.bodies[body].driven:
                pushed[DOF * row : DOF * (row + 1)] = 0
        return ca.jacobian(self.rates[joint], self._speeds).T * pushed

    @cached_property
    def _coordinates(self) -> dict[str, SX]:
        named = zip(self.joints, self.closings, strict=True)
        return {
            f"{joint.name}.{joint.kind.coordinate}": closing.coordinate
            for joint, closing in named
            if closing.coordinate is not None
        }

    @cached_property
    def derived(self) -> dict[str, SX]:
        """What `Layout.joint_derived` names."""
        rates = {f"{joint}.rate": rate for joint, rate in self.rates.items()}
        known = self._coordinates | rates
        return {name: known[name] for name in self.layout.joint_derived}

    @cached_property
    def angles(self) -> SX:
        """What `Layout.joint_coordinates` names, up to whole turns."""
        return column([self._coordinates[name] for name in self.layout.joint_coordinates])

    @cached_property
    def turning(self) -> SX:
        """How fast these change."""
        names = (name.partition(".")[0] for name in self.layout.joint_coordinates)
        return column([self.rates[name] for name in names])

    @cached_property
    def rows(self) -> Any:
        """The CasADi function (x, p) -> (c, W, β); W comes column by column."""
        return self._function("joints", [self.conditions, self.directions, self.bias])

    @cached_property
    def following(self) -> Any:
        """The function (x, p) -> (derived, rates of angles, angles up to whole turns)."""
        return self._function(
            "following", [column(list(self.derived.values())), self.turning, self.angles]
        )

    def _function(self, name: str, results: list[SX]) -> Any:
        return ca.Function(name, [self.state, self.settings], [ca.densify(r) for r in results])
