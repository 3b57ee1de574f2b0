import math

import casadi as ca
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.automaton.robustness import atom, leaves, normal, robustness, symbolic_truth
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
    depth = robustness(formula, point)
    assert holds(formula, point) or depth <= 0
    assert not holds(formula, point) or depth >= 0


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
