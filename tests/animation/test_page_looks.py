"""What can be read: nothing is covered, nothing moves away from under the pointer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.animation.browser import animated, looking, put_on, state, visit

SHORT = """# A ball that falls
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution 0.5 }
horizon 0.3
"""
FOUR = """# Four locations, one after the other
automaton ring {
  real level = 0 in [0, 1]  # m
  clock c
  location filling { invariant c <= 2  level' = 1 }
  location full { invariant c <= 2  level' = 0 }
  location draining { invariant c <= 2  level' = -1 }
  location empty { invariant c <= 2  level' = 0 }
  initial filling
  edge filling -> full { when c >= 1  do c := 0  action close }
  edge full -> draining { when c >= 1  do c := 0  action open }
  edge draining -> empty { when c >= 1  do c := 0  action shut }
}
scene { circle { at (0, ring.level, 0)  radius 0.1 } }
system ring
horizon 10
"""
TRAIN_GATE = Path(__file__).parents[1] / "uppaal" / "models" / "train_gate.xml"
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
    expect(state(page)).to_have_text("paused at the horizon")
    expect(page.locator(".strip")).to_be_hidden()  # it would cover what has come to rest
    places.append(box(page, ".transport .play"))
    page.keyboard.press("Home")
    expect(state(page)).to_contain_text("behind")
    places.append(box(page, ".transport .play"))
    assert places == places[:1] * 3


def test_what_the_run_says_leaves_the_corner_of_the_scene_free(page: Page, server: str) -> None:
    stuck = "automaton stuck { clock c  location on { invariant c <= 0.2 }  initial on }\n"
    put_on(server, text=f"{SHORT}{stuck}system stuck\n")
    visit(page, server, "model.drbt")
    page.keyboard.press("Space")
    expect(page.locator(".strip")).to_contain_text("no edge is enabled")
    expect(page.locator(".corner")).to_contain_text("closed")
    for size in ((1280, 800), (1920, 1080), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert apart(page, ".strip", ".corner"), size
        assert apart(page, ".strip", ".scene-buttons"), size


def test_four_locations_are_in_sight_on_a_laptop(page: Page, server: str) -> None:
    """Also with conditions on all of them, and on their edges."""
    put_on(server, text=FOUR)
    visit(page, server, "model.drbt")
    expect(page.locator(".location")).to_have_count(4)
    expect(page.locator(".location.active")).to_have_count(1)
    assert "more-" not in (page.locator(".diagram-body").get_attribute("class") or "")
    pane = box(page, ".diagram-body")
    for k in range(4):
        found = box(page, f".location >> nth={k}")
        assert found[1] >= pane[1] - EDGE
        assert found[3] <= pane[3] + EDGE


def test_names_of_components_cover_no_location(browser: Browser) -> None:
    with animated(str(TRAIN_GATE)) as address, looking(browser) as page:
        visit(page, address, TRAIN_GATE.name)
        expect(page.locator(".one h3")).to_have_text(["Train(0)", "Train(1)", "Train(2)", "Gate"])
        expect(page.locator(".location.active")).to_have_count(4)
        for k in range(4):
            assert apart(page, f".one >> nth={k} >> h3", f".one >> nth={k} >> .diagram-body")
