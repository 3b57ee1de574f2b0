"""The forces in a location: [navarro2018] Eqs. (14) and (15), on numbers.

M q̈ = h + W λ, with λ_T of slipping contacts tied to λ_N and the normal and sticking constraints
held on the acceleration level. The friction columns of slipping contacts are inside the matrix of
(15), which the paper leaves out.

Constraints may be redundant, or nearly so. Then the forces of least norm are found from a singular
value decomposition of the constraints themselves, not of their products in (15): what is wrong with
an acceleration is then 1/δ of the rounding, not 1/δ², where contacts are within δ of redundant.
`dyverse.generation.balance.distribution` says which of the other forces are admissible.

All this can be asked at several states at once; every array then has a leading axis for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dyverse.automaton.interface import Array
from dyverse.mechanics.closed import Closed
from dyverse.mechanics.dynamics import Dynamics

Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
Row = tuple[int, ...]  # one state of several, or of one

REGULAR = 1e4  # condition up to which (15) is solved as it stands
MISSED = 1e-8  # m/s²: what rounding of velocities may leave of a constraint
DISTINCT = 1e-9  # a change of force below this is none
REDUNDANT = 1e-6  # singular values of unit constraints below this share of the largest are none


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """Which of the 3n force components of a location are unknown, and which follow from them."""

    sticking: Flags
    unknowns: Indices  # all normal ones, then both tangential ones of sticking contacts
    normal: Indices  # (n,): the place of each contact's normal force among them,
    tangents: tuple[Indices, Indices]  # and of its tangential ones: those of sticking contacts
    spread: Array  # (3n, unknowns): one where a component is an unknown
    slipping: Indices  # the contacts whose friction is tied to their normal force


@dataclass(frozen=True, slots=True, eq=False)
class Freedom:
    """What the balance leaves open in one island: changes of force that keep it."""

    members: Indices  # places of its contacts
    changes: Array  # (k, members, 3), orthonormal in the unknowns


@dataclass(frozen=True, eq=False, kw_only=True)  # without slots: softness is worked out once
class Balance:
    """Forces that keep the contacts of a location as they are: ``D y + r = 0``, ``λ = T y``."""

    closed: Closed
    word: Word
    free: Array  # q̈ without contact
    friction: Array  # μ, (…, n)
    least: Array  # λ of least norm, (…, n, 3)
    inverse: Array  # D⁺, (…, unknowns, unknowns)
    missed: Array  # by how much contacts accelerate nevertheless (m/s²), (…, n)
    open: dict[Row, list[Freedom]] = field(default_factory=dict)  # of the states where there is any

    def nearest(self, row: Row, start: Array) -> Array:
        """Of all forces that keep the balance at a state the nearest to ``start``, (n, 3)."""
        forces = np.array(self.least[row])
        for freedom in self.open.get(row, ()):
            members, changes = freedom.members, freedom.changes
            away = (start[members] - forces[members]).ravel()
            flat = changes.reshape(len(changes), -1)
            forces[members] += (np.linalg.lstsq(flat.T, away)[0] @ flat).reshape(-1, 3)
        return forces

    def acceleration(self, forces: Array) -> Array:
        """q̈ under the given forces."""
        return np.asarray(self.free + _times(self.closed.MW, _flat(forces)))

    @cached_property
    def shared(self) -> Flags:
        """Which contacts could have other forces in the same balance, (…, n)."""
        found = np.zeros(self.least.shape[:-1], dtype=bool)
        for row, freedoms in self.open.items():
            for freedom in freedoms:
                changed = np.abs(freedom.changes).max(axis=(0, 2)) > DISTINCT
                found[row][freedom.members] = changed
        return found

    @cached_property
    def softness(self) -> Array:
        """Force taken away per acceleration gained (kg) along normal and surface, (…, n, 2).

        If no closed contact accelerates by more than a, no force of the balance is further than
        a times this from one that obeys the laws; along the surface it is that of the contact
        alone where it does not stick.
        """
        word, sticking = self.word, self.word.sticking
        sums = np.abs(self.inverse).sum(axis=-1)
        normal = sums[..., word.normal]
        along = 1 / _diagonal(self.closed.delassus)[..., 1::3]
        sums = np.concatenate([sums, np.zeros_like(sums[..., :1])], axis=-1)
        tangents = np.hypot(*(sums[..., places] for places in word.tangents))
        along[..., sticking] = self.friction[..., sticking] * normal[..., sticking] + tangents
        return np.stack([normal, along], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Forces and accelerations at one or more states of a location."""

    balance: Balance
    forces: Array  # λ per closed contact: normal, tangent 1, tangent 2, (…, n, 3)
    acceleration: Array  # q̈

    @property
    def closed(self) -> Closed:
        """The contacts that are closed."""
        return self.balance.closed

    @property
    def softness(self) -> Array:
        """See `Balance.softness`."""
        return self.balance.softness

    @property
    def limit(self) -> Array:
        """μ λ_N per closed contact."""
        return self.balance.friction * self.forces[..., 0]

    @property
    def slack(self) -> Array:
        """λ_N, and μ λ_N - ‖λ_T‖ where it sticks, infinite elsewhere; (…, n, 2).

        Less what is missing where no forces at all would keep the contacts as they are.
        """
        reserve = self.limit - np.hypot(self.forces[..., 1], self.forces[..., 2])
        reserve = np.where(self.balance.word.sticking, reserve, np.inf)
        missing = self.balance.missed[..., None] * self.softness
        return np.stack([self.forces[..., 0], reserve], axis=-1) - missing


