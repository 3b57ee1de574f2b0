"""Distances over steps: they tell what margins do not, and are nothing exactly at violations."""

import numpy as np
import pytest

from dyverse.falsification.asking import ask
from dyverse.falsification.question import Question, probe
from dyverse.falsification.search.nearness import Nearness, distance
from dyverse.falsification.search.slopes import run_at
from dyverse.generation.model import parse_model

# It counts when c has come to p, and c begins again: floor(10/p) times within 10 s.
COUNTER = """\
parameter p = 3 in [0.5, 9]
automaton meter {
  int n in [0, 100]
  clock c
  location runs { invariant c <= p }
  initial runs
  edge runs -> runs { when c >= p  do n := n + 1, c := 0 }
}
system meter
property few: always meter.n < 5 until 10
"""

# One is at work from 1 s to 1 s + p, the other from 5 s on: together only if p > 4.
TOGETHER = """\
parameter p = 1 in [0.5, 6]
automaton one {
  clock c
  location rests
  location works
  location done
  initial rests
  edge rests -> works { when c >= 1 }
  edge works -> done { when c >= 1 + p }
}
automaton other {
  clock c
  location rests
  location works
  initial rests
  edge rests -> works { when c >= 5 }
}
system one || other
property alone: always not (one.works and other.works) until 10
"""

HITS = """\
parameter v = 3 in [1, 6]
body ball { sphere radius 0.1  mass 1  velocity (v, 0, 0) }
body left { plane normal (1, 0, 0)  position (-1, 0, 0) }
body right { plane normal (-1, 0, 0)  position (1, 0, 0) }
contact all { restitution 1  offers hit }
automaton umpire {
  int n in [0, 1000]
  location calls
  initial calls
  edge calls -> calls { sync hit?  do n := n + 1 }
}
system umpire
property few: always umpire.n < 4 until 2
"""


def question(text: str) -> Question:
    return ask(parse_model(text))


@pytest.mark.parametrize("p", [2.2, 2.6, 3.0])
def test_a_counter_is_as_far_as_its_next_edge(p: float) -> None:
    """At 10 s it is p - 10 mod p before the next count, of 5 - floor(10/p) that are left."""
    counted, missed = int(10 / p), p - 10 % p
    expected = (5 - counted - 1) + missed / (1 + missed)
    assert distance(question(COUNTER), np.array([p])) == pytest.approx(expected, abs=1e-6)


def test_states_that_steps_alone_keep_away_are_not_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before the third count four more are missing, and behind it fewer than two."""
    looked: list[float] = []
    amount = Nearness._amount

    def counted(own: Nearness, here: set[tuple[str, str]], known: dict[str, float]) -> float:
        looked.append(known["meter.n"])
        return amount(own, here, known)

    monkeypatch.setattr(Nearness, "_amount", counted)
    asked = question(COUNTER)
    found = Nearness(asked, run_at(asked, np.array([3.0])))
    found._best = (2.0, 0, 0.0)
    assert found.least() == pytest.approx(1 + 2 / 3, abs=1e-6)
    assert looked
    assert set(looked) == {3.0}


def test_places_that_must_meet_are_as_far_as_the_later_is_late() -> None:
    """Just before one is done, at 1 + p, the other is 4 - p away."""
    for p in (1.0, 2.0, 3.5):
        missed = 4 - p
        found = distance(question(TOGETHER), np.array([p]))
        assert found == pytest.approx(missed / (1 + missed), abs=1e-3)


@pytest.mark.parametrize("text", [COUNTER, TOGETHER, HITS])
def test_it_is_nothing_exactly_where_the_property_is_broken(text: str) -> None:
    asked = question(text)
    points = np.linspace(asked.low, asked.high, 12)
    broken = probe(asked, points).margins < 0
    assert broken.any()
    assert not broken.all()
    distances = np.array([distance(asked, point) for point in points])
    assert np.array_equal(distances == 0, broken)
    assert len(set(distances[~broken].round(9))) == (~broken).sum()  # no plateaus
