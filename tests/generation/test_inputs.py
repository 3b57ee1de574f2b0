"""Inputs that automata read: numbers from outside, and formulas."""

import math

import numpy as np
import pytest

from dyverse import Options, simulate
from dyverse.bodies.piecewise import longest_step
from dyverse.errors import ModelError
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.question import probe
from dyverse.falsification.verdict import Unsafe
from dyverse.generation.model import parse_model
from dyverse.simulation.requirement.properties import Broken, outcome

CAR = """\
parameter k = 2
input u, drive = k*u + wind, wind = 0.5*sin(t)
automaton car {
  real x = 0, v = 0
  location free { x' = v  v' = drive - 0.5*v }
  location held { x' = 0  v' = 0 }
  initial free
  edge free -> held { when u < -0.5 and v > 0  do v := drive }
}
property far: always v < 9 until 4
"""
TOGETHER = """\
input push, twice = 2*push
body ball { sphere radius 0.1  mass 1 }
force ball (push, 0, 0)
automaton watch {
  real seen = 0
  location idle { seen' = twice + push }
  location moving { seen' = 0 }
  initial idle
  edge idle -> moving { when ball.x > 0.5 and twice > 0 }
}
system watch
property slow: always ball.vx < 5 until 3
"""
RELAY = """\
input level, wanted = 2*level
discontinuous relay {
  real x = 1
  surface x - wanted
  above { x' = -1 + level }
  below { x' = 1 + level }
  initial slip_plus
}
"""


@pytest.mark.parametrize("solver", ["native", "reference"])
def test_an_automaton_reads_ports_and_formulas(solver: str) -> None:
    """v' = 2 u + sin(t)/2 - v/2 from 0: the sum of a step's and a sine's answer."""
    automaton = parse_model(CAR).automaton({"u": 0.7})
    run = simulate(automaton, until=4.0, options=Options(solver=solver))
    t, decay = 4.0, math.exp(-2.0)
    step = 2 * 0.7 / 0.5 * (1 - decay)
    sine = 0.5 * (0.5 * math.sin(t) - math.cos(t) + decay) / 1.25
    assert run.end.values[1] == pytest.approx(step + sine, abs=1e-8)


@pytest.mark.parametrize("solver", ["native", "reference"])
def test_a_guard_sees_an_input_jump(solver: str) -> None:
    """In pieces of 1 s; it is assigned what the input is behind the jump."""
    question = ask(parse_model(CAR), ranges={"u": (-1, 1)}, pieces={"u": 4})
    settings = dict(zip(("u_1", "u_2", "u_3", "u_4"), (1.0, 0.2, -1.0, 1.0), strict=True))
    run = question.system.automaton(settings)
    options = question.bounds.options(solver, Options().follow.accuracy)
    assert longest_step({"u": 4}, 4.0) == 0.5
    found = simulate(run, until=4.0, options=options)
    assert found.times("jump") == pytest.approx([2.0], abs=1e-9)
    assert found.end.values[1] == pytest.approx(-2 + 0.5 * math.sin(2.0), abs=1e-8)


def test_many_runs_read_inputs_as_one_does() -> None:
    question = ask(parse_model(CAR), ranges={"u": (-1, 5)}, pieces={"u": 2})
    (margin,) = probe(question, question.high[None, :]).margins
    run = simulate(question.system.automaton({"u_1": 5.0, "u_2": 5.0}), until=4.0)
    assert margin == pytest.approx(9 - max(run.signal("v")[1]), abs=1e-6)


def test_a_search_finds_pieces_that_make_it_fast() -> None:
    verdict = falsify(ask(parse_model(CAR), ranges={"u": (-1, 5)}, pieces={"u": 2}))
    assert isinstance(verdict, Unsafe)
    assert verdict.witness.settings == {"u_1": 5.0, "u_2": 5.0}


@pytest.mark.parametrize("solver", ["native", "reference"])
def test_bodies_and_automata_share_an_input(solver: str) -> None:
    """x = t²/2 is past 0.5 m at 1 s, until when 3 push were seen."""
    automaton = parse_model(TOGETHER).automaton({"push": 1.0})
    run = simulate(automaton, until=3.0, options=Options(solver=solver))
    assert run.times("jump") == pytest.approx([1.0], abs=1e-8)
    assert run.signal("watch.seen")[1][-1] == pytest.approx(3.0, abs=1e-8)


def test_a_surface_can_stand_where_an_input_says() -> None:
    run = simulate(parse_model(RELAY).automaton({"level": 0.25}), until=3.0)
    x = dict(zip(run.automaton.variables, run.end.values, strict=True))["x"]
    assert x == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("do v := drive", "do u := 1", "'u' is an input and cannot be assigned"),
        ("real x = 0, v = 0", "real x = 0, v = 0, u = 0", "the name 'u' is taken by an input"),
        ("v' = drive", "v' = drove", "unknown name 'drove'; did you mean 'drive'"),
        ("real x = 0,", "real x = u,", "this must be constant, and 'u' changes in time"),
    ],
)
def test_what_an_input_cannot_be(old: str, new: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        parse_model(CAR.replace(old, new))


def test_an_input_is_given_for_a_parameter_of_an_automaton() -> None:
    """x' = k with k = 2 t, and y' = j with j from outside: x = t², y = 3 t."""
    model = parse_model("""
    input u = 2*t, w
    automaton a(k, j, h) { real x, y, z  location on { x' = k  y' = j  z' = h }  initial on }
    system a(k = u, j = w, h = 2*t)
    """)
    run = simulate(model.automaton({"w": 3.0}), until=2.0, options=Options())
    assert run.end.values.tolist() == pytest.approx([4.0, 6.0, 4.0])


def test_a_property_of_automata_may_name_an_input() -> None:
    """3 sin t is past 2.5 at asin(5/6), whoever judges it."""
    model = parse_model("""
    input high = 3*sin(t), w
    automaton a { real x  location on { x' = 1 }  initial on }
    property low: always high + w < 2.5 until 2
    """)
    run = simulate(model.automaton(), until=2.0)
    told = outcome(run, model.properties[0], model.values({}))
    assert isinstance(told, Broken)
    assert told.time == pytest.approx(math.asin(5 / 6), abs=1e-8)
    margins = probe(ask(model, ranges={"w": (-1, 1)}), np.array([[-0.75], [0.25]])).margins
    assert margins == pytest.approx([0.25, -0.75], abs=1e-7)
