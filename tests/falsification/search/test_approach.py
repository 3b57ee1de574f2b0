"""Distances to locations, against what is known; and thin windows that only they lead to."""

import numpy as np
import pytest

from dyverse.falsification.asking import ask
from dyverse.falsification.falsify import falsify
from dyverse.falsification.question import Question
from dyverse.falsification.search.groping import approach
from dyverse.falsification.search.nearness import distance
from dyverse.falsification.search.shooting import Limits
from dyverse.falsification.verdict import Unsafe
from dyverse.generation.model import parse_model

# Two locks, one behind the other, each open in a window of 0.002: one point in 250 000 opens both.
LOCKS = """\
parameter a = 0.1 in [0, 1]
parameter b = 0.1 in [0, 1]
automaton door {
  clock c
  location first { c' = 1 }
  location second { c' = 1 }
  location open { c' = 1 }
  location aside { c' = 1 }
  initial first
  edge first -> second { when c >= 1 and abs(a - 0.731) <= 0.001 }
  edge second -> open { when c >= 2 and abs(b - 0.287) <= 0.001 }
  edge first -> aside { when c >= 3 }
}
system door
property shut: always not door.open until 4
"""


def locks(text: str = LOCKS) -> Question:
    return ask(parse_model(text))


def test_a_property_has_steps_if_it_names_locations() -> None:
    assert locks().system.is_stepped
    assert not locks(LOCKS.replace("not door.open", "door.c < 9")).system.is_stepped


@pytest.mark.parametrize(
    ("point", "missed", "edges"),
    [
        ((0.231, 0.287), 0.499, 1),  # before the first lock, one more behind it
        ((0.731, 0.787), 0.499, 0),  # before the second
    ],
)
def test_a_distance_is_edges_and_what_a_guard_is_missed_by(
    point: tuple[float, float], missed: float, edges: int
) -> None:
    found = distance(locks(), np.array(point))
    assert found == pytest.approx(edges + missed / (1 + missed), abs=1e-6)


def test_a_run_that_gets_there_is_at_no_distance() -> None:
    assert distance(locks(), np.array([0.731, 0.287])) == 0


def test_an_approach_keeps_to_its_runs() -> None:
    start = np.array([0.5, 0.9])
    (*_, few), (*_, many) = (approach(locks(), start, most=most) for most in (5, np.inf))
    assert few == 5
    assert many > few


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_windows_one_behind_the_other_are_found(seed: int) -> None:
    verdict = falsify(locks(), seed=seed)
    assert isinstance(verdict, Unsafe)
    assert verdict.witness.settings["a"] == pytest.approx(0.731, abs=0.001)
    assert verdict.witness.settings["b"] == pytest.approx(0.287, abs=0.001)
    assert verdict.covered.runs < 200


# A gate of 4 mm by 4 mm behind the bounce: one pair of speed and restitution in 730 leads to it.
GATE = """\
parameter v = 1 in [0.1, 5]
parameter e = 0.5 in [0.1, 0.95]
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1, 0)  velocity (v, 0, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e }
automaton gate {
  location shut
  location open
  initial shut
  edge shut -> open { when abs(ball.x - 2.5) < 0.002 and abs(ball.y - 0.6) < 0.002 and ball.vy > 0 }
}
system gate
property closed: always not gate.open until 1
"""


def test_a_ball_is_led_through_a_small_gate() -> None:
    verdict = falsify(locks(GATE), limits=Limits(runs=600))
    assert isinstance(verdict, Unsafe)
    x, y = (verdict.witness.run.at(verdict.witness.time).values[i] for i in (0, 1))
    assert (x, y) == (pytest.approx(2.5, abs=0.0021), pytest.approx(0.6, abs=0.0021))
