"""The replay file: opened from disk in a real browser, without a server."""

from __future__ import annotations

import csv
import math
import re
from functools import partial
from operator import gt, lt
from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from playwright.sync_api import Browser, Page, expect

from tests.animation.browser import (
    STATIC,
    logs,
    looking,
    plotted,
    reaches,
    state,
    watch,
    watch_clock,
)
from tests.animation.recorded import HORIZON, falling, replay_file

FIRST = math.sqrt(2 / 9.81)  # s, the first impact


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return replay_file(tmp_path_factory.mktemp("replay"), falling())


@pytest.fixture
def replay(page: Page, file: Path) -> Page:
    page.goto(file.as_uri())
    expect(state(page)).to_have_text("replay, paused")
    return page


def test_one_file_is_small_and_asks_for_nothing_else(page: Page, file: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(state(page)).to_have_text("replay, paused")
    assert file.stat().st_size < 1_000_000
    assert [url for url in asked if not url.startswith(("blob:", "data:"))] == [file.as_uri()]


def test_plays_and_ends_with_its_reason(replay: Page) -> None:
    for _ in range(6):
        replay.keyboard.press("]")
    replay.keyboard.press("Space")
    expect(replay.locator(".strip")).to_contain_text("the horizon of 4.0 s was reached")
    reaches(replay, lambda t: t == HORIZON)


def test_steps_from_event_to_event_and_back(replay: Page) -> None:
    replay.keyboard.press("ArrowRight")
    expect(replay.locator(".log-row.now .kind")).to_have_text("impact")
    reaches(replay, lambda t: abs(t - FIRST) < 1e-3)
    replay.keyboard.press("ArrowRight")
    reaches(replay, lambda t: abs(t - 2 * FIRST) < 1e-3)
    replay.keyboard.press("ArrowLeft")
    reaches(replay, lambda t: abs(t - FIRST) < 1e-3)


def test_a_click_on_plots_lanes_or_log_seeks(replay: Page) -> None:
    box = plotted(replay).bounding_box()
    assert box is not None
    replay.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    reaches(replay, lambda t: 1.5 < t < 2.3)
    lanes = replay.locator(".lanes-sheet").bounding_box()
    assert lanes is not None
    replay.mouse.click(lanes["x"] + lanes["width"] - 30, lanes["y"] + 8)
    reaches(replay, lambda t: t > 3.5)
    replay.keyboard.press("Home")
    expect(replay.locator(".log-row").first).to_contain_text(f"{FIRST:.6f}")
    replay.locator(".log-row").first.click()
    reaches(replay, lambda t: abs(t - FIRST) < 1e-3)


def test_dragging_scrubs(replay: Page) -> None:
    box = replay.locator(".ruler").bounding_box()
    assert box is not None
    y = box["y"] + 10
    replay.mouse.move(box["x"] + box["width"] * 0.5, y)
    replay.mouse.down()
    seen = 0.0
    for share in (0.6, 0.7, 0.8, 0.9):
        replay.mouse.move(box["x"] + box["width"] * share, y)
        seen = reaches(replay, partial(lt, seen))
    replay.mouse.up()


def test_values_are_those_of_the_instant(replay: Page) -> None:
    replay.keyboard.press("End")
    expect(replay.locator(".plot .value").first).to_have_text("0.25\u202fm")
    expect(replay.locator(".corner")).to_contain_text("1\u00a0contact closed")
    replay.keyboard.press("Home")
    expect(replay.locator(".plot .value").first).to_have_text("1.25\u202fm")
    expect(replay.locator(".corner")).to_contain_text("0\u00a0contacts closed")


def test_the_log_is_filtered(replay: Page) -> None:
    logs(replay, "impact")
    replay.get_by_label("Filter the log").fill("accum")
    expect(replay.locator(".log-row .kind")).to_have_text(["accumulation"])


def test_numbers_and_picture_are_downloaded(replay: Page) -> None:
    replay.keyboard.press("s")
    with replay.expect_download() as numbers:
        replay.get_by_role("button", name="numbers").click()
    with Path(numbers.value.path()).open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert float(rows[0]["ball.y"]) == 1.25
    assert float(rows[-1]["t"]) == HORIZON
    with replay.expect_download() as picture:
        replay.get_by_role("button", name="picture").click()
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_film_is_recorded(replay: Page) -> None:
    replay.keyboard.press("s")
    replay.get_by_label("film", exact=True).click()
    replay.keyboard.press("Space")
    expect(replay.get_by_text(re.compile("stop \\([1-9]"))).to_be_visible()
    with replay.expect_download() as film:
        replay.get_by_text(re.compile("stop \\(")).click()
    assert film.value.suggested_filename == "falling.webm"
    assert Path(film.value.path()).read_bytes().startswith(b"\x1a\x45\xdf\xa3")  # Matroska


def test_a_gif_is_made(replay: Page) -> None:
    replay.keyboard.press("s")
    replay.get_by_role("button", name="GIF").click()
    replay.keyboard.press("Space")
    lengths = watch(replay, ".share-row")
    reaches(replay, lambda _: len(lengths()) > 1)  # at least two pictures after the first
    with replay.expect_download() as film:
        replay.get_by_text(re.compile("stop \\(")).click()
    assert film.value.suggested_filename == "falling.gif"
    with Image.open(film.value.path()) as moving:
        shown = [one.convert("RGB").tobytes() for one in ImageSequence.Iterator(moving)]
    assert len(shown) >= 3
    assert len(set(shown)) > 1  # it moves


def test_loops_between_two_marks(replay: Page) -> None:
    replay.keyboard.press("ArrowRight")
    reaches(replay, lambda t: abs(t - FIRST) < 1e-3)
    replay.keyboard.press("l")
    replay.keyboard.press("ArrowRight")
    reaches(replay, lambda t: abs(t - 2 * FIRST) < 1e-3)
    replay.keyboard.press("l")
    expect(replay.locator(".loop-mark")).to_have_count(2)
    seen = watch_clock(replay)
    replay.keyboard.press("Space")
    reaches(replay, lambda _: sum(map(gt, seen(), seen()[1:])) >= 2)  # back, on, and back again
    assert max(seen()) <= 2 * FIRST + 1e-3
    assert min(seen()) >= FIRST - 1e-3


def test_wheel_zooms_and_a_double_click_shows_all(replay: Page) -> None:
    box = replay.locator(".ruler").bounding_box()
    assert box is not None
    ticks = replay.locator(".tick")
    expect(ticks.last).to_have_text("4.0\u202fs")
    replay.mouse.move(box["x"] + 400, box["y"] + 8)
    replay.mouse.wheel(0, -800)
    expect(ticks.last).not_to_have_text("4.0\u202fs")
    replay.mouse.dblclick(box["x"] + 400, box["y"] + 8)
    expect(ticks.last).to_have_text("4.0\u202fs")


def test_signals_are_searched_and_plotted(replay: Page) -> None:
    replay.get_by_role("button", name="plot", exact=True).click()
    replay.get_by_label("Search signals").fill("ener")
    replay.keyboard.press("Enter")
    expect(replay.locator(".plot")).to_have_count(3)
    replay.get_by_role("button", name="remove energy").last.click(force=True)
    expect(replay.locator(".plot")).to_have_count(2)


def test_text_is_never_html(replay: Page) -> None:
    replay.keyboard.press("e")
    expect(replay.locator(".code pre")).to_contain_text("gravity")
    assert replay.locator("b", has_text="A ball").count() == 0


def test_everything_fits_a_laptop_in_both_themes(browser: Browser, file: Path) -> None:
    for dark in (False, True):
        with looking(browser, dark=dark) as page:
            page.goto(file.as_uri())
            expect(state(page)).to_have_text("replay, paused")
            theme = page.evaluate("document.documentElement.dataset.theme")
            assert theme == ("dark" if dark else "light")
            page.keyboard.press("t")
            assert page.evaluate("document.documentElement.dataset.theme") != theme
            plotted(page)
            scrolls = "e => e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth"
            assert not page.eval_on_selector("html", scrolls)


@pytest.mark.parametrize("width", [1024, 400])
def test_nothing_is_cut_off_on_the_right(browser: Browser, file: Path, width: int) -> None:
    with looking(browser, size=(width, 768)) as page:
        page.goto(file.as_uri())
        field = plotted(page).bounding_box()
        beyond = "e => Math.max(...e.map(one => one.getBoundingClientRect().right))"
        shown = ".bar > *:visible, .pane:visible, .scene-buttons, .plot-field"
        assert page.locator(shown).evaluate_all(beyond) <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert field is not None
        assert field["width"] > 200  # room for curves


def test_the_bundle_holds_nothing_from_elsewhere() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert "http" not in page
    assert "<style" not in page
    assert "<script>" not in page
