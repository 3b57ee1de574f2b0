"""Algorithm 1 on models whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dyverse.falsification.paper.encoding import Options
from dyverse.falsification.paper.inquiry import Row
from dyverse.falsification.paper.search import PaperSearch
from dyverse.falsification.question import Question
from dyverse.falsification.search.shooting import LimitReached, Limits
from dyverse.falsification.verdict import Witness
from dyverse.falsification.witness import replay
from tests.falsification.paper.scenes import bounces, example

COARSE = Options(steps=12, hidden=2)


def search(question: Question, options: Options = COARSE) -> PaperSearch:
    return PaperSearch(question, Limits(), options=options)


def test_a_game_that_is_lost_is_found_and_replayed() -> None:
    """K = 3 loses the interception game at 1.03 s, K = 2.5 keeps ball 1 up till 1.2 s."""
    question = example("interception-game", "K", 2.5, 3.0, 1.2)
    found = next(search(question).candidates())
    assert [str(edge.target) for edge in found.path] == ["impact{ball1-ball2}.en", "{}"]
    witness = replay(question, np.array([found.settings["K"]]))
    assert isinstance(witness, Witness)
    assert witness.time == pytest.approx(found.time, abs=0.05)


def test_a_safe_range_is_followed_through_two_impacts() -> None:
    """Nothing is unsafe for K in [1.75, 1.85]; impacts are at about 0.762 s and 0.980 s."""
    question = example("interception-game", "K", 1.75, 1.85, 1.0)
    running = search(question, Options(steps=8, hidden=3))
    assert list(running.candidates()) == []
    assert running.deepest == 2
    assert running.paths[-1] == ("impact{ball1-ball2}.en", "{}") * 2


def test_a_handwritten_ball_rises_too_high_only_if_it_bounces_well() -> None:
    """It rises to e² 10 m, above 5 m for e > 0.7071."""
    found = next(search(bounces(0.5, 0.9)).candidates())
    assert found.settings["e"] > math.sqrt(0.5)
    assert list(search(bounces(0.5, 0.7)).candidates()) == []


def test_every_question_leaves_a_row() -> None:
    told: list[Row] = []
    running = PaperSearch(bounces(0.6, 0.6), Limits(), told.append, COARSE)
    assert list(running.candidates()) == []
    assert told == running.rows
    assert [row.calls for row in told] == list(range(1, len(told) + 1))
    assert {row.asked for row in told} >= {"root", "guards", "domain", "unsafe"}
    assert all(row.rounds >= 1 for row in told)


def test_a_limit_ends_the_search() -> None:
    running = PaperSearch(bounces(0.5, 0.7), Limits(seconds=0.0))
    with pytest.raises(LimitReached):
        list(running.candidates())


def test_depth_is_counted_in_jumps_out_of_dynamical_locations() -> None:
    question = bounces(0.6, 0.6)
    running = search(question)
    list(running.candidates())
    assert running.deepest == question.depth == 1
