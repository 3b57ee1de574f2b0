"""*Eventually* and *before* by the published algorithms, against closed forms.

A ball falls from 10 m, bounces at 1.428 s and rises again to 10 e² m, with 14.0 e m/s at first.
"""

from __future__ import annotations

import pytest

from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.paper.encoding import Options
from dyverse.falsification.paper.explore import Candidate
from dyverse.falsification.paper.search import PaperSearch
from dyverse.falsification.question import Question
from dyverse.falsification.search.shooting import Limits
from dyverse.falsification.verdict import NotFound, Unknown, Unsafe, Witness
from dyverse.falsification.witness import replay
from dyverse.generation.model import parse_model
from tests.falsification.paper.scenes import BALL

COARSE = Options(steps=12, hidden=2)
THROWN = """
parameter v = 3 in [1, 5]
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  velocity (1, v, 0) }
property p: CLAIM
"""


def asked(claim: str, low: float, high: float, *, depth: int = 3) -> Question:
    text = BALL.replace("always y <= 5 or t <= 1.5 until 3", claim)
    return ask(parse_model(text), ranges={"e": (low, high)}, depth=depth)


def thrown(claim: str, low: float, high: float) -> Question:
    return ask(parse_model(THROWN.replace("CLAIM", claim)), ranges={"v": (low, high)})


def confirmed(question: Question) -> list[Candidate]:
    """The first candidate that simulations confirm, if any."""
    for found in PaperSearch(question, Limits(), options=COARSE).candidates():
        (unknown,) = question.unknowns
        point = question.nominal * 0 + found.settings[unknown.name]
        if isinstance(replay(question, point), Witness):
            return [found]
    return []


RISES = "eventually y >= 5 and t > 1.5 until 2.6"  # if e > 0.7071
QUICK = "always y <= 11 before v >= 8 until 2"  # if e > 0.5712
LOST = "always t <= 1 before y <= 5 until 2"  # never: y = 5 at 1.0096 s
HELD = "always t <= 1.1 before y <= 5 until 2"  # always


@pytest.mark.parametrize(
    ("question", "broken_at"),
    [
        (asked(RISES, 0.3, 0.8), 2.6),
        (asked(RISES, 0.75, 0.9), None),
        (asked(QUICK, 0.4, 0.7), 2.0),
        (asked(QUICK, 0.65, 0.9), None),
        (asked(LOST, 0.3, 0.5), 1.0),
        (asked(HELD, 0.3, 0.5), None),
        (thrown("always ball.x < 0.5 before ball.y >= 1 until 1", 1, 4), 0.5),
        (thrown("always ball.x < 0.5 before ball.y >= 1 until 1", 4.7, 5), None),
    ],
    ids=["rises", "all rise", "quick", "all quick", "lost", "held", "beside", "all in time"],
)
def test_candidates_are_those_of_the_closed_form(
    question: Question, broken_at: float | None
) -> None:
    found = confirmed(question)
    assert bool(found) == (broken_at is not None)
    if broken_at is not None:
        assert found[0].time == pytest.approx(broken_at, abs=0.1)


@pytest.mark.parametrize(
    ("low", "high", "kind"), [(1.0, 4.6, Unsafe), (4.6, 5.0, NotFound)], ids=["broken", "kept"]
)
def test_the_verdict_knows_eventually(low: float, high: float, kind: type) -> None:
    """From v = √20 on the ball rises to 1 m."""
    question = thrown("eventually ball.y >= 1 until 1", low, high)
    assert isinstance(falsify(question, method="paper"), kind)


def test_the_end_of_a_property_may_depend_on_an_unknown() -> None:
    """y = 1 is passed at 0.276 s for v = 5, and later if it is slower: at 0.1 v too late."""
    question = thrown("always ball.y <= 1 until 0.05*v", 4.9, 5.0)
    assert isinstance(falsify(question, method="paper"), NotFound)
    late = thrown("always ball.y <= 1 until 0.1*v", 4.9, 5.0)
    assert isinstance(falsify(late, method="paper"), Unsafe)


def test_a_depth_that_cuts_trajectories_off_leaves_it_unknown() -> None:
    """Ten bounces from 0.1 m with e = 1 take 2.7 s; two are allowed."""
    text = BALL.replace("y = 10", "y = 0.1").replace("always y <= 5 or t <= 1.5", "always y <= 9")
    question = ask(parse_model(text), ranges={"e": (0.9, 0.95)}, until=1.0, depth=2)
    verdict = falsify(question, method="paper")
    assert isinstance(verdict, Unknown)
    assert "beyond --depth 2" in verdict.why
    assert "cut off by --depth 2 before the property ends; --depth " in verdict.why
