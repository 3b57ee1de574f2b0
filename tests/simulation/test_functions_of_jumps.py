"""Functions that switch, of something that itself jumps: each goes to where that jumps to."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from dyverse import Options, parse_model, simulate
from dyverse.automaton.run import Stop

SOLVERS = ("native", "reference", "cvode")
PIECES = (1.0, -1.0, 0.5, -0.5)  # what jumps is in each of four seconds
STEPS = "1 - (1 + sign(t - 1)) + 0.75*(1 + sign(t - 2)) - 0.5*(1 + sign(t - 3))"
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "max(U, 0)": lambda u: max(u, 0.0),
    "abs(U)": abs,
    "sign(U)": lambda u: math.copysign(1.0, u),
    "floor(3*U)": lambda u: math.floor(3 * u),
    "if U >= 0.2 then 1 else U": lambda u: 1.0 if u >= 0.2 else u,
    "min(U, abs(U) - 0.75)": lambda u: min(u, abs(u) - 0.75),
    "max(sign(U), floor(U)) + abs(min(U, 0.25))": (
        lambda u: max(math.copysign(1.0, u), math.floor(u)) + abs(min(u, 0.25))
    ),
}
AUTOMATON = """
automaton a {{
  real x = 0
  real c = 0
  location on {{ x' = {rate}  c' = 1 }}
  initial on
}}
"""
BODY = """
body b {{ sphere radius 0.1  mass 1  position (0, 0, 0) }}
force b ({rate}, 0, 0)
"""


def reached(text: str, name: str, solver: str) -> float:
    model = parse_model(text)
    run = simulate(model.automaton(), until=4.0, options=Options(solver=solver))
    assert run.stop is Stop.HORIZON, run.message
    return float(run.end.values[list(run.automaton.variables).index(name)])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_jump_is_passed_on_to_what_depends_on_it(function: str, solver: str) -> None:
    """In each second a rate is constant: together they are the sum."""
    exact = sum(map(FUNCTIONS[function], PIECES))
    rate = function.replace("U", f"({STEPS})")
    body = BODY.format(rate=rate)
    assert reached(body, "b.vx", solver) == pytest.approx(exact, abs=1e-9)
    automaton = AUTOMATON.format(rate=rate.replace("(t -", "(c -"))
    assert reached(automaton, "x", solver) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_balances_is_still_found_beside_it(solver: str) -> None:
    """Dry friction of 1 N, and a push of 2 N for a second: at rest a second after that."""
    text = BODY.format(rate="2*max(sign(1 - t), 0) - sign(b.vx)")
    assert reached(text, "b.vx", solver) == pytest.approx(0.0, abs=1e-9)
    assert reached(text, "b.x", solver) == pytest.approx(1.0, abs=1e-9)
