"""Can these literals hold together? If not, which of them are in conflict?

[navarro2018] supplement §6.2, 6.3. *Infeasible* means that no local search led to a solution; it is
``final`` where the curvature of the constraints lets one search decide (`dyverse.falsification.
local`). Even a final answer is computed in floating point: it is no proof.

The supplement learns a clause for each constraint with a slack, from it and the constraints that
share a variable with it. That can exclude what is feasible: of ``x ≥ 1``, ``y ≥ x``, ``y ≤ 0`` the
last two would be in conflict without the first. Here a constraint with a slack is in conflict with
those that hold and press on the minimum, having a multiplier that is not zero, if these by
themselves cannot hold either, which is asked again. Constraints that share no variable, also not
by way of others, are separate problems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from dyverse.automaton.interface import Array
from dyverse.falsification.satisfy.cnf import RealLiteral, Variable
from dyverse.falsification.satisfy.elimination import Eliminator, Reduced, Value
from dyverse.falsification.satisfy.local import Best, Effort, LocalSearch, Memory
from dyverse.falsification.satisfy.minimiser import Ipopt, Minimiser
from dyverse.falsification.satisfy.slacks import SlackProblem
from dyverse.falsification.satisfy.starts import corners, scattered

Point = dict[Variable, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Feasible:
    """A point at which all literals hold: the values of the variables that nothing defines."""

    point: Mapping[Variable, Array]
    values: Mapping[Variable, Value]

    def at(self, variable: Variable) -> Array:
        """The value of any variable."""
        if variable not in self.values:
            return self.point[variable]
        over = list(self.values[variable].over)
        value = ca.Function("value", [v.symbol for v in over], [self.values[variable].expression])
        return np.array(value.call([self.point[v] for v in over])[0]).ravel()


@dataclass(frozen=True, slots=True, eq=False)
class Conflict:
    """Literals that cannot hold together, and what those that were given up miss by at best."""

    literals: frozenset[RealLiteral]
    slacks: Mapping[RealLiteral, float]
    final: bool  # not only *not found*


@dataclass(frozen=True, slots=True, eq=False)
class Infeasible:
    """Conflicts, at least one for each separate problem that has no solution."""

    conflicts: tuple[Conflict, ...]


class ConstraintSolver:
    """Answers for sets of literals; remembers what it was asked, and the last points found."""

    def __init__(self, minimiser: Minimiser | None = None, effort: Effort | None = None) -> None:
        self._memory, self._eliminator = Memory(), Eliminator()
        self._local = LocalSearch(minimiser or Ipopt(), effort or Effort(), self._memory)
        self._answers: dict[frozenset[RealLiteral], Point | tuple[Conflict, ...]] = {}

    @property
    def minimisations(self) -> int:
        """How many minimisations there were."""
        return self._local.minimisations

    def solve(
        self, literals: Sequence[RealLiteral], variables: Sequence[Variable]
    ) -> Feasible | Infeasible:
        """Whether all literals can hold, with the variables in their ranges."""
        elimination = self._eliminator.eliminate(literals, variables)
        free = [v for v in variables if v not in elimination.values]
        point = {v: self._memory.last(v) for v in free}
        conflicts: list[Conflict] = []
        for part in separated(elimination.constraints):
            answer = self._answer(part)
            if isinstance(answer, tuple):
                conflicts += answer
            else:
                point |= answer
        if conflicts:
            return Infeasible(tuple(conflicts))
        self._memory.add(point)
        return Feasible(point, elimination.values)

    def spread(
        self,
        literals: Sequence[RealLiteral],
        variables: Sequence[Variable],
        over: Variable,
        count: int,
    ) -> None:
        """Look for solutions all over the range of ``over``, to start later searches from."""
        seeded = scattered(over.lower, over.upper, count, seed=1)
        values = np.vstack([corners(over.lower, over.upper)[:count], seeded])
        for part in separated(self._eliminator.eliminate(literals, variables).constraints):
            problem = SlackProblem(part)
            if over in problem.variables and len(problem.variables) > 1:
                for value in values:
                    self._look_at(problem, over, value)

    def _look_at(self, problem: SlackProblem, over: Variable, value: Array) -> None:
        start = self._memory.nearest(problem, over, value)
        found = self._local.descend(problem, problem.fixed({over: value}), start)
        if self._local.holds(found.missed):
            self._memory.add(problem.named(found.point))

    def _answer(self, part: tuple[Reduced, ...]) -> Point | tuple[Conflict, ...]:
        key = frozenset[RealLiteral]().union(*(c.literals for c in part))
        if key not in self._answers:
            self._answers[key] = self._solved(SlackProblem(part))
        return self._answers[key]

    def _solved(self, problem: SlackProblem) -> Point | tuple[Conflict, ...]:
        best = self._local.best(problem)
        if self._local.holds(best.missed):
            return problem.named(best.point)
        slacks: dict[RealLiteral, float] = {}
        for owner, miss in zip(problem.owners, best.missed, strict=True):
            if miss > self._local.effort.tolerance:
                slacks[owner.literal] = slacks.get(owner.literal, 0.0) + float(miss)
        cores = self._cores(problem, best, frozenset(slacks))
        joined = (frozenset[RealLiteral]().union(*(c.literals for c in core)) for core in cores)
        return tuple(Conflict(literals, slacks, best.final) for literals in joined)

    def _cores(
        self, problem: SlackProblem, best: Best, missed: frozenset[RealLiteral]
    ) -> list[frozenset[Reduced]]:
        """Constraints in conflict: each missed one with those that hold and press on the minima.

        Whether they are in conflict by themselves is asked again from the best point, because
        without the others the minimum may lie elsewhere. If none is, all that press are.
        """
        pressing = best.pressing or frozenset(problem.constraints)
        held = frozenset(c for c in pressing if c.literal not in missed)
        alone = [held | {c} for c in problem.constraints if c.literal in missed]
        cores = [core for core in alone if self._is_conflict(problem, best, core)]
        if cores:
            return cores
        sure = self._is_conflict(problem, best, pressing)
        return [pressing if sure else frozenset(problem.constraints)]

    def _is_conflict(self, problem: SlackProblem, best: Best, core: frozenset[Reduced]) -> bool:
        kept = np.array([owner in core for owner in problem.owners])
        if kept.all():
            return True
        total = np.where(kept, best.tried_missed, 0.0).sum(axis=1)
        nearest = int(total.argmin())
        if self._local.holds(np.where(kept, best.tried_missed[nearest], 0.0)):
            return False
        found = self._local.descend(problem, problem.only(kept), best.tried[nearest])
        can_hold = self._local.holds(np.where(kept, found.missed, 0.0))
        return not can_hold and (found.settled or not best.final)


def separated(constraints: Sequence[Reduced]) -> tuple[tuple[Reduced, ...], ...]:
    """Groups that share variables, also by way of others; each is a problem of its own."""
    groups: list[tuple[set[Variable], list[int]]] = []
    for place, constraint in enumerate(constraints):
        touching = [group for group in groups if group[0] & constraint.over]
        joined = (set(constraint.over), [place])
        for group in touching:
            joined[0].update(group[0])
            joined[1].extend(group[1])
            groups.remove(group)
        groups.append(joined)
    return tuple(tuple(constraints[i] for i in sorted(places)) for _, places in groups)
