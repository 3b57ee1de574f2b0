"""Formulas become clauses that hold exactly where they do."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.expr.formula import And, Compare, Formula, Not, Or, Relation, compare
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import Call, Symbol, Term
from dyverse.expr.value import holds
from dyverse.falsification.satisfy.clauses import FEW, Express, Translation
from dyverse.falsification.satisfy.cnf import (
    Boolean,
    Cnf,
    Constraint,
    Negated,
    Sizes,
    Variable,
    atom_of,
    real,
)
from dyverse.falsification.satisfy.satisfy import LazySolver, Satisfied

MARGIN = 1e-3


def expressed(variables: dict[str, Variable]) -> Express:
    """Terms over named variables as expressions."""
    names = {name: ca.SX.sym(name) for name in variables}

    def express(term: Term) -> ca.MX:
        function = ca.Function("term", list(names.values()), [symbolic(term, names)])
        return ca.MX(function(*(variable.symbol for variable in variables.values())))

    return express


def cnf(formula: Formula, variables: dict[str, Variable]) -> Cnf:
    found = Translation(expressed(variables), MARGIN).clauses(formula)
    return Cnf(found, tuple(variables.values()))


@pytest.mark.parametrize(
    ("relation", "expected"),
    [("<", (4.0 + MARGIN, "<=")), ("<=", (4.0, "<=")), ("==", (4.0, "=")), (">=", (-4.0, "<="))],
)
def test_a_comparison_is_a_closed_constraint(
    relation: Relation, expected: tuple[float, str]
) -> None:
    """At x = 5, x ∘ 1 has the depth 4 or -4, strict relations by the margin less."""
    x = real("x")
    (((one,),)) = cnf(compare("x", relation, 1.0), {"x": x}).clauses
    assert isinstance(one, Constraint)
    value = float(ca.Function("c", [x.symbol], [one.expression])(5.0))
    assert value == pytest.approx(expected[0])
    assert one.relation == expected[1]


def test_unequal_means_less_or_greater_by_the_margin() -> None:
    x = real("x")
    ((low, high),) = cnf(compare("x", "!=", 1.0), {"x": x}).clauses
    for literal, inside, outside in ((low, 1.01, 0.99), (high, 0.99, 1.01)):
        assert isinstance(literal, Constraint)
        c = ca.Function("c", [x.symbol], [literal.expression])
        assert float(c(inside)) <= 0 < float(c(outside)) or float(c(outside)) <= 0 < float(
            c(inside)
        )


def test_an_absolute_value_is_taken_apart() -> None:
    size = Call("abs", (Symbol("x"),))
    x = {"x": real("x")}
    assert cnf(compare(size, "<=", 3.0), x).sizes == Sizes(one=2)
    assert cnf(compare(size, ">", 3.0), x).sizes == Sizes(two=1)


def test_long_disjunctions_get_names_and_short_ones_are_multiplied_out() -> None:
    x = {"x": real("x"), "y": real("y")}
    pair = And((compare("x", "<=", 1.0), compare("y", "<=", 1.0)))
    assert cnf(Or((pair, pair)), x).sizes.all == 4
    long = cnf(Or((pair,) * 5), x)
    assert FEW < 2**5
    assert long.sizes == Sizes(two=10, more=1)
    names = {atom_of(one) for clause in long.clauses for one in clause}
    assert sum(isinstance(name, Boolean) for name in names) == 5


def test_clauses_are_counted_by_their_literals() -> None:
    a, b = Boolean("a"), Boolean("b")
    formula = Cnf(((a,), (a, b), (Negated(a), b)))
    more = formula.also([(a, b, Negated(a))], [real("x")])
    assert more.sizes == Sizes(one=1, two=2, more=1)
    assert more.sizes - formula.sizes == Sizes(more=1)
    assert [v.name for v in more.variables] == ["x"]


def comparisons() -> st.SearchStrategy[Compare]:
    names = st.sampled_from([Symbol("x"), Symbol("y"), Symbol("x") - Symbol("y")])
    sides = st.one_of(names, names.map(lambda term: Call("abs", (term,))))
    relations: st.SearchStrategy[Relation] = st.sampled_from(("<", "<=", ">=", ">", "!="))
    return st.builds(Compare, relations, sides, st.sampled_from([-1, 0, 1]).map(float).map(_number))


def _number(value: float) -> Term:
    return compare(value, "<", 0.0).left


def formulas() -> st.SearchStrategy[Formula]:
    def extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
        return st.one_of(st.builds(And, parts), st.builds(Or, parts), st.builds(Not, inner))

    return st.recursive(comparisons(), extend, max_leaves=8)


@settings(max_examples=100, deadline=None)
@given(formula=formulas(), x=st.integers(-4, 4), y=st.integers(-4, 4))
def test_clauses_hold_where_the_formula_does(formula: Formula, x: int, y: int) -> None:
    """At points away from all boundaries, both by the solver and by plain evaluation."""
    point = {"x": 0.5 * x + 0.1, "y": 0.5 * y + 0.23}
    variables = {name: real(name, number, number) for name, number in point.items()}
    answer = LazySolver().satisfy(cnf(formula, variables))
    assert isinstance(answer, Satisfied) == holds(formula, point)


def test_a_range_holds_for_every_entry_of_a_column() -> None:
    column = real("v", -1.0, [1.0, 2.0], size=2)
    assert np.array_equal(column.lower, [-1, -1])
    assert np.array_equal(column.upper, [1, 2])
