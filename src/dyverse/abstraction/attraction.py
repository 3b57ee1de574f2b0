"""Evidence of convergence: an ellipsoid around an equilibrium that a run cannot leave again.

In comes an equilibrium x* and a state. With z = x - x* within the leaf and V = z·P z, let E be the
set V ≤ V(state). If on all of E

- V falls: x' = A z with A between the bounds of the Jacobian on E, and P A + Aᵀ P is negative for
  all such A;
- the invariant holds and no guard does,

then a run at the state stays in E, in the same location, and tends to x*. Both are checked with
intervals over the box around E, not by sampling; what is left to trust is the rounding of a few
products of small matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_continuous_lyapunov

from dyverse.abstraction.equilibria import Point
from dyverse.abstraction.field import LocationField, Matrix
from dyverse.automaton.interface import Array
from dyverse.automaton.robustness import fold, normal
from dyverse.enclosure.interval import Interval
from dyverse.expr.formula import Compare, Formula


@dataclass(frozen=True, slots=True, eq=False)
class Basin:
    """The ellipsoid z·P z ≤ level about a point; V falls at least by ``2 decay V`` (1/s)."""

    point: Point
    shape: Matrix  # P
    level: float
    decay: float

    def __str__(self) -> str:
        return (
            f"inside an ellipsoid about the equilibrium that no run leaves, "
            f"which shrinks at least as exp(-{self.decay:.3g} t)"
        )


def basin(field: LocationField, point: Point, state: Array) -> Basin | None:
    """An ellipsoid through ``state`` that shows convergence to ``point``, if one is found."""
    if not point.is_stable:
        return None
    tangent = field.tangent
    z = tangent.T @ (state - point.values)
    within = tangent.T @ field.jacobian(point.values) @ tangent
    for shape in _shapes(within):
        level = float(z @ shape @ z) * (1 + 1e-9) + 1e-24
        found = Basin(point, shape, level, 0.0)
        decay = _decay(field, found)
        if decay > 0 and _stays_inside(field, found):
            return Basin(point, shape, level, decay)
    return None


def _shapes(within: Matrix) -> Iterator[Matrix]:
    """P from the eigenvectors, for which V falls as fast as it can, or from Lyapunov's equation."""
    if not within.size:
        return
    _, vectors = np.linalg.eig(within)
    if np.linalg.cond(vectors) < 1e6:
        inverse = np.linalg.inv(vectors)
        yield np.real(inverse.conj().T @ inverse)
    scale = np.abs(within).max()
    yield solve_continuous_lyapunov(within.T / scale, -np.eye(len(within)))


def _reach(field: LocationField, found: Basin) -> tuple[Matrix, Matrix]:
    """M with x = x* + M w for |w| ≤ 1 on the ellipsoid, and the inverse of its middle part."""
    values, vectors = np.linalg.eigh(found.shape)
    root = vectors * np.sqrt(found.level / values)
    return field.tangent @ root, (vectors * np.sqrt(values / found.level)).T @ field.tangent.T


def _box(found: Basin, reach: Matrix) -> tuple[Interval, ...]:
    """The box around the ellipsoid."""
    away = np.linalg.norm(reach, axis=1) * (1 + 1e-12)
    low, high = found.point.values - away, found.point.values + away
    return tuple(zip(low.tolist(), high.tolist(), strict=True))


def _decay(field: LocationField, found: Basin) -> float:
    """The least rate at which √V falls anywhere on the ellipsoid; not positive if it may grow."""
    reach, back = _reach(field, found)
    middle, away = field.jacobian_over(_box(found, reach))
    if not np.isfinite(away).all():
        return -np.inf
    slope = back @ middle @ reach
    doubt = np.abs(back) @ away @ np.abs(reach)
    grows = np.linalg.eigvalsh((slope + slope.T) / 2).max()
    return float(-(grows + np.linalg.norm((doubt + doubt.T) / 2, 2)) - 1e-12 * np.abs(slope).max())


def _stays_inside(field: LocationField, found: Basin) -> bool:
    """Whether the invariant surely holds on the ellipsoid, and surely no guard."""
    reach, _ = _reach(field, found)
    middle, away = field.gradient_over(_box(found, reach))
    here = field.depth(found.point.values)
    with np.errstate(invalid="ignore"):  # where a gradient has no bounds
        spread = np.linalg.norm(middle @ reach, axis=1)
        spread += np.linalg.norm(away @ np.abs(reach), axis=1)
    spread[np.isnan(spread)] = np.inf
    bounds = iter(zip((here - spread).tolist(), (here + spread).tolist(), strict=True))
    invariant, *guards = (
        _robustness(formula, bounds) for formula in (field.place.invariant, *field.guards)
    )
    return invariant[0] > 0 and all(guard[1] < 0 for guard in guards)


def _robustness(formula: Formula, depths: Iterator[Interval]) -> Interval:
    """Bounds of how deep inside a formula the ellipsoid is; takes the depths of its atoms."""

    def leaf(_: Compare) -> Interval:
        return next(depths)

    def least(parts: list[Interval]) -> Interval:
        ends = [*parts, (np.inf, np.inf)]
        return min(low for low, _ in ends), min(high for _, high in ends)

    def greatest(parts: list[Interval]) -> Interval:
        ends = [*parts, (-np.inf, -np.inf)]
        return max(low for low, _ in ends), max(high for _, high in ends)

    return fold(normal(formula), leaf, least, greatest)
