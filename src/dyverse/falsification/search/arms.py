"""The searches that share one budget: each says what to do next, and hears what came of it.

In comes what is known so far, out go tasks. None of them makes a run by itself, and all are
functions of the question, the seed and what they heard, so a search can go on from its journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Protocol

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.question import Question
from dyverse.falsification.search.annealing import Annealing
from dyverse.falsification.search.cells import neighbours
from dyverse.falsification.search.evolution import Evolution
from dyverse.falsification.search.task import (
    Seen,
    Task,
    approaching,
    bisecting,
    descending,
    measuring,
    probing,
)
from dyverse.falsification.spread import spread

CORNERS = 8  # unknowns: with more, corners are too many to try all
SHOTS = 8  # points at a time, at first
CHUNK = 64  # points per task
GROWTH = 32  # of all runs so far, one in so many is made in a pull
ARCS = 4  # of a run, in which to descend
PER_PATH = 6  # descents on every path
STARTS = 4  # points to measure before the first approach
WALKS = 5  # approaches that begin where the last one ended


class Arm(Protocol):
    """One of the searches."""

    @property
    def doing(self) -> str:
        """What it does, for people."""

    def cost(self, runs: int) -> float:
        """How many runs its next pull takes, about, after so many."""

    def tasks(self, pool: Seen) -> list[Task]:
        """What to do next; nothing, if there is nothing left for now."""

    def hear(self, fresh: list[Seen]) -> None:
        """What came of it."""


def size_of(pool: Seen, least: int) -> int:
    """How much to do at once: more, the more has been done."""
    return max(least, pool.runs // GROWTH)


class Corners:
    """The corners of the ranges, if these are not too many; inputs that never change first."""

    doing = "corners"

    def __init__(self, question: Question) -> None:
        ends = zip(question.low, question.high, strict=True)
        few = len(question.unknowns) <= CORNERS
        distinct = dict.fromkeys([*_unchanging(question), *(product(*ends) if few else ())])
        self._left: Iterator[tuple[float, ...]] = iter(distinct)
        self._each = min(len(distinct), SHOTS)

    def cost(self, runs: int) -> float:
        """All at once of up to three unknowns."""
        return self._each

    def tasks(self, pool: Seen) -> list[Task]:
        """The next few."""
        points = list(islice(self._left, size_of(pool, SHOTS)))
        return [probing(np.array(points))] if points else []

    def hear(self, fresh: list[Seen]) -> None:
        """There is nothing to learn."""


def _unchanging(question: Question) -> Iterator[tuple[float, ...]]:
    """The corners at which each input in pieces has one number throughout."""
    signals, names = signals_of(question), [unknown.name for unknown in question.unknowns]
    times = {name for port, own in question.pieces for name in own.times(port)}
    inside = {i for signal in signals for i in signal}
    groups = [*signals, *([i] for i in range(len(names)) if i not in inside)]
    groups = [group for group in groups if names[group[0]] not in times]
    if not signals or len(groups) > CORNERS:
        return
    for sides in product((question.low, question.high), repeat=len(groups)):
        point = question.nominal
        for group, side in zip(groups, sides, strict=True):
            point[group] = side[group]
        yield tuple(point.tolist())


def signals_of(question: Question) -> list[list[int]]:
    """For each input in pieces, which unknowns are its numbers, in the order of time."""
    place = {unknown.name: i for i, unknown in enumerate(question.unknowns)}
    ports = ([name for name in own.values(port) if name in place] for port, own in question.pieces)
    return [[place[name] for name in names] for names in ports if names]


class Shots:
    """Points of a seeded sequence that fills the ranges evenly.

    Of inputs in many pieces the numbers of one shot would add up to nothing much. So they are
    taken to change in every piece, then in every second one, every fourth, …, and so on in turn.
    """

    doing = "shooting"

    def __init__(self, question: Question, seed: int, most: float = np.inf) -> None:
        self._question, self._left = question, most
        self._sobol = spread(len(question.unknowns), seed=seed)
        self._signals, self._made = signals_of(question), 0
        longest = max(map(len, self._signals), default=1)
        self._lengths = [2**i for i in range((longest - 1).bit_length() + 1)]  # pieces

    def cost(self, runs: int) -> float:
        """A few, then more."""
        return max(SHOTS, runs // GROWTH)

    def tasks(self, pool: Seen) -> list[Task]:
        """The next points."""
        count = int(min(size_of(pool, SHOTS), self._left))
        self._left -= count
        return chunks(self.points(count))

    def points(self, count: int) -> Array:
        """The next so many."""
        shares = np.array([self._slower(self._sobol.random(1)[0]) for _ in range(count)])
        unknowns = len(self._question.unknowns)
        return self._question.low + shares.reshape(count, unknowns) * self._question.width

    def _slower(self, shares: Array) -> Array:
        """The same with inputs that change in one piece of so many."""
        length = self._lengths[self._made % len(self._lengths)]
        self._made += 1
        for signal in self._signals:
            shares[signal] = [shares[signal[i - i % length]] for i in range(len(signal))]
        return shares

    def hear(self, fresh: list[Seen]) -> None:
        """There is nothing to learn."""


def chunks(points: Array) -> list[Task]:
    """Points in tasks of bounded size."""
    return [probing(points[i : i + CHUNK]) for i in range(0, len(points), CHUNK)]


class Descents:
    """From the lowest points of every path, in the arcs of the run nearest to a violation.

    A path on which descents began counts less with each of them: it learns which ones lead nowhere.
    """

    doing = "descending"

    def __init__(self, question: Question) -> None:
        self._one = question.system.descent == "simplex"  # without arcs
        self._cost = 10.0 * (len(question.unknowns) if self._one else 1.0)
        self._ranks: dict[bytes, int] = {}
        self._tried: dict[str, int] = {}

    def cost(self, runs: int) -> float:
        """What the last ones took."""
        return self._cost

    def tasks(self, pool: Seen) -> list[Task]:
        """One at first, several later."""
        count = 1 + pool.runs // (8 * GROWTH)
        return [self._begun(pool, row) for row in islice(self._starts(pool), count)]

    def _starts(self, pool: Seen) -> Iterator[int]:
        """Rows of the pool, the most promising first, of a path one after the other."""
        margins = np.where(np.isnan(pool.probes.margins), np.inf, pool.probes.margins)
        best: dict[str, int] = {}
        for row in np.argsort(margins, kind="stable").tolist():
            path = pool.probes.paths[row]
            left = self._ranks.get(pool.points[row].tobytes(), 0) < (1 if self._one else ARCS)
            few = self._tried.get(path, 0) < PER_PATH
            if path not in best and left and few and np.isfinite(margins[row]):
                best[path] = row
        ranked = enumerate(best.items())
        order = sorted((place + 2 * self._tried.get(path, 0), row) for place, (path, row) in ranked)
        return iter([row for _, row in order])

    def _begun(self, pool: Seen, row: int) -> Task:
        point, path = pool.points[row], pool.probes.paths[row]
        rank = self._ranks.get(point.tobytes(), 0)
        self._ranks[point.tobytes()] = rank + 1
        self._tried[path] = self._tried.get(path, 0) + 1
        return descending(point, rank)

    def hear(self, fresh: list[Seen]) -> None:
        """Its own ends are no starts: there is nothing below them."""
        self._ranks |= {part.points[0].tobytes(): ARCS for part in fresh}
        self._cost = float(np.mean([part.runs for part in fresh]))


class Between:
    """Between neighbours of different paths: at their boundary there may be a third."""

    doing = "looking between paths"

    def __init__(self, question: Question) -> None:
        self._question = question
        self._done: set[tuple[bytes, bytes]] = set()
        self._cost = 40.0

    def cost(self, runs: int) -> float:
        """What the last ones took."""
        return self._cost

    def tasks(self, pool: Seen) -> list[Task]:
        """The nearest pairs that were not looked between."""
        pairs = neighbours(self._question, pool.points, pool.probes.paths).tolist()
        found: list[Task] = []
        for i, j in pairs:
            key = (pool.points[i].tobytes(), pool.points[j].tobytes())
            if key not in self._done and len(found) < 1 + pool.runs // (8 * GROWTH):
                self._done.add(key)
                found.append(bisecting(pool.points[[i]], pool.points[[j]]))
        return found

    def hear(self, fresh: list[Seen]) -> None:
        """How much it took."""
        self._cost = float(np.mean([part.runs for part in fresh]))


class Cloud:
    """Evolution or annealing, on distances where the property has steps, else on margins."""

    def __init__(self, question: Question, own: Evolution | Annealing) -> None:
        self._question, self._own = question, own
        self._cost = 4.0

    @property
    def doing(self) -> str:
        """Which of the two."""
        return "evolving" if isinstance(self._own, Evolution) else "annealing"

    def cost(self, runs: int) -> float:
        """What the last one took."""
        return self._cost

    def tasks(self, pool: Seen) -> list[Task]:
        """The next cloud, or steps from the lowest point of all."""
        stepped = self._question.system.is_stepped
        if isinstance(self._own, Annealing) and not stepped:
            margins = np.where(np.isnan(pool.probes.margins), np.inf, pool.probes.margins)
            row, width = int(margins.argmin()), self._question.width
            share = (pool.points[row] - self._question.low) / np.where(width > 0, width, 1.0)
            self._own.begin(share, float(margins[row]))
        points = self._question.low + self._own.ask() * self._question.width
        return [measuring(points)] if stepped else [probing(points)]

    def hear(self, fresh: list[Seen]) -> None:
        """Amounts, or margins; what has none counts as far away."""
        (part,) = fresh
        amounts = part.amounts if len(part.amounts) else part.probes.margins
        self._cost = float(part.runs)
        self._own.tell(np.where(np.isfinite(amounts), amounts, 1e300))


class Approaches:
    """Towards locations and integers: a simplex walks down the distance from the nearest point."""

    doing = "approaching"

    def __init__(self, question: Question, shots: Shots) -> None:
        self._question, self._shots = question, shots
        self._known: list[tuple[float, int, tuple[float, ...]]] = []  # distance, walks, point
        self._asked: Array = np.empty((0, 0))
        self._walks = 0
        self._cost = float(STARTS)

    def cost(self, runs: int) -> float:
        """What the last one took."""
        return self._cost

    def tasks(self, pool: Seen) -> list[Task]:
        """Measure a few points, then walk from the nearest."""
        self._known.sort()
        if self._known and self._known[0][1] < WALKS:
            _, self._walks, start = self._known.pop(0)
            return [approaching(np.array(start))]
        first = [self._question.nominal] if not self._known else []
        self._asked = np.vstack([*first, self._shots.points(STARTS - len(first))])
        return [measuring(self._asked)]

    def hear(self, fresh: list[Seen]) -> None:
        """Remember what is near; the end of a walk is a start of the next."""
        (part,) = fresh
        self._cost = float(part.runs)
        if len(self._asked):
            found = zip(part.amounts.tolist(), self._asked.tolist(), strict=True)
            self._known += [(amount, 0, tuple(point)) for amount, point in found]
            self._asked = np.empty((0, 0))
        else:
            end = tuple(part.points[0].tolist())
            self._known.append((float(part.amounts[0]), self._walks + 1, end))
