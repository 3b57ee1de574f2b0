"""Numerical evidence that a run tends to a periodic orbit: it is near, and rounds contract.

Let c be the coordinates of a state on the section, from the orbit along the eigenvectors of the
derivative M of the return map there. The evidence is that

- the run is near the orbit in *all* variables: nearer than a thousandth of how far each one moves,
  on the orbit or, if it stands still there, in the run. A slow variable must have arrived: what
  happens on its way cannot be told from its end;
- from one round to the next it came nearer as M says;
- M is bounded on a convex region about the orbit with the run well inside, by numbers that keep
  the region in itself and shrink it. It is computed exactly at the ends of the region along each
  direction and at places ever nearer to the orbit on the way that the run is on, and half of what
  it was seen to vary by is added (in a ball, all of it). All over the region the letters must be
  the same;
- followed for as many rounds as it takes at the rate of the largest multiplier, the run goes round
  with the same letters and arrives at the orbit, to a millionth.

Regions are

- a ball, in a norm in which the map contracts at the orbit itself;
- if the largest multiplier is real and positive, so that runs come from one side, a box that
  reaches beyond the run on that side and a little way to the other. It is the one to have near a
  grazing orbit, where the other side ends soon.

None of this is a proof: what a map does between the places at which it was looked at is not known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_discrete_lyapunov

from dyverse.abstraction.portrait.field import Fields, Matrix
from dyverse.abstraction.portrait.orbits import (
    LONGER,
    SURE,
    Orbit,
    moved,
    round_from,
    within_section,
)
from dyverse.abstraction.portrait.passage import after_letters
from dyverse.automaton.interface import Array, State
from dyverse.simulation.simulate import DEFAULTS, Options

NEAR = 1e-3  # of how far a variable moves: so near the orbit a run must be
NOISE = 1e-6  # of the same: nearer than this, states are taken to be the same
ARRIVED = 10.0  # so many times the noise may be left when the run has arrived
MOST_ROUNDS = 1000  # that a run is followed to see it arrive
BEYOND = 2.0  # how far a region reaches, of how far the run is away
AS_SAID = 0.2  # by this share of the way a round may differ from what M says
INNER = tuple(0.4**n for n in range(1, 9))  # places on the way to the orbit
OTHER_SIDE = 0.1  # how far a box reaches beyond the orbit, of how far it reaches to the run
THIN = 1e-3  # the least width of a box across, of its length
PLAIN = 0.1  # a multiplier from here on makes runs come from one side


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """A region about an orbit in which a round brings states nearer, at least by ``factor``."""

    orbit: Orbit
    factor: float
    samples: int
    away: float  # how far the run was from the orbit, of how far variables move
    rounds: int  # after which it had arrived there

    def __str__(self) -> str:
        worst = max((abs(m) for m in self.orbit.multipliers), default=0.0)
        return (
            f"it comes to a millionth of it, through a region in which the return map contracts by "
            f"{self.factor:.3g} per round "
            f"({self.samples} derivatives; largest multiplier {worst:.3g})"
        )


def contraction(
    fields: Fields,
    found: Orbit,
    hits: Sequence[State],
    *,
    scale: Array,
    options: Options = DEFAULTS,
) -> Contraction | None:
    """Evidence that a run tends to ``found``, or nothing.

    ``hits`` are its last states after the jump with which the round begins, a round apart;
    ``scale`` is how far each variable moves.
    """
    if not found.is_stable or hits[-1].location != found.start.location:
        return None
    away = distance(found, hits[-1], scale)
    if away > NEAR or not _came_as_said(found, hits, scale):
        return None
    look = _box if _is_one_sided(found) else _ball
    seen = look(fields, found, _reach(found, hits[-1], scale), options)
    if seen is None or seen[0] >= 1 - SURE:
        return None
    rounds = _rounds_to_arrive(found, away)
    if rounds > MOST_ROUNDS or not _arrives(fields, found, hits[-1], rounds, scale, options):
        return None
    return Contraction(found, *seen, away, rounds)


def scale_of(found: Orbit, moves: Array) -> Array:
    """How far each variable moves on the orbit; if it stands still there, in the run: ``moves``."""
    states = np.vstack([rows for _, rows in found.round.track])
    extent, size = np.ptp(states, axis=0), np.abs(states).max(axis=0)
    still = np.maximum(moves, 1e-9 * size)
    scale = np.where(extent > np.maximum(1e-6 * size, 1e-9 * moves), extent, still)
    return np.asarray(np.where(scale > 0, scale, 1.0))


def distance(found: Orbit, state: State, scale: Array) -> float:
    """How far a state after the same jump is from the orbit, of how far variables move."""
    return float((np.abs(state.values - found.start.values) / scale).max())


def _came_as_said(found: Orbit, hits: Sequence[State], scale: Array) -> bool:
    """Whether the last round led where the derivative says, unless there was no way left to go."""
    if len(hits) < 2 or hits[-2].location != hits[-1].location:
        return False
    before, after = (hit.values - found.start.values for hit in hits[-2:])
    if (np.abs(before) <= NOISE * scale).all():
        return True
    miss = np.abs(after - found.round.derivative @ before) / scale
    return bool(miss.max() <= AS_SAID * (np.abs(before) / scale).max() + NOISE)


def _rounds_to_arrive(found: Orbit, away: float) -> int:
    worst = max((abs(m) for m in found.multipliers), default=0.0)
    if away <= NOISE or worst < NOISE:
        return 1
    return math.ceil(math.log(NOISE / away) / math.log(worst)) + 1


def _arrives(
    fields: Fields, found: Orbit, state: State, rounds: int, scale: Array, options: Options
) -> bool:
    """Whether the run, followed for so many rounds, keeps its letters and gets to the orbit."""
    until = state.time + (rounds + 1) * LONGER * found.period
    end = after_letters(fields.automaton, state, found.letters * rounds, until, options)
    return end is not None and distance(found, end, scale) <= ARRIVED * NOISE


def _reach(found: Orbit, state: State, scale: Array) -> Array:
    """Where on the section the region is to end: beyond the run, and not within the noise."""
    z = found.round.tangent.T @ (state.values - found.start.values)
    least = NOISE * float(np.linalg.norm(found.round.tangent.T @ np.diag(scale), 2))
    size = float(np.linalg.norm(z))
    if size <= least:
        return np.full(len(z), least)
    return BEYOND * z


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


def _box(fields: Fields, found: Orbit, reach: Array, options: Options) -> tuple[float, int] | None:
    """The factor of a box that reaches from just beyond the orbit to the run and further."""
    basis = np.real(_vectors(found))
    end = np.asarray(np.linalg.solve(basis, reach), dtype=np.float64)
    least = float(np.linalg.norm(reach)) * THIN
    length = end[0] if abs(end[0]) > least else np.copysign(least, end[0])
    width = np.maximum(np.abs(end), THIN * abs(length))
    places = list(_places(width, length, end))
    samples = _derivatives(fields, found, basis, places, options)
    if samples is None:
        return None
    every = np.array([np.linalg.solve(basis, within_section(found.round) @ basis), *samples])
    spread = np.ptp(every, axis=0) / 2
    bound = np.abs(every).max(axis=0) + spread
    ends = np.concatenate(([abs(length)], width[1:]))
    factors = bound @ ends / ends
    back = max(0.0, spread[0, 0] - every[:, 0, 0].min())  # by which it may change sides
    factors[0] = max(bound[0, 0], back / OTHER_SIDE)
    factors[0] += bound[0, 1:] @ ends[1:] / (OTHER_SIDE * abs(length))
    return float(factors.max()), len(every)


def _places(width: Array, length: float, end: Array) -> Iterator[Array]:
    """The ends of a box, and places on the way to its middle."""
    first = np.eye(len(end))[0]
    yield length * first
    yield -OTHER_SIDE * length * first
    for row in np.eye(len(end))[1:]:
        yield from (side * width * row for side in (-1, 1))
    yield from (share * end for share in INNER)


def _ball(fields: Fields, found: Orbit, reach: Array, options: Options) -> tuple[float, int] | None:
    """The factor of a ball that reaches beyond the run."""
    norm = _norm(found)
    basis = np.asarray(np.linalg.inv(norm), dtype=np.float64)
    end = norm @ reach
    radius = float(np.linalg.norm(end))
    places = [side * radius * row for row in np.eye(len(end)) for side in (-1, 1)]
    places += [share * end for share in (1.0, *INNER)] if len(end) else []
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
