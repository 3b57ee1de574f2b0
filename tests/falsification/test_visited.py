"""What runs have met: against what is known of small models."""

import numpy as np
import pytest

from dyverse.falsification.asking import ask
from dyverse.falsification.verdict import Sampled
from dyverse.falsification.visited import Visited, visited
from dyverse.generation.model import parse_model

# x grows to a at 1 s; from 2 on it is dangerous, which a below 2 never is: it comes within 2 - a.
RAMP = """\
parameter a = 1 in [0, 1.5]
automaton ramp {
  real x
  location low { x' = a }
  location high { x' = a }
  location danger { x' = 0 }
  initial low
  edge low -> high { when x >= 0.5 }
  edge high -> danger { when x >= 2  action alarm }
}
property fine: always a < 3 until 1
"""
PAIR = """
automaton bell {
  int rings = 0
  location on
  initial on
  edge on -> on { sync alarm? do rings := rings + 1 }
}
channel alarm
system ramp || bell
"""
POST = """\
parameter v = 1 in [-1, 1]
body ball { sphere radius 0.1  mass 1  velocity (v, 0, 0) }
body post { sphere radius 0.1  position (0.5, 0, 0)  fixed }
body far { sphere radius 0.1  position (0, 9, 0)  fixed }
property slow: always ball.vx < 3 until 1
"""


def met(text: str, *points: float) -> Visited:
    """What the runs at these points meet, each as a path of its own."""
    question = ask(parse_model(text))
    seen = Sampled(
        points=np.array(points)[:, None],
        margins=np.zeros(len(points)),
        paths=tuple(map(str, points)),
        runs=np.arange(float(len(points))),
    )
    return visited(question, seen)


@pytest.mark.parametrize("text", [RAMP, RAMP.replace("action alarm", "sync alarm!") + PAIR])
def test_places_and_edges_are_counted_and_guards_measured(text: str) -> None:
    found = met(text, 0.25, 1.0, 1.5)
    places = {one.name: one.runs for one in found.places}
    assert found.runs == 3
    assert (places["ramp.low"], places["ramp.high"], places["ramp.danger"]) == (3, 2, 0)
    up, danger = found.edges[:2]
    assert (up.runs, up.missed) == (2, None)
    assert (danger.name, danger.runs) == ("ramp: high → danger (alarm)", 0)
    assert danger.missed == pytest.approx(0.5, abs=1e-6)


def test_an_edge_whose_place_no_run_reaches_has_no_distance() -> None:
    up, danger = met(RAMP, 0.2).edges
    assert up.missed == pytest.approx(0.3, abs=1e-6)
    assert danger.missed is None


def test_contacts_are_counted_by_how_they_close() -> None:
    found = dict(met(POST, -1.0, 0.5, 1.0).contacts)
    assert {name: counts["impact"] for name, counts in found.items()} == {
        "ball-post": 2,
        "ball-far": 0,
    }
