"""``if … then … else …`` in all engines: switches are found where the condition changes."""

from __future__ import annotations

import math

import pytest

from dyverse import parse_model
from dyverse.automaton.run import Run, Stop
from dyverse.simulation.requirement.properties import Broken, outcome
from dyverse.simulation.simulate import Options, simulate

PUSH = """
body ball {{ sphere radius 0.1  mass 2  velocity (1, 0, 0) }}
force ball ({force}, 0, 0)
"""
OSCILLATOR = """
automaton a {
  real x = 1, v
  location on { x' = v  v' = if x > 0 then -4*x else -9*x }
  initial on
}
"""
TANK = """
automaton a {
  real h = 1
  location on { h' = if h > 0 then -sqrt(h) else 0 }
  initial on
}
"""
GEAR = """
body ball { sphere radius 0.1  mass 1 }
force ball (if gear.n >= 1 then 3 else 0, if gear.fast then 1 else 2, 0)
automaton gear {
  int n = 0  bool fast = false  clock c
  location idle
  location drive
  initial idle
  edge idle -> drive {
    when c >= 1  do n := if n > 5 then 0 else n + 1, fast := if n == 0 then true else false
  }
}
system gear
"""
WINDOW = """
body ball {{ sphere radius 0.1  mass 1  velocity (1, 0, 0) }}
property p: always {condition} until 1
"""


@pytest.fixture(params=["native", "reference", "cvode"])
def solver(request: pytest.FixtureRequest) -> str:
    if request.param == "cvode":
        pytest.importorskip("sksundae")
    return str(request.param)


def follow(text: str, until: float, solver: str) -> Run:
    model = parse_model(text)
    return simulate(model.automaton(), until=until, options=Options(solver=solver))


def final(run: Run, name: str) -> float:
    return float(run.final[name])


def test_a_push_that_begins_late(solver: str) -> None:
    """2 N on 2 kg from 1 s on: 0.5 (t - 1)² is added to the way."""
    run = follow(PUSH.format(force="if t > 1 then 2 else 0"), 3, solver)
    assert final(run, "ball.x") == pytest.approx(3 + 2, abs=1e-10)
    assert any(abs(arc.times[-1] - 1) < 1e-9 for arc in run.arcs)


def test_a_push_between_two_times(solver: str) -> None:
    run = follow(PUSH.format(force="if 1 < t <= 1.5 then 8 else 0"), 3, solver)
    assert final(run, "ball.vx") == pytest.approx(3, abs=1e-10)
    assert final(run, "ball.x") == pytest.approx(1.5 + (0.5 + 0.5) + 3 * 1.5 - 0.5, abs=1e-9)


def test_friction_that_is_written_as_a_choice_holds_a_body(solver: str) -> None:
    """1 N against the motion of 2 kg at 1 m/s: at rest after 2 s and 1 m, and there it stays."""
    run = follow(PUSH.format(force="if ball.vx > 0 then -1 else 1"), 5, solver)
    assert final(run, "ball.x") == pytest.approx(1, abs=1e-9)
    assert final(run, "ball.vx") == pytest.approx(0, abs=1e-9)
    assert len(run.arcs) < 5


def test_a_spring_with_two_stiffnesses_has_its_period(solver: str) -> None:
    """π/2 + π/3: half a period of each."""
    run = follow(OSCILLATOR, math.pi / 2 + math.pi / 3, solver)
    assert final(run, "x") == pytest.approx(1, abs=1e-8)
    assert final(run, "v") == pytest.approx(0, abs=1e-8)


def test_a_tank_runs_empty_and_stays_so(solver: str) -> None:
    """h = (1 - t/2)²; beyond, the root is not asked for."""
    run = follow(TANK, 1, solver)
    assert final(run, "h") == pytest.approx(0.25, abs=1e-9)
    run = follow(TANK, 4, solver)
    assert run.stop is Stop.HORIZON
    assert final(run, "h") == pytest.approx(0, abs=1e-6)


def test_variables_of_automata_choose(solver: str) -> None:
    """Whole numbers at the bound, and Booleans; assignments choose too."""
    run = follow(GEAR, 2, solver)
    assert final(run, "ball.vx") == pytest.approx(3, abs=1e-9)
    assert final(run, "ball.vy") == pytest.approx(3, abs=1e-9)  # 2 for a second, 1 for another


@pytest.mark.parametrize(
    ("condition", "broken"),
    [
        ("(if 0.55 < ball.x < 0.551 then -1 else 1) > 0", 0.55),
        ("1 > 2*(if ball.x > 0.3 then if ball.x < 0.301 then 1 else 0 else 0)", 0.3),
        ("(if ball.x > 0.55 then 0.56 - ball.x else 1) > 0", 0.56),
        ("(if ball.x > 0.55 then sqrt(ball.x - 0.55) else 1) >= 0", None),
        ("(if ball.x > 0.55 then 0.1 else ball.x + 1) > 0", None),
    ],
)
def test_a_property_is_broken_where_its_choice_says(
    condition: str, broken: float | None, solver: str
) -> None:
    """However briefly; and nowhere else, also not where it only changes."""
    model = parse_model(WINDOW.format(condition=condition))
    run = simulate(model.automaton(), until=1.0, options=Options(solver=solver))
    became = outcome(run, model.properties[0], {})
    first = became.time if isinstance(became, Broken) else None
    assert first == (None if broken is None else pytest.approx(broken, abs=1e-9))


def test_an_edge_is_taken_where_its_choice_allows_it(solver: str) -> None:
    """For a thousandth of a second; steps are much longer."""
    text = """
    automaton a {
      real x
      location on { x' = 1 }  location off
      initial on
      edge on -> off { when 2*(if 0.4 < x < 0.401 then 1 else 0) > 1 }
    }
    """
    run = follow(text, 1, solver)
    assert final(run, "x") == pytest.approx(0.4, abs=1e-9)
