"""Blow-up in finite time against closed forms, growth without end, and what only looks like it."""

import math

import pytest

from dyverse.abstraction.evidence.escape import blows_up, grows
from dyverse.abstraction.portrait.field import Fields
from dyverse.automaton.run import Stop
from dyverse.simulation.simulate import Options, simulate
from tests.abstraction.adversaries import flow


@pytest.mark.parametrize(
    ("rates", "start", "time"),
    [
        ({"x": "x^2"}, {"x": 1.0}, 1.0),
        ({"x": "x^3"}, {"x": -1.0}, 0.5),
        ({"x": "exp(x)"}, {"x": 0.0}, 1.0),
        ({"x": "1 + x^2"}, {"x": 0.0}, math.pi / 2),
        ({"x": "x*y", "y": "x^2"}, {"x": 1.0, "y": 0.0}, math.pi / 2),
        ({"x": "x^1.1"}, {"x": 1.0}, 10.0),
    ],
)
def test_the_time_of_a_blow_up_is_that_of_the_closed_form(
    rates: dict[str, str], start: dict[str, float], time: float
) -> None:
    model = flow(rates, start)
    run = simulate(model, until=100, options=Options(solver="native"))
    assert run.stop == Stop.SOLVER
    found = blows_up(Fields(model), run.arcs)
    assert found is not None
    assert found.blow_up == pytest.approx(time, abs=1e-6)
    assert found.variable == "x"
    assert "powers of ten" in str(found)


@pytest.mark.parametrize("rate", ["-1/x", "-1/x^3", "-sqrt(x)", "-log(2 - x)/x"])
def test_a_run_that_comes_to_the_end_of_its_field_does_not_blow_up(rate: str) -> None:
    model = flow({"x": rate}, {"x": 0.9})
    run = simulate(model, until=100, options=Options(solver="native"))
    assert blows_up(Fields(model), run.arcs) is None


@pytest.mark.parametrize(
    ("rate", "until", "there"),
    [
        ("x", 100, True),
        ("0.5*x", 200, True),
        ("x", 50, False),  # 21 powers of ten could be a unit
        ("x*(1 - x/1e25)", 100, False),
        ("1", 100, False),
        ("-x", 100, False),
        ("x^0.9", 9000, False),  # ever more slowly
    ],
)
def test_growth_is_seen_over_very_many_powers_of_ten(rate: str, until: float, there: bool) -> None:
    model = flow({"x": rate}, {"x": 1.0})
    run = simulate(model, until=until, options=Options(solver="native"))
    found = grows(Fields(model), run.arcs)
    assert (found is not None) == there
    if found is not None:
        assert found.blow_up is None
        assert found.last == pytest.approx(math.log(10) * (2 if rate[0] == "0" else 1), rel=1e-3)
