"""What is looked at on a solid, and how far it is from the truth; NumPy alone.

Everyone has the y axis up and the same numbers as `benchmarks.solids`. A state is looked at every
10 ms: the tilt of one of the body's own axes from the vertical, and its energies. Tilts and
energies are compared until ``apart``, before which small differences stay small, and the time at
which the body has come to rest over the whole run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.measure import Answer

Array = NDArray[np.float64]

G, EVERY = 9.81, 0.01  # m/s², s
STILL = 1e-4  # of the energy at the start: with less kinetic energy a body rests


@dataclass(frozen=True)
class Solid:
    """A body on the floor; ``key`` names it in `benchmarks.solids.SCENES`."""

    key: str
    until: float  # s
    apart: float  # s
    mass: float
    moments: tuple[float, float, float]  # about its own axes
    axis: int  # which of them is looked at
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]
    velocity: tuple[float, ...]  # of the centre, then the spin in the body's own axes
    restitution: float
    friction: float
    box: tuple[float, float, float] | None = None  # edges
    ball: tuple[float, float] | None = None  # radius, and how far its middle is along z
    rests: bool = True

    @property
    def count(self) -> int:
        """How often it is looked at."""
        return round(self.until / EVERY)


def turned(a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """The quaternion of turns by ``a`` about x, then ``b`` about y, then ``c`` about z."""
    (ca, sa), (cb, sb), (cc, sc) = ((np.cos(h / 2), np.sin(h / 2)) for h in (a, b, c))
    return (
        float(ca * cb * cc + sa * sb * sc),
        float(sa * cb * cc - ca * sb * sc),
        float(ca * sb * cc + sa * cb * sc),
        float(ca * cb * sc - sa * sb * cc),
    )


def matrix(quaternion: Array | tuple[float, ...]) -> Array:
    """The rotation from the body's axes to the world's."""
    w, x, y, z = np.divide(quaternion, np.linalg.norm(quaternion))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _box(mass: float, *edges: float) -> tuple[float, float, float]:
    squares = np.square(edges)
    x, y, z = mass / 12 * (squares.sum() - squares)
    return float(x), float(y), float(z)


def _spinning(spin: tuple[float, float, float], q: tuple[float, ...]) -> tuple[float, ...]:
    return (0.0, 0.0, 0.0, *map(float, matrix(q).T @ spin))


_TUMBLED, _TOP = turned(0.4, 0.5, 0.6), turned(0.1 - np.pi / 2, 0, 0)
SOLIDS = (
    Solid(
        key="a rocking block, to rest",
        until=8.0,
        apart=1.0,
        mass=1.0,
        moments=_box(1.0, 0.2, 0.8, 0.2),
        axis=1,
        position=(0, 0.408, 0),
        quaternion=turned(0, 0, 0.1),
        velocity=(0.0,) * 6,
        restitution=0.0,
        friction=0.8,
        box=(0.2, 0.8, 0.2),
    ),
    Solid(
        key="a tumbling box, to rest",
        until=2.0,
        apart=0.45,
        mass=1.0,
        moments=_box(1.0, 0.3, 0.2, 0.1),
        axis=1,
        position=(0, 0.5, 0),
        quaternion=_TUMBLED,
        velocity=_spinning((1, 2, 3), _TUMBLED),
        restitution=0.3,
        friction=0.3,
        box=(0.3, 0.2, 0.1),
    ),
    Solid(
        key="a tippe top",
        until=1.0,
        apart=1.0,
        mass=0.02,
        moments=(3.2e-6, 3.2e-6, 3.1e-6),
        axis=2,
        position=(0, 0.02 - 0.003 * float(np.cos(0.1)), 0),
        quaternion=_TOP,
        velocity=_spinning((0, 150, 0), _TOP),
        restitution=0.0,
        friction=0.1,
        ball=(0.02, 0.003),
        rests=False,
    ),
)


def seen(solid: Solid, y: float, quaternion: Array, velocity: Array, spin: Array) -> Array:
    """Tilt (rad), energy and kinetic energy (J); the spin is in the body's own axes."""
    up = matrix(quaternion)[1, solid.axis]
    moving = solid.mass * velocity @ velocity + np.multiply(solid.moments, spin) @ spin
    return np.array([np.arccos(np.clip(up, -1, 1)), moving / 2 + solid.mass * G * y, moving / 2])


def judged(solid: Solid, rows: Array, truth: Array) -> Answer:
    """How far from the truth what was seen is; row k was seen at time k × 10 ms."""
    shown = round(solid.apart / EVERY) + 1
    off = np.abs(rows[:shown] - truth[:shown]).max(axis=0)
    rest, right = rested(rows), rested(truth)
    return {
        "solid": solid.key,
        "tilt": float(off[0]),
        "energy": float(off[1] / truth[0, 1]),
        "rest": abs(rest - right) if solid.rests else float("nan"),
    }


def rested(rows: Array) -> float:
    """The time after which its kinetic energy stays small (s)."""
    moving = np.flatnonzero(rows[:, 2] > STILL * rows[0, 1])
    return EVERY * (int(moving[-1]) + 1) if len(moving) else 0.0


def save(path: str, truth: dict[str, Array]) -> None:
    """Write what is true for other processes."""
    with Path(path).open("wb") as file:
        np.savez(file, **truth)  # type: ignore[arg-type]


def load(path: str) -> dict[str, Array]:
    """Read it."""
    with np.load(path) as found:
        return {name: found[name] for name in found.files}
