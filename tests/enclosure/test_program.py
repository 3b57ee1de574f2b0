from collections.abc import Callable

import casadi as ca
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.program import NEARLY_NOTHING, Undecided, program
from dyverse.expr.symbolic import SX

FUNCTIONS: dict[str, Callable[[SX, SX], SX]] = {
    "sin": lambda x, y: ca.sin(x + y),
    "division": lambda x, y: x / (2 + ca.cos(y)),
    "roots": lambda x, y: ca.sqrt(ca.sumsqr(ca.vertcat(x, y)) + NEARLY_NOTHING),
    "powers": lambda x, y: x**3 - 2 * y**2 + (1 + x * x) ** y,
    "cases": lambda x, y: ca.if_else(x > 0, ca.exp(y), ca.fabs(x) - y),
    "extremes": lambda x, y: ca.fmax(x, y) * ca.fmin(x, 2 * y) + ca.sign(x),
    "angles": lambda x, y: ca.atan2(x, 3 + y) + ca.asin(x / 4) - ca.acos(y / 4) + ca.atan(x),
    "hyperbolic": lambda x, y: ca.sinh(x) + ca.cosh(y) * ca.tanh(x - y) + ca.log(5 + x),
    "steps": lambda x, y: ca.floor(x) + ca.ceil(y) + ca.logic_not(x < y),
}
numbers = st.floats(-3, 3).filter(lambda x: abs(x) > 1e-3)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(x=numbers, y=numbers)
def test_a_program_over_balls_holds_what_casadi_computes(name: str, x: float, y: float) -> None:
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    result = FUNCTIONS[name](a, b)
    found = program([a, b], [result]).run(BALLS, [arb(x)], [arb(y)])[0][0]
    rounded = float(ca.Function("f", [a, b], [result])(x, y))
    assert (found + arb(0, 1e-13 * (1 + abs(rounded)))).contains(arb(rounded))


def test_results_and_arguments_have_their_places() -> None:
    a, b = ca.SX.sym("a", 2), ca.SX.sym("b")
    found = program([a, b], [ca.vertcat(b, a), a[1] * b])
    assert found.run(BALLS, [arb(2), arb(3)], [arb(5)]) == [[5, 2, 3], [15]]
    with pytest.raises(ValueError, match="other numbers"):
        found.run(BALLS, [arb(2)], [arb(5)])


def test_numbers_of_the_mechanics_are_fractions() -> None:
    a = ca.SX.sym("a")
    found = program([a], [0.4 * a]).run(BALLS, [arb(5)])[0][0]
    assert found.contains(arb(2))
    assert not arb(0.4).contains(arb(2) / 5)  # as a float it would not be


@pytest.mark.parametrize("number", [1 / 3, 0.1, 2.718281828459045, float("inf"), 1e20])
def test_a_number_that_was_rounded_is_refused(number: float) -> None:
    a = ca.SX.sym("a")
    with pytest.raises(Undecided, match="has been rounded"):
        program([a], [number * a])


def _compare(x: SX) -> list[SX]:
    return [ca.if_else(x < 0, 1, 2), ca.sign(x), ca.floor(x), ca.if_else(x == 0, 1, 2)]


@pytest.mark.parametrize("index", range(4))
def test_what_a_ball_leaves_open_is_undecided(index: int) -> None:
    x = ca.SX.sym("x")
    with pytest.raises(Undecided):
        program([x], [_compare(x)[index]]).run(BALLS, [arb(0, 1)])


def test_squares_are_not_negative() -> None:
    """Arb's own ball of [-1, 1]² reaches down to -1, and its power is not a number."""
    x = ca.SX.sym("x")
    for power in (2, 4):
        found = program([x], [x**power]).run(BALLS, [arb(0, 1)])[0][0]
        assert found >= -(arb(2) ** -20)
        assert found.contains(arb(1))


def test_roots_of_squares_around_zero_are_numbers() -> None:
    """The radius of a ball is rounded up, so that [0, b] may begin below zero."""
    a = ca.SX.sym("a")
    found = program([a], [ca.sqrt(a * a + NEARLY_NOTHING)]).run(BALLS, [arb(0, 3e-7)])[0][0]
    assert found.is_finite()
    assert found.contains(arb(0))
    assert found.contains(arb(3e-7))
    assert found < 3.1e-7
    assert not program([a], [ca.sqrt(a)]).run(BALLS, [arb(0, 1)])[0][0].is_finite()
