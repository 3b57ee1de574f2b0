"""How bodies are turned, for drawing: unit quaternions, integrated beside a run.

The state of a ball says how fast it spins, not how it lies, for nothing depends on that. What is
painted on a ball does; so q̇ = ½ ω q is followed along the sampled states of a run, each interval by
the exponential of the mean of the spins at its ends. That is exact where a spin keeps its axis and
its rate is linear, and of second order else; errors do not feed back into the run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dyverse.automaton.interface import Array


def upright(count: int) -> Array:
    """So many bodies, not turned at all: (count, 4), scalar part first."""
    found = np.zeros((count, 4))
    found[:, 0] = 1.0
    return found


def turned(lying: Array, times: Array, spins: Array) -> Array:
    """How bodies lie after ``times`` (k,) with ``spins`` (k, bodies, 3), rad/s in world axes."""
    if len(times) < 2:
        return lying
    moving = np.flatnonzero(np.any(spins != 0.0, axis=(0, 2)))
    if not moving.size:
        return lying
    steady = np.all(spins[:, moving] == spins[0, moving], axis=(0, 2))
    found = lying.copy()
    for bodies, rows in ((moving[steady], [0, -1]), (moving[~steady], slice(None))):
        if bodies.size:
            found[bodies] = _turned(lying[bodies], times[rows], spins[rows][:, bodies])
    return found


def _turned(now: Array, times: Array, spins: Array) -> Array:
    """The same where all of them spin."""
    for step in np.diff(times)[:, None, None] * (spins[1:] + spins[:-1]) / 2:
        now = product(rotation(step), now)
    return np.asarray(now / np.linalg.norm(now, axis=1, keepdims=True))


def rotation(vectors: Array) -> Array:
    """The quaternions of rotations about ``vectors`` (n, 3) by their lengths (rad)."""
    half = np.linalg.norm(vectors, axis=1, keepdims=True) / 2
    return np.hstack([np.cos(half), vectors / 2 * np.sinc(half / np.pi)])


def product(left: Array, right: Array) -> Array:
    """Hamilton's product, row by row: first turn by ``right``, then by ``left``."""
    a, b, c, d = left.T
    e, f, g, h = right.T
    return np.stack(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ],
        axis=1,
    )


class Lying:
    """Where bodies are and how they lie, from states of a run with these variables.

    The state of a body that has an orientation says how it lies; others are followed.
    """

    def __init__(self, variables: Sequence[str], bodies: Sequence[str]) -> None:
        index = {name: i for i, name in enumerate(variables)}
        known = [f"{body}.qw" in index for body in bodies]
        self.places = _columns(index, bodies, ("x", "y", "z"))
        self._oriented, self._round = np.flatnonzero(known), np.flatnonzero(np.logical_not(known))
        oriented = [body for body, lies in zip(bodies, known, strict=True) if lies]
        others = [body for body, lies in zip(bodies, known, strict=True) if not lies]
        self._quaternions = _columns(index, oriented, ("qw", "qx", "qy", "qz"))
        self._spins = _columns(index, others, ("wx", "wy", "wz"))
        self._angles = _columns(index, others, ("rx", "ry", "rz"))

    def start(self, values: Array) -> Array:
        """As the state says; of round bodies by small rotations about the axes of the world."""
        found = upright(len(self.places))
        found[self._round] = rotation(values[self._angles])
        return self._read(found, values)

    def after(self, lying: Array, times: Array, states: Array) -> Array:
        """How bodies lie at the end of a stretch of time, from how they lay where it began."""
        found = lying.copy()
        found[self._round] = turned(lying[self._round], times, states[:, self._spins])
        return self._read(found, states[-1])

    def poses(self, lying: Array, values: Array) -> Array:
        """Position and quaternion of each body, (bodies, 7)."""
        return np.hstack([values[self.places], lying])

    def _read(self, lying: Array, values: Array) -> Array:
        """With the orientations that ``values`` have."""
        lying[self._oriented] = values[self._quaternions]
        return lying


def _columns(
    index: dict[str, int], bodies: Sequence[str], parts: tuple[str, ...]
) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    found = [[index[f"{body}.{part}"] for part in parts] for body in bodies]
    return np.array(found, dtype=np.intp).reshape(len(bodies), len(parts))
