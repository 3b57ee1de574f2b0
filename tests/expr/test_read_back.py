"""CasADi expressions read back as terms have the values that the expressions have."""

import casadi as ca
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dyverse.expr.read_back import Unreadable, read_back
from dyverse.expr.term import Symbol
from dyverse.expr.value import value

X, Y = ca.SX.sym("x"), ca.SX.sym("y")
KNOWN = [(X, Symbol("x")), (Y, Symbol("y"))]
EXPRESSIONS = {
    "arithmetic": 2 * X - Y / 3 + (X - 1) ** 2 - 1 / (2 + Y * Y),
    "powers": ca.fabs(X) ** 1.5 + (1 + ca.fabs(X)) ** (Y / 4),
    "calls": ca.sin(X) * ca.cos(Y) + ca.atan2(Y, X) + ca.tanh(X) + ca.sqrt(ca.exp(Y / 9)),
    "kinks": ca.fmax(X, Y) - ca.fmin(X, 2 * Y) + ca.fabs(Y) * ca.sign(X) + ca.floor(X / 2),
    "choices": ca.if_else(X > Y, X * X, ca.if_else(X >= 0, Y, -Y)),
    "truths": ca.if_else(ca.logic_and(X <= 1, ca.logic_or(Y > 0, X == Y)), 3.0, X)
    + ca.if_else(ca.logic_not(X != 0), 1.0, 0.5),
}
NUMBERS = st.sampled_from((-3.0, -1.0, 0.0, 0.5, 1.0, 2.0)) | st.floats(-9, 9)


@pytest.mark.parametrize("kind", EXPRESSIONS)
@given(x=NUMBERS, y=NUMBERS)
def test_a_term_has_the_value_of_its_expression(kind: str, x: float, y: float) -> None:
    expression = EXPRESSIONS[kind]
    term = read_back(expression, KNOWN, longest=1000)
    expected = float(ca.Function("f", [X, Y], [expression])(x, y))
    assert value(term, {"x": x, "y": y}) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_what_doubles_at_every_step_is_too_long() -> None:
    """It is told before the term is made: 2⁶⁴ operations would never end."""
    long = X
    for _ in range(64):
        long = ca.sin(long) * long
    with pytest.raises(Unreadable):
        read_back(long, KNOWN, longest=10_000)


def test_an_operation_without_a_word_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read_back(ca.erf(X), KNOWN, longest=100)


def test_zero_is_read_back_as_zero() -> None:
    assert value(read_back(ca.SX(1, 1), KNOWN, longest=9), {}) == 0
