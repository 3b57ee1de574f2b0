"""What leaves the page: a replay that opens from disk, and pictures of a scene of drawings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.animation.browser import (
    animated,
    clock,
    kinds_in_log,
    looking,
    put_on,
    reaches,
    state,
    visit,
)

NAME = "two-tanks"
WATER = (0x56, 0xB4, 0xE9)  # what the model calls sky


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with animated() as found:
        yield found


@pytest.fixture
def tanks(page: Page, address: str) -> Page:
    put_on(address, example=NAME)
    visit(page, address, NAME)
    return page


def water(page: Page) -> float:
    """How much of the scene's picture is water, which may be drawn in fewer pixels than another."""
    with page.expect_download() as picture:
        page.get_by_role("button", name="picture").click()
    pixels = np.asarray(Image.open(picture.value.path()).convert("RGB"), dtype=int)
    return float((abs(pixels - WATER).max(axis=2) < 12).mean())


def test_a_replay_is_exported_and_opens_from_disk(
    tanks: Page, browser: Browser, tmp_path: Path
) -> None:
    tanks.keyboard.press("ArrowRight")
    reaches(tanks, lambda t: abs(t - 1.5) < 1e-3)
    tanks.keyboard.press("s")
    expect(tanks.get_by_text(f"dyverse animate example:{NAME}")).to_be_visible()
    with tanks.expect_download() as replay:
        tanks.get_by_role("button", name="replay").click()
    file = tmp_path / replay.value.suggested_filename
    replay.value.save_as(file)
    with looking(browser) as other:
        other.goto(file.as_uri())
        expect(state(other)).to_have_text("replay, paused")
        assert clock(other) == 0
        other.keyboard.press("ArrowRight")
        reaches(other, lambda t: abs(t - 1.5) < 1e-3)
        expect(kinds_in_log(tanks)).not_to_have_count(0)
        expect(kinds_in_log(other)).to_have_text(kinds_in_log(tanks).all_text_contents())
        expect(other.locator(".plot .value").first).to_have_text("1.375\u202fm")


def test_tanks_are_as_full_as_they_should_be(tanks: Page) -> None:
    """Of 1 m each, 1.375 m and 0.25 m are left when the hose first turns."""
    tanks.keyboard.press("s")
    expect(tanks.locator(".plot .value").first).to_have_text("1\u202fm")
    full = water(tanks)
    tanks.keyboard.press("Escape")
    tanks.keyboard.press("ArrowRight")
    reaches(tanks, lambda t: abs(t - 1.5) < 1e-3)
    expect(tanks.locator(".plot .value").first).to_have_text("1.375\u202fm")
    tanks.keyboard.press("s")
    assert water(tanks) / full == pytest.approx(1.625 / 2, abs=0.06)
