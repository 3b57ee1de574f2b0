from hypothesis import given
from hypothesis import strategies as st

from dyverse.expr.formula import Compare, Formula
from dyverse.expr.rewrite import (
    MOST_CASES,
    by_cases,
    rewritten,
    rewritten_formula,
    substitution,
    with_values,
)
from dyverse.expr.term import Number, Symbol, Term, symbols
from dyverse.expr.value import holds, value
from dyverse.text.parse import parse_formula, parse_term
from tests.expr.strategies import formulas, terms


def same(term: Term) -> Term:
    return term


@given(terms)
def test_nothing_replaced_is_nothing_changed(term: Term) -> None:
    assert rewritten(term, same) == term


@given(formulas)
def test_nothing_replaced_in_a_formula_either(formula: Formula) -> None:
    assert rewritten_formula(formula, same) == formula


def test_names_are_replaced_at_once() -> None:
    swap = substitution({"x": Symbol("y"), "y": parse_term("x + 1")})
    assert rewritten(parse_term("x - sin(y)^-x"), swap) == parse_term("y - sin(x + 1)^-y")
    formula = parse_formula("x > 1 and not (y == x or z < 0)")
    expected = parse_formula("y > 1 and not (x + 1 == y or z < 0)")
    assert rewritten_formula(formula, swap) == expected


def test_a_sign_is_folded_into_a_number_that_takes_a_place() -> None:
    made = rewritten(parse_term("-x*2"), substitution({"x": Number(3.0)}))
    assert made == parse_term("-3*2")
    assert value(made, {}) == -6
    assert symbols(made) == ()


def test_what_is_constant_becomes_one_number() -> None:
    known = with_values({"a": 2.0, "b": -3.0})
    assert rewritten(parse_term("a*b + sin(0)"), known) == Number(-6.0)
    assert rewritten(parse_term("-(a*x) + b^2"), known) == parse_term("-(2*x) + 9")
    expected = parse_formula("x <= 4 or not 2*x == -3")
    assert rewritten_formula(parse_formula("x <= a^2 or not a*x == b"), known) == expected


@given(st.floats(-2, 2), st.floats(-2, 2))
def test_cases_of_a_comparison_hold_where_it_does(x: float, y: float) -> None:
    text = "(if x > 0 then y else if y < 1 then x^2 else -1) <= 2*(if x > 0 then 0.2 else x + y)"
    formula = parse_formula(text)
    assert isinstance(formula, Compare)
    cases = by_cases(formula)
    assert cases != formula
    assert holds(cases, {"x": x, "y": y}) is holds(formula, {"x": x, "y": y})


def test_too_many_cases_stay_together() -> None:
    many = " + ".join(f"(if x > {n} then 1 else 0)" for n in range(MOST_CASES + 1))
    formula = parse_formula(f"{many} > 2")
    assert isinstance(formula, Compare)
    assert by_cases(formula) is formula
