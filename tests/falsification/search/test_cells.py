"""Cells of equal events: a thin one lies between two others, and halving finds it."""

import numpy as np
import pytest

from dyverse.falsification.falsify import falsify
from dyverse.falsification.question import probe
from dyverse.falsification.search.cells import bisect, neighbours
from dyverse.falsification.verdict import Unsafe
from tests.falsification.models import STRAIT, asked

UPPER, LOWER = np.array([[0.13]]), np.array([[-0.21]])  # hits that post first


def test_runs_into_different_posts_are_different_paths() -> None:
    lower, upper, through = probe(asked(STRAIT), np.array([[-0.2], [0.2], [0.0]])).paths
    assert len({lower, upper, through}) == 3


@pytest.mark.parametrize("clearance", [1e-3, 1e-6])
def test_halving_finds_the_strait_between_two_posts(clearance: float) -> None:
    question = asked(STRAIT, settings={"clearance": clearance})
    found = bisect(question, UPPER, LOWER)
    through = found.seen.events == 0
    assert through.any()
    assert (np.abs(found.points[through, 0]) <= clearance / 2 + 1e-12).all()
    assert found.runs < 100


def test_a_closed_strait_lets_nothing_through() -> None:
    question = asked(STRAIT, settings={"clearance": -1e-3})
    assert (bisect(question, UPPER, LOWER).seen.events > 0).all()


def test_the_ball_that_slips_through_is_found() -> None:
    """Of the range 0.7 m a millionth leads through, and no point of the first rounds does."""
    verdict = falsify(asked(STRAIT))
    assert isinstance(verdict, Unsafe)
    assert abs(verdict.witness.settings["y"]) <= 0.5e-6
    assert not verdict.witness.run.times("impact")


def test_neighbours_are_pairs_of_different_cells_nearest_first() -> None:
    points = np.array([[-0.3], [-0.1], [-0.05], [0.2], [0.25]])
    paths = ("a", "a", "b", "b", "b")
    pairs = neighbours(asked(STRAIT), points, paths)
    assert pairs[0].tolist() == [1, 2]
    assert all(paths[i] != paths[j] for i, j in pairs.tolist())


def test_one_cell_has_no_neighbours() -> None:
    points = np.array([[-0.3], [-0.1]])
    assert neighbours(asked(STRAIT), points, ("a", "a")).shape == (0, 2)
