"""The dynamics in a location: [navarro2018] Eqs. (14) and (15), on numbers.

M q̈ = h + W λ, with λ_T of slipping contacts tied to λ_N and the normal and sticking constraints
held on the acceleration level. The friction columns of slipping contacts are inside the matrix of
(15), which the paper leaves out; constraints may be redundant, hence the pseudo-inverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.bodies.scene import Scene
from dyverse.bodies.world import World
from dyverse.expr.buffered import Buffered
from dyverse.expr.term import Number, Term
from dyverse.expr.value import value
from dyverse.generation.contacts import Contacts
from dyverse.generation.layout import Layout
from dyverse.generation.loads import defined_inputs, load_function

NO_FORCE = np.zeros(3)
REDUNDANT = 1e-10  # singular values below this share of the largest are redundant constraints


@dataclass(frozen=True, slots=True, eq=False)
class Closed:
    """Closed contacts at one state: what (14) and (15) are made of."""

    contacts: tuple[int, ...]
    gap: Array  # g_N, (n,)
    speed: Array  # γ, (n, 3)
    bias: Array  # J̇ q̇, (3n,)
    frame: Array  # (n, 3, 3), columns normal, tangent 1, tangent 2
    W: Array  # (6m, 3n)
    MW: Array  # M⁻¹ W
    delassus: Array  # G = Wᵀ M⁻¹ W; its blocks are A, B, C of [navarro2018] Appendix A

    @property
    def slip_speed(self) -> Array:
        """‖γ_T‖, (n,)."""
        return np.hypot(self.speed[:, 1], self.speed[:, 2])


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Forces and accelerations at one state of a location."""

    closed: Closed
    forces: Array  # λ per closed contact: normal, tangent 1, tangent 2, (n, 3)
    acceleration: Array  # q̈
    limit: Array  # μ λ_N per closed contact
    normal_softness: Array  # force taken away per acceleration gained, (n,): 1/(kg⁻¹)
    friction_softness: Array  # the same along the surface of sticking contacts


class Dynamics:
    """The mechanics of one scene: loads, masses, contacts. Nothing here knows about time steps."""

    def __init__(self, world: World, scene: Scene) -> None:
        self.layout = Layout(scene.bodies)
        self.size = self.layout.size  # of q, and of q̇
        self.contacts = Contacts(scene, self.layout)
        self.inverse_mass = self.layout.inverse_mass()
        self.settings: Mapping[str, float] = scene.values
        self._loads = Buffered(load_function(world, self.layout, tuple(scene.values)))
        self._loads.arguments[2][:] = list(scene.values.values())
        self._inputs = defined_inputs(world)
        self._friction = [pair.friction for pair in scene.contacts]

    def free_acceleration(self, time: float, values: Array) -> Array:
        """M⁻¹ h: how the bodies would accelerate with no contact."""
        return self.inverse_mass * self._loads(time, values)[0]

    def energy(self, time: float, values: Array) -> float:
        """Kinetic energy plus that of gravity and springs (J)."""
        speeds = values[self.size :]
        potential = self._loads(time, values)[1][0]
        return float(np.sum(speeds**2 / self.inverse_mass) / 2 + potential)

    def inputs(self, time: float, values: Array) -> dict[str, float]:
        """The inputs that have a formula, by name."""
        return dict(zip(self._inputs, map(float, self._loads(time, values)[2]), strict=True))

    def friction(self, contact: int, slip_speed: float) -> float:
        """μ at a slip speed."""
        term: Term = self._friction[contact]
        if isinstance(term, Number):
            return term.value
        return value(term, {**self.settings, "slip_speed": slip_speed})

    def frictions(self, contacts: tuple[int, ...], slip_speeds: Array) -> Array:
        """μ of several contacts, each at its slip speed."""
        return np.array(
            [self.friction(c, v) for c, v in zip(contacts, slip_speeds.tolist(), strict=True)]
        )

    def is_frictionless(self, contact: int) -> bool:
        """Whether μ is the number zero: such a contact has nothing to stick with."""
        term = self._friction[contact]
        return isinstance(term, Number) and term.value == 0

    def close(self, contacts: tuple[int, ...], values: Array) -> Closed:
        """Kinematics of the given contacts, assembled."""
        rows = self.contacts.kinematics(self.contacts.bodies(values), contacts)
        W = self.contacts.directions(contacts, rows.jacobian, self.size)
        MW = self.inverse_mass[:, None] * W
        return Closed(
            contacts, rows.gap, rows.speed, rows.bias.ravel(), rows.frame, W, MW, W.T @ MW
        )

    def accelerations(self, closed: Closed, forces: Array, free: Array) -> Array:
        """γ̇ of the given contacts under the given forces, (n, 3)."""
        acceleration = free + closed.MW @ forces.ravel()
        return (closed.W.T @ acceleration + closed.bias).reshape(-1, 3)


