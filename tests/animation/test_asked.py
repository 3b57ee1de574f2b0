"""What pages ask is looked at before it is used."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dyverse.animation.asked import (
    NAMES,
    Refused,
    count_in,
    names_in,
    number_in,
    numbers_in,
    text_in,
)
from tests.animation.test_stage import staged

STRANGE = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    str(10**400),
    "true",
    "null",
    '"3"',
    "[1]",
    "{}",
)


@pytest.mark.parametrize("text", STRANGE)
def test_only_finite_numbers_are_numbers(text: str) -> None:
    with pytest.raises(Refused, match="'x' must"):
        number_in(json.loads(f'{{"x": {text}}}'), "x")


def test_counts_are_cut_off() -> None:
    assert [count_in({"n": n}, "n", 10) for n in (3, 3.9, 1e30, -1e30)] == [3, 3, 10, -10]


@pytest.mark.parametrize("found", [None, 3, "ab", [1, 2], [1, 2, "3"], {"0": 1}])
def test_a_vector_has_its_numbers(found: object) -> None:
    with pytest.raises(Refused):
        numbers_in({"v": found}, "v", 3)


@pytest.mark.parametrize("found", [None, "a", [3], [["a"]], ["a"] * (NAMES + 1)])
def test_a_list_has_names_and_not_too_many(found: object) -> None:
    with pytest.raises(Refused):
        names_in({"names": found}, "names")
    with pytest.raises(Refused):
        text_in({"text": found} if found != "a" else {}, "text")


MORE: list[dict[str, Any]] = [
    {},
    {"time": float("inf"), "n": 10**18, "factor": -1, "from": 1},
    {"time": [], "n": {}, "factor": "1", "from": None, "to": None, "values": 3},
    {"values": {}, "name": [], "value": 1e30, "body": "<b>", "position": [0, 0, 1e30]},
    {"signals": ["<script>"], "from": -1e30, "to": 1e30, "pixels": 1e30, "text": "\0"},
    {"component": "", "edge": 1e30, "limit": -5, "text": "", "id": -7, "values": {"": 1}},
]
REQUESTS: list[dict[str, Any]] = [
    {"do": do, **more}
    for do in ("seek", "ticks", "events", "speed", "loop", "set", "history", "find", "drag", "take")
    for more in MORE
] + [{}, {"do": None}, {"do": {}}, {"do": "__class__"}, {"do": "open", "text": "\ud800"}]


def test_no_request_ends_the_stage_or_is_taken_for_a_bug() -> None:
    """Whatever is asked, there is an answer, and the run goes on."""
    stage, page, watch = staged()
    for number, request in enumerate(REQUESTS, start=100):
        stage.said.clear()
        stage.hear(page.number, {"id": number, **request})
        for said in page.said():
            for problem in said.get("problems", ()):
                assert "bug" not in problem["message"], request
    assert page.ask("open", text="body ball { sphere radius 1  mass 1 }")["ok"]
    assert page.ask("play")["ok"]
    watch.now += 0.1
    stage.beat()
    assert stage.show is not None
    assert stage.show.time > 0
