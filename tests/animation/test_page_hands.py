"""Hands on: sliders, forks and ghosts, choices, the text, a body that is dragged."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.animation.browser import animated, drawn, put_on, reaches, state, visit, watch

BALL = """# A ball
parameter e = 0.8 in [0, 1]
gravity (0, -9.81, 0)
body ball { sphere radius 0.3  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e }
horizon 4
"""
FIRST = math.sqrt(2 * 0.7 / 9.81)  # s, when it bounces
CAT = """# Two ways
automaton cat {
  clock c
  location idle { invariant c <= 3 }
  location left
  location right
  initial idle
  edge idle -> left { when c >= 1  do c := 0  action go_left }
  edge idle -> right { when c >= 1  do c := 0  action go_right }
}
horizon 20
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hands") / "ball.drbt"
    path.write_text(BALL, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def address(file: Path) -> Iterator[str]:
    """A server that has opened the file, and opens the same or another text for each test."""
    with animated(str(file)) as found:
        yield found


@pytest.fixture
def ball(page: Page, address: str) -> Page:
    """A ball that has bounced twice, and stands still."""
    put_on(address, name="ball.drbt", text=BALL)
    visit(page, address, "ball.drbt")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    reaches(page, lambda t: t > 0.9)
    return page


def test_a_slider_forks_the_run_and_the_old_one_stays_as_a_ghost(ball: Page) -> None:
    ball.keyboard.press("ArrowLeft")
    expect(state(ball)).to_have_text(re.compile("past"))
    at = reaches(ball, lambda t: abs(t - FIRST) < 1e-3)
    ball.get_by_label("e", exact=True).focus()
    ball.keyboard.press("ArrowRight")
    expect(state(ball)).to_have_text("fork, paused")
    expect(ball.locator(".fork-mark")).to_have_text("fork")
    expect(ball.locator(".state")).to_have_attribute("title", re.compile("e: 0.8 → 0.81"))
    expect(ball.get_by_role("button", name="ghost")).to_be_visible()
    expect(ball.locator(".log-row")).to_have_count(1)
    reaches(ball, lambda t: t == at)
    ball.get_by_role("button", name="back to the first run").click()
    expect(ball.get_by_role("button", name="back to the first run")).to_be_hidden()
    expect(ball.get_by_label("e, as a number")).to_have_value("0.8")
    expect(ball.locator(".log-row")).to_have_count(2)


def test_a_number_is_typed_and_one_that_is_refused_is_taken_back(ball: Page) -> None:
    field = ball.get_by_label("e, as a number")
    noticed = watch(ball, ".notice")
    field.fill("2")
    ball.keyboard.press("Enter")
    reaches(ball, lambda _: "restitution" in "".join(noticed()))
    expect(field).to_have_value("0.8")
    field.fill("0.5")
    ball.keyboard.press("Enter")
    expect(state(ball)).to_have_text("fork, paused")
    ball.keyboard.press("Home")  # a key of the page again
    expect(state(ball)).to_have_text(re.compile("past"))


def test_a_body_is_dragged_while_the_run_stands(ball: Page) -> None:
    box = ball.locator(".scene canvas").bounding_box()
    assert box is not None
    ball.keyboard.press("Home")
    expect(ball.locator(".plot .value").first).to_have_text("1\u202fm")
    x = box["x"] + box["width"] / 2
    column = [box["y"] + box["height"] * share / 40 for share in range(4, 30)]
    grabbed = next(y for y in column if _grabs(ball, x, y))
    ball.mouse.down()
    ball.mouse.move(x, grabbed - 15)
    ball.mouse.move(x, grabbed - 40)
    ball.mouse.up()
    expect(state(ball)).to_have_text("fork, paused")
    expect(ball.locator(".plot .value").first).to_have_text(re.compile(r"1\.[1-9]\d*\u202fm"))


def _grabs(page: Page, x: float, y: float) -> bool:
    page.mouse.move(x, y)
    drawn(page)
    return "grabbable" in (page.locator(".scene canvas").get_attribute("class") or "")


def test_a_mistake_is_marked_as_it_is_typed_and_keeps_the_last_good_model(
    ball: Page, file: Path
) -> None:
    ball.locator(".cm-line", has_text="contact ball floor").click()
    ball.keyboard.press("Home")
    ball.keyboard.type("contact ball flor {} ")
    expect(ball.locator(".problems")).to_contain_text("unknown body 'flor'")
    expect(ball.locator(".cm-lintRange-error").first).to_have_text("flor")
    ball.keyboard.press("Control+Enter")
    expect(ball.locator(".problems")).to_be_visible()
    expect(ball.locator(".lanes-sheet")).to_have_attribute("aria-label", "lanes of ball-floor")
    for _ in "contact ball flor {} ":
        ball.keyboard.press("Backspace")
    expect(ball.locator(".problems")).to_be_hidden()
    ball.keyboard.type("# mended: ")
    ball.keyboard.press("Control+Enter")
    expect(ball.locator(".pane.editor")).not_to_contain_text("edited")
    expect(ball.locator(".log-row")).to_have_count(0)
    assert file.read_text(encoding="utf-8") == BALL


def test_names_are_completed(ball: Page) -> None:
    ball.locator(".cm-line", has_text="horizon").click()
    ball.keyboard.press("End")
    ball.keyboard.type("\nproperty low: always ")
    expect(ball.locator(".problems")).to_be_visible()  # a text that is typed is wrong at first
    ball.keyboard.type("ball.v")
    expect(ball.locator(".cm-tooltip-autocomplete")).to_contain_text("ball.vy")


def test_forces_are_shown_on_demand(ball: Page) -> None:
    noticed = watch(ball, ".notice")
    ball.keyboard.press("c")
    expect(ball.get_by_role("button", name="forces")).to_have_attribute("aria-pressed", "true")
    ball.keyboard.press("Home")
    expect(ball.locator(".plot .value").first).to_have_text("1\u202fm")
    assert noticed() == []  # nothing was refused


def test_a_choice_is_made_by_clicking_an_edge(page: Page, address: str) -> None:
    put_on(address, name="cat.drbt", text=CAT)
    visit(page, address, "cat.drbt")
    page.keyboard.press("a")
    page.keyboard.press("r")
    expect(page.locator(".strip")).to_contain_text("a choice is to be made")
    expect(page.locator(".edge.choose")).to_have_count(2)
    page.locator(".edge.choose", has_text="go_right").locator(".edge-text").first.click()
    expect(page.locator(".log-row .kind")).to_have_text("go_right")
    expect(page.locator(".location.active .location-text").first).to_have_text("right")
