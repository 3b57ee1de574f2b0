"""Falsify and map in the page, against a live server in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.animation.browser import animated, clock, logs, put_on, reaches, state, visit


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with animated() as found:
        yield found


@pytest.fixture
def panel(page: Page, address: str) -> Page:
    put_on(address, example="ceiling")
    visit(page, address, "ceiling")
    page.keyboard.press("f")
    expect(page.get_by_role("dialog", name="Falsify")).to_be_visible()
    return page


def test_a_violation_is_found_and_its_run_is_played(panel: Page) -> None:
    panel.get_by_label("greatest e").locator("visible=true").press("End")
    panel.get_by_text("search for a violation").click()
    expect(panel.locator(".verdict")).to_have_text("broken")
    expect(panel.locator(".result:visible")).to_contain_text(
        re.compile(r"at 0\.\d+\u202fs with e = 0\.\d")
    )
    panel.get_by_text("play the witness").click()
    expect(panel.locator(".mark.violation")).to_have_text("under violated")
    reaches(panel, lambda t: t > 0.7)
    logs(panel, "violation")
    expect(panel.locator(".verdict")).to_have_text("broken")  # what was found is still told


def test_boxes_are_proved_and_a_run_in_one_is_played(panel: Page) -> None:
    panel.get_by_role("tab", name="prove it").click()
    panel.get_by_label("Seconds at most").fill("600")
    panel.get_by_role("button", name="prove it").click()
    proof = panel.locator(".falsify-body", has=panel.get_by_label("Seconds at most"))
    expect(proof.locator(".verdict")).to_have_text("broken")
    expect(proof.locator(".result")).to_contain_text("safe 7")  # of a hundred
    sheet = proof.locator(".map-sheet")
    box = sheet.bounding_box()
    assert box is not None
    sheet.hover(position={"x": box["width"] - 4, "y": 20})
    expect(proof.locator(".map-point")).to_contain_text(re.compile(r"e = 0\.\d+: unsafe"))
    sheet.click(position={"x": 4, "y": 20})
    expect(proof.locator(".map-point")).to_contain_text(re.compile(r": safe"))
    expect(state(panel)).to_have_text(re.compile("fork"))
    reaches(panel, lambda t: t > 0)


def test_a_point_of_the_map_is_played(panel: Page) -> None:
    panel.get_by_role("tab", name="map of behaviours").click()
    panel.get_by_label("points across").fill("3")
    panel.get_by_text("draw the map").click()
    expect(panel.get_by_text("draw the map")).to_be_enabled()
    expect(panel.locator(".map-legend:visible")).to_have_text("keeps all properties●breaks under")
    panel.locator(".map-sheet:visible").focus()
    for key in ("ArrowLeft", "ArrowRight", "ArrowRight", "Enter"):
        panel.keyboard.press(key)
    expect(panel.locator(".map-point:visible")).to_have_text("e = 0.9: breaks under")
    expect(state(panel)).to_have_text(re.compile("fork"))
    expect(panel.get_by_label("e, as a number", exact=True)).to_have_value("0.9")
    reaches(panel, lambda t: t > 0)


def test_a_search_is_cancelled_and_the_page_goes_on(panel: Page) -> None:
    panel.get_by_label("Runs at most").fill("100000")
    panel.get_by_label("greatest e").locator("visible=true").fill("0.6")  # nothing breaks it there
    panel.get_by_text("search for a violation").click()
    panel.get_by_text("cancel").first.click()
    expect(panel.get_by_text("cancelled").first).to_be_visible()
    expect(panel.get_by_text("search for a violation")).to_be_enabled()
    panel.keyboard.press("Escape")
    before = clock(panel)
    panel.keyboard.press("Shift+ArrowRight")
    reaches(panel, lambda t: t > before)
