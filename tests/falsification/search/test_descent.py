"""Descents: to known lowest points, within the ranges, as quick in a narrow window as in a wide."""

from math import sqrt

import numpy as np
import pytest

from dyverse.automaton.guard.branches import violations
from dyverse.falsification.asking import ask
from dyverse.falsification.question import Question
from dyverse.falsification.search.depths import Reader
from dyverse.falsification.search.descent import Descent, Region, descend, nearest_arcs
from dyverse.falsification.search.slopes import Slopes, run_at
from dyverse.falsification.search.task import Worker, descending
from dyverse.falsification.system import formula_of
from dyverse.generation.model import parse_model
from tests.falsification.models import BOUNCE, G, asked, peak


def descent(question: Question, start: list[float], arc: int, enough: float = 0.0) -> Descent:
    reader = Reader(violations(formula_of(question.system.claim)))
    return descend(question, reader, np.array(start), arc=arc, enough=enough)


def test_a_descent_goes_to_the_corner_where_the_ball_rises_highest() -> None:
    found = descent(asked(BOUNCE), [0.5, 1.2], arc=1, enough=-np.inf)
    assert found.point == pytest.approx([0.9, 3], abs=1e-9)
    assert found.margin == pytest.approx(0.6 - peak(0.9, 3), abs=1e-8)


def test_a_descent_stops_where_the_property_is_broken() -> None:
    found = descent(asked(BOUNCE), [0.5, 1.2], arc=1)
    assert 0.6 - peak(0.9, 3) - 1e-8 < found.margin < 0
    assert found.margin == pytest.approx(0.6 - peak(*found.point), abs=1e-8)


def test_a_descent_stays_within_the_ranges() -> None:
    found = descent(asked(BOUNCE, ranges={"e": (0.5, 0.6)}), [0.5, 1.2], arc=1)
    assert found.point == pytest.approx([0.6, 3], abs=1e-12)
    assert found.margin == pytest.approx(0.6 - peak(0.6, 3), abs=1e-8)


SHAKEN = """
parameter f = 3 in [1, 12]
parameter c = 0.1 in [0.02, 0.3]
automaton m {
  real x, v
  clock now
  location on { x' = v  v' = -43*x - c*v + sin(f*now) }
  initial on
}
system m
property near: always abs(m.x) < 1.2 until 30
"""


OBLIQUE = SHAKEN.replace("sin(f*now)", "sin((f + 20*c)*now)")


def test_an_unknown_that_is_steep_does_not_hold_the_others_back() -> None:
    """At its own rate the mass swings far if damped little; with one radius, it crept."""
    found = descent(ask(parse_model(SHAKEN)), [6.5, 0.16], arc=0)
    assert found.margin < 0
    assert found.runs < 20


def test_a_region_loses_what_promised_most() -> None:
    model = Slopes(
        depths=np.zeros(1),
        by_unknown=np.array([[-8.0, 1.0, 0.0]]),
        by_time=np.zeros(1),
        ends=np.zeros(2),
        ends_by_unknown=np.zeros((2, 3)),
        runs=0,
    )
    region = Region(np.full(3, 0.5), 0.5).narrowed(model)
    assert region.unknowns == pytest.approx([0.625 / 8, 0.5, 0.125], abs=1e-15)
    assert region.time == 0.125
    again = region.narrowed(model)
    assert again.unknowns[:2] == pytest.approx([0.140625 / 8, 0.140625], abs=1e-15)


def test_a_descent_that_creeps_along_ripples_leaves_the_runs_to_others() -> None:
    """The amplitude near a resonance has ripples, here oblique to both unknowns."""
    found = descent(ask(parse_model(OBLIQUE)), [3.25, 0.16], arc=0)
    assert found.creeps
    assert found.margin > 0
    assert found.runs < 60


def test_where_a_descent_creeps_a_way_that_bends_gets_there() -> None:
    question = ask(parse_model(OBLIQUE))
    task = descending(np.array([3.25, 0.16]), 0)
    seen = Worker(question)(task)
    assert seen["margins"][0] < 0
    assert seen["runs"] < 80
    cut = Worker(question)({**task, "most": 45})
    assert cut["runs"] <= 45


def test_a_descent_gives_up_where_nothing_changes() -> None:
    """The first arc is highest at its start, wherever that is."""
    found = descent(asked(BOUNCE), [0.7, 2.0], arc=0)
    assert found.margin == pytest.approx(0.1, abs=1e-12)
    assert found.runs <= 10


def test_a_narrow_window_takes_no_more_steps_than_a_wide_one() -> None:
    """The speed through the window's middle is known, see examples/window."""
    up = 0.8 * sqrt(2 * G)
    speed = 1 / (sqrt(2 / G) + (up + sqrt(up**2 - 2 * G * 0.4)) / G)
    runs = []
    for w in (1e-4, 1e-6, 1e-8):
        question = asked("example:window", settings={"w": w})
        found = descent(question, [1.1], arc=1)
        assert found.margin < 0
        assert found.point[0] == pytest.approx(speed, abs=2 * w)
        runs.append(found.runs)
    assert max(runs) <= 2 * min(runs)


def test_the_nearest_arcs_come_first() -> None:
    question = asked("example:ten-impacts")
    reader = Reader(violations(formula_of(question.system.claim)))
    arcs = nearest_arcs(question, reader, run_at(question, np.array([0.89])), 3)
    assert 10 in arcs  # of the flights, the one that begins with the tenth impact
    assert len(arcs) == 3
