"""Algorithm 5, *Satisfy*: a lazy solver for Boolean combinations of real constraints.

A SAT solver picks literals that would make the formula true, a numerical optimiser looks for a
point where their constraints hold; if there is none, the conflict is learned as a clause and the
SAT solver picks again.  [navarro2018] supplement §6

Clauses are given to the SAT solver once, each behind a switch that is assumed on for the questions
that contain it. What is learned speaks of constraints alone and so holds for all later questions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dyverse.falsification.satisfy.cnf import (
    AnyLiteral,
    Atom,
    Boolean,
    Clause,
    Cnf,
    Negated,
    RealLiteral,
    Sizes,
    Variable,
    atom_of,
)
from dyverse.falsification.satisfy.nonlinear import ConstraintSolver, Feasible, Infeasible
from dyverse.falsification.satisfy.sat import Cadical, SatSolver

MOST = 10_000  # rounds of one question


@dataclass(frozen=True, slots=True, eq=False)
class Satisfied:
    """A solution: the literals chosen, and a point where they hold."""

    chosen: frozenset[AnyLiteral]
    solution: Feasible


@dataclass(frozen=True, slots=True)
class NotFound:
    """No solution was found; ``final`` if only convex or concave constraints were given up."""

    final: bool
    why: str = ""


Answer = Satisfied | NotFound


@dataclass(slots=True)
class Statistics:
    """What a solver has done so far."""

    questions: int = 0
    sat_calls: int = 0
    constraint_calls: int = 0
    minimisations: int = 0
    learned: int = 0
    largest: Sizes = field(default_factory=Sizes)  # the formula with the most clauses


class LazySolver:
    """Answers questions that share clauses, and keeps what it learns."""

    def __init__(
        self, constraints: ConstraintSolver | None = None, sat: SatSolver | None = None
    ) -> None:
        self.statistics = Statistics()
        self._constraints = constraints or ConstraintSolver()
        self._sat = sat or Cadical()
        self._numbers: dict[Atom | Clause, int] = {}
        self._final = True

    def satisfy(self, formula: Cnf) -> Answer:
        """A solution of ``formula``, or none found.  [navarro2018] supplement, Algorithm 5"""
        self._count(formula)
        switches = [self._switch(clause) for clause in formula.clauses]
        for _ in range(MOST):
            self.statistics.sat_calls += 1
            model = self._sat.solve(switches)
            if model is None:
                return NotFound(self._final)
            chosen = self._needed(formula, model)
            real = real_literals(chosen)
            self.statistics.constraint_calls += 1
            answer = self._constraints.solve(real, formula.variables)
            self.statistics.minimisations = self._constraints.minimisations
            if isinstance(answer, Feasible):
                return Satisfied(frozenset(chosen), answer)
            self._learn(answer)
        return NotFound(final=False, why=f"stopped after {MOST} rounds")

    def spread(self, formula: Cnf, found: Satisfied, over: Variable, count: int) -> None:
        """Look for more solutions like ``found`` along ``over``: later questions start there."""
        self._constraints.spread(real_literals(found.chosen), formula.variables, over, count)
        self.statistics.minimisations = self._constraints.minimisations

    def _count(self, formula: Cnf) -> None:
        self.statistics.questions += 1
        self.statistics.largest = max(
            self.statistics.largest, formula.sizes, key=lambda sizes: sizes.all
        )

    def _number(self, key: Atom | Clause) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def _signed(self, literal: AnyLiteral) -> int:
        number = self._number(atom_of(literal))
        return -number if isinstance(literal, Negated) else number

    def _switch(self, clause: Clause) -> int:
        """The variable that turns ``clause`` on."""
        known = clause in self._numbers
        switch = self._number(clause)
        if not known:
            self._sat.add([-switch, *map(self._signed, clause)])
        return switch

    def _needed(self, formula: Cnf, model: frozenset[int]) -> list[AnyLiteral]:
        """Literals that are true in ``model`` and together make every clause true, few of them.

        Those of clauses with one true literal have to be there; then the one that makes the most
        of the remaining clauses true, until none is left.
        """
        true = [
            [literal for literal in clause if self._signed(literal) in model]
            for clause in formula.clauses
        ]
        chosen = dict.fromkeys(literals[0] for literals in true if len(literals) == 1)
        open_ = [literals for literals in true if not any(one in chosen for one in literals)]
        while open_:
            best = _most_common(open_)
            chosen[best] = None
            open_ = [literals for literals in open_ if best not in literals]
        return list(chosen)

    def _learn(self, lost: Infeasible) -> None:
        for conflict in lost.conflicts:
            self.statistics.learned += 1
            self._final &= conflict.final
            self._sat.add([-self._number(literal) for literal in conflict.literals])


def _most_common(clauses: Iterable[Iterable[AnyLiteral]]) -> AnyLiteral:
    """Boolean literals first, because they cost nothing; then the one in most clauses."""
    count: dict[AnyLiteral, int] = {}
    for literals in clauses:
        for literal in literals:
            count[literal] = count.get(literal, 0) + 1
    return max(count, key=lambda one: (isinstance(one, Boolean | Negated), count[one]))


def real_literals(literals: Iterable[AnyLiteral]) -> list[RealLiteral]:
    """The literals that speak of real variables."""
    return [one for one in literals if not isinstance(one, Boolean | Negated)]
