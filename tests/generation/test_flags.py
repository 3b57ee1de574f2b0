"""Locations of automata as Booleans that inputs, forces and other automata read."""

from __future__ import annotations

import pytest

from dyverse import Options, simulate
from dyverse.generation.model import parse_model

SOLVERS = ["reference", "native", "cvode"]
PUSHED = """\
input u = 3*timer.on
body ball { sphere radius 1  mass 1 }
force ball (u + timer.off, 0, 0)
automaton timer {
  clock c
  location off { invariant c <= 1 }
  location on { invariant c <= 1 }
  initial off
  edge off -> on { when c >= 1  do c := 0 }
  edge on -> off { when c >= 1  do c := 0 }
}
automaton tally {
  real on, off
  location go { on' = 2*timer.on  off' = timer.off }
  initial go
}
system timer || tally
"""


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_force_acts_while_an_automaton_is_in_a_location(solver: str) -> None:
    """1 N, 3 N and 1 N for a second each: 5 m/s; another automaton counts 2 s and 2 s."""
    run = simulate(parse_model(PUSHED).automaton(), until=3.0, options=Options(solver=solver))
    assert run.final["ball.vx"] == pytest.approx(5, abs=1e-8)
    assert run.final["ball.x"] == pytest.approx(0.5 + 1 + 1.5 + 4 + 0.5, abs=1e-7)
    assert (run.final["tally.on"], run.final["tally.off"]) == pytest.approx((2, 2), abs=1e-8)


def test_a_location_that_nobody_reads_has_no_variable() -> None:
    lonely = PUSHED.replace("3*timer.on", "3").replace("2*timer.on", "2")
    assert "timer.on" not in parse_model(lonely).automaton().variables
    assert "timer.off" in parse_model(lonely).automaton().variables


def test_a_network_without_bodies_reads_locations_too() -> None:
    text = PUSHED.partition("automaton")[2]
    run = simulate(parse_model(f"automaton{text}").automaton(), until=3.0)
    assert (run.final["tally.on"], run.final["tally.off"]) == pytest.approx((2, 2), abs=1e-8)
