"""Runs that end in the middle of an instant tell the jumps that they took in it."""

import pytest

from dyverse import Options, parse_model, simulate
from dyverse.automaton.run import Run, Stop
from dyverse.simulation.requirement.properties import Broken, outcome

SOLVERS = ("native", "reference")
CIRCLE = """
automaton m {
  real x = 1
  clock c
  location a { x' = -1 }
  location b
  initial a
  edge a -> b { when x <= 0  action fall }
  edge b -> b { when c >= 1  do x := x + 1  action spin }
}
"""
OUT_OF_RANGE = """
automaton m {
  real x = 1
  int n in [0, 5]
  location a { x' = -1 }
  location b { urgent }
  location c
  initial a
  edge a -> b { when x <= 0  do n := 3  action fall }
  edge b -> c { do n := n + 3  action add }
}
property never: always not action[fall] until 3
"""
BESIDE_A_BALL = """
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  offers hit }
automaton m {
  location a
  location b
  location c
  initial a
  edge a -> b { sync hit? }
  edge b -> c { action to }
  edge c -> b { action fro }
}
system m
property few: always count(action[to]) < 20 until 3
"""
ZENO = """
automaton ball {
  real y = 1, v
  location air { y' = v  v' = -10 }
  initial air
  edge air -> air { when y <= 0 and v < 0  do v := -v/2  action bounce }
}
"""


def follow(text: str, solver: str) -> Run:
    return simulate(parse_model(text).automaton(), until=3, options=Options(solver=solver))


@pytest.mark.parametrize("solver", SOLVERS)
def test_jumps_without_end_are_told_up_to_the_bound(solver: str) -> None:
    run = follow(CIRCLE, solver)
    assert run.stop is Stop.LIVELOCK
    assert [event.kind for event in run.events] == ["fall", *["spin"] * 199]
    assert {event.target for event in run.events} == {"b"}


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_led_to_a_fault_is_told_and_a_property_sees_it(solver: str) -> None:
    run = follow(OUT_OF_RANGE, solver)
    assert run.stop is Stop.FAULT
    assert [event.kind for event in run.events] == ["fall"]
    assert isinstance(outcome(run, parse_model(OUT_OF_RANGE).properties[0], {}), Broken)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_bodies_did_is_told_with_the_answers_to_it(solver: str) -> None:
    run = follow(BESIDE_A_BALL, solver)
    assert run.stop is Stop.LIVELOCK
    assert [event.kind for event in run.events[:4]] == ["impact", "hit", "to", "fro"]
    assert isinstance(outcome(run, parse_model(BESIDE_A_BALL).properties[0], {}), Broken)


@pytest.mark.parametrize("solver", SOLVERS)
def test_jumps_that_pile_up_are_not_told_at_the_point_where_they_do(solver: str) -> None:
    run = follow(ZENO, solver)
    assert "jumps accumulate" in run.message
    times = run.times("bounce")
    assert len(set(times)) == len(times)
