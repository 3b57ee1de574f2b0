"""Impacts by Newton's law with Coulomb friction, kept from creating energy.

In come the Delassus matrix, the velocities ``γ⁻`` of the contacts before, and the coefficients; out
go impulses, and how much of the restitution could be granted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dyverse.contact.law.problem import (
    Array,
    Inconsistent,
    Method,
    NotConverged,
    Solved,
    contact_problem,
    restitution,
)
from dyverse.contact.law.solve import DEFAULTS, Options, solve
from dyverse.contact.law.spreading import spread

BISECTIONS = 24


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ImpactSolution:
    """Impulses of one impact; `restitution_scale` below one says that not all was granted."""

    impulses: Array  # Λ, (n, 3), N s
    sweeps: int
    residual: float
    method: Method
    restitution_scale: float  # s: the coefficients used were s e_N, s e_T
    energy_change: float  # J, never above rounding


def solve_impact(
    matrix: ArrayLike,
    approach: ArrayLike,
    e_N: ArrayLike,
    e_T: ArrayLike,
    mu: ArrayLike,
    *,
    options: Options = DEFAULTS,
) -> ImpactSolution | NotConverged | Inconsistent:
    """Impulses of simultaneous impacts, [navarro2018] Section 2, that never create energy.

    With ``γ⁺ = γ⁻ + G Λ`` the work done is ``ΔE = ½ Λᵀ(γ⁺ + γ⁻)``; ``ξ = γ⁺ + E γ⁻`` turns it into

        2 ΔE = 2 Λᵀ (I + E)⁻¹ ξ - Λᵀ [2 (I + E)⁻¹ - I] G Λ.

    If all coefficients are one ``e``, this is ``2/(1+e) Λᵀξ - (1-e)/(1+e) ΛᵀGΛ ≤ 0``: the laws give
    ``Λᵀξ = Λ_N·ξ_N + Λ_T·ξ_T ≤ 0`` and ``G`` is positive semidefinite. Unequal coefficients
    can make it positive, and strong friction on redundant contacts can leave them without any
    solution. Then ``E`` is replaced by ``s E``, with the largest ``s`` in [0, 1] bisection finds
    solvable without gain. ``s = 0`` is the uniform case, and there is a motion that meets it:
    standstill. (Where there are several solutions ``Λ(s)`` may jump; bisection stays on the branch
    that dissipates.)
    """
    G = np.asarray(matrix, dtype=float)
    gamma = np.asarray(approach, dtype=float).reshape(-1, 3)
    E = restitution(len(gamma), e_N, e_T)
    full = _at(1.0, G, gamma, E, mu, options, None)
    if isinstance(full, ImpactSolution) and not gains(G, gamma, full.impulses):
        return full
    return _bisected(G, gamma, E, mu, options)


def _at(
    s: float,
    G: Array,
    gamma: Array,
    E: Array,
    mu: ArrayLike,
    options: Options,
    start: Array | None,
) -> ImpactSolution | NotConverged | Inconsistent:
    """Solve the impact with coefficients ``s E``."""
    problem = contact_problem(G, (1 + s * E) * gamma, mu)
    found = solve(problem, start=start, options=options)
    if not isinstance(found, Solved):
        return found
    impulses = spread(problem, found.forces)
    return ImpactSolution(
        impulses=impulses,
        sweeps=found.sweeps,
        residual=found.residual,
        method=found.method,
        restitution_scale=s,
        energy_change=energy_change(G, gamma, impulses),
    )


def energy_change(matrix: Array, approach: Array, impulses: Array) -> float:
    """``ΔE = ½ Λᵀ(γ⁺ + γ⁻) = Λᵀγ⁻ + ½ ΛᵀGΛ``, in joules."""
    flat = impulses.reshape(-1)
    return float(flat @ (approach.reshape(-1) + matrix @ flat / 2))


def gains(matrix: Array, approach: Array, impulses: Array) -> bool:
    """Say whether energy has grown by more than rounding of the work done at the contacts."""
    flat = impulses.reshape(-1)
    exchanged = np.abs(flat) @ np.abs(approach.reshape(-1)) + flat @ matrix @ flat / 2
    return energy_change(matrix, approach, impulses) > 1e-12 * float(exchanged)


def briefly(options: Options) -> Options:
    """The same with fewer tries: for what may well have no solution."""
    return replace(options, hard_cap=min(options.hard_cap, options.max_sweeps), restarts=0)


def _bisected(
    G: Array, gamma: Array, E: Array, mu: ArrayLike, options: Options
) -> ImpactSolution | NotConverged | Inconsistent:
    """Halve ``[s granted, s refused]``, starting each solve from the last impulses granted."""
    granted = _at(0.0, G, gamma, E, mu, options, None)
    if not isinstance(granted, ImpactSolution):
        return granted
    refused = 1.0
    for _ in range(BISECTIONS):
        s = (granted.restitution_scale + refused) / 2
        trial = _at(s, G, gamma, E, mu, briefly(options), granted.impulses)
        if isinstance(trial, ImpactSolution) and trial.energy_change <= 0:
            granted = trial
        else:
            refused = s
    return granted
