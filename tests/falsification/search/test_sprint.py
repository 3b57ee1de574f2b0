"""Sprints: into narrow windows in a few batches, never out of the ranges, never uphill."""

import numpy as np
import pytest

from dyverse.falsification.question import probe
from dyverse.falsification.search.sprint import BATCHES, BEYOND, SHARES, sprint
from tests.falsification.models import FLIGHT, asked


@pytest.mark.parametrize("half", [1e-3, 1e-5, 1e-7])
def test_a_window_is_hit_however_narrow(half: float) -> None:
    question = asked("example:window", settings={"w": half})
    ends, runs = sprint(question, np.array([[0.9], [1.1]]))
    assert probe(question, ends).margins.min() < 0
    assert runs <= 2 + BATCHES * 2 * (2 + len(SHARES) + len(BEYOND))


def test_it_goes_to_the_edge_of_the_ranges_and_not_beyond() -> None:
    """A ball thrown up with v rises to v²/20: of 1.2 to 4 m/s the last comes nearest to 1 m."""
    question = asked(FLIGHT, ranges={"v": (1.2, 4.0)})
    ends, _ = sprint(question, np.array([[1.3], [2.9]]))
    assert ends == pytest.approx(4.0, abs=1e-12)
    assert probe(question, ends).margins == pytest.approx(0.2, abs=1e-9)


def test_a_sprint_never_goes_uphill_and_is_the_same_twice() -> None:
    question = asked("example:three-balls")
    start = question.nominal[None, :]
    ends, _ = sprint(question, start)
    assert probe(question, ends).margins[0] <= probe(question, start).margins[0]
    again, _ = sprint(question, start)
    assert np.array_equal(ends, again)
