"""Algorithm 5 against counting through all choices of literals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import casadi as ca
import numpy as np
import pytest
from scipy.optimize import linprog

from dyverse.automaton.interface import Array
from dyverse.falsification.satisfy.cnf import Boolean, Clause, Cnf, Constraint, Negated, Sizes, real
from dyverse.falsification.satisfy.sat import Cadical
from dyverse.falsification.satisfy.satisfy import LazySolver, NotFound, Satisfied


class Recording:
    """A SAT solver that writes down its clauses."""

    def __init__(self) -> None:
        self.inner = Cadical()
        self.clauses: list[tuple[int, ...]] = []

    def add(self, clause: Sequence[int]) -> None:
        self.clauses.append(tuple(clause))
        self.inner.add(clause)

    def solve(self, assumptions: Sequence[int]) -> frozenset[int] | None:
        return self.inner.solve(assumptions)


def test_the_example_of_the_supplement() -> None:
    """c1 ∧ (c2 ∨ c3) ∧ (c1 ∨ c3): c2 contradicts c1, so the solution has c3."""
    x = real("x", -10, 10)
    c1 = Constraint(x.symbol - 1, "<=")
    c2 = Constraint(2 - x.symbol, "<=")
    c3 = Constraint(x.symbol + 3, "=")
    answer = LazySolver().satisfy(Cnf(((c1,), (c2, c3), (c1, c3)), (x,)))
    assert isinstance(answer, Satisfied)
    assert answer.chosen == {c1, c3}
    assert answer.solution.at(x)[0] == pytest.approx(-3, abs=1e-6)


def test_pure_boolean_formulas_are_left_to_the_sat_solver() -> None:
    a, b = Boolean("a"), Boolean("b")
    solver = LazySolver()
    both = Cnf(((a, b), (Negated(a),)))
    answer = solver.satisfy(both)
    assert isinstance(answer, Satisfied)
    assert answer.chosen == {Negated(a), b}
    assert solver.satisfy(both.also([(Negated(b),)])) == NotFound(final=True)
    assert solver.satisfy(Cnf(((),))) == NotFound(final=True)


def test_a_clause_binds_only_the_questions_that_contain_it() -> None:
    x = real("x", 0, 1)
    solver = LazySolver()
    low, high = Constraint(x.symbol - 0.2, "<="), Constraint(0.8 - x.symbol, "<=")
    assert isinstance(solver.satisfy(Cnf(((low,), (high,)), (x,))), NotFound)
    assert isinstance(solver.satisfy(Cnf(((high,),), (x,))), Satisfied)


def test_what_is_learned_is_kept_for_later_questions() -> None:
    x = real("x", 0, 1)
    solver = LazySolver()
    low, high = Constraint(x.symbol - 0.2, "<="), Constraint(0.8 - x.symbol, "<=")
    question = Cnf(((low,), (high,)), (x,))
    solver.satisfy(question)
    before = solver.statistics.constraint_calls
    a = Boolean("a")
    assert solver.satisfy(question.also([(a,)])) == NotFound(final=True)
    assert solver.statistics.constraint_calls == before
    assert solver.statistics.questions == 2
    assert solver.statistics.largest == Sizes(one=3)


def test_a_conflict_that_was_only_not_found_makes_no_answer_final() -> None:
    x = real("x", 0, 10)
    wave = Constraint(ca.sin(x.symbol) + 1.01, "<=")
    assert LazySolver().satisfy(Cnf(((wave,),), (x,))) == NotFound(final=False)


@pytest.mark.parametrize("seed", range(12))
def test_random_linear_formulas_agree_with_enumeration(seed: int) -> None:
    """And no learned clause excludes constraints that can hold together, as linprog says."""
    random = np.random.default_rng(seed)
    A, b = random.normal(size=(8, 2)), random.normal(size=8) - 0.8
    x = real("x", -2, 2, size=2)
    atoms = [Constraint(ca.mtimes(ca.DM(A[i : i + 1]), x.symbol) - b[i], "<=") for i in range(8)]
    picked = [random.choice(8, size=random.integers(1, 4), replace=False) for _ in range(6)]
    clauses: list[Clause] = [tuple(atoms[i] for i in rows) for rows in picked]
    sat = Recording()
    solver = LazySolver(sat=sat)
    answer = solver.satisfy(Cnf(tuple(clauses), (x,)))
    assert isinstance(answer, Satisfied) == any(
        _possible(A[list(rows)], b[list(rows)]) for rows in product(*picked)
    )
    places = {solver._numbers[atom]: i for i, atom in enumerate(atoms) if atom in solver._numbers}
    for clause in sat.clauses[len(set(clauses)) :]:
        rows = [places[-literal] for literal in clause]
        assert not _possible(A[rows], b[rows])
    if isinstance(answer, Satisfied):
        point = answer.solution.at(x)
        assert all((A[list(rows)] @ point <= b[list(rows)] + 1e-6).any() for rows in picked)


def _possible(A: Array, b: Array) -> bool:
    return bool(linprog(np.zeros(2), A_ub=A, b_ub=b, bounds=[(-2, 2)] * 2).status == 0)


@pytest.mark.parametrize("seed", range(8))
def test_random_discs_agree_with_enumeration(seed: int) -> None:
    """Convex quadratic constraints: choices of discs that have a point in common."""
    random = np.random.default_rng(seed)
    centres, radii = random.uniform(-1, 1, size=(6, 2)), random.uniform(0.3, 0.8, size=6)
    x = real("x", -2, 2, size=2)
    discs = [
        Constraint(ca.sumsqr(x.symbol - ca.DM(c)) - r**2, "<=")
        for c, r in zip(centres, radii, strict=True)
    ]
    picked = [random.choice(6, size=2, replace=False) for _ in range(5)]
    formula = Cnf(tuple(tuple(discs[i] for i in pair) for pair in picked), (x,))
    answer = LazySolver().satisfy(formula)
    expected = any(_meet(centres[list(rows)], radii[list(rows)]) for rows in product(*picked))
    assert isinstance(answer, Satisfied) == expected
    if isinstance(answer, NotFound):
        assert answer.final


def _meet(centres: Array, radii: Array) -> bool:
    """Whether discs have a common point: if so, a centre or where two circles cross is one."""
    points = list(centres)
    for (p, r), (q, s) in combinations(zip(centres, radii, strict=True), 2):
        apart = float(np.hypot(*(q - p)))
        along = (apart**2 + r**2 - s**2) / (2 * apart) if apart else 0.0
        if apart and r**2 >= along**2:
            ahead = (q - p) / apart
            aside = np.sqrt(r**2 - along**2) * np.array([-ahead[1], ahead[0]])
            points += [p + along * ahead + aside, p + along * ahead - aside]
    return any((np.hypot(*(centres - point).T) <= radii + 1e-9).all() for point in points)
