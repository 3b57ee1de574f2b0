"""The dynamics in a location as expressions: [navarro2018] Eqs. (14) and (15).

`equations` leaves the contact forces as unknowns with a residual, which is small and right for any
solver of equations; `explicit` solves for them. Slipping contacts have friction against their true
slip; those that only begin to slip, or stand still, against the remembered direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np
from scipy.linalg import qr

from dyverse.automaton.interface import Array
from dyverse.expr.buffered import column
from dyverse.expr.symbolic import SX
from dyverse.generation.signals import quantities
from dyverse.generation.skeleton.location import Mode, Modes
from dyverse.generation.skeleton.names import signal_name
from dyverse.mechanics.closed import REDUNDANT, correction

if TYPE_CHECKING:
    from dyverse.generation.symbolic.bodies import SymbolicBodies

AT_REST = 1e-40  # added under roots: lengths keep a derivative at zero, where it is zero


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Numbers for time, state, settings and remembered directions: where ranks are looked at."""

    time: float
    state: Array
    values: Array
    memory: Array


@dataclass(frozen=True, slots=True)
class Equations:
    """(14) and (15) of a location: ``matrix @ forces + right = 0`` gives the forces.

    ``forces`` are all normal forces, then both tangential ones of each sticking contact; the
    ``acceleration`` q̈ and the ``signals`` of all contacts are expressions of them.
    """

    forces: SX
    matrix: SX
    right: SX
    acceleration: SX
    named: Callable[[], dict[str, SX]]  # the signals, worked out when they are asked for

    @property
    def signals(self) -> dict[str, SX]:
        """Gaps, speeds, accelerations and forces of every contact, by name."""
        return self.named()

    @property
    def residual(self) -> SX:
        """Zero where the forces are right."""
        return self.matrix @ self.forces + self.right


def equations(bodies: SymbolicBodies, location: Modes, forces: SX | None = None) -> Equations:
    """The equations of ``location``, with symbols for ``forces`` unless they are given."""
    closed = [bodies.contacts.index[name] for name, _ in location.closed]
    modes = [mode for _, mode in location.closed]
    rows = [bodies.rows(contact) for contact in closed]
    free = bodies.free_acceleration
    spread, unknowns = _spread(bodies, closed, modes)
    y = ca.SX.sym("y", len(unknowns)) if forces is None else forces
    W = ca.horzcat(*(row.W for row in rows)) if rows else ca.SX(bodies.speeds.numel(), 0)
    held = W[:, unknowns].T
    MW = bodies.inverse_mass @ W
    matrix = held @ (MW @ spread)
    right = held @ free + column([row.bias for row in rows])[unknowns]
    acceleration = free + MW @ (spread @ y)
    named = cache(lambda: _signals(bodies, closed, spread @ y, acceleration, modes))
    return Equations(y, matrix, right, acceleration, named)


def _spread(bodies: SymbolicBodies, closed: list[int], modes: list[Mode]) -> tuple[SX, list[int]]:
    """(λ_N of all, λ_T of sticking contacts) to all 3n components; friction of the rest is tied."""
    leader, single = bodies.contacts.leading(tuple(closed)).tolist(), bodies.contacts.single
    sticking = [k for k, mode in enumerate(modes) if mode == "stick"]
    unknowns = [3 * k for k in range(len(closed)) if leader[k] == k]
    normal = [unknowns.index(3 * k) for k in leader]
    unknowns += [3 * k + i for k in sticking for i in (1, 2) if i == 1 or not single[closed[k]]]
    spread = ca.SX(3 * len(closed), len(unknowns))
    for place, row in enumerate(unknowns):
        spread[row, place] = 1
    for k, (contact, mode) in enumerate(zip(closed, modes, strict=True)):
        spread[3 * k, normal[k]] = 1
        if mode != "stick" and not bodies.rows(contact).smooth:
            spread[3 * k + 1 : 3 * k + 3, normal[k]] = -_friction(bodies, contact, mode)
    return spread, unknowns


def _friction(bodies: SymbolicBodies, contact: int, mode: Mode) -> SX:
    """μ d, with d the unit direction of slip, in the contact's frame.

    As in `dyverse.generation.flow`: a contact that slips back past where it was heading keeps its
    direction, so that the field is smooth through the event; without a heading there is no back.
    """
    rows, ahead = bodies.rows(contact), bodies.heading(contact)
    onward = ca.dot(ahead, rows.speed[1:])
    if mode == "trans":
        return bodies.friction(contact, onward) * ahead
    moving = ca.if_else(onward < 0, -1, 1) * rows.speed[1:] / rows.slip_speed
    still = ca.sumsqr(rows.speed[1:]) < AT_REST
    return bodies.friction(contact, rows.slip_speed) * ca.if_else(still, ahead, moving)


