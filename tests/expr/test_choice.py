"""Choices: two ways to write them, what they are worth, and what is made of them elsewhere."""

import casadi as ca
import pytest
from hypothesis import given

from dyverse.enclosure.continuity import may_jump
from dyverse.enclosure.interval import enclosure
from dyverse.expr.choice import condition, truth, where
from dyverse.expr.derivative import derivative
from dyverse.expr.domain import at_edge
from dyverse.expr.formula import Formula, both, compare
from dyverse.expr.printing import term_text
from dyverse.expr.rewrite import rewritten, with_values
from dyverse.expr.symbolic import symbolic
from dyverse.expr.term import Number, Symbol
from dyverse.expr.value import value
from dyverse.text.parse import parse_term
from dyverse.uppaal.export.to_expression import term_expression
from dyverse.uppaal.language.printing import expression_text
from tests.expr.strategies import formulas

ROOT = parse_term("if x > 0 then sqrt(x) else -1")


def test_text_and_python_give_the_same_term() -> None:
    test = both(compare("x", ">", 1), compare("y", "<=", 2))
    assert where(test, Symbol("x"), 2.0) == parse_term("if x > 1 and y <= 2 then x else 2")


@given(formulas)
def test_a_condition_is_a_term_that_gives_it_back(formula: Formula) -> None:
    assert condition(truth(formula)) == formula


def test_only_what_is_chosen_need_be_defined() -> None:
    assert [value(ROOT, {"x": x}) for x in (4.0, 0.0, -4.0)] == [2, -1, -1]
    x = ca.SX.sym("x")
    made = symbolic(ROOT, {"x": x})
    both_of = ca.Function("f", [x], [made, ca.jacobian(made, x)])
    assert [tuple(map(float, both_of(at))) for at in (4.0, -4.0)] == [(2, 0.25), (-1, 0)]


def test_numbers_put_in_decide_a_choice() -> None:
    term = parse_term("if k > 1 then 2*x else k")
    assert [term_text(rewritten(term, with_values({"k": k}))) for k in (0.0, 3.0)] == ["0", "2 * x"]


def test_what_is_left_of_a_condition_prints_and_parses() -> None:
    left = rewritten(parse_term("if k > 1 and x > 0 then 2 else k"), with_values({"k": 3.0}))
    assert term_text(left) == "if true and x > 0 then 2 else 3"
    again = parse_term(term_text(left))
    assert [value(again, {"x": x}) for x in (1.0, -1.0)] == [2, 3]


def test_the_derivative_is_that_of_each_part() -> None:
    term = parse_term("if x > 0 then x^2 else 3*x")
    assert term_text(derivative(term, "x")) == "if x > 0 then 2 * x else 3"
    assert derivative(parse_term("if x > 0 then y else 3*x"), "z") == Number(0.0)


@pytest.mark.parametrize(("box", "found"), [((1.0, 4.0), (1.0, 2.0)), ((-2.0, -1.0), (-1.0, -1.0))])
def test_an_interval_on_one_side_is_that_side(
    box: tuple[float, float], found: tuple[float, float]
) -> None:
    assert enclosure(ROOT, {"x": box}) == found
    assert not may_jump(ROOT, {"x": box})


def test_an_interval_on_both_sides_holds_both() -> None:
    term = parse_term("if x >= 1 then 5 else if x < 0 then -2 else 3")
    assert enclosure(term, {"x": (0.5, 2.0)}) == (3, 5)
    assert enclosure(term, {"x": (-1.0, 2.0)}) == (-2, 5)
    assert may_jump(term, {"x": (0.5, 2.0)})


def test_what_is_not_chosen_is_at_no_edge() -> None:
    assert at_edge([ROOT], {"x": -1e-9}) is None
    assert at_edge([ROOT], {"x": 1e-9}) is not None


def test_uppaal_has_it_too() -> None:
    term = parse_term("if x > 1 and not y == 2 then x else 3")
    text = expression_text(term_expression(term, str, exact=True))
    assert text.replace("(", "").replace(")", "") == "x > 1 && !y == 2 ? x : 3"
