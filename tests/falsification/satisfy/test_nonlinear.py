"""Sets of constraints: feasible ones have a point, the others a conflict that is one."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from scipy.optimize import linprog

from dyverse.automaton.interface import Array
from dyverse.falsification.satisfy.cnf import (
    MX,
    Constraint,
    Definition,
    RealLiteral,
    Variable,
    real,
)
from dyverse.falsification.satisfy.nonlinear import ConstraintSolver, Feasible, Infeasible
from dyverse.falsification.satisfy.slacks import curvature


def at_most(expression: MX) -> Constraint:
    return Constraint(expression, "<=")


def zero(expression: MX) -> Constraint:
    return Constraint(expression, "=")


def solve(literals: list[RealLiteral], *variables: Variable) -> Feasible | Infeasible:
    return ConstraintSolver().solve(literals, variables)


def one_conflict(answer: Feasible | Infeasible) -> tuple[frozenset[RealLiteral], bool]:
    assert isinstance(answer, Infeasible)
    (conflict,) = answer.conflicts
    return conflict.literals, conflict.final


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        (lambda x: 2 * x[0] - x[1] + 3, "affine"),
        (lambda x: ca.sumsqr(x) - 1, "convex"),
        (lambda x: 1 - x[0] ** 2, "concave"),
        (lambda x: x[0] * x[1], "unknown"),
        (lambda x: ca.sin(x[0]), "unknown"),
    ],
)
def test_curvature_is_told_from_a_constant_hessian(
    expression: Callable[[ca.MX], ca.MX], kind: str
) -> None:
    x = ca.MX.sym("x", 2)
    assert curvature(expression(x), x) == kind


def test_a_point_of_a_feasible_set_is_found() -> None:
    """The line x + y = 1 meets the disc of radius 0.8 about zero, nearest at (1/2, 1/2)."""
    x, y = real("x"), real("y")
    literals = [zero(x.symbol + y.symbol - 1), at_most(x.symbol**2 + y.symbol**2 - 0.64)]
    answer = solve([*literals], x, y)
    assert isinstance(answer, Feasible)
    a, b = float(answer.at(x)[0]), float(answer.at(y)[0])
    assert a + b == pytest.approx(1, abs=1e-7)
    assert a**2 + b**2 <= 0.64 + 1e-7


def test_a_line_that_misses_a_disc_is_a_conflict_of_both() -> None:
    """Nearest to zero x + y = 1 has the distance 0.7071 > 0.7."""
    x, y, other = real("x"), real("y"), real("other", 0, 1)
    line, disc = zero(x.symbol + y.symbol - 1), at_most(x.symbol**2 + y.symbol**2 - 0.49)
    idle, slack = at_most(x.symbol - 50), at_most(other.symbol - 0.5)
    literals, final = one_conflict(solve([line, disc, idle, slack], x, y, other))
    assert literals == {line, disc}
    assert final


def test_a_chain_of_constraints_is_a_conflict_of_all_of_it() -> None:
    """x ≥ 1, y ≥ x, y ≤ 0: any two of them can hold, so none may be left out."""
    x, y = real("x", -5, 5), real("y", -5, 5)
    chain = [at_most(1 - x.symbol), at_most(x.symbol - y.symbol), at_most(y.symbol)]
    literals, final = one_conflict(solve([*chain], x, y))
    assert (literals, final) == (frozenset(chain), True)


def test_the_slacks_of_a_conflict_are_the_least_that_is_missed() -> None:
    x = real("x", -5, 5)
    low, high = at_most(x.symbol + 1), at_most(2 - x.symbol)
    answer = solve([low, high], x)
    assert isinstance(answer, Infeasible)
    assert sum(answer.conflicts[0].slacks.values()) == pytest.approx(3, abs=1e-6)


def test_a_concave_constraint_is_sought_in_every_corner() -> None:
    """1 - (x + y)²/4 ≤ 0 holds on [0, 1]² only in the corner (1, 1), on [0, 0.9]² nowhere."""
    for side, feasible in ((1.0, True), (0.9, False)):
        x, y = real("x", 0, side), real("y", 0, side)
        concave = at_most(1 - ca.sumsqr(x.symbol + y.symbol) / 4)
        answer = solve([concave], x, y)
        assert isinstance(answer, Feasible) == feasible
        if isinstance(answer, Infeasible):
            assert one_conflict(answer) == (frozenset({concave}), True)


def test_what_is_not_convex_is_not_found_but_never_final() -> None:
    x = real("x", 0, 10)
    wave = at_most(ca.sin(x.symbol) + 1.01)
    assert one_conflict(solve([wave], x)) == (frozenset({wave}), False)


def test_several_starts_reach_a_minimum_that_one_would_miss() -> None:
    """A narrow well at 7.3 beside a wide and shallow one at 2."""
    x = real("x", 0, 10)
    well = 1.05 - ca.exp(-((x.symbol - 2) ** 2)) - 1.1 * ca.exp(-8 * (x.symbol - 7.3) ** 2)
    answer = solve([at_most(well)], x)
    assert isinstance(answer, Feasible)
    assert answer.at(x)[0] == pytest.approx(7.3, abs=0.2)


def test_definitions_are_put_into_one_another_and_named_in_conflicts() -> None:
    """y = x², z = y + 1, z ≤ 0.5 cannot hold; w = x is not part of it."""
    x, y, z, w = real("x", -1, 1), real("y"), real("z"), real("w")
    square = Definition(y, x.symbol**2)
    more = Definition(z, y.symbol + 1)
    same = Definition(w, x.symbol)
    small = at_most(z.symbol - 0.5)
    literals, final = one_conflict(solve([more, same, square, small], x, y, z, w))
    assert literals == {square, more, small}
    assert final
    answer = solve([more, same, square, at_most(z.symbol - 1.25)], x, y, z, w)
    assert isinstance(answer, Feasible)
    assert answer.at(z)[0] == pytest.approx(answer.at(w)[0] ** 2 + 1)


def test_a_defined_variable_keeps_to_its_range() -> None:
    x, y = real("x", 0, 1), real("y", 2, 3)
    definition = Definition(y, x.symbol + 0.5)
    assert one_conflict(solve([definition], x, y)) == (frozenset({definition}), True)


def test_a_second_definition_and_a_circular_one_are_equations() -> None:
    x, y = real("x", -9, 9), real("y", -9, 9)
    answer = solve([Definition(y, x.symbol + 1), Definition(y, 3 - x.symbol)], x, y)
    assert isinstance(answer, Feasible)
    assert (answer.at(x)[0], answer.at(y)[0]) == pytest.approx((1, 2), abs=1e-6)
    answer = solve([Definition(y, x.symbol + 1), Definition(x, 3 - y.symbol)], x, y)
    assert isinstance(answer, Feasible)
    assert (answer.at(x)[0], answer.at(y)[0]) == pytest.approx((1, 2), abs=1e-6)


def test_unknowns_with_one_value_are_only_evaluated() -> None:
    solver = ConstraintSolver()
    x = real("x", 2, 2)
    assert isinstance(solver.solve([at_most(x.symbol - 2)], [x]), Feasible)
    assert isinstance(solver.solve([at_most(x.symbol - 1)], [x]), Infeasible)
    assert solver.minimisations == 0


@pytest.mark.parametrize("seed", range(20))
def test_random_linear_systems_agree_with_linear_programming(seed: int) -> None:
    """Feasible or not as linprog says; and every conflict is infeasible by itself."""
    random = np.random.default_rng(seed)
    A, b = random.normal(size=(7, 3)), random.normal(size=7) - 0.4
    x = real("x", -2, 2, size=3)
    literals: list[RealLiteral] = [
        at_most(ca.mtimes(ca.DM(A[i : i + 1]), x.symbol) - b[i]) for i in range(7)
    ]
    answer = solve(literals, x)
    assert isinstance(answer, Feasible) == _possible(A, b)
    if isinstance(answer, Infeasible):
        for conflict in answer.conflicts:
            rows = [literals.index(one) for one in conflict.literals]
            assert conflict.final
            assert not _possible(A[rows], b[rows])


def _possible(A: Array, b: Array) -> bool:
    return bool(linprog(np.zeros(3), A_ub=A, b_ub=b, bounds=[(-2, 2)] * 3).status == 0)