def _signals(
    bodies: SymbolicBodies, closed: list[int], forces: SX, acceleration: SX, modes: list[Mode]
) -> dict[str, SX]:
    """Gaps, speeds, accelerations and forces of every contact; open ones have no force."""
    place = {contact: k for k, contact in enumerate(closed)}
    found: dict[str, SX] = {}
    for contact, name in enumerate(bodies.contacts.names):
        rows, k = bodies.rows(contact), place.get(contact)
        second = rows.W.T @ acceleration + rows.bias
        if bodies.contacts.follows[contact]:
            leader = bodies.rows(int(bodies.contacts.leader[contact]))
            second[0] = (leader.W.T @ acceleration + leader.bias)[0]
        force = ca.SX.zeros(3) if k is None else forces[3 * k : 3 * k + 3]
        slip = ca.SX(0) if k is None or modes[k] == "stick" else rows.slip_speed
        limit = bodies.friction(contact, slip) * force[0]
        own = quantities(rows.gap, rows.speed, second, force, limit, _size)
        found |= {signal_name(quantity, name): value for quantity, value in own.items()}
    return found


def explicit(bodies: SymbolicBodies, location: Modes, near: Near | None = None) -> Equations:
    """The equations with their forces solved for, redundant constraints by least norm.

    Which constraints are redundant is a matter of rank, looked at in numbers ``near`` a state of
    the location (without it: near the start, moved so that its contacts close). While the rank
    stays as it is there, the expressions are exact: D⁺ of a full-rank factorisation. Where it is
    lower they are not finite; then the location is *not regular* and `equations` must be used.
    The numeric engine takes the solution nearest to the forces held; here it is the smallest.
    Of bodies that are ``exact`` no constraint is ever held to be redundant.
    """
    implicit = equations(bodies, location)
    if not location.closed:
        return implicit
    if bodies.is_exact:
        return equations(bodies, location, -ca.solve(implicit.matrix, implicit.right))
    rows, columns = _independent(_matrix_at(bodies, location, implicit.matrix, near))
    solved = -_solution(implicit.matrix, implicit.right, rows, columns)
    return equations(bodies, location, solved)


def _solution(D: SX, right: SX, rows: list[int], columns: list[int]) -> SX:
    """D⁺ right; with D[rows, columns] regular of full rank, D = C B with the factors below."""
    if len(rows) == D.shape[0]:
        return ca.solve(D, right)
    C, B = D[:, columns], ca.solve(D[rows, columns], D[rows, :])
    return B.T @ ca.solve(B @ B.T, ca.solve(C.T @ C, C.T @ right))


def _independent(D: Array) -> tuple[list[int], list[int]]:
    """Rows and columns of a regular block of full rank."""
    _, R, columns = qr(D, pivoting=True)
    sizes = np.abs(np.diag(R))
    rank = int((sizes > REDUNDANT * sizes[0]).sum())
    rows = qr(D[:, columns[:rank]].T, pivoting=True)[2]
    return sorted(rows[:rank].tolist()), sorted(columns[:rank].tolist())


def _matrix_at(bodies: SymbolicBodies, location: Modes, D: SX, near: Near | None) -> Array:
    at = near or _closed_start(bodies, location)
    function = ca.Function("D", bodies.arguments, [ca.densify(D)])
    return np.asarray(function(at.time, at.state, at.values, at.memory))


def _closed_start(bodies: SymbolicBodies, location: Modes) -> Near:
    """A state near the start in which the location's contacts are closed, if they can be.

    It is a little off the start, so that no symmetry lowers the rank by chance.
    """
    random = np.random.default_rng(0)
    start = np.array(bodies.scene.start)
    values = start + 1e-3 * random.normal(size=len(start))
    closed = tuple(bodies.contacts.index[name] for name in location.contacts)
    normals = 3 * np.arange(len(closed))
    for _ in range(50):
        found = bodies.dynamics.close(closed, values.copy())
        bodies.dynamics.shift(values, -correction(found, normals, found.gap))
    values[bodies.layout.v] = random.normal(size=len(bodies.layout.speeds))
    ahead = random.normal(size=bodies.memory.numel())
    return Near(0.0, values, bodies.numbers, ahead)


def _size(first: SX, second: SX) -> SX:
    """The length of two components, nothing if there are none."""
    both: SX = ca.vertcat(first, second)
    return ca.SX(0) if both.is_zero() else length(both)


def length(vector: SX) -> SX:
    """‖vector‖, with a derivative also at zero."""
    return ca.sqrt(ca.sumsqr(vector) + AT_REST)
