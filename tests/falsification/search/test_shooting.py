"""The search: rounds in a fixed order, the same for every crew, ended by limits."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from dyverse.automaton.interface import Array
from dyverse.campaign.campaign import Campaign
from dyverse.campaign.crew import Alone
from dyverse.campaign.journal import Journal
from dyverse.errors import ModelError
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.shooting import LimitReached, Limits, Progress, Shooting
from dyverse.falsification.search.task import Worker
from tests.falsification.models import BOUNCE, FLIGHT, STRAIT, asked
from tests.falsification.recorded import Recorded


def search(question: Question, *, seed: int = 0, limits: Limits | None = None) -> Shooting:
    campaign = Campaign(Worker(question), Alone(), Journal(None, "test"))
    return Shooting(question, campaign, limits or Limits(), lambda progress: None, seed)


def test_candidates_break_the_property_and_the_deepest_of_a_round_comes_first() -> None:
    question, rounds = asked(BOUNCE), list[list[Array]]()
    campaign = Campaign(Worker(question), Alone(), Journal(None, "test"))
    one = Shooting(question, campaign, Limits(), lambda progress: rounds.append([]), 0)
    for point in islice(one.candidates(), 12):
        rounds[-1].append(point.point)
    assert [0.9, 3.0] in [points[0].tolist() for points in rounds if points]  # a corner
    assert max(map(len, rounds)) > 2
    for points in filter(None, rounds):
        margins = probe(question, np.array(points)).margins
        assert (margins < 0).all()
        assert margins.tolist() == sorted(margins.tolist())


def test_a_candidate_is_offered_once() -> None:
    points = [found.point.tobytes() for found in search(asked(FLIGHT)).candidates()]
    assert len(points) == len(set(points)) > 10


def test_the_same_seed_shoots_the_same_points_and_another_seed_others() -> None:
    question = asked("example:three-balls")
    pools = []
    for seed in (0, 0, 1):
        one = search(question, seed=seed)
        assert not list(one.candidates())
        sampled = one.covered().sampled
        assert sampled is not None
        pools.append(sampled.points)
    assert np.array_equal(pools[0], pools[1])
    assert not np.array_equal(pools[0], pools[2])


def test_a_model_without_unknowns_is_one_run() -> None:
    one = search(asked(FLIGHT, settings={"v": 2.0}))
    assert not list(one.candidates())
    assert one.covered().runs == 1
    assert one.covered().least_margin == pytest.approx(1 - 0.2, abs=1e-9)


def test_a_range_without_width_is_searched_too() -> None:
    one = search(asked(FLIGHT, ranges={"v": (2.0, 2.0)}))
    assert not list(one.candidates())
    assert one.covered().nearest == {"v": 2.0}


@pytest.mark.parametrize("name", ["window", "three-balls", "ten-impacts", "four-unknowns"])
@pytest.mark.parametrize("most", [1, 2, 7, 30, 100, 333, 900])
def test_a_limit_of_runs_is_a_limit_of_runs(name: str, most: int) -> None:
    question = asked(f"example:{name}")
    counted = Recorded(question.system)
    one = search(replace(question, system=counted), limits=Limits(runs=most))
    with pytest.raises(LimitReached, match=f"limit of {most} runs"):
        list(one.candidates())
    assert one.covered().runs == most
    assert sum(counted.runs) <= most


def test_a_limit_that_is_just_enough_does_not_end_the_search() -> None:
    one = search(asked(FLIGHT, settings={"v": 2.0}), limits=Limits(runs=1))
    assert not list(one.candidates())


def test_limits_end_the_search() -> None:
    question = asked("example:three-balls")
    with pytest.raises(LimitReached, match="limit of 50 runs"):
        list(search(question, limits=Limits(runs=50)).candidates())
    with pytest.raises(LimitReached, match="time limit of 0 s"):
        list(search(question, limits=Limits(seconds=0.0)).candidates())


def test_corners_in_which_bodies_overlap_are_refused_before_the_search() -> None:
    question = asked(STRAIT, ranges={"ball.x": (0, 3)})
    with pytest.raises(ModelError, match="overlap"):
        next(search(question).candidates())


def test_progress_is_told_round_by_round() -> None:
    question, told = asked("example:three-balls"), list[Progress]()
    campaign = Campaign(Worker(question), Alone(), Journal(None, "test"))
    list(Shooting(question, campaign, Limits(), told.append, 0).candidates())
    assert told[0].doing == "beginning"
    everyone = {"corners", "shooting", "descending", "annealing", "evolving"}
    assert everyone <= {one.doing for one in told}
    runs = [one.runs for one in told]
    assert runs == sorted(runs)
