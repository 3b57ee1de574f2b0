"""Events as signals of a run: at which state each happens, and how many there have been."""

from __future__ import annotations

import pytest

from dyverse.automaton.run import Arc, Moment, Run
from dyverse.generation.model import parse_model
from dyverse.simulation.requirement.happening import Happening
from dyverse.simulation.simulate import Options, simulate
from tests.exporters.sample_runs import BOUNCE, sample

IMPACT, COUNT = "impact[ball,floor]", "count(impact[ball,floor])"
CASCADE = """
automaton a {
  int n = 0 in [0, 9]
  clock c
  location go { invariant c <= 1 }
  location mid { committed }
  initial go
  edge go -> mid { when c >= 1  do n := n + 1  action up }
  edge mid -> go { do c := 0  action down }
}
"""


def arcs(run: Run) -> list[int]:
    return [place for place, part in enumerate(run.parts) if isinstance(part, Arc)]


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_an_impact_happens_at_the_state_right_behind_it(solver: str) -> None:
    model = parse_model(BOUNCE)
    run = simulate(model.automaton(), until=2.0, options=Options(solver=solver))
    impacts = [event.time for event in run.events if event.kind == "impact"]
    assert len(impacts) > 1
    happening = Happening(run, [IMPACT, COUNT, "slip[ball,floor]"])
    seen = [float(run.parts[place].times[0]) for place in arcs(run) if happening.at(place)]  # type: ignore[union-attr]
    assert seen == impacts
    places = [place for place in arcs(run) if happening.at(place)]
    assert [happening.at(place)[IMPACT] for place in places] == [1.0] * len(impacts)
    counts = [happening.later(place, {})[COUNT] for place in arcs(run)]
    assert counts == [float(i) for i in range(len(impacts) + 1)]
    assert all(happening.later(place, {})[IMPACT] == 0 for place in arcs(run))
    assert not any(happening.at(place)["slip[ball,floor]"] for place in places)


def test_bodies_may_be_named_either_way_round() -> None:
    run = sample(BOUNCE, 2.0)
    turned = "count(impact[floor,ball])"
    happening = Happening(run, [COUNT, turned])
    last = happening.later(len(run.parts) - 1, {})
    assert last[COUNT] == last[turned] > 0


@pytest.mark.parametrize("solver", ["reference", "native"])
def test_each_jump_of_an_instant_leads_to_a_state_of_its_own(solver: str) -> None:
    run = simulate(parse_model(CASCADE).automaton(), until=2.5, options=Options(solver=solver))
    happening = Happening(run, ["action[up]", "action[down]", "count(action[up])"])
    for place, part in enumerate(run.parts):
        now = happening.at(place)
        if isinstance(part, Moment):
            assert now["action[up]"] == 1 > now["action[down]"]
        elif place:
            assert now["action[down]"] == 1 > now["action[up]"]
    assert happening.later(len(run.parts) - 1, {})["count(action[up])"] == 2


def test_names_that_are_no_events_are_left_alone() -> None:
    happening = Happening(sample(BOUNCE, 2.0), ["ball.y", "gap[ball,floor]"])
    assert happening.later(0, {"ball.y": 1.0}) == {"ball.y": 1.0}
    assert not happening.at(0)
