"""A run says which engine followed it."""

import pytest

from dyverse import example_text, generate, parse_model, parse_world, simulate
from dyverse.simulation.options import Options
from tests import scenes


@pytest.mark.parametrize("solver", ["native", "reference"])
@pytest.mark.parametrize("name", ["three-balls", "thermostat", "robot", "racket"])
def test_the_one_that_was_asked_for(name: str, solver: str) -> None:
    automaton = parse_model(example_text(name)).automaton()
    assert simulate(automaton, until=0.2, options=Options(solver=solver)).solver == solver


def test_both_sets_of_rules_are_for_all_engines() -> None:
    automaton = generate(parse_world(example_text("balls-2")), rules="paper")
    assert simulate(automaton, until=0.1, options=Options(solver="native")).solver == "native"


def test_ticks_change_nothing_about_bodies() -> None:
    automaton = generate(scenes.drop(height=1, e=0.5))
    exact, ticking = (
        simulate(automaton, until=1.0, options=Options(solver="native", tick=tick))
        for tick in (None, 0.03)
    )
    sampled = simulate(automaton, until=1.0, options=Options(tick=0.03))
    assert exact.times("impact") == ticking.times("impact")
    assert sampled.times("impact") == pytest.approx(exact.times("impact"), abs=1e-9)
