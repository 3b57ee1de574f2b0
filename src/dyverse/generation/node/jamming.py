"""Jams in heaps: impulses where friction along the slips there are leaves no finite forces.

In come the speeds of contacts of a heap and what drives them, out go impulses, or nothing. Contacts
that slip can press each other so that no forces obey the laws, although none of them does so by
itself (that would be Painlevé's paradox): what is wedged in deeper by its friction is pressed the
more. A load that lasts for a moment τ has impulses nevertheless, since then slips may end or turn:
one step of Moreau's scheme [moreau1988], whose friction opposes the slip at its end,
``γ⁺ = G Λ + γ⁻ + τ c``. With τ → 0 the load's own part vanishes, and what is left is an impact
without collision. It cannot add energy: with ``γ⁺ = G Λ + γ⁻`` and ``Λᵀγ⁺ ≤ 0``,
``ΔE = Λᵀγ⁺ - ½ ΛᵀG Λ``.
"""

from __future__ import annotations

import math

import numpy as np

from dyverse.contact.law.problem import Array, Solved, contact_problem, scale
from dyverse.contact.law.solve import Options, solve
from dyverse.generation.tolerances import Tolerances

JAMS = 8  # one after the other in one instant
SHORTER = 0.1  # from one duration of the load to the next
PASSABLE = 1e3  # times the tolerated speed: what impulses may leave if none are better


def jam(
    matrix: Array, speed: Array, drive: Array, mu: Array, tolerances: Tolerances
) -> Array | None:
    """Impulses by which contacts with ``speed`` jam under ``drive``, (n, 3) each, if there are any.

    From a load that lasts as long as a fall through what is not followed in a heap, ever more
    briefly, until it adds no speed that counts.
    """
    most = float(np.abs(drive[:, 0]).max(initial=0.0))
    if not most > 0:
        return None
    impulses = np.zeros_like(speed)
    span, least = math.sqrt(2 * tolerances.heap / most), tolerances.speed / most
    while True:
        problem = contact_problem(matrix, speed + span * drive, mu)
        unit = tolerances.speed / scale(problem)
        options = Options(acceptable=unit / 8, passable=PASSABLE * unit)
        answer = solve(problem, start=impulses, options=options)
        if not isinstance(answer, Solved):
            return None
        impulses = answer.forces
        if span <= least:
            return impulses if energy_change(matrix, speed, impulses) < 0 else None
        span = max(SHORTER * span, least)


def energy_change(matrix: Array, speed: Array, impulses: Array) -> float:
    """``ΔE = Λᵀγ⁻ + ½ ΛᵀG Λ`` (J)."""
    gamma, push = speed.ravel(), impulses.ravel()
    return float(push @ (gamma + matrix @ push / 2))
