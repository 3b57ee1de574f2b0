"""Loads that several contacts share: do the laws admit any distribution, and which is taken?

Where contacts outnumber what the motion needs, forces are not unique. In come some forces that keep
the closed contacts as they are, the changes of force that keep them so too, and the cones that
forces must stay in; out goes the distribution with the most to spare. Nothing here knows of bodies.

What a contact has to spare is measured by the acceleration that it stands for: its slack, ``λ_N``
or ``μ λ_N - ‖λ_T‖``, over its softness, the force taken away per acceleration gained. The *reserve*
is the most that every contact can have at once,

    m = max over z of min over i of slack_i(λ + Σ z_k ν_k) / softness_i,

a concave problem with as many unknowns as there are changes ν. Some distribution is admissible if
and only if ``m ≥ 0``. It is solved by Newton's method along the central path of a logarithmic
barrier [boyd2004], Section 11, which knows at each point how far from the maximum it may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dyverse.contact.law.problem import TINY, Array

GROWTH = 20.0  # of the weight of the objective, from one centre to the next
CENTRED = 1e-2  # Newton's decrement below which a point counts as central
STEPS = 50  # of Newton's method for one centre, at most
SHARP = 1e-14  # of the objective: how far to follow the path for forces of least norm


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Load:
    """Forces at ``n`` contacts, and the ``k`` independent changes that keep contacts as they are.

    Friction of a contact that does not stick is tied to its normal force, in ``forces`` and in each
    of the ``changes``, so that only ``λ_N ≥ 0`` is asked of it.
    """

    forces: Array  # λ, (n, 3): normal, tangent 1, tangent 2 (N)
    changes: Array  # ν, (k, n, 3)
    friction: Array  # μ, (n,)
    sticking: NDArray[np.bool_]  # (n,)
    softness: Array  # (n, 2), along the normal and along the surface (kg)

    def spare(self, forces: Array) -> Array:
        """Slack over softness (m/s²), (n, 2); infinite along the surface unless it sticks."""
        normal = forces[:, 0]
        reserve = self.friction * normal - np.hypot(forces[:, 1], forces[:, 2])
        slack = np.stack([normal, np.where(self.sticking, reserve, np.inf)], axis=1)
        return slack / self.softness


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """The distribution that was found, and what every contact has to spare in it (m/s²)."""

    forces: Array  # (n, 3)
    reserve: float


def share(load: Load, *, margin: float) -> Shared:
    """The distribution with the most to spare, within a factor of two or ``margin`` (m/s²) of it.

    The search ends as soon as the answer is certain: a distribution with at least half the reserve,
    or that none has more than minus the margin. At the margin's size the answer is exact to an
    eighth of it. Bodies that are wedged can be pressed at will, so the reserve is capped at what
    the load itself stands for.
    """
    unit = _unit(load)
    barrier = _Barrier(unit.load)
    point, tolerated = barrier.start(), margin / unit.acceleration
    weight = 2.0 * barrier.order
    while True:
        point, centred = barrier.centre(point, barrier.spare_at(weight))
        gap, found = barrier.order / weight, float(point[-1])
        sure = found > gap or found + gap < -tolerated or gap < tolerated / 8
        if sure or not centred:
            return Shared(unit.force * barrier.forces(point), unit.acceleration * found)
        weight *= GROWTH


def least(load: Load, inside: Shared, *, margin: float) -> Array:
    """The admissible distribution of least norm (N), from one that is ``inside``; (n, 3).

    Where there is next to nothing to spare, ``margin`` (m/s²) is granted to every contact.
    """
    found = _followed(load, inside, margin)
    better = _polished(load, found)
    return found if better is None else better


def _polished(load: Load, forces: Array) -> Array | None:
    """The same to the last digits where only normal forces are at their limit, not friction.

    These are then exactly zero, and what is left is linear.
    """
    spare, size = load.spare(forces), float(np.abs(forces).max()) / load.softness
    used = spare < 1e-5 * size
    if used[:, 1].any():
        return None
    changes = load.changes.reshape(len(load.changes), -1)
    bound = load.changes[:, used[:, 0], 0].T
    free = changes if not len(bound) else _null(bound) @ changes
    held = np.linalg.lstsq(bound, -forces[used[:, 0], 0])[0] @ changes if len(bound) else 0.0
    at = forces.ravel() + held
    better = at - np.linalg.lstsq(free.T, at)[0] @ free if len(free) else at
    better = better.reshape(-1, 3)
    better[used[:, 0]] = 0.0
    return better if (load.spare(better) >= -1e-12 * size).all() else None


def _null(matrix: Array) -> Array:
    """Rows that span the null space."""
    _, sizes, vectors = np.linalg.svd(matrix)
    rank = int((sizes > 1e-10 * sizes.max(initial=TINY)).sum())
    return np.asarray(vectors[rank:])


def _followed(load: Load, inside: Shared, margin: float) -> Array:
    """The end of the central path of ``‖λ‖²``."""
    unit = _unit(load)
    granted = 0.0 if inside.reserve > margin else margin / unit.acceleration
    start = replace(unit.load, forces=inside.forces / unit.force)
    barrier = _Barrier(start)
    point = np.append(np.zeros(len(load.changes)), -granted)
    weight = 1.0
    while barrier.order / weight > SHARP:
        weight *= GROWTH
        point, centred = barrier.centre(point, barrier.length_at(weight))
        if not centred:
            break
    return np.asarray(unit.force * barrier.forces(point))


@dataclass(frozen=True, slots=True, eq=False)
class _Unit:
    """A load whose forces and softness are of size one, and what they are measured in."""

    load: Load
    force: float  # N
    acceleration: float  # m/s²


def _unit(load: Load) -> _Unit:
    force = max(float(np.abs(load.forces).max()), TINY)
    soft = float(load.softness.max())
    easy = replace(load, forces=load.forces / force, softness=load.softness / soft)
    return _Unit(easy, force, force / soft)


Derivatives = tuple[Array, Array]  # gradient and Hessian
Objective = Callable[[Array], tuple[float, Array, Array]]  # value, gradient, Hessian
CAP = 1.0  # on the reserve, in units of the load
ROOM = 1e4  # the same for normal forces: what is wedged could be pressed without end


class _Barrier:
    """Minus the logarithms of what every cone has left at a point ``(z, s)``, s the reserve."""

    def __init__(self, load: Load) -> None:
        cones, count = np.flatnonzero(load.sticking), len(load.changes)
        mu, soft = load.friction[cones], load.softness
        self._load, self._cones = load, cones
        self.order = 2 * len(load.forces) + 2 * len(cones) + 1
        self._normal = np.vstack([load.changes[:, :, 0], -soft[:, 0]])  # by z and s, (k + 1, n)
        self._axis = np.vstack([mu * load.changes[:, cones, 0], -soft[cones, 1]])
        self._pressed = np.vstack([load.changes[:, :, 0], np.zeros(len(load.forces))])
        self._across = np.zeros((count + 1, len(cones), 2))
        self._across[:-1] = load.changes[:, cones, 1:]

    def start(self) -> Array:
        """The load's own forces, with less in reserve than they have."""
        spare = float(self._load.spare(self._load.forces).min())
        return np.append(np.zeros(len(self._load.changes)), min(spare, CAP) - 0.1)

    def forces(self, point: Array) -> Array:
        """λ at a point, (n, 3)."""
        return np.asarray(
            self._load.forces + np.einsum("k,kni->ni", point[:-1], self._load.changes)
        )

    def spare_at(self, weight: float) -> Objective:
        """``-w s``: to be minimised for the reserve."""

        def objective(point: Array) -> tuple[float, Array, Array]:
            slope = np.zeros(len(point))
            slope[-1] = -weight
            return -weight * float(point[-1]), slope, np.zeros((len(point), len(point)))

        return objective

    def length_at(self, weight: float) -> Objective:
        """``w ‖λ‖²/2``; the reserve stays where it is."""
        changes = self._load.changes.reshape(len(self._load.changes), -1)
        bend = np.zeros((len(changes) + 1, len(changes) + 1))
        bend[:-1, :-1] = weight * changes @ changes.T

        def objective(point: Array) -> tuple[float, Array, Array]:
            forces = self.forces(point).ravel()
            slope = np.append(weight * changes @ forces, np.nan)  # not a number: s is fixed
            return weight * float(forces @ forces) / 2, slope, bend

        return objective

    def centre(self, point: Array, objective: Objective) -> tuple[Array, bool]:
        """The point of the central path for one weight; whether it was reached."""
        for _ in range(STEPS):
            value, slope, bend = objective(point)
            free = ~np.isnan(slope)
            gradient, hessian = self._derivatives(point)
            gradient, hessian = (gradient + slope)[free], (hessian + bend)[np.ix_(free, free)]
            step = np.zeros(len(point))
            step[free] = _newton(gradient, hessian)
            decrement = float(-gradient @ step[free])
            if not decrement > 0:
                return point, True
            further = self._searched(point, step, value, decrement, objective)
            if further is None:
                return point, False
            point = further
            if decrement < CENTRED:
                return point, True
        return point, False

    def _searched(
        self, point: Array, step: Array, value: float, decrement: float, objective: Objective
    ) -> Array | None:
        """The first ``point + step/2ᵏ`` at which objective and barrier are lower."""
        before, share = value + self.value(point), 1.0
        noise = 1e-13 * (abs(before) + self.order)
        while share > 1e-10:
            there = point + share * step
            if objective(there)[0] + self.value(there) <= before - share * decrement / 10 + noise:
                return there
            share /= 2
        return None

    def value(self, point: Array) -> float:
        """The barrier itself, infinite outside."""
        normal, axis, _, left = self._parts(point)
        within, room = CAP - float(point[-1]), self._room(point)
        positive = (normal > 0).all() and (axis > 0).all() and (left > 0).all()
        if not (within > 0 and positive and (room > 0).all()):
            return np.inf
        cones = float(np.log(normal).sum() + np.log(left).sum() + np.log(room).sum())
        return -cones - float(np.log(within))

    def _room(self, point: Array) -> Array:
        """How much more each contact could be pressed."""
        return np.asarray(ROOM - self.forces(point)[:, 0])

    def _parts(self, point: Array) -> tuple[Array, Array, Array, Array]:
        """``λ_N - s σ_N``; of each cone its axis u, what lies across v, and ``u² - ‖v‖²``."""
        forces, reserve = self.forces(point), float(point[-1])
        soft, own = self._load.softness, forces[self._cones]
        normal = forces[:, 0] - reserve * soft[:, 0]
        axis = self._load.friction[self._cones] * own[:, 0] - reserve * soft[self._cones, 1]
        across = own[:, 1:]
        size = np.hypot(across[:, 0], across[:, 1])
        return normal, axis, across, (axis - size) * (axis + size)

    def _derivatives(self, point: Array) -> Derivatives:
        normal, axis, across, left = self._parts(point)
        within = CAP - float(point[-1])
        tilt = self._axis * axis - np.einsum("kni,ni->kn", self._across, across)
        gradient = -(self._normal / normal).sum(axis=1) - 2 * (tilt / left).sum(axis=1)
        hessian = (self._normal / normal**2) @ self._normal.T + 4 * (tilt / left**2) @ tilt.T
        hessian -= 2 * (self._axis / left) @ self._axis.T
        hessian += 2 * np.einsum("kni,mni,n->km", self._across, self._across, 1 / left)
        room = self._room(point)
        gradient += (self._pressed / room).sum(axis=1)
        hessian += (self._pressed / room**2) @ self._pressed.T
        gradient[-1] += 1 / within
        hessian[-1, -1] += 1 / within**2
        return gradient, hessian


def _newton(gradient: Array, hessian: Array) -> Array:
    """Newton's step; scaled first, because what is nearly used up weighs the most by far."""
    scale = 1 / np.sqrt(hessian.diagonal())
    even = hessian * scale * scale[:, None]
    even[np.diag_indices_from(even)] += 1e-14
    return np.asarray(-scale * np.linalg.solve(even, scale * gradient))
