"""What a page does with a running server: handshakes, time, text, two pages, keys alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.animation.browser import (
    animated,
    logs,
    looking,
    put_on,
    reaches,
    set_speed,
    state,
    visit,
    watch,
    watch_clock,
)

MODEL = """# A ball
parameter e = 0.8 in [0, 1]
gravity (0, -9.81, 0)
body ball { sphere radius 0.1  mass 1  position (0, 1, 0) }
body floor { plane normal (0, 1, 0) }
contact ball floor { restitution e }
horizon 20
"""


NAME = "bouncing-ball-floor"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with animated() as address:
        yield address


@pytest.fixture
def handshakes(server: str) -> str:
    put_on(server, example=NAME)
    return server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ball.drbt"
    path.write_text(MODEL, encoding="utf-8")
    return path


def test_a_handshake_is_seen_in_every_view(page: Page, handshakes: str) -> None:
    visit(page, handshakes, NAME)
    page.keyboard.press("ArrowRight")
    reaches(page, lambda t: abs(t - 2.020) < 1e-3)
    expect(page.locator(".log-row .kind").first).to_have_text("bounce")
    expect(page.locator(".log-row .who").first).to_have_text("ball → floor")
    expect(page.locator(".message .channel").first).to_have_text("bounce")
    page.get_by_role("tab", name="all", exact=True).click()
    expect(page.locator(".location.active")).to_have_count(3)
    page.get_by_role("tab", name="control").click()
    expect(page.locator(".location.active .location-text").first).to_have_text("wait")
    page.keyboard.press("Home")
    expect(page.locator(".location.active .location-text").first).to_have_text("first")


def test_playing_flashes_the_edge_that_is_taken(page: Page, handshakes: str) -> None:
    visit(page, handshakes, NAME)
    page.get_by_role("tab", name="ball").click()
    expect(page.locator(".edge")).to_have_count(1)
    flashed = watch(page, ".edge.taken")
    page.keyboard.press("r")
    logs(page, "bounce")
    reaches(page, lambda _: len(flashed()) > 0)


def test_two_pages_show_the_same_run(browser: Browser, handshakes: str) -> None:
    with looking(browser) as one, looking(browser) as other:
        for page in (one, other):
            visit(page, handshakes, NAME)
        set_speed(one, -2)
        one.keyboard.press("Space")
        for page in (one, other):
            expect(state(page)).to_have_text(re.compile("live"))
        other.keyboard.press("Space")
        expect(state(one)).to_have_text("paused")


def test_looking_back_says_how_far_and_does_not_advance(page: Page, handshakes: str) -> None:
    visit(page, handshakes, NAME)
    page.keyboard.press("ArrowRight")
    reaches(page, lambda t: abs(t - 2.020) < 1e-3)
    clocks = watch_clock(page)
    page.keyboard.press("Home")
    expect(state(page)).to_have_text("past, 2.020\u202fs behind")
    page.wait_for_timeout(400)
    assert clocks() == [0.0]
    page.keyboard.press("End")
    expect(state(page)).to_have_text("paused")


def test_a_time_can_be_typed(page: Page, handshakes: str) -> None:
    visit(page, handshakes, NAME)
    page.keyboard.press("ArrowRight")
    reaches(page, lambda t: abs(t - 2.020) < 1e-3)
    page.keyboard.press("j")
    page.get_by_label("Time to go to, in seconds").fill("1.25")
    page.keyboard.press("Enter")
    expect(state(page)).to_have_text("past, 0.770\u202fs behind")
    reaches(page, lambda t: t == 1.25)
    page.locator(".clock").click()
    page.get_by_label("Time to go to, in seconds").fill("77")  # there is nothing yet
    page.keyboard.press("Escape")
    reaches(page, lambda t: t == 1.25)
    page.keyboard.press("j")
    page.get_by_label("Time to go to, in seconds").fill("77")
    page.keyboard.press("Enter")
    expect(state(page)).to_have_text("paused")


def test_the_page_comes_back_when_the_server_does(browser: Browser, file: Path) -> None:
    with looking(browser, away=True) as page:
        with animated(str(file)) as address:
            visit(page, address, "ball.drbt")
            port = address.rstrip("/").rsplit(":", 1)[1]
        expect(state(page)).to_have_text("server away")
        with animated(str(file), port=port):
            expect(state(page)).to_have_text("paused")
            page.keyboard.press("Space")
            expect(state(page)).to_have_text(re.compile("live"))


def test_by_keys_alone(page: Page, handshakes: str) -> None:
    visit(page, handshakes, NAME)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("one tick back")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    page.keyboard.press("e")
    expect(page.locator(".pane.editor")).to_be_hidden()
    page.keyboard.press("f")
    expect(page.get_by_role("dialog", name="Falsify")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Falsify")).to_be_hidden()
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert {"restart", "one event back", "next event", "Speed", "Filter the log"} <= seen


def test_the_docs_list_every_key(page: Page, handshakes: str) -> None:
    visit(page, handshakes, NAME)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys = page.get_by_role("dialog", name="Keys").locator("kbd").all_text_contents()
    howto = Path(__file__).parents[2] / "docs" / "howto" / "animate.md"
    table = howto.read_text(encoding="utf-8").split("## Keys")[1].split("##")[0]
    first = "".join(row.split("|")[1] for row in table.splitlines() if row.startswith("|"))
    listed = re.findall("`(.+?)`", first)
    assert sorted(keys) == sorted(listed)
