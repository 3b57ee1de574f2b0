"""The least sum of slacks of one problem, as far as local searches find it.

A local minimum decides where all constraints are convex. For concave ones on a box the search
starts from each corner, and one that is missed in every corner is missed everywhere. Else there are
several starts, and the answer is not ``final``; points where earlier questions had solutions are
the best of them.  [navarro2018] supplement §6.4
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.satisfy.cnf import Variable
from dyverse.falsification.satisfy.elimination import Reduced
from dyverse.falsification.satisfy.minimiser import Minimiser, Program
from dyverse.falsification.satisfy.slacks import SlackProblem
from dyverse.falsification.satisfy.starts import corners, count_free, middle, scattered

CORNERS = 64  # more are not visited one by one
PRESSES = 1e-4  # multipliers above this take part; a constraint that is missed has 1
RECENT = 12  # points remembered
FILLED = 5  # ways to complete each of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How hard to look, and when to believe."""

    tolerance: float = 1e-7  # a constraint that misses by no more holds
    samples: int = 64  # points tried before any minimisation
    starts: int = 3  # minimisations from the best of them
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """The end of one minimisation: the point, what rows miss by, and what presses on it."""

    point: Array
    missed: Array
    pressing: frozenset[Reduced]
    settled: bool


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best point of a problem, and the constraints that press on the minima found."""

    point: Array
    missed: Array  # per row
    pressing: frozenset[Reduced]
    final: bool
    tried: Array  # all points looked at, (n, unknowns)
    tried_missed: Array  # (n, rows)


class LocalSearch:
    """Looks for the best point of a problem; counts its minimisations."""

    def __init__(self, minimiser: Minimiser, effort: Effort, memory: Memory) -> None:
        self.effort, self.minimisations = effort, 0
        self._minimiser, self._memory = minimiser, memory

    def holds(self, missed: Array) -> bool:
        """Whether rows that miss by so much count as holding."""
        return bool((missed <= self.effort.tolerance).all())

    def best(self, problem: SlackProblem) -> Best:
        """The best point found, by the way that the problem's curvature asks for."""
        if count_free(problem.lower, problem.upper) == 0:
            return self._evaluated(problem, middle(problem.lower, problem.upper)[0])
        match problem.kind:
            case "affine" | "convex":
                return self._from(problem, middle(problem.lower, problem.upper), final=True)
            case "concave" if 2 ** count_free(problem.lower, problem.upper) <= CORNERS:
                return self._from_corners(problem)
            case _:
                return self._from(problem, self._starts(problem), final=False)

    def _evaluated(self, problem: SlackProblem, point: Array) -> Best:
        """All unknowns have one value: each constraint holds there or nowhere."""
        missed = problem.misses(point[None])[0]
        wrong = missed > self.effort.tolerance
        pressing = {owner for owner, one in zip(problem.owners, wrong, strict=True) if one}
        return Best(point, missed, frozenset(pressing), True, point[None], missed[None])

    def _from_corners(self, problem: SlackProblem) -> Best:
        """A concave function is least in a corner: one missed in all corners never holds."""
        starts = corners(problem.lower, problem.upper)
        best = self._from(problem, starts, final=False)
        never = (problem.misses(starts) > self.effort.tolerance).all(axis=0)
        if not (never.any() and np.isfinite([problem.lower, problem.upper]).all()):
            return best
        alone = problem.owners[int(np.flatnonzero(never)[0])]
        return replace(best, pressing=frozenset({alone}), final=True)

    def _from(self, problem: SlackProblem, starts: Array, *, final: bool) -> Best:
        """The best of the starts themselves and of the minima found from the best of them."""
        tried, missed = starts, problem.misses(starts)
        pressing: frozenset[Reduced] = frozenset()
        order = np.argsort(missed.sum(axis=1), kind="stable")
        for row in order[: self.effort.starts]:
            if self.holds(missed[_least(missed)]):
                break
            found = self.descend(problem, problem.program, starts[row])
            pressing |= found.pressing
            final = final and found.settled
            tried, missed = np.vstack([tried, found.point]), np.vstack([missed, found.missed])
        best = _least(missed)
        return Best(tried[best], missed[best], pressing, final, tried, missed)

    def descend(self, problem: SlackProblem, program: Program, start: Array) -> Descent:
        """One minimisation of the problem, or of a ``program`` made from it."""
        self.minimisations += 1
        minimum = self._minimiser.minimise(program, problem.lifted(start))
        point = np.clip(minimum.point[: len(start)], problem.lower, problem.upper)
        missed = problem.misses(point[None])[0]
        presses = (np.abs(minimum.multipliers) > PRESSES) | (missed > self.effort.tolerance)
        owners = {owner for owner, one in zip(problem.owners, presses, strict=True) if one}
        return Descent(point, missed, frozenset(owners), minimum.settled)

    def _starts(self, problem: SlackProblem) -> Array:
        return self._memory.starts(problem, self.effort.samples, seed=self.effort.seed)


def _least(missed: Array) -> int:
    return int(missed.sum(axis=1).argmin())


class Memory:
    """The last solutions, as values of variables that nothing defines."""

    def __init__(self) -> None:
        self._recent: deque[Mapping[Variable, Array]] = deque(maxlen=RECENT)

    def add(self, point: Mapping[Variable, Array]) -> None:
        """Remember a solution."""
        self._recent.append(point)

    def last(self, variable: Variable) -> Array:
        """The last value of a variable, or the middle of its range."""
        known = (point[variable] for point in reversed(self._recent) if variable in point)
        return next(known, middle(variable.lower, variable.upper)[0])

    def nearest(self, problem: SlackProblem, over: Variable, value: Array) -> Array:
        """The point whose ``over`` is nearest to ``value``, with exactly that."""
        known = [point for point in self._recent if set(problem.variables) <= set(point)]
        nothing: Mapping[Variable, Array] = {}
        best = min(known, key=lambda one: float(np.abs(one[over] - value).sum()), default=nothing)
        parts = (value if v is over else best.get(v, self.last(v)) for v in problem.variables)
        return np.concatenate(list(parts))

    def starts(self, problem: SlackProblem, count: int, *, seed: int) -> Array:
        """The points remembered, the middle, and ``count`` seeded points, one row each.

        What a remembered point does not know is taken from the middle and from seeded points.
        """
        lower, upper = problem.lower, problem.upper
        drafts = np.vstack([middle(lower, upper), scattered(lower, upper, count, seed=seed)])
        known = [p for p in reversed(self._recent) if any(v in p for v in problem.variables)]
        recent = [
            np.concatenate([point.get(v, d) for v, d in problem.named(draft).items()])
            for point in known
            for draft in drafts[: 1 if all(v in point for v in problem.variables) else FILLED]
        ]
        return np.vstack([*recent, drafts])
