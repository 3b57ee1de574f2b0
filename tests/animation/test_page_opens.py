"""What else the page opens: UPPAAL files, witnesses; and where else it is: reports, notebooks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dyverse.simulation.simulate import simulate
from tests.animation.browser import animated, kinds_in_log, logs, looking, reaches, visit
from tests.animation.plays import NATIVE, ball

LAMP = Path(__file__).parents[1] / "uppaal" / "models" / "lamp.xml"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A witness of the ball that bounces too high, and the report about it."""
    folder = tmp_path_factory.mktemp("found")
    witness, report = folder / "high.json", folder / "high.html"
    files = ("--witness", str(witness), "--report", str(report))
    command = [sys.executable, "-m", "dyverse", "falsify", "example:ceiling", *files]
    assert subprocess.run(command, capture_output=True, timeout=600).returncode == 1
    return witness, report


def test_an_uppaal_file_is_played(browser: Browser) -> None:
    """The user presses after 1 s, and the lamp goes from off to low."""
    with animated(str(LAMP)) as address, looking(browser) as page:
        visit(page, address, "lamp.xml")
        page.keyboard.press("ArrowRight")
        reaches(page, lambda t: abs(t - 1) < 1e-3)
        expect(kinds_in_log(page)).to_have_text(["press"])
        expect(page.locator(".log-row .who")).to_have_text("User → Lamp")
        expect(page.locator(".message .channel").first).to_have_text("press")
        page.get_by_role("tab", name="Lamp").click()
        expect(page.locator(".location.active .location-text").first).to_have_text("low")


def test_a_file_of_witnesses_plays_the_violation(
    browser: Browser, found: tuple[Path, Path]
) -> None:
    witness, _ = found
    with animated(str(witness)) as address, looking(browser) as page:
        visit(page, address, witness.name)
        page.keyboard.press("r")
        expect(page.locator(".mark.violation")).to_have_text("under violated")
        logs(page, "violation")


def test_the_report_holds_the_replay(browser: Browser, found: tuple[Path, Path]) -> None:
    _, report = found
    with looking(browser) as page:
        page.goto(report.as_uri())
        frame = page.locator("iframe[title=replay]")
        frame.scroll_into_view_if_needed()
        inside = frame.content_frame
        expect(inside.locator(".state-text")).to_have_text("replay, paused")
        expect(inside.locator(".mark.violation")).to_have_text("under violated")


def test_a_notebook_plays_a_run(browser: Browser, tmp_path: Path) -> None:
    """Notebooks put what `_repr_html_` says into their page."""
    shown = simulate(ball().model.automaton(), until=1.0, options=NATIVE)._repr_html_()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><body>{shown}</body>", encoding="utf-8")
    with looking(browser) as page:
        page.goto(notebook.as_uri())
        inside = page.locator("iframe").content_frame
        expect(inside.locator(".state-text")).to_have_text("replay, paused")
        inside.get_by_role("button", name="next event").click()
        expect(inside.locator(".log-row.now .kind")).to_have_text("impact")
