import math

import casadi as ca
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.guard.robustness import (
    NOTHING,
    atom,
    fold,
    greatest,
    least,
    leaves,
    normal,
    opposite,
    robustness,
    symbolic_margin,
    symbolic_truth,
)
from dyverse.expr.formula import FALSE, TRUE, And, Compare, Formula, Not, Or, compare
from dyverse.expr.term import Symbol
from dyverse.expr.value import holds
from dyverse.text.parse import parse_formula

NUMBERS = st.integers(-3, 3).map(float)
RELATIONS = st.sampled_from(("<", "<=", "==", ">=", ">", "!="))
SIDES = st.sampled_from("xyz").map(Symbol) | NUMBERS
ATOMS: st.SearchStrategy[Formula] = st.builds(compare, SIDES, RELATIONS, SIDES) | st.sampled_from(
    (TRUE, FALSE)
)
FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    ATOMS,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.lists(inner, max_size=3).map(tuple))
        | st.builds(Or, st.lists(inner, max_size=3).map(tuple))
    ),
    max_leaves=8,
)
POINTS = st.fixed_dictionaries(dict.fromkeys("xyz", NUMBERS))


@settings(deadline=None)
@given(FORMULAS, POINTS)
def test_the_sign_of_robustness_is_the_truth(formula: Formula, point: dict[str, float]) -> None:
    assert (robustness(formula, point) >= 0) == holds(formula, point)
    assert robustness(Not(formula), point) == opposite(robustness(formula, point))


@settings(deadline=None)
@given(FORMULAS, POINTS)
def test_margins_in_casadi_are_margins_in_python(formula: Formula, point: dict[str, float]) -> None:
    plain, known = normal(formula), {name: ca.SX(number) for name, number in point.items()}
    if plain not in (TRUE, FALSE):
        found = fold(plain, lambda leaf: symbolic_margin(leaf, known), least, greatest)
        assert float(ca.evalf(found)) == robustness(formula, point)


@settings(deadline=None)
@given(FORMULAS, POINTS)
def test_the_normal_form_means_the_same(formula: Formula, point: dict[str, float]) -> None:
    plain = normal(formula)
    assert holds(plain, point) == holds(formula, point)
    assert all(isinstance(leaf, Compare) for leaf in leaves(plain))
    assert plain in (TRUE, FALSE) or "And(parts=())" not in repr(plain)
    assert normal(Not(Not(formula))) == plain


@settings(deadline=None)
@given(FORMULAS, POINTS)
def test_truth_in_casadi_is_truth_in_python(formula: Formula, point: dict[str, float]) -> None:
    known = {name: ca.SX(number) for name, number in point.items()}
    assert bool(float(ca.evalf(symbolic_truth(formula, known)))) == holds(formula, point)


def test_and_takes_the_least_or_the_greatest() -> None:
    point = {"x": 3.0, "y": 1.0}
    assert robustness(parse_formula("x >= 1 and y >= 0"), point) == 1
    assert robustness(parse_formula("x >= 1 or y >= 0"), point) == 2
    assert robustness(parse_formula("not (x >= 1)"), point) == -2
    assert robustness(TRUE, point) == math.inf


@pytest.mark.parametrize(
    ("text", "sense"), [("x < 1", "strict"), ("x >= 1", "weak"), ("x == 1", "reached")]
)
def test_relations_differ_at_their_boundary(text: str, sense: str) -> None:
    (comparison,) = leaves(parse_formula(text))
    assert atom(comparison, margin=0.0).sense == sense


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("x <= 3", 0.0),
        ("x < 3", -NOTHING),
        ("x == 3", 0.0),
        ("x != 3", -NOTHING),
        ("not (x == 3)", -NOTHING),
        ("not (x < 3)", 0.0),
        ("x < 3 or y >= 1", 0.0),  # at both bounds one of them holds
        ("x <= 3 and y > 1", -NOTHING),
    ],
)
def test_at_its_bound_a_strict_comparison_fails_by_nothing(text: str, margin: float) -> None:
    assert robustness(parse_formula(text), {"x": 3.0, "y": 1.0}) == margin


@pytest.mark.parametrize("text", ["1/x > 0", "not (1/x > 0)", "sqrt(x - 1) == 0", "log(x) < 1"])
def test_what_is_undefined_fails_and_so_does_its_negation(text: str) -> None:
    assert robustness(parse_formula(text), {"x": 0.0}) == -math.inf
    guarded = parse_formula(f"x == 0 or ({text})")
    assert robustness(guarded, {"x": 0.0}) == 0


@given(st.floats(allow_nan=False))
def test_a_negation_holds_where_the_formula_fails(margin: float) -> None:
    assert (opposite(margin) >= 0) == (margin < 0)
    assert opposite(opposite(margin)) == pytest.approx(margin, rel=0, abs=NOTHING)
