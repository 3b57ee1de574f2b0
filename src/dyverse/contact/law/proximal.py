"""Newton's method along proximal points [rockafellar1976], for contacts that share a load.

In come forces near which to begin, out go forces that are ever closer to a solution. Where
contacts are redundant the Jacobian of the natural map is singular, and from far away its
least-squares steps lead nowhere. The problem with ``G`` stiffened by a share ``ρ`` of its diagonal
about forces ``λ_k``, ``ξ = G λ + c + ρ diag(G) (λ - λ_k)``, is regular; its solution is the next
point. Where the points stay, ``ρ`` has no part in ``ξ``, and the laws hold. The share falls from
point to point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dyverse.contact.law.newton import newton
from dyverse.contact.law.problem import Array, ContactProblem, contact_residuals

FIRST = 1e-2  # share of its diagonal that G is stiffened by
EASING = 2.0  # from one point to the next
STIFFER = 10.0  # when there is none
LEAST, MOST = 1e-9, 1.0
POINTS = 60


def proximal_points(problem: ContactProblem, forces: Array, *, tolerance: float) -> Iterator[Array]:
    """Yield points from ``forces`` on; ``tolerance`` is absolute, in the units of ``ξ``."""
    share, drift = FIRST, np.zeros_like(forces)
    for _ in range(POINTS):
        if share > MOST:
            return
        point = _next_point(problem, share, forces, drift, tolerance)
        if point is None:
            share, drift = share * STIFFER, np.zeros_like(forces)
            continue
        drift, forces = EASING * (point - forces), point
        yield point
        share = max(share / EASING, LEAST)


def _next_point(
    problem: ContactProblem, share: float, forces: Array, drift: Array, tolerance: float
) -> Array | None:
    """Return the point next to ``forces``, looked for ahead first; nothing if it is not found."""
    own = share * np.diag(problem.matrix)
    stiffer = replace(
        problem,
        matrix=problem.matrix + np.diag(own),
        free=problem.free - own * forces.reshape(-1),
    )
    for guess in (forces + drift, forces):
        found = newton(stiffer, guess, tolerance=tolerance)
        if contact_residuals(stiffer, found).max() <= 10 * tolerance:
            return found
    return None
