"""Evidence of convergence: an ellipsoid around an equilibrium that a run cannot leave again.

In comes an equilibrium x* and a state. On the leaf x = x* + T L w, where the ellipsoid E is |w| ≤ 1
and the state is inside, let B take x - x* back to w. If

- there is exactly one equilibrium near the numbers that are given for it (Krawczyk's test);
- on all of E the distance |w| shrinks: w' = B A T L w with A between the bounds of the Jacobian
  on E, and the symmetric part of B A T L is negative definite for all such A;
- on all of E the invariant holds and no guard does,

then a run at the state stays in E, in the same location, and tends to x*. All three are shown with
balls over the box around E, so this is a proof, for the state that the simulation has come to. Only
that the flow keeps its leaf is taken from coefficients that are equal up to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from flint import arb_mat
from scipy.linalg import solve_continuous_lyapunov

from dyverse.abstraction.portrait.equilibria import Point, leaf_system
from dyverse.abstraction.portrait.field import Box, LocationField, Matrix
from dyverse.automaton.guard.robustness import fold, normal
from dyverse.automaton.interface import Array
from dyverse.enclosure.boxes import extended
from dyverse.enclosure.interval import Interval, hull_of
from dyverse.enclosure.matrix import balls, entries, exact, is_positive_definite, lengths
from dyverse.enclosure.roots import is_inside, krawczyk
from dyverse.expr.formula import Compare, Formula

ROOM = 1e-9  # relative: in so small a box about it an equilibrium is shown to be
LARGER = 1e-9  # relative: by so much the ellipsoid reaches beyond the run


@dataclass(frozen=True, slots=True, eq=False)
class Basin:
    """An ellipsoid about a point, x* + T L w with |w| ≤ 1; |w| falls at least as exp(-decay t)."""

    point: Point
    shape: Matrix  # L
    decay: float

    def __str__(self) -> str:
        return (
            f"inside an ellipsoid about the equilibrium that no run leaves, "
            f"which shrinks at least as exp(-{self.decay:.3g} t)"
        )


def basin(field: LocationField, point: Point, state: Array) -> Basin | None:
    """An ellipsoid through ``state`` that proves convergence to ``point``, if one is found."""
    if not point.is_stable:
        return None
    tangent = field.tangent
    within = tangent.T @ field.jacobian(point.values) @ tangent
    centre = _centre(field, point, state)
    if centre is None:
        return None
    unsure = max(high - low for low, high in centre)
    for shape in _shapes(within, tangent.T @ (state - point.values), unsure):
        decay = _decay(field, centre, shape, state)
        if decay > 0 and stays_within(field, centre, exact(tangent) * exact(shape)):
            return Basin(point, shape, decay)
    return None


def _centre(field: LocationField, point: Point, state: Array) -> Box | None:
    """A small box with exactly one equilibrium on the leaf of ``state``."""
    system = leaf_system(field, state)
    for room in (ROOM, ROOM * 100, ROOM / 100):
        away = room * (1 + np.abs(point.values))
        ends = zip((point.values - away).tolist(), (point.values + away).tolist(), strict=True)
        box = tuple(ends)
        image = krawczyk(system, box)
        if image is not None and is_inside(image, box):
            return krawczyk(system, image) or image
    return None


def _shapes(within: Matrix, z: Array, unsure: float) -> Iterator[Matrix]:
    """L from the eigenvectors, for which |w| falls as fast as it can, or from Lyapunov's equation.

    The ellipsoid z·P z ≤ level has L Lᵀ = level P⁻¹; its middle is known up to ``unsure``.
    """
    for form in _forms(within):
        values, vectors = np.linalg.eigh((form + form.T) / 2)
        if values.min(initial=1.0) > 0 and np.isfinite(values).all():
            away = float(np.sqrt(z @ form @ z) + 2 * len(z) * unsure * np.sqrt(values.max()))
            yield vectors * (away * (1 + LARGER) + 1e-150) / np.sqrt(values)


def _forms(within: Matrix) -> Iterator[Matrix]:
    if not within.size:
        return
    _, vectors = np.linalg.eig(within)
    if np.linalg.cond(vectors) < 1e6:
        inverse = np.linalg.inv(vectors)
        yield np.real(inverse.conj().T @ inverse)
    scale = np.abs(within).max()
    yield solve_continuous_lyapunov(within.T / scale, -np.eye(len(within)))


def _decay(field: LocationField, centre: Box, shape: Matrix, state: Array) -> float:
    """A rate at which |w| surely falls anywhere on the ellipsoid; not positive if there is none."""
    tangent = exact(field.tangent)
    reach = tangent * exact(shape)
    try:
        back = exact(shape).inv() * (tangent.transpose() * tangent).inv() * tangent.transpose()
    except ZeroDivisionError:
        return -math.inf
    away = exact(state) - balls([[end] for end in centre], 1)
    if not max(lengths((back * away).transpose())) <= 1:
        return -math.inf
    slope = back * field.slope_over(around(centre, reach)) * reach
    sinks = -(slope + slope.transpose()) / 2
    rate = _least(sinks)
    one = exact(np.eye(sinks.nrows()))
    if rate > 0 and is_positive_definite(sinks - one * rate):
        return rate
    return -math.inf


def _least(matrix: arb_mat) -> float:
    """A little less than the least eigenvalue between the bounds, as far as numbers tell."""
    rows = [[hull_of(entry) for entry in row] for row in entries(matrix)]
    bounds = np.array(rows).reshape((len(rows), len(rows), 2))
    if not np.isfinite(bounds).all():
        return -math.inf
    middle, away = bounds.mean(axis=2), np.ptp(bounds, axis=2) / 2
    least = float(np.linalg.eigvalsh((middle + middle.T) / 2).min() - np.linalg.norm(away, 2))
    return least - 1e-6 * (abs(least) + float(away.max(initial=0.0)))  # radii have 30 bits


def around(centre: Box, reach: arb_mat) -> Box:
    """The box around an ellipsoid whose middle lies in ``centre``."""
    return tuple(map(extended, centre, lengths(reach)))


def stays_within(field: LocationField, centre: Box, reach: arb_mat) -> bool:
    """Whether the invariant surely holds on an ellipsoid, and surely no guard."""
    spread = lengths(field.depth_slope_over(around(centre, reach)) * reach)
    return is_safe(field, map(extended, field.depth_over(centre), spread)) is True


def is_safe(field: LocationField, depths: Iterator[Interval]) -> bool | None:
    """Whether the invariant holds and no guard does, where the depths of their atoms are these.

    False if one of them surely fails; nothing if the depths do not tell.
    """
    margin = field.automaton.margin
    invariant, *guards = (
        _robustness(formula, depths) for formula in (field.place.invariant, *field.guards)
    )
    if invariant[1] < -margin or any(guard[0] > margin for guard in guards):
        return False
    return True if invariant[0] > margin and all(g[1] < -margin for g in guards) else None


def _robustness(formula: Formula, depths: Iterator[Interval]) -> Interval:
    """Bounds of how deep inside a formula one can be; takes the depths of its atoms."""

    def leaf(_: Compare) -> Interval:
        low, high = next(depths)
        return -math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high

    def least(parts: list[Interval]) -> Interval:
        ends = [*parts, (math.inf, math.inf)]
        return min(low for low, _ in ends), min(high for _, high in ends)

    def greatest(parts: list[Interval]) -> Interval:
        ends = [*parts, (-math.inf, -math.inf)]
        return max(low for low, _ in ends), max(high for _, high in ends)

    return fold(normal(formula), leaf, least, greatest)
