"""A real browser, a page in it that must not complain, and servers to look at."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, expect

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
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
LAPTOP = (1280, 800)
PATIENCE = 20_000  # ms; the machine may be busy


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
    browser: Browser, *, dark: bool = False, size: tuple[int, int] = LAPTOP
) -> Iterator[Page]:
    """A new page, which must stay without errors and without a word in its console."""
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
    assert not said, said


@contextmanager
def animated(*arguments: str) -> Iterator[str]:
    """The address of ``dyverse animate`` with these arguments."""
    command = [sys.executable, "-m", "dyverse", "animate", *arguments]
    with subprocess.Popen(
        [*command, "--port", "0", "--no-browser", "--json"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            lines = iter(process.stdout.readline, "")
            announced = "".join(takewhile(lambda line: line.rstrip() != "}", lines))
            yield str(json.loads(announced + "}")["address"])
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)


def clock(page: Page) -> float:
    """The time that the page shows, in seconds."""
    shown = page.locator(".clock .digits").text_content() or ""
    return float(shown.replace("\u2212", "-").split("\u202f")[0])


def state(page: Page) -> Locator:
    """The word for the state of the run."""
    return page.locator(".state-text")


def rows_of_log(page: Page) -> list[str]:
    """The kinds of events in sight."""
    return page.locator(".log-row .kind").all_text_contents()
