import math
from fractions import Fraction

import pytest
from hypothesis import given

from dyverse.automaton.written.writing import term
from dyverse.expr.polynomial import TooLongError, gathered, is_same, numerators
from dyverse.expr.term import Number, Term, symbols
from dyverse.expr.value import value
from tests.expr.strategies import exact_value, plain_terms

KNOWN = {"k": 0.1, "z": 0.0}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(x + y)^2", "x^2 + 2*x*y + y^2"),
        ("(x - y)/(x*x - y*y)", "1/(x + y)"),
        ("exp(x)*(y + 1)", "y*exp(x) + exp(x)"),
        ("k*x", "0.1*x"),
        ("0.1*(0.3*x)", "0.03*x"),
        ("x/3", "0.3333333333333333*x"),
        ("1e-20*x + y", "y + x*1e-20"),
        ("x^-2", "1/x/x"),
        ("z*sin(x)", "0"),
        ("-(x - y)", "y - x"),
    ],
)
def test_equal_terms_are_the_same(one: str, other: str) -> None:
    assert is_same(term(one), term(other), KNOWN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", "y"),
        ("x + 1e-20*y", "x"),
        ("x + 1e-300", "x"),
        ("1e-20*x", "1.0001e-20*x"),
        ("sin(x)", "cos(x)"),
        ("x + max(x - 100, 0)", "x"),
        ("1/x", "0"),
        ("x^y", "x"),
    ],
)
def test_however_small_a_difference_is_it_is_one(one: str, other: str) -> None:
    assert not is_same(term(one), term(other), KNOWN)


@given(plain_terms, plain_terms)
def test_only_terms_with_equal_values_are_the_same(one: Term, other: Term) -> None:
    """The second road: fractions, at places that are no root of anything so short."""
    known = {"x": Fraction(1237, 1009), "y": Fraction(-4999, 3001)}
    try:
        first, second = exact_value(one, known), exact_value(other, known)
    except ZeroDivisionError:
        return
    assert is_same(one, one, {})
    if is_same(one, other, {}):
        assert abs(first - second) <= abs(first) / 10**9 + Fraction(1, 10**12)
    assert is_same(one + other, other + one, {})
    products = one * (other - one), one * other - one**2
    try:
        numerators(products, {})
    except TooLongError:
        return  # of what is too long to be multiplied out nothing is said
    assert is_same(*products, {})


def test_what_cancels_is_gone() -> None:
    found = gathered(term("(x*y - exp(x))/2 - (y*x + exp(x))/2"), {})
    assert {symbol.name for symbol in symbols(found)} == {"x"}
    assert value(found, {"x": 0.3}) == pytest.approx(-math.exp(0.3))
    assert gathered(term("(x - x)*y/z"), {"z": 2.0}) == Number(0.0)


def test_long_products_are_refused() -> None:
    long = term("(a + b + c + d + e + f)^12")
    with pytest.raises(TooLongError):
        numerators([long], {})
    assert not is_same(long, long, {})
