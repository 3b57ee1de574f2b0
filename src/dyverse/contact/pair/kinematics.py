"""What every pair of shapes provides: gap, directions, Jacobian and bias of one contact.

A pair file writes down the gap and the two contact points as symbolic functions of two bodies;
everything else follows here by differentiation, once for all shapes. The Python engine calls the
result through CasADi's buffers, the C engine and the falsifier take the same expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

SX = Any  # casadi ships no type information

BODY = 9  # numbers per body: position, velocity, spin


@dataclass(frozen=True, slots=True)
class Touch:
    """Where two bodies are closest: the gap, the unit normal from a to b, and both arms.

    An arm leads from a body's position to its contact point.
    """

    gap: SX
    normal: SX
    arm_a: SX
    arm_b: SX


Vector = tuple[SX, ...]
Geometry = Callable[[SX, SX, SX, SX], Touch]  # position a, position b, shape a, shape b


def tangents(normal: SX) -> tuple[SX, SX]:
    """Two unit vectors that make a right-handed frame with ``normal``.

    In a plane scene (no z in the normal) the first lies in the plane and the second is ±z.
    """
    axis = ca.if_else(ca.fabs(normal[2]) < 0.9, ca.SX([0, 0, 1]), ca.SX([1, 0, 0]))
    first = ca.cross(normal, axis)
    first = first / ca.norm_2(first)
    return first, ca.cross(normal, first)


def jacobian(touch: Touch) -> SX:
    """J (3 × 12) with ``γ = J (v_a, ω_a, v_b, ω_b)``, normal and slip velocity.

    [navarro2018] Eqs. (5), (10)
    """
    rows = [
        ca.horzcat(-d.T, -ca.cross(touch.arm_a, d).T, d.T, ca.cross(touch.arm_b, d).T)
        for d in (touch.normal, *tangents(touch.normal))
    ]
    return ca.vertcat(*rows)


@dataclass(frozen=True)  # without slots: its functions are worked out once
class Pair:
    """Two shapes that can touch: their geometry, and how many numbers describe each of them.

    ``listed`` is what a listing says of them: the gap, the normal and the arm of the first body, A,
    with B for the second. ``flat`` says that the gap is a linear function of both positions.
    """

    name: str
    touch: Geometry
    numbers: tuple[int, int]
    listed: tuple[str, str, str]
    flat: bool = False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[object, ...]:
        return Pair, (self.name, self.touch, self.numbers, self.listed, self.flat)

    @cached_property
    def rows(self) -> Any:
        """The CasADi function of one contact: (bodies, shapes) -> gap, speed, bias, J, frame.

        ``bodies`` stacks position, velocity and spin of both; ``speed`` is γ, ``bias`` is J̇ q̇, so
        that γ̇ = J q̈ + bias ([navarro2018] (6), (11)); ``frame`` holds normal and tangents as
        columns. J comes transposed: in memory its columns are the rows of J.
        """
        bodies, shapes = self._symbols
        r_a, v_a, w_a, r_b, v_b, w_b = ca.vertsplit(bodies, 3)
        touch = self._touch(r_a, r_b, shapes)
        J = jacobian(touch)
        speed = J @ ca.vertcat(v_a, w_a, v_b, w_b)
        bias = ca.jtimes(speed, ca.vertcat(r_a, r_b), ca.vertcat(v_a, v_b))
        frame = ca.horzcat(touch.normal, *tangents(touch.normal))
        outputs = [touch.gap, speed, bias, J.T, frame]
        return ca.Function(self.name, [bodies, shapes], [ca.densify(o) for o in outputs])

    @cached_property
    def approach(self) -> Any:
        """The cheap part of it, for looking at all contacts: (bodies, shapes) -> gap, its rate."""
        bodies, shapes = self._symbols
        r_a, v_a, _, r_b, v_b, _ = ca.vertsplit(bodies, 3)
        gap = self._touch(r_a, r_b, shapes).gap
        rate = ca.jtimes(gap, ca.vertcat(r_a, r_b), ca.vertcat(v_a, v_b))  # the spins cancel out
        return ca.Function(self.name + "_gap", [bodies, shapes], [gap, rate])

    def gap(self, r_a: Vector, r_b: Vector, shape_a: Vector, shape_b: Vector) -> SX:
        """The gap alone, as an expression of both positions and shapes."""
        return self.touch(*(ca.vertcat(*part) for part in (r_a, r_b, shape_a, shape_b))).gap

    @property
    def _symbols(self) -> tuple[SX, SX]:
        return ca.SX.sym("bodies", 2 * BODY), ca.SX.sym("shapes", sum(self.numbers))

    def _touch(self, r_a: SX, r_b: SX, shapes: SX) -> Touch:
        return self.touch(r_a, r_b, *ca.vertsplit(shapes, [0, self.numbers[0], sum(self.numbers)]))
