"""Points where earlier questions had solutions: the best places to start the next search from."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.satisfy.cnf import Variable
from dyverse.falsification.satisfy.slacks import SlackProblem
from dyverse.falsification.satisfy.starts import middle, scattered

RECENT = 12  # points remembered
FILLED = 5  # ways to complete each of them


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
