"""The mechanisms as plain numbers, for every environment, and how a step is reduced; NumPy alone.

Links are bars in the x-y plane, each hinged to the end of the one before, the first to the world at
the origin; gravity is along -y and all start at rest. What is compared is the angle of each hinge
at the end, counted from the start.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import acos, atan2, cos, hypot, sin
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.measure import Answer

Array = NDArray[np.float64]
Play = Callable[[float], tuple[Array, float]]  # step -> angles at the end, processor time (s)

G, WIDTH = 9.81, 0.02  # m/s², m
PATIENCE = 3.0  # s: no smaller step after a run that took a quarter of it
TOLERANCE = 1e-8  # of dyverse, whose error is to be reached


@dataclass(frozen=True)
class Mechanism:
    """Bars of these lengths and masses; ``angles`` are those with the x axis at the start."""

    name: str
    lengths: tuple[float, ...]
    masses: tuple[float, ...]
    angles: tuple[float, ...]
    until: float  # s
    closed: bool = False  # the end of the last bar is hinged to the world, too
    floor: float | None = None  # height of a floor (m), for a ball at the end of the last bar
    ball: float = 0.05  # its radius (m); it weighs nothing
    friction: float = 0.2
    damping: float = 0.0  # N m s in each hinge

    @property
    def joints(self) -> tuple[tuple[float, float], ...]:
        """Where hinges are at the start, and then the end of the last bar."""
        ends = np.cumsum(
            [(r * cos(a), r * sin(a)) for r, a in zip(self.lengths, self.angles, strict=True)],
            axis=0,
        )
        return ((0.0, 0.0), *((float(x), float(y)) for x, y in ends))


def chain(count: int, until: float) -> Mechanism:
    """Links of 10 cm that fall from a straight line."""
    name = "double pendulum" if count == 2 else f"chain of {count}"
    return Mechanism(name, (0.1,) * count, (0.1,) * count, (0.0,) * count, until)


def four_bar() -> Mechanism:
    """Frame 1.5 m, crank 0.4 m, rod 1.4 m, rocker 0.9 m; the crank starts upright."""
    d, a, b, c = 1.5, 0.4, 1.4, 0.9
    far = hypot(a, d)
    rod = acos((b * b + far * far - c * c) / (2 * b * far)) - atan2(a, d)
    x, y = b * cos(rod), a + b * sin(rod)
    angles = (np.pi / 2, rod, atan2(-y, d - x))
    return Mechanism("four-bar", (a, b, c), (0.4, 1.4, 0.9), angles, 1.0, closed=True)


def arm() -> Mechanism:
    """Two bars fall; the ball at their end hits the floor without bounce and slides on it.

    It slides the same way before and after, so that one law of impact is as good as another: where
    slip turns during an impact, Newton's law and what springs do part.
    """
    return Mechanism(
        "arm with contact", (0.5, 0.4), (1.0, 0.8), (0.4, -2.2), 0.8, floor=-0.4, damping=0.5
    )


MECHANISMS = (chain(2, 1.0), chain(10, 0.3), chain(100, 0.05), four_bar(), arm())


def refined(play: Play, knobs: list[float], truth: Array, target: float) -> list[Answer]:
    """The first knob, and then the first that reaches the target, or else the last one tried.

    A knob is a step (s) or an accuracy; they come from coarse to fine.
    """
    rows: list[Answer] = []
    for knob in knobs:
        begun = time.process_time()
        angles, spent = play(knob)
        error = float(np.abs(angles - truth).max())
        rows.append({"knob": knob, "error": error, "seconds": spent, "reached": error <= target})
        if error <= target or time.process_time() - begun > PATIENCE / 4:
            break
    return rows[:1] + rows[1:][-1:]


def halved(step: float, count: int) -> list[float]:
    """Steps, each half of the one before."""
    return [step / 2**k for k in range(count)]


def save(path: str, truth: dict[str, Array], targets: dict[str, float]) -> None:
    """Write angles and errors to be reached for other processes."""
    found = {name: np.array([targets[name], *angles]) for name, angles in truth.items()}
    with Path(path).open("wb") as file:
        np.savez(file, **found)  # type: ignore[arg-type]


def load(path: str) -> dict[str, tuple[Array, float]]:
    """For each mechanism its angles at the end and the error to be reached."""
    with np.load(path) as found:
        return {name: (found[name][1:], float(found[name][0])) for name in found.files}
