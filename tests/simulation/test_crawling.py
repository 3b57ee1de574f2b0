"""A run never stalls silently: steps in which hardly any time passes end it, by name."""

from __future__ import annotations

import pytest

from dyverse import Options, parse_model, simulate
from dyverse.automaton.run import Run, Stop

ENGINES = ["reference", "native", "cvode"]
BODY = """
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
force ball (1e10*sin(1e11*t), 0, 0)
"""
AUTOMATON = """
automaton hum {
  real x = 0
  real c = 0
  location on { x' = 100*sin(1e11*c)  c' = 1 }
  initial on
}
"""
BOTH = BODY + AUTOMATON + "system hum\n"


def followed(text: str, solver: str) -> Run:
    return simulate(parse_model(text).automaton(), until=1.0, options=Options(solver=solver))


@pytest.mark.parametrize("solver", ENGINES)
@pytest.mark.parametrize("text", [BODY, AUTOMATON, BOTH], ids=["body", "automaton", "both"])
def test_a_field_that_hums_ends_the_run_by_name(text: str, solver: str) -> None:
    """Some 1e11 steps would be needed for a second; CVODE may find that none is short enough."""
    run = followed(text, solver)
    assert 0 < run.end.time < 1e-4
    if solver == "cvode" and run.stop is Stop.SOLVER:
        return
    assert run.stop is Stop.CRAWLING
    assert "2000 steps in a row took less than 2e-06 s" in run.message


def test_a_field_that_hums_more_slowly_is_followed() -> None:
    """Steps of a tenth of a microsecond, and thousands of them."""
    text = BODY.replace("1e10", "1e8").replace("1e11", "1e7")
    run = simulate(parse_model(text).automaton(), until=1e-3, options=Options(solver="native"))
    assert run.stop is Stop.HORIZON
