"""Which contacts can be closed together, as far as cheap and certain tests can tell.

In: the solids (balls, and fixed half-spaces), with a mark on numbers that depend on an uncertain
parameter. Out: `realisable`, which says no only when there is a proof. Three proofs are tried:

1. *Crowd.* At most five solids of R³ bounded by spheres or planes touch one another pairwise.
   (Invert about the point where two of them touch: those become parallel planes, the others equal
   balls between them that touch pairwise, and only three equal discs of a plane do.) So six
   balls, or five balls and one half-space that they all touch, are excluded; no radius is needed.
2. *Distances.* Balls that touch pairwise have their centres ρ_i + ρ_j apart. If they all touch
   the half-spaces with unit normals n_t too, then n_t·(r_i - r_j) = ρ_i - ρ_j, which fixes the part
   of r_i - r_j in the span of the normals; the squares of what is left must come from points in
   the 3 - rank dimensions across it: their Gram matrix has no negative eigenvalue, and at most
   3 - rank positive ones.
3. *Corner.* A ball that touches the half-spaces of T has n_t·r = n_t·p_t + ρ for t ∈ T and
   n_u·r ≥ n_u·p_u + ρ for every other half-space u it can touch: a linear programme.

Each is safe: a set is excluded only if it misses by more than a relative `TOLERANCE`, which is far
above the error with which closed contacts are held. (An eigenvalue that is wrong by δ means, by
Weyl's inequality, distances that are wrong in proportion to δ.) Each is monotone: a set that
contains an excluded set is excluded. Solids that are not listed, or not certain, exclude nothing
except by the first proof. What is *not* tested: the whole arrangement at once, chains of balls
between walls, and where fixed balls are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Point = tuple[float, float, float]

TOLERANCE = 1e-6
MOST_TOUCHING = 5  # proof 1


@dataclass(frozen=True, slots=True)
class Ball:
    """A ball of ``radius`` (m); not ``certain`` if the number depends on an uncertain parameter."""

    radius: float
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Plane:
    """A fixed half-space behind ``point`` (m); the unit ``normal`` points out of the solid."""

    normal: Point
    point: Point
    certain: bool = True

    @property
    def offset(self) -> float:
        """n·p: the height of the plane along its normal, m."""
        return sum(n * p for n, p in zip(self.normal, self.point, strict=True))


Solid = Ball | Plane


@dataclass(frozen=True, slots=True)
class Geometry:
    """What is known of the bodies, by name; other shapes are left out."""

    solids: tuple[tuple[str, Solid], ...] = ()


NOTHING_KNOWN = Geometry()


def bodies_of(contact: str) -> tuple[str, str]:
    """The two bodies of a contact, ``ball1-floor`` or ``block.corner1-floor``."""
    first, _, second = contact.partition("-")
    return first.partition(".")[0], second.partition(".")[0]


def realisable(geometry: Geometry, contacts: tuple[str, ...], closed: tuple[str, ...]) -> bool:
    """Whether no proof excludes that the contacts ``closed`` out of ``contacts`` close together."""
    if not geometry.solids:
        return True
    solids = dict(geometry.solids)
    touching = _neighbours(closed, solids)
    crowds = ([solids[name] for name in crowd] for crowd in _cliques(touching))
    return all(map(_crowd_fits, crowds)) and all(
        _corner_exists(name, solids, contacts, touching[name]) for name in touching
    )


def _neighbours(contacts: tuple[str, ...], solids: Mapping[str, Solid]) -> dict[str, set[str]]:
    """Who touches whom among the known solids; half-spaces count as touching one another."""
    touching: dict[str, set[str]] = {}
    for a, b in map(bodies_of, contacts):
        if a in solids and b in solids:
            touching.setdefault(a, set()).add(b)
            touching.setdefault(b, set()).add(a)
    planes = {name for name in touching if isinstance(solids[name], Plane)}
    for name in planes:
        touching[name] |= planes - {name}
    return touching


def _cliques(neighbours: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """The largest sets whose members are neighbours pairwise (Bron and Kerbosch, with a pivot)."""

    def extend(clique: set[str], candidates: set[str], done: set[str]) -> Iterator[set[str]]:
        if not candidates and not done:
            yield clique
            return
        pivot = max(candidates | done, key=lambda name: len(neighbours[name] & candidates))
        for name in candidates - neighbours[pivot]:
            yield from extend(
                clique | {name}, candidates & neighbours[name], done & neighbours[name]
            )
            candidates = candidates - {name}
            done = done | {name}

    return extend(set(), set(neighbours), set())


def _crowd_fits(crowd: list[Solid]) -> bool:
    """Proofs 1 and 2 for solids of which every ball touches all others."""
    balls = [solid for solid in crowd if isinstance(solid, Ball)]
    planes = [solid for solid in crowd if isinstance(solid, Plane)]
    if len(balls) + min(len(planes), 1) > MOST_TOUCHING:
        return False
    radii = sorted(ball.radius for ball in balls if ball.certain)
    normals = sorted(plane.normal for plane in planes if plane.certain)
    return len(radii) < 2 or _embeds(tuple(radii), tuple(normals))


@lru_cache(maxsize=4096)
def _embeds(radii: tuple[float, ...], normals: tuple[Point, ...]) -> bool:
    """Proof 2 for balls of ``radii`` that touch pairwise and all touch planes with ``normals``."""
    rho = np.array(radii)
    N = np.array(normals).reshape(-1, 3)
    ones = np.ones(len(N))
    u = np.linalg.lstsq(N, ones, rcond=None)[0] if normals else np.zeros(3)  # n·u = 1 for each n
    apart = rho[:, None] - rho[None, :]
    if bool(np.any(abs(N @ u - ones) > TOLERANCE)) and bool(np.any(abs(apart) > 0)):
        return True  # unequal balls between parallel walls: the corner of each tells more
    squared = (rho[:, None] + rho[None, :]) ** 2 - apart**2 * (u @ u)
    np.fill_diagonal(squared, 0.0)
    gram = (squared[0, 1:, None] + squared[0, None, 1:] - squared[1:, 1:]) / 2
    dimensions = 3 - (int(np.linalg.matrix_rank(N, tol=TOLERANCE)) if normals else 0)
    eigenvalues = np.linalg.eigvalsh(gram)[::-1] / (4 * float(rho.max()) ** 2)
    surplus = eigenvalues[dimensions:]
    return bool(eigenvalues[-1] >= -TOLERANCE) and bool(np.all(surplus <= TOLERANCE))


def _corner_exists(
    name: str, solids: Mapping[str, Solid], contacts: tuple[str, ...], touching: set[str]
) -> bool:
    """Proof 3 for one ball."""
    ball = solids[name]
    touched = _planes(touching, solids)
    if not isinstance(ball, Ball) or not ball.certain or not touched:
        return True
    possible = {body for c in contacts if name in bodies_of(c) for body in bodies_of(c)}
    others = _planes((possible & solids.keys()) - touching, solids)
    return len(touched + others) < 2 or _reaches(ball.radius, touched, others)


def _planes(names: set[str], solids: Mapping[str, Solid]) -> tuple[Plane, ...]:
    chosen = [solids[name] for name in sorted(names)]
    return tuple(solid for solid in chosen if isinstance(solid, Plane) and solid.certain)


@lru_cache(maxsize=4096)
def _reaches(radius: float, touched: tuple[Plane, ...], others: tuple[Plane, ...]) -> bool:
    """Whether a centre exists: the least miss t over all r, in units of the scene, is nothing.

    Minimise t subject to |n·r - b| ≤ t for the touched and n·r ≥ b - t for the other planes.
    """
    from scipy.optimize import linprog  # it takes longer to load than all of dyverse

    scale = radius + max(abs(plane.offset) for plane in touched + others)
    rows = [(plane, sign) for plane in touched for sign in (1, -1)]
    rows += [(plane, -1) for plane in others]
    A = [[*(sign * x for x in plane.normal), -1.0] for plane, sign in rows]
    b = [sign * (plane.offset + radius) / scale for plane, sign in rows]
    free = [(None, None)] * 3
    answer = linprog([0.0, 0.0, 0.0, 1.0], A_ub=A, b_ub=b, bounds=[*free, (0.0, None)])
    return answer.x is None or bool(answer.x[3] <= TOLERANCE)  # no answer is no proof
