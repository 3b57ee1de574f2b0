"""What can be read: nothing is covered, nothing moves away from under the pointer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.animation.browser import animated, put_on, state, visit

SHORT = """# A ball that falls
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5 }
horizon 0.3
"""
EDGE = 1  # px


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with animated() as address:
        yield address


def box(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an element (px)."""
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    left, top = found["x"], found["y"]
    return left, top, left + found["width"], top + found["height"]


def apart(page: Page, one: str, other: str) -> bool:
    """Neither covers the other."""
    a, b = box(page, one), box(page, other)
    return any(a[i + 2] <= b[i] + EDGE or b[i + 2] <= a[i] + EDGE for i in range(2))


def test_buttons_stay_where_they_are_whatever_the_state_says(page: Page, server: str) -> None:
    put_on(server, text=SHORT)
    visit(page, server, "model.drbt")
    places = [box(page, ".transport .play")]
    page.keyboard.press("Space")
    expect(page.locator(".strip")).to_contain_text("horizon")
    places.append(box(page, ".transport .play"))
    page.keyboard.press("Home")
    expect(state(page)).to_contain_text("behind")
    places.append(box(page, ".transport .play"))
    assert places == places[:1] * 3


def test_what_the_run_says_leaves_the_corner_of_the_scene_free(page: Page, server: str) -> None:
    put_on(server, text=SHORT)
    visit(page, server, "model.drbt")
    page.keyboard.press("Space")
    expect(page.locator(".strip")).to_contain_text("horizon")
    expect(page.locator(".corner")).to_contain_text("closed")
    for size in ((1280, 800), (1920, 1080), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert apart(page, ".strip", ".corner"), size
        assert apart(page, ".strip", ".scene-buttons"), size
