"""What the page proves, box by box."""

from __future__ import annotations

import math

import pytest

from dyverse.animation.asked import Refused
from dyverse.cli.page.dividing import prove_played
from dyverse.cli.page.ordering import open_requested
from tests.cli.page.test_searching import said, thrown

CRITICAL = math.sqrt(2 * 9.81 * 2)  # m/s: from 1 m up to 3 m


def test_ranges_are_divided_where_the_property_changes() -> None:
    asked = {"property": "low", "ranges": {"v": [5, 8]}}
    first, *told, verdict = said(prove_played, thrown(), **asked)
    assert first["text"] == "proving"
    boxes = [box for one in told if one["say"] == "boxes" for box in one["boxes"]]
    assert sum(high - low for ((low, high),) in (box["ranges"] for box in boxes)) == 3
    for box in boxes:
        ((low, high),) = box["ranges"]
        assert high <= CRITICAL or box["verdict"] != "safe"
        assert low >= CRITICAL or box["verdict"] != "unsafe"
        assert box["verdict"] != "open" or "why" in box
    assert {box["verdict"] for box in boxes} == {"safe", "unsafe", "open"}
    assert verdict["verdict"] == "unsafe"
    assert verdict["witness"]["settings"]["e"] == 0.5
    assert verdict["witness"]["parameters"]["v"] > CRITICAL


def test_a_proof_for_all_of_the_ranges_has_no_witness() -> None:
    *_, verdict = said(prove_played, thrown(), property="low", ranges={"v": [0, 5]})
    assert verdict["verdict"] == "safe"
    assert verdict["witness"] is None
    assert verdict["text"].startswith("proved for all numbers in the ranges: safe 100%")


def test_what_cannot_be_proved_says_why() -> None:
    play = open_requested({"example": "two-tanks"})
    asked = {"property": play.model.properties[0].name, "ranges": {}}
    *before, verdict = said(prove_played, play, **asked)
    assert verdict["verdict"] == "open"
    assert "unsupported" in verdict["text"]
    boxes = [box for message in before for box in message.get("boxes", ())]
    assert [box["verdict"] for box in boxes] == ["open"]


def test_ranges_must_be_ranges() -> None:
    with pytest.raises(Refused, match="least and the most"):
        said(prove_played, thrown(), property="low", ranges=3)
