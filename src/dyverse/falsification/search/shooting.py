"""The default search: several searches on one budget of runs, each pulled by what it brings.

Corners, seeded shots that fill the ranges, descents along the slopes of runs on every path, looks
between neighbours of different paths, evolution, annealing and, for properties that have steps,
walks down the distance to breaking them (`arms`). Who comes next is decided by what each has
brought so far (`bandit`). Everything is a function of the question and the seed; every pull is
finished before it is looked at, so the number of workers does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from time import monotonic

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.automaton.run import Stop
from dyverse.campaign.campaign import Campaign
from dyverse.falsification.caveats import undecided
from dyverse.falsification.question import Question
from dyverse.falsification.search.annealing import Annealing
from dyverse.falsification.search.arms import (
    CORNERS,
    Approaches,
    Arm,
    Between,
    Cloud,
    Corners,
    Descents,
    Shots,
    chunks,
)
from dyverse.falsification.search.bandit import Account
from dyverse.falsification.search.evolution import Evolution
from dyverse.falsification.search.task import (
    Seen,
    Task,
    is_measured,
    least_runs,
    limited,
    made,
    seen,
    together,
)
from dyverse.falsification.verdict import Coverage, Sampled

BUDGET = 1536  # runs
MEASURED = 96, 64  # of them, for which distances are measured, and more for each unknown
FEW = 32  # shots where a run takes long and its margin has no slope
EACH = 256  # runs that looks between paths may take then


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
        self._found: Seen | None = None
        self._made: list[Array] = []  # runs made at each of its points
        self._offered: set[bytes] = set()  # violations that were handed out
        self._shots = Shots(question, seed)
        self._seed = seed
        self._measured = 0  # runs whose distance was measured
        self._nearest = np.inf  # the least distance so far
        self._short = False  # whether something was left out for want of runs

    def candidates(self) -> Iterator[Candidate]:
        """What breaks the property as the native engine sees it; of a round, deepest first."""
        begin = _begin(self.question)
        self.question.check_points(_ends(self.question, begin))
        kept = begin[: int(min(len(begin), self._left))]
        self._short |= len(kept) < len(begin)
        yield from self._round("beginning", chunks(kept))
        if not self.question.width.any():  # one point is all there is
            return
        arms = self._arms()
        while arms and self._runs < self._budget:
            arm = min(arms, key=lambda one: arms[one].claim(one.cost(self._runs)))
            tasks = arm.tasks(self._pool)
            if not tasks or (is_measured(tasks[0]) and self._measured >= self._enough):
                del arms[arm]
                continue
            yield from self._pull(arm, arms[arm], tasks)

    def _arms(self) -> dict[Arm, Account]:
        """The searches, with their weights."""
        question, seed = self.question, self._seed
        count = len(question.unknowns)
        found: dict[Arm, Account] = {Corners(question): Account(2.0)}
        if question.system.descent == "none":
            shots = Shots(question, seed, most=FEW)
            return found | {shots: Account(1.0), Between(question): Account(0.7)}
        found |= {self._shots: Account(1.0), Descents(question): Account(3.0)}
        found |= {Between(question): Account(0.7)}
        found |= {Cloud(question, Annealing(count, seed)): Account(1.0)}
        found |= {Cloud(question, Evolution(count, seed)): Account(2.0)}
        if question.system.is_stepped:
            found |= {Approaches(question, Shots(question, seed + 1)): Account(3.0)}
        return found

    @property
    def _budget(self) -> int:
        if self.question.system.descent == "none":
            return EACH
        return BUDGET

    @property
    def _enough(self) -> int:
        """How many distances to measure: they cost more than other runs."""
        return MEASURED[0] + MEASURED[1] * len(self.question.unknowns)

    def _pull(self, arm: Arm, account: Account, tasks: list[Task]) -> Iterator[Candidate]:
        """One pull: what it brings is told to the search and to its account."""
        before, runs = self._least(), self._runs
        kept = self._shared(tasks)
        yield from self._round(arm.doing, kept, arm)
        account.settle(self._runs - runs, before, self._least())

    def _least(self) -> float:
        """The least amount so far: a distance, if there are."""
        margin = float(_finite(self._pool.probes.margins).min())
        return self._nearest if self.question.system.is_stepped else margin

    def _fill(self) -> Iterator[Candidate]:
        """What is left of a limit is used up by shots."""
        yield from self._round("shooting", chunks(self._shots.points(int(self._left))))

    def _shared(self, tasks: list[Task]) -> list[Task]:
        """The runs that are left, shared out; tasks that could not even begin are left out."""
        least = list(map(least_runs, tasks))
        kept = int(np.searchsorted(np.cumsum(least), self._left, side="right"))
        self._short |= kept < len(tasks)
        if not kept:
            return []
        more = (self._left - sum(least[:kept])) / kept
        return [limited(task, need + more) for task, need in zip(tasks[:kept], least, strict=False)]

    @property
    def _left(self) -> float:
        """How many runs may still be made."""
        return self._limits.runs - self._runs

    @property
    def _runs(self) -> int:
        """How many runs have been made."""
        return self._found.runs if self._found else 0

    def _round(self, doing: str, tasks: list[Task], arm: Arm | None = None) -> Iterator[Candidate]:
        tasks = tasks if arm else self._shared(tasks)
        if tasks:
            count = len(self.question.unknowns)
            fresh = [seen(result, count) for result in self._campaign.results(tasks)]
            if arm and not self._short:
                arm.hear(fresh)
            self._measured += sum(one.runs for one in fresh if len(one.amounts))
            self._nearest = min([self._nearest, *(x for one in fresh for x in one.amounts)])
            self._made.append(made(fresh) + self._runs)
            self._found = together(([self._found] if self._found else []) + fresh)
            self._report(doing)
            yield from self._violations()
        if self._short and self._left >= 1:  # too few for anything else
            yield from self._fill()
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
        near = self.question.at(points[best])
        at_depth = np.array([stop == Stop.MAX_EVENTS for stop in probes.stops], dtype=bool)
        return Coverage(
            runs=self._runs,
            paths=len(set(probes.paths)),
            deepest=int(probes.events.max()),
            least_margin=float(margins[best]),
            nearest={name: near[name] for name in names},
            incomplete=int((~probes.decided & ~at_depth).sum()),
            at_depth=int((~probes.decided & at_depth).sum()),
            sampled=Sampled(
                points=points,
                margins=probes.margins,
                paths=probes.paths,
                runs=np.concatenate(self._made),
            ),
        )


def _begin(question: Question) -> Array:
    """Where to begin: what was asked for, the model's own point, the middle."""
    if not len(question.low):
        return np.zeros((1, 0))
    points = [*map(np.array, question.starts), question.nominal, (question.low + question.high) / 2]
    return np.array(list(dict.fromkeys(map(tuple, points))))


def _ends(question: Question, begin: Array) -> Array:
    """The corners as well, if they are few: the model must make sense there."""
    if not 0 < len(question.low) <= CORNERS:
        return begin
    corners = product(*zip(question.low, question.high, strict=True))
    return np.vstack([begin, np.array(list(corners))])


def _finite(margins: Array) -> Array:
    return np.where(np.isnan(margins), np.inf, margins)
