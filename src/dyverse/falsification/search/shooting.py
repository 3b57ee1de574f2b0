"""The default search: shoot, look where runs change their path, and descend along each path.

A round of seeded low-discrepancy points shows which sequences of events occur and how near each
comes to a violation. From the nearest of the first few a sprint follows the margin down in batches
of runs; to locations that the property speaks of an approach follows the guards on the way; then,
from the nearest points of every path, a descent with the slopes of the run looks for a violation on
that path; halving between neighbours of different paths finds paths that no point has hit, however
thin their cells. Everything is a function of the question and the seed; every round is finished
before it is looked at, so the number of workers does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from time import monotonic

import numpy as np
from scipy.stats import qmc

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Stop
from dyverse.campaign.campaign import Campaign
from dyverse.falsification.caveats import undecided
from dyverse.falsification.question import Question
from dyverse.falsification.search.cells import neighbours
from dyverse.falsification.search.task import (
    Seen,
    Task,
    approaching,
    bisecting,
    descending,
    limited,
    made,
    probing,
    ranking,
    seen,
    sprinting,
    together,
)
from dyverse.falsification.verdict import Coverage, Sampled

CORNERS = 8  # unknowns: with more, corners are too many to try all
ROUNDS = 8, 56, 192, 768  # points of each: powers of two in all
FEW = 8, 8, 16  # the same where a run takes long and its margin has no slope
CHUNK = 64  # points per task
PER_PATH = 2  # descents from every path in a round
PER_ARC = 4  # in a round, of those that begin behind the same events
DESCENTS = 24  # points to descend from in a round
BEST = 4  # of them, from which to descend before the others
RUNNERS = 4  # points to sprint from
SPREAD = 12  # of all points, to see which is nearest to a location


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When to stop without an answer: seconds, runs of the search (one or more)."""

    seconds: float = np.inf
    runs: float = np.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a search has come."""

    doing: str
    runs: int
    paths: int
    deepest: int
    least_margin: float
    seconds: float
    counted: str = "runs"


Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A point whose run looks unsafe, and its margin as the search sees it: negative."""

    point: Array
    margin: float


class LimitReached(Exception):  # noqa: N818 - an outcome, not an error
    """A limit ended the search."""


