"""Impacts by Poisson's law: bodies are pressed together, then pushed apart again.

In come the same as for Newton's law (`dyverse.contact.law.impact`); out go the impulses of the two
phases, or their sums. Restitution is a ratio of impulses, not of speeds: with friction the two laws
differ wherever slip ends or turns round during the impact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dyverse.contact.law.impact import (
    BISECTIONS,
    ImpactSolution,
    briefly,
    energy_change,
    gains,
)
from dyverse.contact.law.problem import (
    Array,
    Inconsistent,
    NotConverged,
    Solved,
    contact_problem,
)
from dyverse.contact.law.solve import DEFAULTS, Options, solve

Friction = Callable[[Array], Array]  # slip speeds (n,) -> μ (n,)
Failure = NotConverged | Inconsistent


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Phases:
    """Impulses (n, 3), N s, of compression and of expansion."""

    compression: Solved
    expansion: Solved  # all of it: also what is granted
    restitution_scale: float

    @property
    def impulses(self) -> Array:
        """Λ_C + Λ_E."""
        return self.compression.forces + self.expansion.forces


def solve_poisson(
    matrix: ArrayLike,
    approach: ArrayLike,
    e_N: ArrayLike,
    e_T: ArrayLike,
    friction: Friction,
    *,
    noise: float = 0.0,
) -> ImpactSolution | Failure:
    """The impulses of both `phases` together."""
    G, gamma = np.asarray(matrix, dtype=float), np.asarray(approach, dtype=float).reshape(-1, 3)
    found = phases(G, gamma, e_N, e_T, friction(np.hypot(gamma[:, 1], gamma[:, 2])))
    if not isinstance(found, Phases):
        return found
    first, second = found.compression, found.expansion
    return ImpactSolution(
        impulses=found.impulses,
        sweeps=first.sweeps + second.sweeps,
        residual=max(first.residual, second.residual),
        method=max(first, second, key=lambda phase: phase.sweeps).method,
        restitution_scale=found.restitution_scale,
        energy_change=energy_change(G, gamma, found.impulses),
    )


def phases(
    matrix: Array,
    approach: Array,
    e_N: ArrayLike,
    e_T: ArrayLike,
    mu: ArrayLike,
    *,
    options: Options = DEFAULTS,
) -> Phases | Failure:
    """Compression and expansion, [glocker1995] Sections 4 and 5, that never create energy.

    Compression ends with ``γ_C = γ⁻ + G Λ_C``, expansion with ``γ⁺ = γ_C + G Λ_E``:

        0 ≤ Λ_NC ⟂ γ_NC ≥ 0,               ‖Λ_TC‖ ≤ μ Λ_NC, opposing γ_TC;
        0 ≤ Λ_NE - e_N Λ_NC ⟂ γ_N⁺ ≥ 0,    ‖Λ_TE‖ ≤ μ Λ_NE, opposing γ_T⁺ + e_T γ_T⁻.

    So nobody penetrates whatever the coefficients are. Departure from the source: tangential
    restitution is that of Newton's law here, of speeds, and only as far as friction of the
    expansion reaches. Where the two phases would gain energy, or expansion has no solution, all
    coefficients are scaled as in `dyverse.contact.law.impact.solve_impact`; without restitution
    there is no expansion.
    """
    n = len(approach)
    e = np.stack([np.broadcast_to(np.asarray(c, dtype=float), (n,)) for c in (e_N, e_T)])
    pressed = solve(contact_problem(matrix, approach, mu), options=options)
    if not isinstance(pressed, Solved):
        return pressed
    found = _expanded(1.0, matrix, approach, e, mu, pressed, options)
    if found is not None and not gains(matrix, approach, found.impulses):
        return found
    granted = _expanded(0.0, matrix, approach, e, mu, pressed, options)
    assert granted is not None  # nothing is asked for
    refused = 1.0
    for _ in range(BISECTIONS):
        s = (granted.restitution_scale + refused) / 2
        found = _expanded(s, matrix, approach, e, mu, pressed, briefly(options))
        if found is not None and energy_change(matrix, approach, found.impulses) <= 0:
            granted = found
        else:
            refused = s
    return granted


def _expanded(
    s: float, G: Array, before: Array, e: Array, mu: ArrayLike, pressed: Solved, options: Options
) -> Phases | None:
    """The phase of expansion with coefficients ``s e``, if it has a solution."""
    given = np.zeros_like(before)
    given[:, 0] = s * e[0] * pressed.forces[:, 0]
    if not given.any():
        rest = Solved(forces=given, sweeps=0, residual=0.0, method="sorprox")
        return Phases(compression=pressed, expansion=rest, restitution_scale=s)
    free = before + (G @ (pressed.forces + given).ravel()).reshape(-1, 3)
    free[:, 1:] += s * e[1][:, None] * before[:, 1:]
    found = solve(contact_problem(G, free, mu, granted=given[:, 0]), options=options)
    if not isinstance(found, Solved):
        return None
    whole = Solved(
        forces=found.forces + given,
        sweeps=found.sweeps,
        residual=found.residual,
        method=found.method,
    )
    return Phases(compression=pressed, expansion=whole, restitution_scale=s)
