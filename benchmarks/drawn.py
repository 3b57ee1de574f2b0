"""What a real browser draws of the animator's page: pictures a second, sharpness, memory.

The browser is headless and has no graphics hardware. A picture counts when the page has told WebGL
to draw something for it; what is counted runs inside the page and is not part of it.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.served import SETTLING, Server, animating, size
from dyverse.automaton.interface import Array

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
)
PATIENCE = 60_000  # ms
SIZE = (1280, 800)
SAMPLES = 13  # of memory, while a model is played
COUNTING = """
window.pictures = [];
window.firstPicture = null;
for (const name of ["drawElements", "drawArrays", "drawElementsInstanced"]) {
  const draw = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...given) {
    const now = document.timeline.currentTime;
    window.firstPicture ??= Date.now();
    if (window.pictures[window.pictures.length - 1] !== now) window.pictures.push(now);
    return draw.apply(this, given);
  };
}
"""


@contextmanager
def browsing() -> Iterator[Browser]:
    """The machine's own browser."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit(f"no browser: none of {', '.join(BROWSERS)} is on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def looking(browser: Browser, server: Server, screen: tuple[int, int] = SIZE) -> Iterator[Page]:
    """A page of the server that counts its pictures, with a model on it."""
    width, height = screen
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(COUNTING)
    page.goto(server.address)
    while page.evaluate("window.firstPicture") is None:  # the page's policy lets nobody wait inside
        page.wait_for_timeout(20)
    try:
        yield page
    finally:
        context.close()


def first_picture(browser: Browser, model: str) -> float:
    """From the command to the first picture of its model (ms); the browser is there already."""
    began = time.time()
    with animating(model) as server, looking(browser, server) as page:
        return float(page.evaluate("window.firstPicture")) - 1e3 * began


@dataclass(frozen=True, slots=True)
class Drawn:
    """How a model was drawn."""

    intervals: Array  # ms between pictures
    before: float  # pixels of the picture for each pixel of the screen, at first
    after: float  # and in the end


def drawn(
    browser: Browser,
    model: str,
    seconds: float,
    screen: tuple[int, int] = SIZE,
    speed: float = 1.0,
) -> Drawn:
    """Play a model, slowly enough that it lasts, and look how often it is drawn."""
    options = ("--speed", str(speed))
    with animating(model, *options) as server, looking(browser, server, screen) as page:
        before = _sharpness(page)
        page.keyboard.press("Space")
        page.wait_for_timeout(1e3 * (SETTLING + seconds / 2))
        page.evaluate("window.pictures.length = 0")
        page.wait_for_timeout(1e3 * seconds)
        shown = np.array(page.evaluate("window.pictures"), dtype=float)
        return Drawn(np.diff(shown), before, _sharpness(page))


def _sharpness(page: Page) -> float:
    """How many pixels are drawn for each of the screen, along a side."""
    canvas = "document.querySelector('.scene canvas')"
    return float(page.evaluate(f"{canvas}.width / {canvas}.clientWidth"))


def remembered(browser: Browser, model: str, minutes: float, speed: float) -> Array:
    """Memory while a model is played: rows of minutes, MB of server, of page, of its scripts.

    What nobody holds any more is collected first: how much of it waits says nothing.
    """
    rows = []
    with animating(model, "--speed", str(speed)) as server, looking(browser, server) as page:
        session = page.context.new_cdp_session(page)
        page.keyboard.press("Space")
        began = time.monotonic()
        for k in range(SAMPLES):
            due = began + 60 * minutes * k / (SAMPLES - 1)
            page.wait_for_timeout(max(0.0, 1e3 * (due - time.monotonic())))
            passed, held = (time.monotonic() - began) / 60, _heap(session)
            rows.append((passed, size(server.process), _renderers(browser), held))
    return np.array(rows)


def _heap(session: CDPSession) -> float:
    """What the page's scripts hold on to (MB)."""
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    return float(used) / 2**20


def _renderers(browser: Browser) -> float:
    """The resident memory of the processes that show pages (MB)."""
    session = browser.new_browser_cdp_session()
    told = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return sum(size(int(one["id"])) for one in told if one["type"] == "renderer")
