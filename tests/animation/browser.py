"""A real browser, a page in it that must not complain, and servers to look at."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, expect
from websockets.sync.client import connect
from websockets.typing import Origin

import dyverse.animation

STATIC = Path(dyverse.animation.__file__).with_name("static")
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL without graphics hardware
)
STALL = "GPU stall due to ReadPixels"  # what the browser says of drawing in software
LAPTOP = (1280, 800)
CLOCK = ".clock .digits"
PATIENCE = 180_000  # ms; the machine may be busy, and slow


def launched(playwright: Playwright) -> Browser:
    """The machine's own browser, or a skipped test that says what is missing."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is on this machine")
    if not (STATIC / "index.html").exists():
        pytest.skip(f"the page is not built: no {STATIC.name}/index.html")
    expect.set_options(timeout=PATIENCE)
    return playwright.chromium.launch(executable_path=found, args=list(FLAGS))


@contextmanager
def looking(
    browser: Browser,
    *,
    dark: bool = False,
    size: tuple[int, int] = LAPTOP,
    away: bool = False,
) -> Iterator[Page]:
    """A new page, which must stay without errors and without a word in its console.

    Where the server goes ``away``, the browser itself says so.
    """
    said: list[str] = []
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        accept_downloads=True,
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    try:
        yield page
    finally:
        context.close()
    known = (STALL, "WebSocket connection to") if away else (STALL,)
    unknown = [words for words in said if not any(word in words for word in known)]
    assert not unknown, unknown


@contextmanager
def animated(*arguments: str, port: str = "0") -> Iterator[str]:
    """The address of ``dyverse animate`` with these arguments."""
    options = ("--port", port, "--no-browser", "--json")
    command = [sys.executable, "-m", "dyverse", "animate", *arguments, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            lines = iter(process.stdout.readline, "")
            announced = "".join(takewhile(lambda line: line.rstrip() != "}", lines))
            yield str(json.loads(announced + "}")["address"])
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE / 1e3)


def put_on(address: str, **what: str) -> None:
    """Open an example or a text, whatever was played before: it stands at its start."""
    live = address.rstrip("/").replace("http", "ws", 1) + "/live"
    with connect(live, origin=Origin(address.rstrip("/")), max_size=None) as page:
        page.send(json.dumps({"v": 1, "id": 1, "do": "open", **what}))
        said = (json.loads(heard) for heard in page if isinstance(heard, str))
        answer = next(message for message in said if message.get("re") == 1)
    assert answer["ok"], answer


def visit(page: Page, address: str, name: str) -> None:
    """Go there, and wait until the model of that name is shown."""
    page.goto(address)
    expect(page.locator(".bar .name")).to_have_text(name)


def clock(page: Page) -> float:
    """The time that the page shows, in seconds."""
    return _time(page.locator(CLOCK).text_content() or "")


def _time(shown: str) -> float:
    return float(shown.replace("\u2212", "-").split("\u202f")[0])


def reaches(page: Page, holds: Callable[[float], bool]) -> float:
    """The time that the page shows as soon as it is as it should be."""
    for _ in range(PATIENCE // 50):
        if holds(now := clock(page)):
            return now
        page.wait_for_timeout(50)
    raise AssertionError(f"the page still shows {clock(page)} s")


WATCH = """selector => {
  const shown = () => [...document.querySelectorAll(selector)].map(one => one.textContent).join();
  const seen = [];
  let last = shown();
  window.seen = { ...window.seen, [selector]: seen };
  const look = () => {
    if (shown() !== last) seen.push((last = shown()));
  };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document.body, all);
}"""


def watch(page: Page, selector: str) -> Callable[[], list[str]]:
    """All that elements say from now on, each time that it differs, however short it is there."""
    page.evaluate(WATCH, selector)
    return lambda: [str(text) for text in page.evaluate("which => window.seen[which]", selector)]


def watch_clock(page: Page) -> Callable[[], list[float]]:
    """All times that the page shows from now on."""
    shown = watch(page, CLOCK)
    return lambda: [_time(text) for text in shown()]


def state(page: Page) -> Locator:
    """The word for the state of the run."""
    return page.locator(".state-text")


def pause(page: Page) -> None:
    """Pause a run, which may come to its end by itself at that moment: then it would go on."""
    for _ in range(PATIENCE // 3000):
        if not _stands(page):
            page.keyboard.press("Space")
        for _ in range(30):
            if _stands(page):
                return
            page.wait_for_timeout(100)
    raise AssertionError(f"the page is still {state(page).text_content()}")


def _stands(page: Page) -> bool:
    said = state(page).text_content() or ""
    return re.match("(fork, )?(paused|at the horizon)|ended", said) is not None


def set_speed(page: Page, power: int) -> None:
    """Play so many powers of ten faster than real time, whatever was played before."""
    slider = page.get_by_label("Speed")
    slider.fill(str(power))
    slider.blur()  # keys are for the page again
    expect(page.locator(".speed .target")).to_have_text(f"{10.0**power:#.3g}\u00d7")


def drawn(page: Page) -> None:
    """Wait until the browser has drawn what follows from what it has heard so far."""
    page.evaluate("() => new Promise(so => requestAnimationFrame(() => requestAnimationFrame(so)))")


def plotted(page: Page) -> Locator:
    """The first plot, where it stays: all panes have been laid out."""
    field = page.locator(".plot-field").first
    expect(field.locator("canvas")).to_be_visible()
    drawn(page)
    return field


def kinds_in_log(page: Page) -> Locator:
    """The kinds of the events in sight. The log is drawn a little later than what it tells of."""
    return page.locator(".log-row .kind")


def logs(page: Page, kind: str) -> None:
    """Wait until an event of this kind is in sight."""
    expect(kinds_in_log(page).filter(has_text=kind).first).to_be_visible()
