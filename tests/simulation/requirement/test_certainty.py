"""From when on a violation is certain: where something changes first, and by halving elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from dyverse.simulation.requirement.certainty import certain_from
from dyverse.simulation.requirement.curves import Cells, everywhere
from dyverse.simulation.requirement.pieces import done
from dyverse.simulation.requirement.temporal import Leaf, Within
from dyverse.simulation.requirement.watched import Curves

WAIT = Within(Leaf(0), (0.25, 1.0), greatest=True, behind=False)


class Since:
    """Certain from a time on; counts how often it is asked."""

    def __init__(self, time: float) -> None:
        self.time, self.asked = time, 0

    def __call__(self, time: float) -> bool:
        self.asked += 1
        return time >= self.time


def steps() -> Curves:
    """One atom, over points at whole seconds and what is between them."""
    times = np.arange(9.0)
    start, end = np.repeat(times, 2)[:-1], np.repeat(times, 2)[1:]
    cells = Cells(start, end)
    return Curves(cells, [everywhere(1.0, cells)])


@pytest.mark.parametrize("time", [1.0, 3.25, 4.75, 7.0])
def test_where_a_window_ends_it_is_found_to_the_last_digit(time: float) -> None:
    since = Since(time)
    assert done(certain_from(since, WAIT, steps())) == time
    assert since.asked < 10


@pytest.mark.parametrize("time", [0.1, 3.3, 7.9])
def test_anywhere_else_it_is_found_by_halving(time: float) -> None:
    since = Since(time)
    assert done(certain_from(since, WAIT, steps())) == pytest.approx(time, abs=1e-11)


def test_what_is_certain_at_once_is_certain_from_the_start_on() -> None:
    since = Since(0.0)
    assert done(certain_from(since, WAIT, steps())) == 0.0
    assert since.asked == 1
