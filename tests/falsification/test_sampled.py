"""The points that a search keeps: their margins are those of simulations, and no run is lost."""

import numpy as np
import pytest

from dyverse.bodies.read import parse_world
from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.search.task import Seen, made
from dyverse.falsification.system import Probes

FALL = """
parameter h = 1 in [0.5, 2]
gravity (0, -10, 0)
body ball { sphere radius 0.1  mass 1  position (0, h, 0) }
property high: always ball.y > -1 until 0.5
"""


def seen(points: int, runs: int) -> Seen:
    nothing = np.zeros(points)
    probes = Probes(
        margins=nothing,
        times=nothing,
        paths=("",) * points,
        stops=("horizon",) * points,
        decided=nothing == 0,
        events=np.zeros(points, dtype=np.int64),
    )
    return Seen(np.zeros((points, 1)), probes, runs)


def test_runs_are_spread_over_the_points_of_their_part() -> None:
    """Probing makes a run for each point; halving and descending keep fewer points than runs."""
    assert made([seen(3, 3), seen(2, 10), seen(1, 1)]).tolist() == [1, 2, 3, 8, 13, 14]


def test_all_that_was_looked_at_is_kept_in_order() -> None:
    """Here the margin is h - g t²/2 + 1 at 0.5 s, to 1e-9."""
    covered = falsify(ask(parse_world(FALL))).covered
    sampled = covered.sampled
    assert sampled is not None
    assert sampled.margins == pytest.approx(sampled.points[:, 0] - 10 / 2 * 0.25 + 1, abs=1e-9)
    assert len(sampled.points) == len(sampled.paths) == len(sampled.runs)
    assert (np.diff(sampled.runs) > 0).all()
    assert sampled.runs[-1] == covered.runs
    assert sampled.margins.min() == covered.least_margin
