from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from flint import arb, arb_poly

from dyverse.enclosure.program import program
from dyverse.enclosure.taylor import TaylorModels
from dyverse.expr.symbolic import SX
from dyverse.proving.floats import FLOATS, run
from dyverse.proving.series import SERIES

DEGREE = 8
FUNCTIONS: dict[str, Callable[[SX, SX], SX]] = {
    "products": lambda x, y: x * y * x - 3 * y**2 + x**-2,
    "quotients": lambda x, y: (1 + x * y) / (2 + x) + 1 / y,
    "roots": lambda x, y: ca.sqrt(3 + x - y),
    "waves": lambda x, y: ca.sin(2 * x) * ca.cos(y) + ca.tan(x / 4),
    "growth": lambda x, y: ca.exp(x) * ca.log(4 + y) + (2 + y) ** x,
    "angles": lambda x, y: ca.atan2(y, x) + ca.asin(x / 4) + ca.acos(y / 4) + ca.atan(x),
    "hyperbolic": lambda x, y: ca.sinh(x) + ca.cosh(y) + ca.tanh(x - y),
    "cases": lambda x, y: ca.if_else(x > 0, ca.fabs(y - 4), y) + ca.fmax(x, y - 4) + ca.fmin(x, 2),
    "steps": lambda x, y: ca.floor(x / 4) + ca.ceil(y) + ca.sign(x) + ca.logic_and(x > 0, y > 0),
    "constant": lambda x, y: x * 0 + 3,
}
x, y = ca.SX.sym("x"), ca.SX.sym("y")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_series_have_the_coefficients_of_taylor_models(name: str) -> None:
    """Two roads: recurrences in floats, and Arb's polynomials."""
    found = program([x, y], [FUNCTIONS[name](x, y)])
    random = np.random.default_rng(0)
    a, b = 0.005 * random.normal(size=(2, DEGREE + 1, 1))
    a[0], b[0] = 1.3, 0.7
    made = np.zeros((DEGREE + 1, 1))
    series = found.run(SERIES, [a], [b])[0][0]
    made[: len(made) if np.ndim(series) == 2 else 1] = series
    models = TaylorModels((DEGREE,))
    given = [models.polynomial(numbers[:, 0].tolist()) for numbers in (a, b)]
    exact = found.run(models.ring, [given[0]], [given[1]])[0][0].coeffs()
    exact += [arb(0)] * (DEGREE + 1 - len(exact))
    assert made[:, 0] == pytest.approx([float(c.mid()) for c in exact], abs=1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_programs_over_arrays_compute_what_casadi_does(name: str) -> None:
    result = FUNCTIONS[name](x, y)
    numbers = np.random.default_rng(1).uniform(0.2, 1.5, size=(2, 5))
    (found,) = run(program([x, y], [result]), numbers[:1], numbers[1:])
    function = ca.Function("f", [x, y], [result])
    expected = [float(function(a, b)) for a, b in numbers.T]
    assert found[0] == pytest.approx(expected, rel=1e-13)


def test_every_operation_is_there() -> None:
    assert FLOATS.operations.keys() == SERIES.operations.keys()
    assert FLOATS.operations.keys() == TaylorModels((1,)).ring.operations.keys()
    assert arb_poly([1])[0] == 1
