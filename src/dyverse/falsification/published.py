"""The published algorithms as a search like any other: candidates, and what was covered.

A conflict that a local solver found is no proof, and with differential equations all are such; so
what the search did not find is held against some simulated runs before it says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import inf

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.caveats import undecided
from dyverse.falsification.paper.inquiry import Row
from dyverse.falsification.paper.search import PaperSearch
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.shooting import Candidate, Limits, Progress, Tell
from dyverse.falsification.spread import spread
from dyverse.falsification.system import Probes
from dyverse.falsification.verdict import Asked, Coverage

RUNS = 64  # simulated for comparison


class Published:
    """A search by Algorithms 1 to 5 of [navarro2018], supplement."""

    def __init__(self, question: Question, limits: Limits, tell: Tell, seed: int) -> None:
        self._question, self._seed, self._tell_on = question, seed, tell
        self._search = PaperSearch(question, limits, self._tell)

    def candidates(self) -> Iterator[Candidate]:
        """What the solver takes to break the property."""
        for point in self._search.points():
            yield Candidate(point, float(probe(self._question, point[None, :]).margins[0]))

    def covered(self) -> Coverage:
        """The questions asked and the paths explored."""
        search, solver = self._search, self._search.inquiry.solver.statistics
        remark = (
            f"{solver.questions} questions, {solver.sat_calls} SAT solutions, "
            f"{solver.minimisations} minimisations, {solver.learned} conflicts learned"
        )
        return Coverage(
            runs=0,
            paths=len(set(search.paths)),
            deepest=search.deepest,
            least_margin=inf,
            nearest={},
            remarks=(remark,),
            asked=tuple(map(_asked, search.rows)),
        )

    def nearest(self) -> Array:
        """Where a simulated run came nearest to a violation."""
        points, seen = self._simulated
        return np.asarray(points[np.nan_to_num(seen.margins, nan=inf).argmin()])

    def doubts(self) -> Iterator[str]:
        """Why *not found* would claim too much: simulated runs that the search has not seen."""
        points, seen = self._simulated
        yield from undecided(self._question, points, seen)
        if self._search.cut:
            yield f"the solver was not to follow trajectories beyond --depth {self._question.depth}"
        if (seen.margins < 0).any():
            yield "simulated runs break the property that the solver did not find"
        deepest = int(np.minimum(seen.events, self._question.depth).max())
        if deepest > self._search.deepest:
            yield (
                f"simulated runs go through {deepest} events, "
                f"the search came through {self._search.deepest}"
            )

    @cached_property
    def _simulated(self) -> tuple[Array, Probes]:
        """Some points, and what becomes of their runs."""
        question = self._question
        points = question.nominal[None, :]
        if question.unknowns:
            points = spread(len(question.unknowns), seed=self._seed).random(RUNS)
            points = question.low + points * question.width
        return points, probe(question, points)

    def _tell(self, row: Row) -> None:
        progress = Progress(
            doing=f"asking for {row.asked} in {row.location} at {row.time:.4g} s",
            runs=row.calls,
            paths=len(set(self._search.paths)),
            deepest=self._search.deepest,
            least_margin=inf,
            seconds=row.seconds,
            counted="questions",
        )
        self._tell_on(progress)


def _asked(row: Row) -> Asked:
    return Asked(
        time=row.time,
        calls=row.calls,
        clauses1=row.clauses.one,
        clauses2=row.clauses.two,
        clauses3=row.clauses.more,
        iterations=row.rounds,
    )