def contact_motion(
    dynamics: Dynamics,
    closed: Closed,
    free: Array,
    sticking: NDArray[np.bool_],
    slip: Array,
    held: Array,
) -> Motion:
    """Solve (15): normal forces of all contacts, friction of the sticking ones.

    ``slip`` (n, 2) is the direction in which each other contact slips or begins to, zero without
    friction; of all solutions of redundant constraints the one nearest to ``held`` (n, 3) is taken,
    so that forces agree with those of the contact node that led here.
    """
    n = len(closed.contacts)
    mu = dynamics.frictions(closed.contacts, np.where(sticking, 0.0, closed.slip_speed))
    T = _unknowns(n, sticking, -mu[:, None] * slip)
    rows = _equations(n, sticking)
    D = closed.delassus[rows] @ T
    right = closed.W.T[rows] @ free + closed.bias[rows]
    start = _coordinates(held, sticking)
    inverse = _inverse(D)
    y = start - inverse @ (right + D @ start)
    forces = (T @ y).reshape(n, 3)
    acceleration = free + closed.MW @ forces.ravel()
    softness = np.abs(np.diag(inverse))
    rubbing = 1 / closed.delassus[np.arange(1, 3 * n, 3), np.arange(1, 3 * n, 3)]
    rubbing[sticking] = softness[n:].reshape(-1, 2).max(axis=1)
    return Motion(closed, forces, acceleration, mu * forces[:, 0], softness[:n], rubbing)


def _unknowns(n: int, sticking: NDArray[np.bool_], friction: Array) -> Array:
    """The matrix that spreads (λ_N of all, λ_T of sticking contacts) over all 3n components."""
    T = np.zeros((3 * n, n + 2 * int(sticking.sum())))
    T[0::3, :n] = np.eye(n)
    for j in np.flatnonzero(~sticking):
        T[3 * j + 1 : 3 * j + 3, j] = friction[j]
    for k, j in enumerate(np.flatnonzero(sticking)):
        T[3 * j + 1, n + 2 * k] = T[3 * j + 2, n + 2 * k + 1] = 1
    return T


def _equations(n: int, sticking: NDArray[np.bool_]) -> NDArray[np.intp]:
    stick = np.flatnonzero(sticking)
    tangential = np.stack([3 * stick + 1, 3 * stick + 2], axis=1).ravel()
    return np.concatenate([3 * np.arange(n), tangential])


def _coordinates(held: Array, sticking: NDArray[np.bool_]) -> Array:
    return np.concatenate([held[:, 0], held[sticking, 1:].ravel()])


def _inverse(D: Array) -> Array:
    """D⁺; the plain inverse of a well-conditioned system."""
    if len(D) == 1:
        return 1 / D
    try:
        inverse = np.asarray(np.linalg.inv(D), dtype=np.float64)
    except np.linalg.LinAlgError:
        inverse = np.full_like(D, np.inf)
    if np.abs(inverse).max() * np.abs(D).max() > 1e8:  # singular, or nearly so
        inverse = np.asarray(np.linalg.pinv(D, rcond=REDUNDANT), dtype=np.float64)
    return inverse


def world_forces(closed: Closed, forces: Array, names: tuple[str, ...]) -> dict[str, Array]:
    """Contact forces in world axes, by contact name."""
    turned = np.einsum("nij,nj->ni", closed.frame, forces)
    return {names[c]: force for c, force in zip(closed.contacts, turned, strict=True)}


def local_forces(closed: Closed, held: Mapping[str, Array], names: tuple[str, ...]) -> Array:
    """Forces in world axes back in each contact's frame, zero where none is known: (n, 3)."""
    rows = np.array([held.get(names[c], NO_FORCE) for c in closed.contacts]).reshape(-1, 3)
    return np.asarray(np.einsum("nji,nj->ni", closed.frame, rows))


def correction(closed: Closed, rows: NDArray[np.intp], error: Array) -> Array:
    """The smallest change of q or q̇, measured by the mass matrix, that takes ``error`` out."""
    if float(np.abs(error).max(initial=0)) == 0:
        return np.zeros(len(closed.W))
    G = closed.delassus[np.ix_(rows, rows)]
    return closed.MW[:, rows] @ (np.linalg.pinv(G, rcond=REDUNDANT, hermitian=True) @ error)
