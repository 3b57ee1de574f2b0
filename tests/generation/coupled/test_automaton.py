"""Bodies with automata: what is written down for their locations, and what a run tells."""

from __future__ import annotations

import pytest

from dyverse.automaton.guard.waiting import Constrained, keeps_invariant
from dyverse.automaton.run import Stop
from dyverse.expr.formula import TRUE
from dyverse.expr.printing import formula_text
from dyverse.generation.automaton import generate
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, simulate
from tests import scenes

ENDPOINTS = Options(solver="reference", invariant="endpoints")
MODEL = """
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, 5.1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5  offers hit }
automaton a {
  int n
  location l { invariant ball.y <= 6 }
  location m
  initial l
  edge l -> m { sync hit?  do n := 1 }
  edge m -> m { sync hit?  do n := n + 1 }
}
system a
"""


def made() -> CoupledAutomaton:
    found = parse_model(MODEL).automaton()
    assert isinstance(found, CoupledAutomaton)
    return found


def test_the_domain_is_that_of_the_bodies_and_the_invariant_that_of_the_automata() -> None:
    automaton = made()
    here = automaton.start().location
    assert formula_text(automaton.invariant(here)) == "ball.y <= 6"
    assert "gap[ball,floor]" in formula_text(automaton.domain(here))
    assert formula_text(automaton.invariant(here)) in formula_text(automaton.domain(here))


def test_where_a_ball_hits_the_floor_its_domain_ends_but_no_invariant() -> None:
    automaton = made()
    run = simulate(automaton, until=2.9, options=ENDPOINTS)
    assert run.stop is Stop.HORIZON
    assert run.final["a.n"] == 5  # at 1, 2, 2.5, 2.75 and 2.875 s
    assert all(keeps_invariant(automaton, arc.end) for arc in run.arcs)


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_bodies_alone_have_no_invariants(solver: str) -> None:
    automaton = generate(scenes.drop(height=0.5, e=0.4, mu=0.3))
    assert isinstance(automaton, Constrained)
    assert automaton.invariant(automaton.start().location) == TRUE
    run = simulate(automaton, until=1.0, options=Options(solver=solver, invariant="endpoints"))
    assert run.stop is Stop.HORIZON
    assert len(run.times("impact")) > 3


def test_events_of_an_instant_come_in_turn_and_say_who_heard_them() -> None:
    run = simulate(made(), until=1.5, options=Options(solver="reference"))
    (impact, heard) = run.events
    assert (impact.kind, impact.contacts, heard.kind) == ("impact", ("ball-floor",), "hit")
    assert heard.remark == "bodies to a"
    assert str(impact.source) == "{}, l"
    assert str(impact.target) == "{}, m"
