"""Impacts one after the other: the limit of small gaps between bodies that touch.

In come the same as for Newton's law at once (`dyverse.contact.law.impact`), with friction as a
function of the slip speed, since that changes from impact to impact, and the speed that counts as
none. Out come the impacts one by one, or their impulses in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dyverse.contact.law.impact import ImpactSolution, energy_change, solve_impact
from dyverse.contact.law.problem import Array, Inconsistent, NotConverged, restitution

Indices = NDArray[np.intp]
Friction = Callable[[Array], Array]  # slip speeds (n,) -> μ (n,)

TIE = 1e-9  # approaches that differ by less, relative to the fastest, are one impact
ROUNDED = 1e-14  # the same, relative to the fastest at the beginning: what rounding makes of a tie
FEWEST, PER_PAIR = 10_000, 100  # impacts that a sequence may have: so many, and so many times n²


@dataclass(frozen=True, slots=True, eq=False)
class Blow:
    """One impact of a sequence: who takes part, how they come, and what it gives them."""

    members: Indices  # (m,) of all contacts
    before: Array  # γ⁻ of all contacts, (n, 3), m/s
    found: ImpactSolution  # of the members


@dataclass(frozen=True, slots=True, eq=False)
class Endless:
    """A sequence that was cut off: contacts ``still`` approach by up to ``speed`` (m/s)."""

    forces: Array  # impulses so far, (n, 3), N s
    sweeps: int  # impacts
    residual: float
    speed: float
    still: tuple[int, ...]


Failure = Endless | NotConverged | Inconsistent


def solve_sequence(
    matrix: ArrayLike,
    approach: ArrayLike,
    e_N: ArrayLike,
    e_T: ArrayLike,
    friction: Friction,
    *,
    noise: float,
) -> ImpactSolution | Failure:
    """The impulses of all impacts of `sequence` together; ``sweeps`` counts the impacts."""
    G, gamma = np.asarray(matrix, dtype=float), np.asarray(approach, dtype=float).reshape(-1, 3)
    impulses = np.zeros_like(gamma)
    count, residual, scale = 0, 0.0, 1.0
    for blow in sequence(G, gamma, e_N, e_T, friction, noise=noise):
        if not isinstance(blow, Blow):
            return blow
        impulses[blow.members] += blow.found.impulses
        count, residual = count + 1, max(residual, blow.found.residual)
        scale = min(scale, blow.found.restitution_scale)
    return ImpactSolution(
        impulses=impulses,
        sweeps=count,
        residual=residual,
        method="sequence",
        restitution_scale=scale,
        energy_change=energy_change(G, gamma, impulses),
    )


def sequence(
    matrix: Array,
    approach: Array,
    e_N: ArrayLike,
    e_T: ArrayLike,
    friction: Friction,
    *,
    noise: float,
) -> Iterator[Blow | Failure]:
    """Impacts of the fastest approach first, each by Newton's law, until nobody approaches.

    Bodies that touch are taken as the limit of bodies with small gaps: one contact is hit, the
    velocities change, and so on. Contacts that approach equally fast are hit together, so that
    symmetry is kept. Nobody approaches if no normal speed is below ``-noise`` (m/s). Each impact
    keeps the guard of `solve_impact`, so no sequence gains energy. With restitution below one there
    can be infinitely many impacts, ever weaker; they end at ``noise``. A failure comes last: an
    impact that has no answer, or too many of them.
    """
    gamma, E = approach, restitution(len(approach), e_N, e_T)
    first = fastest = float(-gamma[:, 0].min(initial=0.0))
    impulses, most = np.zeros_like(gamma), FEWEST + PER_PAIR * len(gamma) ** 2
    count, residual = 0, 0.0
    while fastest > noise:
        if count == most:
            still = tuple(np.flatnonzero(-gamma[:, 0] > noise).tolist())
            yield Endless(impulses, count, residual, fastest, still)
            return
        members = np.flatnonzero(-gamma[:, 0] >= fastest * (1 - TIE) - ROUNDED * first)
        rows = (3 * members[:, None] + np.arange(3)).ravel()
        mu, e = friction(np.hypot(gamma[:, 1], gamma[:, 2]))[members], E[members]
        found = solve_impact(matrix[np.ix_(rows, rows)], gamma[members], e[:, 0], e[:, 1], mu)
        if not isinstance(found, ImpactSolution):
            yield _numbered(found, members, impulses)
            return
        yield Blow(members, gamma, found)
        impulses[members] += found.impulses
        gamma = gamma + (matrix[:, rows] @ found.impulses.ravel()).reshape(-1, 3)
        fastest = float(-gamma[:, 0].min())
        count, residual = count + 1, max(residual, found.residual)


def _numbered(
    failure: NotConverged | Inconsistent, members: Indices, so_far: Array
) -> NotConverged | Inconsistent:
    """The failure of one impact, with its contacts as they are numbered among all."""
    if isinstance(failure, Inconsistent):
        return replace(failure, contacts=tuple(members[list(failure.contacts)].tolist()))
    forces = so_far.copy()
    forces[members] += failure.forces
    return replace(failure, forces=forces, worst=tuple(members[list(failure.worst)].tolist()))
