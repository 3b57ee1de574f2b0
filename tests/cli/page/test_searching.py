"""What the page's searches find, against what the commands tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dyverse.animation.asked import Refused
from dyverse.animation.playable import Playable
from dyverse.cli.page.ordering import open_requested
from dyverse.cli.page.searching import KEPT, falsify_played, map_played
from dyverse.errors import ModelError
from dyverse.generation.model import parse_model
from tests.cli.conftest import Invoke

THROW = """
parameter v = 3 in [0, 10]
parameter e = 0.5 in [0, 0.9]
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1, 0)  velocity (0, v, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e }
property low: always ball.y < 3 until 2
"""


def thrown(**settings: float) -> Playable:
    return Playable(name="throw", model=parse_model(THROW), text=THROW, settings=settings)


def said(search: Any, play: Playable, **request: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    search(play, request, found.append)
    return found


def test_a_violation_is_found_within_the_ranges_and_told() -> None:
    """The ball rises by v²/2g: over 3 m for v > 6.26 m/s."""
    *before, verdict = said(falsify_played, thrown(), property="low", ranges={"v": [5, 8]})
    assert before[0] == {"say": "progress", "done": 0, "total": float("inf"), "text": "searching"}
    assert verdict["verdict"] == "unsafe"
    witness = verdict["witness"]
    assert witness["parameters"].keys() == {"v"}  # what the page does not vary stays as it is
    assert 6.2641 < witness["parameters"]["v"] <= 8
    assert witness["settings"] == {"e": 0.5, **witness["parameters"]}


def test_a_search_goes_from_the_numbers_that_are_shown() -> None:
    asked = {"property": "low", "ranges": {"e": [0, 0.9]}, "runs": 8}
    *_, verdict = said(falsify_played, thrown(v=2.0), **asked)
    assert verdict["witness"] is None
    *_, verdict = said(falsify_played, thrown(v=7.0), **asked)
    assert verdict["witness"]["settings"]["v"] == 7.0


def test_a_search_gives_up_after_so_many_runs() -> None:
    play = thrown()
    *_, verdict = said(falsify_played, play, property="low", ranges={"v": [0, 6]}, runs=10)
    assert verdict["verdict"] == "unknown"
    assert "limit of 10 runs" in verdict["text"]


def test_a_map_tells_which_points_break_a_property() -> None:
    over = [{"name": "v", "lo": 5, "hi": 8, "n": 4}, {"name": "e", "lo": 0, "hi": 0.5, "n": 2}]
    first, *_, last = said(map_played, thrown(), over=over)
    assert first["total"] == 8
    assert last["values"] == [KEPT, KEPT, KEPT, KEPT, *4 * ["breaks low"]]
    one = [{"name": "v", "lo": 5, "hi": 8, "n": 1}]
    assert said(map_played, thrown(), over=one)[-1]["values"] == ["breaks low"]  # in the middle


def test_a_map_of_one_automaton_is_that_of_the_command(invoke: Invoke) -> None:
    play = open_requested({"example": "thermostat"})
    *_, last = said(map_played, play, over=[{"name": "k", "lo": 0.06, "hi": 0.18, "n": 3}])
    told = json.loads(
        invoke("map", "example:thermostat", "--over", "k=0.06:0.18:3", "--json").stdout
    )
    assert last["values"] == [point["behaviour"] for point in told["points"]]


@pytest.mark.parametrize(
    ("search", "request_of_page"),
    [
        (falsify_played, {"property": "low"}),
        (falsify_played, {"property": "low", "ranges": {"v": [1]}}),
        (falsify_played, {"property": "high", "ranges": {}}),
        (falsify_played, {"property": "low", "ranges": {"w": [1, 2]}}),
        (falsify_played, {"property": "low", "ranges": {"v": [2, 1]}}),
        (map_played, {}),
        (map_played, {"over": [3]}),
        (map_played, {"over": [{"name": "w", "lo": 1, "hi": 2, "n": 2}]}),
        (map_played, {"over": [{"name": "v", "lo": 1, "hi": 2, "n": 10_001}]}),
    ],
)
def test_what_makes_no_sense_is_refused(search: Any, request_of_page: dict[str, Any]) -> None:
    with pytest.raises((Refused, ModelError)):
        said(search, thrown(), **request_of_page)