def contact_balance(
    dynamics: Dynamics, closed: Closed, free: Array, sticking: Flags, slip: Array
) -> Balance:
    """Solve (15) for the normal forces of all contacts and the friction of the sticking ones.

    ``slip`` (…, n, 2) is the direction in which each other contact slips or begins to, zero without
    friction.
    """
    word = _word(*(tuple(part.tolist()) for part in (sticking, closed.leader, closed.single)))
    mu = dynamics.frictions(closed.contacts, np.where(sticking, 0.0, closed.slip_speed))
    T = _unknowns(word, -mu[..., None] * slip)
    D = closed.delassus[..., word.unknowns, :] @ T
    right = (_times(closed.W.mT, free) + closed.bias)[..., word.unknowns]
    inverse, poor = _inverse(D)
    y = -_times(np.where(poor[..., None, None], 0.0, inverse), right)
    opened: dict[Row, list[Freedom]] = {}
    for row in map(tuple, np.argwhere(poor)):
        solved = [
            _island(dynamics, closed, row, word, T[row], free[row], members)
            for members in dynamics.contacts.places(closed.contacts)
        ]
        inverse[row] = 0.0
        for own, part, its_inverse, _ in solved:
            y[(*row, own)], inverse[(*row, *np.ix_(own, own))] = part, its_inverse
        opened[row] = [freedom for *_, freedom in solved if len(freedom.changes)]
    least = _times(T, y).reshape(closed.speed.shape)
    return Balance(
        closed=closed,
        word=word,
        free=free,
        friction=mu,
        least=least,
        inverse=inverse,
        missed=_missed(dynamics, closed, word, poor, right + _times(D, y)),
        open={row: freedoms for row, freedoms in opened.items() if freedoms},
    )


