"""Searches that pages start, in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from queue import Queue
from typing import Any

import pytest

from dyverse.animation.asked import Refused
from dyverse.animation.playable import Playable
from dyverse.animation.said import Said
from dyverse.animation.serving.packing import packed
from dyverse.animation.serving.process import MEGABYTE
from dyverse.animation.serving.searching import AT_ONCE, Say, Searches, Wanted, Witness
from dyverse.animation.stage import Stage
from tests.animation.plays import NATIVE, ball
from tests.animation.test_stage import Page

WAIT = 180.0  # s, for a process to begin on a busy machine
Request = Mapping[str, Any]


def look(play: Playable, request: Request, say: Say) -> None:
    match request["how"]:
        case "wrong":
            raise Refused("there is nothing to look for")
        case "late":
            say({"say": "progress", "done": 0})
            raise Refused("something came between")
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "endless":
            say({"say": "progress", "done": 0})
            time.sleep(WAIT)
    say({"say": "progress", "done": 1})
    found = {"settings": {**play.settings, "e": 0.5}, "time": 2.0}
    say({"say": "verdict", "verdict": "unsafe", "witness": found})


class Looking:
    """Searches, and what they say."""

    def __init__(self) -> None:
        self.said: Queue[dict[str, Any]] = Queue()
        self.kept: list[tuple[int, Witness]] = []
        self.searches = Searches(
            {"look": look},
            self._hear,
            lambda *found: self.kept.append(found),
            memory=4096 * MEGABYTE,
        )

    def _hear(self, said: list[Said]) -> None:
        for item in said:
            self.said.put({"to": item.to, **json.loads(item.data)})

    def begin(self, how: str, *, guest: int = 1, number: int = 7) -> None:
        play = replace(ball(), settings={"wind": 2.0})
        self.searches.begin(Wanted(guest, packed(play), {"do": "look", "id": number, "how": how}))

    def next(self) -> dict[str, Any]:
        return self.said.get(timeout=WAIT)


@pytest.fixture
def looking() -> Iterator[Looking]:
    found = Looking()
    yield found
    found.searches.close()


def test_a_search_is_answered_reports_and_ends_with_a_run_to_open(looking: Looking) -> None:
    looking.begin("well")
    assert looking.next() == {"v": 1, "to": (1,), "re": 7, "ok": True}
    assert looking.next()["done"] == 1
    verdict = looking.next()
    assert (verdict["re"], verdict["witness"]["id"]) == (7, 1)
    ((number, found),) = looking.kept
    assert (number, found.settings) == (1, {"wind": 2.0, "e": 0.5})


def test_what_is_wrong_from_the_start_is_the_answer(looking: Looking) -> None:
    looking.begin("wrong")
    answer = looking.next()
    assert (answer["re"], answer["ok"]) == (7, False)
    assert "nothing to look for" in answer["problems"][0]["message"]


def test_what_goes_wrong_later_ends_without_a_verdict(looking: Looking) -> None:
    looking.begin("late")
    said = [looking.next() for _ in range(3)]
    assert said[0]["ok"]
    assert said[2]["verdict"] == "unknown"
    assert "came between" in said[2]["text"]


def test_a_search_whose_process_dies_is_told(looking: Looking) -> None:
    looking.begin("die")
    answer = looking.next()
    assert not answer["ok"]
    assert "stopped" in answer["problems"][0]["message"]


def test_a_search_that_is_cancelled_says_nothing_more(looking: Looking) -> None:
    looking.begin("endless")
    assert looking.next()["ok"]
    looking.searches.cancel(1, 7)
    assert not looking.searches.running
    looking.begin("wrong", number=8)  # there is room for another
    said = looking.next()
    while said.get("say") == "progress":  # was under way
        said = looking.next()
    assert said["re"] == 8


def test_who_leaves_takes_the_own_searches_along(looking: Looking) -> None:
    looking.begin("endless", guest=1)
    looking.begin("endless", guest=2)
    assert AT_ONCE == 2
    looking.begin("well", guest=3)
    refused = next(said for said in iter(looking.next, None) if said["to"] == (3,))
    assert "cancel one" in refused["problems"][0]["message"]
    looking.searches.leave(1)
    assert [guest for guest, _ in looking.searches.running] == [2]


def test_a_stage_hands_on_what_is_to_be_searched_and_opens_what_was_found() -> None:
    stage = Stage(lambda request: ball(), NATIVE, searches=frozenset({"look"}))
    stage.begin(ball())
    page = Page(stage)
    page.ask("set", name="e", value=0.25)
    stage.hear(1, {"id": 40, "do": "look", "how": "well"})
    assert not any(said.get("re") == 40 for said in page.said())  # the search will answer
    (wanted,) = stage.wanted
    assert isinstance(wanted, Wanted)
    assert wanted.play.unpacked().settings == {"e": 0.25}
    assert not page.ask("open", witness=1)["ok"]
    stage.keep(1, Witness(packed(ball()), {"e": 0.125}))
    assert page.ask("open", witness=1)["ok"]
    assert page.last("status")["settings"] == {"e": 0.125}
