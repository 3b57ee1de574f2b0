"""Gaps and speeds of contacts as terms: what automata, inputs and forces read of bodies."""

from __future__ import annotations

import math

import pytest

from dyverse import Options, simulate
from dyverse.errors import ModelError
from dyverse.expr.printing import formula_text
from dyverse.expr.value import value
from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.model import parse_model
from dyverse.mechanics.seen import meanings

SOLVERS = ["reference", "native", "cvode"]
DROP = """\
gravity (0, -10, 0)
parameter r = 0.1
body ball { sphere radius r  mass 1  position (0, 5 + r, 0) }
body floor { plane normal (0, 2, 0) }
contact ball floor { restitution 0.5 }
automaton eye {
  real sum, speed
  location far { sum' = gap[floor, ball] }
  location near { invariant gap[ball, floor] <= 2 }
  initial far
  edge far -> near {
    when gap[ball, floor] <= 1.8  action seen  do speed := normal_speed[ball, floor]
  }
}
system eye
"""
SHAPES = """\
parameter a = 0.4
body ball { sphere radius 0.2  mass 1  position (0.3, 2, 0.1)  velocity (1, -2, 0)  spin (1, 2, 3) }
body brick { box size (1, a, 0.5)  mass 2  position (2, 0.2, 0)
  rotation (0.1, 0.2, 0.3)  velocity (-1, 0, 0)  spin (3, 1, 2) }
body pill { capsule radius 0.1 length 0.5  mass 1  position (-2, 1, 0)
  rotation (1, 0, 0)  spin (0, 2, 0) }
body egg { ellipsoid axes (0.3, 0.2, a)  mass 1  position (0, 1, 3)
  rotation (0.3, 0, 1)  spin (1, 0, 1) }
body lift { plane normal (0.1, 1, 0)  moves (0, sin(t) - 1, 0) }
body block { box size (1, 1, 1)  position (0, -2, 0)  rotation (0.3, 0.2, 0.1)  fixed }
contact brick pill off
contact brick egg off
contact brick block off
contact pill egg off
contact pill block off
contact egg block off
contact egg ball off
"""


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_guard_on_a_gap_is_met_where_the_ball_is_there(solver: str) -> None:
    """5 - 5 t² = 1.8 at 0.8 s, at 8 m/s; ∫ gap = 5 t - 5 t³/3; the radius is set from outside."""
    automaton = parse_model(DROP).automaton({"r": 0.25})
    run = simulate(automaton, until=0.9, options=Options(solver=solver))
    assert run.times("seen") == pytest.approx([0.8], abs=1e-8)
    assert run.final["eye.speed"] == pytest.approx(-8, abs=1e-7)
    assert run.final["eye.sum"] == pytest.approx(4 - 5 * 0.8**3 / 3, abs=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_force_may_depend_on_a_gap(solver: str) -> None:
    """A spring on the gap: x'' = -4 (gap - 1), from gap 2 at rest, is 1 + cos 2t."""
    model = parse_model("""
    input stretch = gap[wall, ball] - 1
    body ball { sphere radius 0.5  mass 1  position (2.5, 0, 0) }
    body wall { plane normal (1, 0, 0) }
    force ball (-4*stretch, 0, 0)
    """)
    run = simulate(model.automaton(), until=2.0, options=Options(solver=solver))
    assert run.final["ball.x"] - 0.5 == pytest.approx(1 + math.cos(4.0), abs=1e-7)


def test_terms_have_the_values_of_the_signals() -> None:
    """Of every pair of shapes that can touch here, at the start: two roads to each number."""
    model = parse_model(SHAPES)
    automaton = model.automaton()
    assert isinstance(automaton, RigidBodyAutomaton)
    start = automaton.start()
    observed = automaton.observe(start)
    names = [n for n in observed if n.startswith(("gap[", "normal_speed["))]
    assert len(names) == 2 * (4 + 8 + 2 + 1)
    long = ("normal_speed[ball,brick]", "normal_speed[ball,block]")
    for name in long:
        with pytest.raises(ModelError, match="takes too much to work out"):
            meanings(model.world, frozenset((name,)))
    names = [name for name in (*names, "brick.wx", "brick.wy", "egg.wz") if name not in long]
    terms = meanings(model.world, frozenset(names))
    known = dict(observed) | dict(zip(automaton.variables, start.values.tolist(), strict=True))
    known |= model.values({}) | automaton.scene.constants
    assert len(terms) == len(names)
    for name, term in terms.items():
        assert value(term, known) == pytest.approx(observed[name], rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_automaton_reads_spin_in_world_axes(solver: str) -> None:
    """About a principal axis that is turned: ω stays (0, 0, 2) in the world."""
    model = parse_model("""
    body brick { box size (1, 2, 3)  mass 1  rotation (pi/2, 0, 0)  spin (0, 0, 2) }
    automaton a { real angle  location on { angle' = brick.wz }  initial on }
    system a
    """)
    run = simulate(model.automaton(), until=1.0, options=Options(solver=solver))
    assert run.final["a.angle"] == pytest.approx(2, abs=1e-8)


def test_a_gap_is_listed_as_what_it_is() -> None:
    automaton = parse_model(DROP).automaton()
    assert isinstance(automaton, CoupledAutomaton)
    (edge,) = automaton.network.components[0].edges
    assert formula_text(edge.guard) == "ball.y - floor.y - r <= 1.8"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("gap[floor, ball]", "gap[flor, ball]", "unknown body 'flor' in 'gap\\[flor,ball\\]'"),
        ("gap[floor, ball]", "gaps[floor, ball]", "unknown signal 'gaps'; did you mean 'gap'"),
        ("gap[floor, ball]", "gap[ball, ball]", "'ball' and 'ball' cannot touch"),
        ("gap[floor, ball]", "normal_force[ball, floor]", "are for properties only"),
        ("gap[floor, ball]", "slip_speed[ball, floor]", "are for properties only"),
        ("real sum,", "real sum = gap[ball, floor],", "must be constant"),
    ],
)
def test_what_is_wrong_with_a_signal_is_told_at_its_place(old: str, new: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        parse_model(DROP.replace(old, new, 1))


def test_automata_alone_have_no_gaps() -> None:
    with pytest.raises(ModelError, match=r"'gap\[a,b\]'.*"):
        parse_model("automaton a { real x  location l { x' = gap[a, b] }  initial l }")