def _missed(dynamics: Dynamics, closed: Closed, word: Word, poor: Flags, residual: Array) -> Array:
    """The largest acceleration that is left in each island where constraints are redundant.

    There may be no forces that meet them all, as when bodies roll into a wedge.
    """
    missed = np.zeros(closed.gap.shape)
    if poor.any():
        for members in dynamics.contacts.places(closed.contacts):
            own = np.isin(word.unknowns // 3, members)
            most = np.abs(residual[..., own]).max(axis=-1)
            missed[..., members] = np.where(poor & (most > MISSED), most, 0.0)[..., None]
    return missed


def _island(
    dynamics: Dynamics,
    closed: Closed,
    row: Row,
    word: Word,
    T: Array,
    free: Array,
    members: Indices,
) -> tuple[Indices, Array, Array, Freedom]:
    """One island that is nearly redundant: its unknowns' places, their values, D⁺, and freedom.

    In unit masses constraints are ``Bᵀ a + bias = 0`` and accelerations ``a = f + A y``. With
    ``B = U Σ Vᵀ`` cut to its rank, ``Uᵀ A y = -(Uᵀ f + Σ⁻¹ Vᵀ bias)``; without slip ``A`` is ``B``.
    """
    own = np.flatnonzero(np.isin(word.unknowns // 3, members))
    mass, W = dynamics.mass, closed.W[row]
    B, imposed = mass.unit_columns(W[:, word.unknowns[own]]), mass.imposed(free)
    norms = np.sqrt(np.sum(B**2, axis=0))
    if closed.joined:
        joined = closed.joined[row[0] if row else 0]
        B, imposed = joined.left(B), imposed + joined.imposed(mass.unit_vector(free))
    U, sizes, V = _cut(B / norms)
    bias = closed.bias[row] + W.T @ imposed
    drive = (V @ (bias[word.unknowns[own]] / norms)) / sizes
    aim = U.T @ mass.unit_vector(free) + drive
    left, strengths, right = _cut(U.T @ mass.unit_columns(W @ T[:, own]) / norms)
    pushes = right.T / strengths @ left.T / norms[:, None]
    changes = _orthonormal(_complement(right) / norms)
    y = -pushes @ aim
    y -= (y @ changes.T) @ changes
    inverse = pushes @ ((V / norms) / sizes[:, None])
    inverse -= changes.T @ (changes @ inverse)
    spread = (changes @ T[:, own].T).reshape(len(changes), len(T) // 3, 3)
    return own, y, inverse, Freedom(members, spread[:, members])


def _cut(matrix: Array) -> tuple[Array, Array, Array]:
    """A singular value decomposition without what is redundant: U, sizes, Vᵀ."""
    U, sizes, V = np.linalg.svd(matrix, full_matrices=False)
    rank = int((sizes > REDUNDANT * sizes[0]).sum())
    return U[:, :rank], sizes[:rank], V[:rank]


def _complement(rows: Array) -> Array:
    """Orthonormal rows that span what orthonormal ``rows`` do not."""
    return np.asarray(np.linalg.qr(rows.T, mode="complete")[0][:, len(rows) :].T)


def _orthonormal(rows: Array) -> Array:
    return np.asarray(np.linalg.qr(rows.T)[0].T) if len(rows) else rows


@lru_cache(maxsize=256)
def _word(sticking: tuple[bool, ...], leader: tuple[int, ...], single: tuple[bool, ...]) -> Word:
    n, sticks, leads = len(sticking), np.array(sticking, dtype=bool), np.array(leader, dtype=int)
    tangential = 3 * np.flatnonzero(sticks)[:, None] + [1, 2]
    idle = tangential[:, 1][np.array(single, dtype=bool)[sticks]]  # they have one tangent only
    rows = np.concatenate([3 * np.flatnonzero(leads == np.arange(n)), tangential.ravel()])
    unknowns = rows[~np.isin(rows, idle)]
    place = np.full(3 * n, len(unknowns))  # behind all others if it is none of them
    place[unknowns] = np.arange(len(unknowns))
    normal = place[3 * leads]
    spread = np.zeros((3 * n, len(unknowns)))
    spread[unknowns, np.arange(len(unknowns))] = 1
    spread[3 * np.arange(n), normal] = 1
    tangents = place[tangential[:, 0]], place[tangential[:, 1]]
    return Word(sticks, unknowns, normal, tangents, spread, np.flatnonzero(~sticks))


def _unknowns(word: Word, friction: Array) -> Array:
    """The matrix that spreads (λ_N of all, λ_T of sticking contacts) over all 3n components."""
    T = np.empty((*friction.shape[:-2], *word.spread.shape))
    T[:] = word.spread
    for i in (0, 1):
        places = 3 * word.slipping + 1 + i, word.normal[word.slipping]
        T[(..., *places)] = friction[..., word.slipping, i]
    return T


def _times(matrix: Array, vector: Array) -> Array:
    """Matrix times vector, at each state."""
    return np.asarray((matrix @ vector[..., None])[..., 0])


def _flat(rows: Array) -> Array:
    """(…, n, 3) as (…, 3n)."""
    return rows.reshape(*rows.shape[:-2], -1)


def _diagonal(matrix: Array) -> Array:
    return np.diagonal(matrix, axis1=-2, axis2=-1)


def _inverse(D: Array) -> tuple[Array, Flags]:
    """D⁻¹, and where D is too near to singular for it."""
    if D.shape[-1] == 1:
        return 1 / D, np.zeros(D.shape[:-2], dtype=bool)
    try:
        inverse = np.asarray(np.linalg.inv(D), dtype=np.float64)
    except np.linalg.LinAlgError:
        inverse = np.full_like(D, np.inf)
    condition = np.abs(inverse).max(axis=(-2, -1)) * np.abs(D).max(axis=(-2, -1))
    return inverse, np.asarray(~(condition <= REGULAR))
