"""What falsification is asked: a system, the numbers left open and their ranges, the bounds.

A *point* is one value for each unknown. Parameters, ports and starting values can be unknown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.bodies.pieces import Pieces
from dyverse.bodies.piecewise import longest_step, placed
from dyverse.errors import ModelError, Problem
from dyverse.falsification.system import Bounds, Probes, System
from dyverse.interrupts import insist

DEPTH = 100  # events


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A number left open between ``low`` and ``high``; ``nominal`` is what the model says."""

    name: str
    low: float
    high: float
    nominal: float

    def problem(self) -> str | None:
        """What is wrong with the range."""
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            return f"the range of {self.name!r} is not finite"
        if self.low > self.high:
            return (
                f"the range {self.low:g}:{self.high:g} of {self.name!r} is empty; "
                f"write {self.high:g}:{self.low:g}"
            )
        return None


@dataclass(frozen=True, kw_only=True)
class Question:
    """Is there a point whose run breaks the system's property before ``until`` (s)?

    ``depth`` bounds the events of a run: impacts and changes of mode.
    """

    system: System
    unknowns: tuple[Unknown, ...]
    until: float
    depth: int = DEPTH
    settings: tuple[tuple[str, float], ...] = ()
    pieces: tuple[tuple[str, Pieces], ...] = ()  # ports in pieces
    starts: tuple[tuple[float, ...], ...] = ()  # points to look at first

    def __post_init__(self) -> None:
        problems = [text for unknown in self.unknowns if (text := unknown.problem())]
        if not 0 < self.until < math.inf:
            problems.append("the horizon must be a finite time after 0: nothing happens before")
        if self.depth < 1:
            problems.append("the depth must be 1 event or more")
        if problems:
            raise ModelError(map(Problem, problems))

    @property
    def bounds(self) -> Bounds:
        """How far and how to follow a run."""
        return Bounds(self.until, self.depth, longest_step(dict(self.pieces), self.until))

    @property
    def low(self) -> Array:
        """The least value of each unknown."""
        return np.array([unknown.low for unknown in self.unknowns], dtype=np.float64)

    @property
    def high(self) -> Array:
        """The greatest value of each unknown."""
        return np.array([unknown.high for unknown in self.unknowns], dtype=np.float64)

    @property
    def width(self) -> Array:
        """The length of each range."""
        return self.high - self.low

    @property
    def nominal(self) -> Array:
        """The model's own point, moved into the ranges."""
        own = np.array([unknown.nominal for unknown in self.unknowns], dtype=np.float64)
        return np.clip(own, self.low, self.high)

    def at(self, point: Array) -> dict[str, float]:
        """All settings of the run at ``point``."""
        names = (unknown.name for unknown in self.unknowns)
        numbers = self.placed(np.asarray(point)[None, :])[0].tolist()
        return {**dict(self.settings), **dict(zip(names, numbers, strict=True))}

    def placed(self, points: Array) -> Array:
        """The points (rows) with the times of each port in order, and not too near."""
        names = [unknown.name for unknown in self.unknowns]
        for port, own in self.pieces:
            if times := [names.index(name) for name in own.times(port) if name in names]:
                limits = self.low[times], self.high[times]
                points = points.copy()
                points[:, times] = placed(points[:, times], *limits, own.shortest(self.until))
        return points

    def near(self, settings: Mapping[str, float]) -> tuple[float, ...]:
        """The point with these settings, moved into the ranges; what is not among them is ours."""
        own = zip(self.unknowns, self.nominal.tolist(), strict=True)
        wish = [settings.get(unknown.name, number) for unknown, number in own]
        return tuple(np.clip(wish, self.low, self.high).tolist())

    def columns(self, points: Array) -> dict[str, Array]:
        """The settings of many runs, one column each; ``points`` has one row per run."""
        fixed = {name: np.full(len(points), number) for name, number in self.settings}
        points = self.placed(points)
        return fixed | {u.name: points[:, i] for i, u in enumerate(self.unknowns)}

    @cached_property
    def digest(self) -> str:
        """A name for the question: the same for the same question, in every process."""
        parts = (self.system, self.unknowns, self.until, self.depth, self.settings, self.starts)
        return sha256(repr(parts).encode()).hexdigest()[:16]

    def check_points(self, points: Array) -> None:
        """Refuse ranges at whose corners the model makes no sense, say because bodies overlap."""
        for point in points:
            settings = self.at(point)
            if problems := self.system.problems(settings):
                where = ", ".join(f"{name} = {number:g}" for name, number in settings.items())
                message = f"at {where}: {problems[0].message}; narrow the range"
                raise ModelError([Problem(message, problems[0].span)])


def probe(question: Question, points: Array) -> Probes:
    """One run for each row of ``points``."""
    insist()
    return question.system.probe(question.columns(points), question.bounds)
