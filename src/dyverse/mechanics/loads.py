"""What acts on the bodies besides contact: the vector h of [navarro2018] Eq. (14), and the energy.

Gravity, forces, torques, springs and dampers are what the user wrote, here as expressions of time,
state and settings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from dyverse.bodies.placed import Scene
from dyverse.bodies.scene import symbolic_scene
from dyverse.bodies.world import AXES, Body, Load, Spring, World
from dyverse.expr.buffered import column
from dyverse.expr.rotation import cross, from_angles, matrix, times, transposed
from dyverse.expr.symbolic import EXPRESSIONS, SX, symbolic
from dyverse.expr.term import Vector, symbols
from dyverse.mechanics.joint.equations import JointEquations
from dyverse.mechanics.layout import DOF, Layout
from dyverse.mechanics.turning import rotations


@dataclass(frozen=True, slots=True)
class Names:
    """The CasADi expression of every name that a force may use."""

    time: SX
    state: SX
    settings: SX
    table: dict[str, SX]

    def vector(self, vector: Vector) -> SX:
        """Three terms as a column."""
        return ca.vertcat(*(symbolic(term, self.table) for term in vector))

    def triple(self, body: str, prefix: str = "") -> SX:
        """``body.x, body.y, body.z``, or with prefix ``v`` or ``w`` its velocity or spin."""
        return ca.vertcat(*(self.table[f"{body}.{prefix}{axis}"] for axis in AXES))


def with_inputs(world: World, table: dict[str, SX]) -> dict[str, SX]:
    """Add the inputs that have a formula, each after those it uses."""
    waiting = [i for i in world.inputs if i.formula is not None]
    while waiting:
        ready = [i for i in waiting if i.formula and _known(i.formula, waiting)]
        for item in ready:
            if item.formula is not None:
                table[item.name] = symbolic(item.formula, table)
        waiting = [i for i in waiting if i not in ready]
    return table


def _known(formula: Any, waiting: Iterable[Any]) -> bool:
    pending = {item.name for item in waiting}
    return not any(symbol.name in pending for symbol in symbols(formula))


def loads(world: World, layout: Layout, known: Names, joints: JointEquations) -> tuple[SX, SX]:
    """h, and the energy of springs and gravity."""
    total = {name: ca.SX.zeros(DOF) for name in layout.bodies}
    potential = ca.SX(0)
    for load in world.loads:
        total[load.body] += _wrench(load, known)
    for spring in world.springs:
        potential += _add_spring(spring, known, total)
    potential += _add_gravity(world, known, total)
    own = [total[layout.bodies[i]] for i in layout.moving]
    for row, i in enumerate(layout.moving):
        if driven := world.bodies[i].driven:  # its acceleration, not a force: see `Mass`
            spin = column(turn(world.bodies[i], known.table)[7:])
            own[row] = ca.vertcat(known.vector(driven[2]), spin)
    if layout.turning:
        _turn(own, symbolic_scene(world, known.table), layout, known)
    along = (joints.along(d.joint) * symbolic(d.amount, known.table) for d in world.all_drives)
    return sum(along, column(own)), potential


def turn(body: Body, table: Mapping[str, SX]) -> list[SX]:
    """Quaternion, spin and its rate of a body that is turned, the last two in its own axes.

    In place of the first two of a body that is not turned there is no number; its rate is zero.
    """
    if body.turned is None:
        return [ca.SX(math.nan)] * 7 + [ca.SX(0)] * 3
    angles, spin, rate = ([symbolic(term, table) for term in vector] for vector in body.turned)
    lies = from_angles((angles[0], angles[1], angles[2]), EXPRESSIONS)
    back = transposed(matrix(lies))
    return [*lies, *times(back, spin), *times(back, rate)]


def _wrench(load: Load, known: Names) -> SX:
    """Force and torque of a load; at a point r of a body, in its axes, a force turns by R r × F."""
    part, zero = known.vector(load.vector), ca.SX.zeros(3)
    if load.kind == "torque":
        return ca.vertcat(zero, part)
    if load.at is None:
        return ca.vertcat(part, zero)
    w, x, y, z = (known.table[f"{load.body}.q{letter}"] for letter in "wxyz")
    arm = ca.vertcat(*times(matrix((w, x, y, z)), ca.vertsplit(known.vector(load.at))))
    return ca.vertcat(part, ca.cross(arm, part))


def _turn(own: list[SX], scene: Scene, layout: Layout, known: Names) -> None:
    """Torques in the axes of bodies that have an orientation, with what keeps them spinning.

    Θ ṡ = Rᵀ τ - s × Θ s, for the spin s in body axes.
    """
    places = ca.vertsplit(known.state[layout.q])
    for row, turned in rotations(layout, places).items():
        body = scene.moving[row]
        if body.driven:
            continue
        spin = ca.vertsplit(known.state[layout.v][layout.v_of[row]])[3:]
        torque = times(transposed(turned), ca.vertsplit(own[row])[3:])
        swerve = cross(spin, times(body.inertia_matrix, spin))
        left = [a - b for a, b in zip(torque, swerve, strict=True)]
        own[row] = ca.vertcat(own[row][:3], *left)


def _add_gravity(world: World, known: Names, total: dict[str, SX]) -> SX:
    gravity = known.vector(world.gravity)
    potential = ca.SX(0)
    for body in (body for body in world.bodies if not body.fixed):
        mass = symbolic(body.mass, known.table) if body.mass is not None else ca.SX(0)
        total[body.name] += ca.vertcat(mass * gravity, ca.SX.zeros(3))
        potential -= mass * ca.dot(gravity, known.triple(body.name))
    return potential


def _add_spring(spring: Spring, known: Names, total: dict[str, SX]) -> SX:
    """Add a spring's pull to both ends and return its energy; see `dyverse.bodies.world.Spring`."""
    joined = isinstance(spring.other, str)
    place = known.triple(spring.other) if joined else known.vector(spring.other)  # type: ignore[arg-type]
    speed = known.triple(spring.other, "v") if joined else ca.SX.zeros(3)  # type: ignore[arg-type]
    apart = place - known.triple(spring.body)
    pull, energy = _pull(spring, known, apart, speed - known.triple(spring.body, "v"))
    force = ca.vertcat(pull, ca.SX.zeros(3))
    total[spring.body] += force
    if isinstance(spring.other, str):
        total[spring.other] -= force
    return energy


def _pull(spring: Spring, known: Names, apart: SX, receding: SX) -> tuple[SX, SX]:
    stiffness, length, damping = (
        symbolic(term, known.table) for term in (spring.stiffness, spring.length, spring.damping)
    )
    if length.is_zero() and damping.is_zero():  # smooth also where both ends meet
        return stiffness * apart, stiffness * ca.sumsqr(apart) / 2
    distance = ca.norm_2(apart)
    along = apart / distance
    tension = stiffness * (distance - length) + damping * ca.dot(receding, along)
    return tension * along, stiffness * (distance - length) ** 2 / 2
