"""Every example in a browser: opened from the gallery, played, paused, stepped back, sought."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from dyverse.text.examples import example_names
from tests.animation.browser import animated, clock, looking, pause, plotted, reaches, state

AXIS = 52  # px, for the numbers of a plot


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page, in which one example replaces the other."""
    with animated() as address, looking(browser) as opened:
        opened.goto(address)
        yield opened


def play(page: Page, name: str) -> None:
    """Open an example from the gallery."""
    gallery = page.get_by_role("dialog", name="Gallery")
    expect(page.locator(".state-text")).not_to_have_text("")
    if not gallery.is_visible():
        page.keyboard.press("o")
    gallery.get_by_label("Search the gallery").fill(name)
    gallery.get_by_title(f"play {name}", exact=True).click()
    expect(gallery).to_be_hidden()
    expect(page.locator(".bar .name")).to_have_text(name)


@pytest.mark.parametrize("name", sorted(example_names()))
def test_plays_pauses_steps_back_and_seeks(page: Page, name: str) -> None:
    play(page, name)
    reaches(page, lambda t: t > 0.02)
    pause(page)
    page.keyboard.press("End")  # the last frame may still be on its way
    tip = clock(page)
    page.keyboard.press("ArrowLeft")
    expect(state(page)).to_have_text(re.compile("past"))
    page.keyboard.press("End")
    expect(state(page)).to_have_text(re.compile("paused|ended"))
    reaches(page, lambda t: t == tip)
    box = plotted(page).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + AXIS - 2, box["y"] + 12)  # where the curves begin
    reaches(page, lambda t: t == 0)
    expect(state(page)).to_have_text(re.compile("past"))
    page.mouse.move(0, 0)  # values at the pointer give way to those of the instant
    expect(page.locator(".plot .value").first).not_to_have_text("–")
