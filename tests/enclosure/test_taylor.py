from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from flint import arb, arb_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from dyverse.enclosure.balls import BALLS
from dyverse.enclosure.program import Undecided, program
from dyverse.enclosure.taylor import TaylorModels, extent
from dyverse.expr.symbolic import SX

FUNCTIONS: dict[str, Callable[[SX, SX], SX]] = {
    "products": lambda x, y: x * y * x - 3 * y**2 + x**-2,
    "quotients": lambda x, y: (1 + x * y) / (2 + x),
    "roots": lambda x, y: ca.sqrt(3 + x - y),
    "waves": lambda x, y: ca.sin(2 * x) * ca.cos(y) + ca.tan(x / 4),
    "growth": lambda x, y: ca.exp(x) * ca.log(4 + y) + (2 + y) ** x,
    "angles": lambda x, y: ca.atan2(y, x) + ca.atan2(x, y - 4) + ca.asin(x / 4) + ca.acos(y / 4),
    "hyperbolic": lambda x, y: ca.sinh(x) + ca.cosh(y) + ca.tanh(x - y) + ca.atan(x),
    "cases": lambda x, y: ca.if_else(x > 0, ca.fabs(y - 4), y) + ca.fmax(x, y - 4) + ca.sign(x),
    "steps": lambda x, y: ca.floor(x / 4) + ca.if_else(ca.logic_not(x < 0), x, y),
}
MODELS = TaylorModels((3, 4))
shares = st.floats(-1, 1)
coefficients = st.lists(st.floats(-0.05, 0.05), min_size=20, max_size=20)


def at(models: TaylorModels, model: arb_poly, *point: float) -> arb:
    """A model at a point, term by term."""
    numbers, total = model.coeffs(), arb(0)
    for place, powers in zip(
        models.places, np.ndindex(*(d + 1 for d in models.degrees)), strict=True
    ):
        if place < len(numbers):
            term = numbers[place]
            for x, power in zip(point, powers, strict=True):
                for _ in range(power):
                    term = term * x
            total = total + term
    return total


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=30, deadline=None)
@given(a=coefficients, b=coefficients, point=st.tuples(shares, shares))
def test_a_model_holds_the_function_at_every_point(
    name: str, a: list[float], b: list[float], point: tuple[float, float]
) -> None:
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    found = program([x, y], [FUNCTIONS[name](x, y)])
    one, other = MODELS.polynomial([1.5, *a[1:]]), MODELS.polynomial([0.3, *b[1:]])
    model = found.run(MODELS.ring, [one], [other])[0][0]
    given_here = [[at(MODELS, polynomial, *point)] for polynomial in (one, other)]
    true = found.run(BALLS, *given_here)[0][0]
    assert at(MODELS, model, *point).overlaps(true)
    assert extent(model).overlaps(true)


def test_remainders_shrink_with_the_degree() -> None:
    x = ca.SX.sym("x")
    found = program([x], [1 / (3 + x)])
    rests = []
    for degree in (2, 5, 8):
        models = TaylorModels((degree,))
        line = models.polynomial([0.0, 0.5] + [0.0] * (degree - 1))
        rests.append(float(found.run(models.ring, [line])[0][0][0].rad()))
    assert rests[1] < 1e-2 * rests[0]
    assert rests[2] < 1e-2 * rests[1]


@given(a=coefficients, point=st.tuples(shares, shares))
def test_slopes_sections_and_places(a: list[float], point: tuple[float, float]) -> None:
    model = MODELS.polynomial(a)
    s, u = point
    assert MODELS.sections(model)(arb(s)).overlaps(at(MODELS, model, s, u))
    assert at(MODELS, MODELS.at_first(model, arb(s)), 0.0, u).overlaps(at(MODELS, model, s, u))
    assert MODELS.over(model, [arb(s), arb(u)]).overlaps(at(MODELS, model, s, u))
    numbers = np.array(a).reshape(4, 5)
    by_first = np.vstack([numbers[1:] * [[1], [2], [3]], np.zeros((1, 5))])
    expected = at(MODELS, MODELS.polynomial(by_first.ravel().tolist()), s, u)
    assert at(MODELS, MODELS.slope(model, 0), s, u).overlaps(expected)
    by_second = np.hstack([numbers[:, 1:] * [1, 2, 3, 4], np.zeros((4, 1))])
    expected = at(MODELS, MODELS.polynomial(by_second.ravel().tolist()), s, u)
    assert at(MODELS, MODELS.slope(model, 1), s, u).overlaps(expected)


@pytest.mark.parametrize("name", ["sign", "floor", "lt"])
def test_what_a_model_leaves_open_is_undecided(name: str) -> None:
    line = MODELS.polynomial([0.0, 0.0, 0.0, 0.0, 0.0, 1.0] + [0.0] * 14)
    with pytest.raises(Undecided):
        MODELS.ring.operations[name](line, arb_poly([]))


def test_a_size_with_a_kink_is_enclosed() -> None:
    line = MODELS.polynomial([0.0, 0.0, 0.0, 0.0, 0.0, 1.0] + [0.0] * 14)
    size = MODELS.ring.operations["fabs"](line, arb_poly([]))
    for x in (-1.0, -0.3, 0.0, 0.5, 1.0):
        assert at(MODELS, size, x, 0.0).contains(abs(x)), x
    assert at(MODELS, size, 0.0, 0.0).abs_upper() <= 1.01


def test_what_is_cut_off_is_not_lost() -> None:
    """x⁴ beyond the third power of x, at x = 1: without the remainder it would be missing."""
    line = MODELS.polynomial([0.0, 0.0, 0.0, 0.0, 0.0, 1.0] + [0.0] * 14)
    square = MODELS.multiply(line, line)
    assert at(MODELS, MODELS.multiply(square, square), 1.0, 0.0).contains(arb(1))


@given(a=coefficients, point=st.tuples(shares, shares))
def test_a_model_of_a_part_has_the_values_of_the_whole(
    a: list[float], point: tuple[float, float]
) -> None:
    """The first variable in [0.25, 0.75]."""
    whole = MODELS.polynomial(a)
    part = MODELS.rescaled(whole, arb_poly([0.5, 0.25]))
    there = at(MODELS, whole, 0.5 + 0.25 * point[0], point[1])
    assert at(MODELS, part, *point).overlaps(there + arb(0, 1e-14))
    assert extent(part).overlaps(there)
