"""Evidence that a run tends to a periodic orbit: a region in which the return map contracts.

Let c be the coordinates of a state on the section, from the orbit along the eigenvectors of the
derivative there. If the derivative M of the return map is bounded on a convex region about the
orbit, by numbers that keep the region in itself and shrink it, every run in the region tends to the
orbit. Such regions are

- a ball, in a norm in which the map contracts at the orbit itself;
- if the largest multiplier is real and positive, so that runs come from one side, a box that
  reaches to the run on that side and a little way to the other. It is the one to have near a
  grazing orbit, where the other side ends soon.

The bounds are not proved: M is computed exactly at the ends of the region along each direction, and
half of what it was seen to vary by is added (in a ball, all of it). A run must be inside the
region, its letters must be the same all over it, and the factor must be less than 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_discrete_lyapunov

from dyverse.abstraction.field import Fields, Matrix
from dyverse.abstraction.orbits import SURE, Orbit, moved, round_from, within_section
from dyverse.automaton.interface import Array, State
from dyverse.simulation.simulate import DEFAULTS, Options

OTHER_SIDE = 0.1  # how far a box reaches beyond the orbit, of how far it reaches to the run
THIN = 1e-3  # the least width of a box across, of its length
PLAIN = 0.1  # a multiplier from here on makes runs come from one side


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """A region about an orbit in which a round brings states nearer, at least by ``factor``."""

    orbit: Orbit
    factor: float
    samples: int

    def __str__(self) -> str:
        worst = max((abs(m) for m in self.orbit.multipliers), default=0.0)
        return (
            f"inside a region in which the return map contracts by {self.factor:.3g} per round "
            f"({self.samples} derivatives; largest multiplier {worst:.3g})"
        )


def contraction(
    fields: Fields, found: Orbit, state: State, *, options: Options = DEFAULTS
) -> Contraction | None:
    """Evidence that a run at ``state``, after the same jump, tends to ``found``; or nothing."""
    if not found.is_stable or state.location != found.start.location:
        return None
    look = _box if _is_one_sided(found) else _ball
    seen = look(fields, found, state, options)
    if seen is None or seen[0] >= 1 - SURE:
        return None
    return Contraction(found, *seen)


def distance(found: Orbit, state: State) -> float:
    """How far a state after the same jump is from the orbit, on the section."""
    away = float(np.linalg.norm(found.round.tangent.T @ (state.values - found.start.values)))
    return max(away, _least(found))


def _least(found: Orbit) -> float:
    """Nearer than this, states are taken to be the same."""
    return 1e-7 * (1 + float(np.abs(found.start.values).max()))


def _is_one_sided(found: Orbit) -> bool:
    multipliers = found.multipliers
    if not multipliers or np.linalg.cond(_vectors(found)) > 1e6:
        return False
    real = all(m.imag == 0 for m in multipliers)
    return real and multipliers[0].real > PLAIN


def _vectors(found: Orbit) -> Matrix:
    """The eigenvectors of the derivative, that of the largest multiplier first."""
    values, vectors = np.linalg.eig(within_section(found.round))
    return np.asarray(vectors[:, np.argsort(-np.abs(values))])


def _derivatives(
    fields: Fields, found: Orbit, basis: Matrix, places: Iterable[Array], options: Options
) -> list[Matrix] | None:
    """M at some coordinates; nothing if the letters change there."""
    samples, back, tangent = [], np.linalg.inv(basis), found.round.tangent
    for place in places:
        state = moved(found.start, tangent @ basis @ place)
        there = round_from(fields, state, found.letters, found.period, options)
        if there is None:
            return None
        samples.append(back @ (tangent.T @ there.derivative @ tangent) @ basis)
    return samples


def _box(fields: Fields, found: Orbit, state: State, options: Options) -> tuple[float, int] | None:
    """The factor of a box that reaches from just beyond the orbit to the run."""
    basis = np.real(_vectors(found))
    z = found.round.tangent.T @ (state.values - found.start.values)
    run = np.linalg.solve(basis, z)
    length = np.copysign(max(abs(run[0]), _least(found)), run[0])
    width = np.maximum(4 * np.abs(run), max(THIN * abs(length), _least(found)))
    along, across = np.eye(len(run))[0] * length, np.diag(width)[1:]
    places = [-OTHER_SIDE * along, along, *(s * row for row in across for s in (-1, 1))]
    samples = _derivatives(fields, found, basis, places, options)
    if samples is None:
        return None
    middle = np.linalg.solve(basis, within_section(found.round) @ basis)
    every = np.array([middle, *samples])
    bound = np.abs(every).max(axis=0) + np.ptp(every, axis=0) / 2
    ends = np.concatenate(([abs(length)], width[1:]))
    factors = bound @ ends / ends
    factors[0] = bound[0, 0] + bound[0, 1:] @ ends[1:] / (OTHER_SIDE * abs(length))
    return float(factors.max()), len(every)


def _ball(fields: Fields, found: Orbit, state: State, options: Options) -> tuple[float, int] | None:
    """The factor of a ball that reaches to the run."""
    norm = _norm(found)
    basis = np.asarray(np.linalg.inv(norm), dtype=np.float64)
    z = found.round.tangent.T @ (state.values - found.start.values)
    radius = max(float(np.linalg.norm(norm @ z)), _least(found) * _size(norm))
    places = [side * radius * row for row in np.eye(len(z)) for side in (-1, 1)]
    samples = _derivatives(fields, found, basis, places, options)
    if samples is None:
        return None
    middle = norm @ within_section(found.round) @ basis
    drift = max((_size(sample - middle) for sample in samples), default=0.0)
    return _size(middle) + 2 * drift, len(samples) + 1


def _norm(found: Orbit) -> Matrix:
    """N such that the return map contracts in |N z|, at the orbit itself."""
    within = within_section(found.round)
    worst = max((abs(m) for m in found.multipliers), default=0.0)
    factor = (1 + worst) / 2
    shape = solve_discrete_lyapunov(within.T / factor, np.eye(len(within)))
    values, vectors = np.linalg.eigh((shape + shape.T) / 2)
    return np.asarray((vectors * np.sqrt(values)).T)


def _size(matrix: Matrix) -> float:
    """By how much a matrix can lengthen a vector; nothing has no length."""
    return float(np.linalg.norm(matrix, 2)) if matrix.size else 0.0