class Shooting:
    """One search; its points so far."""

    def __init__(
        self, question: Question, campaign: Campaign, limits: Limits, tell: Tell, seed: int
    ) -> None:
        self.question, self._campaign = question, campaign
        self._limits, self._tell, self._began = limits, tell, monotonic()
        self._sobol = qmc.Sobol(max(1, len(question.unknowns)), seed=seed)
        self._found: Seen | None = None
        self._made: list[Array] = []  # runs made at each of its points
        self._started: set[bytes] = set()  # points that a descent began at
        self._offered: set[bytes] = set()  # violations that were handed out
        self._ranked = 0  # runs that were looked at only to rank their arcs
        self._short = False  # whether something was left out for want of runs

    def candidates(self) -> Iterator[Candidate]:
        """What breaks the property as the native engine sees it; of a round, deepest first."""
        corners = _corners(self.question)
        self.question.check_points(corners)
        yield from self._probe("corners", corners)
        if not self.question.width.any():  # one point is all there is
            return
        few, first, *more = FEW if self.question.system.descent == "none" else ROUNDS
        yield from self._shoot(few)
        flat = bool(self.question.system.goals) and self._is_flat()
        yield from self._approach() if flat else self._sprint()
        yield from self._shoot(first)
        yield from self._sprint() if flat else self._approach()
        yield from self._descend()
        for size in more:
            yield from self._shoot(size)
            yield from self._bisect()
            yield from self._descend()

    def _shoot(self, size: int) -> Iterator[Candidate]:
        points = self._sobol.random(size)
        yield from self._probe("shooting", self.question.low + points * self.question.width)

    def _probe(self, doing: str, points: Array) -> Iterator[Candidate]:
        kept = points[: self._room(len(points), 1)]
        tasks = [probing(kept[i : i + CHUNK]) for i in range(0, len(kept), CHUNK)]
        yield from self._round(doing, tasks)

    def _sprint(self) -> Iterator[Candidate]:
        if self.question.system.descent == "none":
            return
        rows = self._starts()[:RUNNERS]
        kept = rows[: self._room(len(rows), 2)]
        tasks = [limited(sprinting(self._pool.points[kept]), self._left)] if kept else []
        yield from self._round("sprinting", tasks)

    def _is_flat(self) -> bool:
        """Whether all margins so far are the same, as those over locations and numbers are."""
        margins = self._pool.probes.margins
        return bool((margins == margins[0]).all())

    def _approach(self) -> Iterator[Candidate]:
        """Towards the locations that the property speaks of, if it does."""
        if not self.question.system.goals:
            return
        spread = np.linspace(0, len(self._pool.points) - 1, SPREAD).astype(int).tolist()
        rows = list(dict.fromkeys([*self._starts()[:RUNNERS], *spread]))
        kept = rows[: max(0, self._room(len(rows) + 1, 1) - 1)]
        tasks = [limited(approaching(self._pool.points[kept]), self._left)] if kept else []
        yield from self._round("approaching a location", tasks)

    def _bisect(self) -> Iterator[Candidate]:
        pool = self._pool
        pairs = neighbours(self.question, pool.points, pool.probes.paths)
        parts = [part for part in np.array_split(pairs, max(1, len(pairs) // 16)) if len(part)]
        tasks = [bisecting(pool.points[part[:, 0]], pool.points[part[:, 1]]) for part in parts]
        tasks = self._shared(tasks, [3 * len(part) for part in parts])
        yield from self._round("looking between paths", tasks)

    def _descend(self) -> Iterator[Candidate]:
        if self.question.system.descent == "none":
            return
        starts = [self._pool.points[row] for row in self._starts()]
        self._started |= {start.tobytes() for start in starts}
        for part in (starts[:BEST], starts[BEST:]):  # often the first few are enough
            yield from self._round("descending", self._descents(part))

    def _descents(self, starts: list[Array]) -> list[Task]:
        """Descents in the arcs nearest to a violation; behind the same events only a few."""
        if self.question.system.descent == "simplex":
            return self._shared([descending(start, []) for start in starts], [2] * len(starts))
        taken, tasks = dict[str, int](), list[Task]()
        starts = starts[: self._room(len(starts), 3)]  # one run to rank, two to descend
        ranked = self._campaign.results([ranking(start) for start in starts])
        self._ranked += len(starts)
        for start, found in zip(starts, ranked, strict=True):
            arcs = []
            for arc, path in found["arcs"]:
                taken[path] = taken.get(path, 0) + 1
                if taken[path] <= PER_ARC:
                    arcs.append(arc)
            if arcs:
                tasks.append(descending(start, arcs))
        return self._shared(tasks, [2 * len(task["arcs"]) for task in tasks])

    def _shared(self, tasks: list[Task], least: list[int]) -> list[Task]:
        """The runs that are left, shared out; tasks that could not even begin are left out."""
        kept = int(np.searchsorted(np.cumsum(least), self._left, side="right"))
        self._short |= kept < len(tasks)
        if not kept:
            return []
        more = (self._left - sum(least[:kept])) / kept
        return [limited(task, need + more) for task, need in zip(tasks[:kept], least, strict=False)]

    def _room(self, count: int, each: int) -> int:
        """How many of ``count`` things can be begun that take ``each`` runs or more."""
        found = int(min(self._left / each, count))
        self._short |= found < count
        return found

    @property
    def _left(self) -> float:
        """How many runs may still be made."""
        return self._limits.runs - self._runs

    @property
    def _runs(self) -> int:
        """How many runs have been made."""
        return self._ranked + (self._found.runs if self._found else 0)

    def _starts(self) -> list[int]:
        """The points of least margin of every path, best first, each used once."""
        probes, taken = self._pool.probes, dict[str, int]()
        rows: list[int] = []
        for row in np.argsort(_finite(probes.margins), kind="stable").tolist():
            path = probes.paths[row]
            new = self._pool.points[row].tobytes() not in self._started
            if new and taken.get(path, 0) < PER_PATH and np.isfinite(probes.margins[row]):
                taken[path] = taken.get(path, 0) + 1
                rows.append(row)
        return rows[:DESCENTS]

    def _round(self, doing: str, tasks: list[Task]) -> Iterator[Candidate]:
        if tasks:
            count = len(self.question.unknowns)
            fresh = [seen(result, count) for result in self._campaign.results(tasks)]
            self._made.append(made(fresh) + self._runs)
            self._found = together(([self._found] if self._found else []) + fresh)
            self._report(doing)
            yield from self._violations()
        if self._short and self._left >= 1:  # too few for anything else
            yield from self._shoot(int(self._left))
        self._check_limits()

    def _violations(self) -> Iterator[Candidate]:
        margins = self._pool.probes.margins
        for row in np.argsort(_finite(margins), kind="stable").tolist():
            point = self._pool.points[row]
            if margins[row] < 0 and point.tobytes() not in self._offered:
                self._offered.add(point.tobytes())
                yield Candidate(point, float(margins[row]))

    def _check_limits(self) -> None:
        if monotonic() - self._began > self._limits.seconds:
            raise LimitReached(f"the time limit of {self._limits.seconds:g} s was reached")
        if self._short:
            raise LimitReached(f"the limit of {self._limits.runs:g} runs was reached")

    def _report(self, doing: str) -> None:
        covered = self.covered()
        progress = Progress(
            doing=doing,
            runs=covered.runs,
            paths=covered.paths,
            deepest=covered.deepest,
            least_margin=covered.least_margin,
            seconds=monotonic() - self._began,
        )
        self._tell(progress)

    @property
    def _pool(self) -> Seen:
        assert self._found is not None
        return self._found

    def nearest(self) -> Array:
        """Where a run came nearest to a violation."""
        return np.asarray(self._pool.points[_finite(self._pool.probes.margins).argmin()])

    def doubts(self) -> Iterator[str]:
        """Why *not found* would claim too much."""
        yield from undecided(self.question, self._pool.points, self._pool.probes)

    def covered(self) -> Coverage:
        """How far the search has looked."""
        probes, points = self._pool.probes, self._pool.points
        margins = _finite(probes.margins)
        best = int(margins.argmin())
        names = [unknown.name for unknown in self.question.unknowns]
        at_depth = np.array([stop == Stop.MAX_EVENTS for stop in probes.stops], dtype=bool)
        return Coverage(
            runs=self._runs,
            paths=len(set(probes.paths)),
            deepest=int(probes.events.max()),
            least_margin=float(margins[best]),
            nearest=dict(zip(names, points[best].tolist(), strict=True)),
            incomplete=int((~probes.decided & ~at_depth).sum()),
            at_depth=int((~probes.decided & at_depth).sum()),
            sampled=Sampled(
                points=points,
                margins=probes.margins,
                paths=probes.paths,
                runs=np.concatenate(self._made),
            ),
        )


def _corners(question: Question) -> Array:
    """Where to begin, the model's own point, the middle, and the corners if they are few."""
    low, high = question.low, question.high
    if not len(low):
        return np.zeros((1, 0))
    points = [*map(np.array, question.starts), question.nominal, (low + high) / 2]
    if len(low) <= CORNERS:
        points += [np.array(corner) for corner in product(*zip(low, high, strict=True))]
    return np.array(list(dict.fromkeys(map(tuple, points))))


def _finite(margins: Array) -> Array:
    return np.where(np.isnan(margins), np.inf, margins)
