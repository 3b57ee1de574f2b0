import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dyverse.automaton.written.writing import term
from dyverse.expr.derivative import derivative, product, quotient, total
from dyverse.expr.printing import term_text
from dyverse.expr.term import FUNCTIONS, Number, Symbol
from dyverse.expr.value import value

TEXTS = (
    "x",
    "3",
    "y",
    "-x",
    "x + 2*y",
    "y - x",
    "x*y*x",
    "x/y",
    "y/(1 + x^2)",
    "x^3",
    "x^-2",
    "y^x",
    "x^y",
    "x^(y + 1)",
    "exp(-x*y)",
    "log(1 + x)*sqrt(x)",
    "sin(x) + cos(2*x) + tan(x/3)",
    "sinh(x) - cosh(x) + tanh(x)",
    "asin(x/9) + acos(x/9) + atan(x)",
    "atan2(x, y) + atan2(y, x)",
    "abs(x - y)",
    "min(x, y)*max(x, 2*y)",
    "sign(x - 1)*x + floor(x) + ceil(y)",
)


@pytest.mark.parametrize("text", TEXTS)
@given(x=st.floats(0.1, 4), y=st.floats(0.1, 4))
def test_a_derivative_is_the_limit_of_differences(text: str, x: float, y: float) -> None:
    step = 1e-6
    assume(all(abs(gap) > 1e-4 for gap in (x - y, x - 2 * y, x - 1, x - round(x))))
    low, high = (value(term(text), {"x": x + side * step, "y": y}) for side in (-1, 1))
    slope = value(derivative(term(text), "x"), {"x": x, "y": y})
    assert slope == pytest.approx((high - low) / (2 * step), rel=1e-5, abs=1e-6)


def test_every_function_has_a_derivative() -> None:
    known = {"x": 0.3, "y": 0.7}
    for name, number in FUNCTIONS.items():
        call = term(f"{name}({', '.join(['x', 'y'][:number])})")
        assert math.isfinite(value(derivative(call, "x"), known)), name


@pytest.mark.parametrize(
    ("text", "slope"),
    [("2*x - y", "2"), ("x3", "0"), ("-x", "-1"), ("x^2", "2 * x"), ("x*y", "y"), ("x/4", "0.25")],
)
def test_derivatives_are_folded(text: str, slope: str) -> None:
    assert term_text(derivative(term(text), "x")) == slope


def test_sums_products_and_quotients_are_folded() -> None:
    x = Symbol("x")
    assert total(0.0, x, 0.0) == x
    assert total() == Number(0.0)
    assert product(2.0, x, -0.5) == -x
    assert product(x, 0.0) == Number(0.0)
    assert quotient(x, Number(2.0)) == Number(0.5) * x
    assert quotient(Number(0.0), x) == Number(0.0)
