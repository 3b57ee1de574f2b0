"""Algorithm 2: one location, step by step."""

from __future__ import annotations

import math
from collections.abc import Generator

import pytest

from dyverse.falsification.paper.encoding import Encoding, Options, Root
from dyverse.falsification.paper.explore import Candidate, explore_dynamical_location
from dyverse.falsification.paper.inquiry import Inquiry
from dyverse.falsification.question import Question
from dyverse.falsification.satisfy.satisfy import LazySolver, Satisfied
from dyverse.falsification.search.shooting import Limits
from tests.falsification.paper.scenes import opened

DROP = """
parameter h = 2 in [1, 3]
gravity (0, -10, 0)
body ball { sphere radius 0.5  mass 1  position (0, 0.5 + h, 0) }
body floor { plane normal (0, 1, 0)  fixed }
contact all { restitution 0.5 }
property up: always ball.y > 0.1 until 1
"""
THIN = """
parameter v = 1 in [0.9, 1.1]
body ball { sphere radius 0.1  mass 1  velocity (v, 0, 0) }
property strip: always abs(ball.x - 0.333) >= 1e-4 until 1
"""


def explored(
    question: Question, options: Options
) -> tuple[list[Candidate], list[Root], Inquiry, Encoding]:
    encoding, inquiry = Encoding(question, options), Inquiry(Limits(), lambda row: None)
    roots: list[Root] = []

    def run() -> Generator[Candidate, None, None]:
        roots.extend((yield from explore_dynamical_location(encoding, inquiry, encoding.start())))

    return list(run()), roots, inquiry, encoding


def test_an_edge_is_crossed_between_the_first_and_the_last_time() -> None:
    """A ball falls h in √(2h/10): 0.447 s to 0.775 s for h in [1, 3]."""
    question = opened(DROP, "h", 1, 3, 1)
    candidates, (root,), _, encoding = explored(question, Options(steps=10))
    assert candidates == []
    assert str(root.location) == "impact{ball-floor}.en"
    assert root.earliest == pytest.approx(0.4)
    answer = LazySolver().satisfy(root.formula)
    assert isinstance(answer, Satisfied)
    (h,) = answer.solution.at(encoding.unknowns)
    assert answer.solution.at(root.point.state)[-1] == pytest.approx(math.sqrt(h / 5), abs=1e-6)


def test_the_location_is_left_when_nothing_stays_in_its_domain() -> None:
    """All balls have landed after 0.775 s: no question is asked after the step to 0.8 s."""
    _, _, inquiry, _ = explored(opened(DROP, "h", 1, 3, 1), Options(steps=10))
    assert max(row.time for row in inquiry.rows) == pytest.approx(0.8)
    assert [row.found for row in inquiry.rows if row.asked == "domain"][-1] is False


def test_uneventful_steps_are_merged() -> None:
    """The clauses do not become more while nothing happens; a strict error keeps the steps."""
    question = opened(THIN, "v", 0.9, 0.9, 0.3)
    _, _, merged, _ = explored(question, Options(steps=6))
    sizes = [row.clauses.all for row in merged.rows if row.asked == "unsafe"]
    assert len(set(sizes[1:])) == 1
    spring = THIN.replace("property", "spring ball (0, 0, 0) { stiffness 100 }\nproperty")
    _, _, kept, _ = explored(opened(spring, "v", 0.9, 0.9, 0.3), Options(steps=6, error=1e-12))
    sizes = [row.clauses.all for row in kept.rows if row.asked == "unsafe"]
    assert sizes == sorted(set(sizes))


def test_a_strip_between_two_steps_is_seen() -> None:
    """|x - 0.333| < 10⁻⁴ lasts 0.2 ms of a step of 100 ms."""
    question = opened(THIN, "v", 1.0, 1.0, 1)
    (found, *_), _, _, _ = explored(question, Options(steps=10))
    assert found.time == pytest.approx(0.333, abs=1e-4)
