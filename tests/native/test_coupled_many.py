"""Many runs of bodies with automata at once: the same as one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.automaton.run import Stop
from dyverse.expr.requirement import plain
from dyverse.falsification.many_runs import many_runs
from dyverse.falsification.system import Automata, Bounds, probed, system
from dyverse.flow.step import Accuracy
from dyverse.generation.coupled.automaton import CoupledAutomaton
from dyverse.generation.model import Model, parse_model
from dyverse.native.coupled.engine import simulate_coupled
from dyverse.native.coupled.many import can_watch_all, simulate_many_coupled
from dyverse.simulation.requirement.streamed import parts
from dyverse.text.examples import example_text

DOWN = np.linspace(0.06, 0.29, 6)
BOUNDS = Bounds(until=3.0, depth=1000, longest_step=np.inf)


def racket() -> Model:
    return parse_model(example_text("racket"))


def rackets() -> list[CoupledAutomaton]:
    found = [racket().automaton({"down": down}) for down in DOWN.tolist()]
    return [one for one in found if isinstance(one, CoupledAutomaton)]


@pytest.mark.parametrize("workers", [1, 2])
def test_every_run_is_the_one_that_it_is_by_itself(workers: int) -> None:
    automata = rackets()
    many = simulate_many_coupled(automata, until=3.0, workers=workers)
    assert many.stops == (Stop.HORIZON,) * len(DOWN)
    for number, automaton in enumerate(automata):
        run = simulate_coupled(automaton, until=3.0)
        assert many.final[number] == pytest.approx(run.end.values, abs=1e-9)
        told = many.events(number)
        assert sorted(kind for _, kind in told) == sorted(event.kind for event in run.events)
        assert sorted(time for time, _ in told) == pytest.approx(
            sorted(event.time for event in run.events), abs=1e-9
        )


def test_margins_are_those_that_are_read_from_whole_runs() -> None:
    asked = system(racket(), racket().properties[0])
    assert isinstance(asked, Automata)
    columns = {"down": DOWN}
    at_once, apart = asked.probe(columns, BOUNDS), probed(asked, columns, BOUNDS, solver="native")
    assert at_once.margins == pytest.approx(apart.margins, abs=1e-9)
    assert at_once.times == pytest.approx(apart.times, abs=1e-6)
    assert at_once.decided.tolist() == apart.decided.tolist()
    assert at_once.events.tolist() == apart.events.tolist()
    assert at_once.paths != apart.paths  # none of them was followed one by one


def test_a_property_of_contacts_is_left_to_whole_runs() -> None:
    model = parse_model(example_text("brake"))
    claim, automaton = plain(model.properties[0].requirement), model.automaton()
    assert claim is not None
    assert isinstance(automaton, CoupledAutomaton)
    assert not can_watch_all(automaton, parts(claim))
    options = BOUNDS.options("native", Accuracy())
    assert many_runs(model, claim, {}, until=0.1, options=options) is None
