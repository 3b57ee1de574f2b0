"""Does the animator keep its pace, as a page sees it?

A server is started as a command. Clients of its WebSocket tell when frames arrive; a real browser
without graphics hardware tells how often they are drawn, how soon, and what page and server keep.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from rich.console import Console
from websockets.asyncio.client import connect as connect_async
from websockets.typing import Origin

from benchmarks.drawn import browsing, drawn, first_picture, remembered
from benchmarks.machine import commit, machine
from benchmarks.results import plain_table, section
from benchmarks.served import SETTLING, Page, animating, worked
from benchmarks.session import gas
from benchmarks.table import Cell, Requirement, Table, rich_table
from dyverse.automaton.interface import Array
from dyverse.bodies.describe import world_text

PAGE = Path(__file__).with_name("ANIMATE.md")
BILLIARD = "example:billiard-break"
PAGES = 50
LIMITS = {20: 20.0, 100: 35.0}  # ms between frames, 95 %
SLOWEST = 100.0  # ms between pictures
LARGE = (3840, 2160)  # a screen on which drawing without hardware is slow
MINUTES = 3.0  # of looking at memory, unless told
SPEED = 10.0  # times real time, while memory is looked at
GROWTH = 10.0  # MB that may be added in the last quarter


class Found:
    """Rows of the table, and what was promised of them."""

    def __init__(self) -> None:
        self.rows: list[tuple[Cell, ...]] = []
        self.needed: list[Requirement] = []

    def take(self, what: str, values: Array, limit: float | None = None) -> None:
        """How some numbers are spread; 95 % of them may have to keep to a limit."""
        row = [float(np.percentile(values, share)) for share in (50, 95, 99)]
        self.rows.append((what, *row, float(values.max())))
        if limit is not None:
            self.needed.append(Requirement(text=f"{what}, 95 %", value=row[1], limit=limit))

    def need(self, what: str, value: float, limit: float) -> None:
        """A number that must keep to a limit."""
        self.needed.append(Requirement(text=what, value=value, limit=limit))

    def table(self, question: str, *remarks: str) -> Table:
        """All of it, with what a reader must know, and where it was measured."""
        return Table(
            question=question,
            columns=("what", "median", "95 %", "99 %", "most"),
            rows=tuple(self.rows),
            requirements=tuple(self.needed),
            remarks=(*remarks, _where()),
        )


def _where() -> str:
    facts = machine()
    told = f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}, {facts['python']}"
    return f"{told}, commit {commit()}"


def pace(quick: bool) -> Table:
    """Frames, seeking, many pages, ticks; then pictures, and the first of them."""
    seconds = 3.0 if quick else 15.0
    found = Found()
    with tempfile.TemporaryDirectory() as folder:
        _take_frames(found, folder, seconds, quick=quick)
        _take_pictures(found, folder, seconds)
    return found.table(
        "the animator's pace, as a page sees it",
        "times of the clock: they count on a machine that does nothing else",
        f"each for {seconds:g} s",
        "pictures: headless Chromium, software rendering, 1280 x 800 unless told",
    )


def memory(minutes: float) -> Table:
    """What server and page keep of a run that goes on. It may be measured on a busy machine."""
    found = Found()
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        kept = remembered(browser, _boxed(folder, 20), minutes, SPEED)
    quarter = len(kept) // 4
    for k, what in enumerate(("server", "page", "page's scripts"), 1):
        found.take(f"MB of the {what}", kept[:, k])
        before, after = np.median(kept[-2 * quarter : -quarter, k]), np.median(kept[-quarter:, k])
        found.need(f"MB of the {what}, added in the last quarter", float(after - before), GROWTH)
    return found.table(
        "what server and page keep while a model is played",
        f"20 balls, {minutes:g} min at {SPEED:g} times the speed",
    )


def _take_frames(found: Found, folder: str, seconds: float, *, quick: bool) -> None:
    pages = 5 if quick else PAGES
    for balls in (20,) if quick else (20, 100):
        intervals, sought, work = _played(_boxed(folder, balls), seconds)
        found.take(f"{balls} balls: ms between frames", intervals, LIMITS[balls])
        found.take(f"{balls} balls: ms of processor for a frame, all processes", work)
        found.take(f"{balls} balls: ms for a seek", sought, 50.0)
    crowd = _crowded(_boxed(folder, 20), seconds, pages)
    found.take(f"20 balls, {pages} pages: ms between frames of the first", crowd, 20.0)
    late = _ticking(_boxed(folder, 1), seconds)
    found.take("ticks of 1 ms: ms that a frame is away from its time", np.abs(late))


def _take_pictures(found: Found, folder: str, seconds: float) -> None:
    with browsing() as browser:
        times = [first_picture(browser, BILLIARD) for _ in range(4)]
        found.take("billiard: ms from the command to the first picture", np.array(times[1:]), 2e3)
        balls = _boxed(folder, 20)
        billiard = drawn(browser, BILLIARD, seconds, speed=0.05)
        found.take("billiard: ms between pictures", billiard.intervals, SLOWEST)
        found.take(
            "20 balls: ms between pictures", drawn(browser, balls, seconds).intervals, SLOWEST
        )
        large = drawn(browser, balls, seconds, LARGE)
        found.take("20 balls on 3840 x 2160: ms between pictures", large.intervals)
        found.rows.append(
            ("  pixels drawn per pixel, at first and then", large.before, large.after, "", "")
        )


def _boxed(folder: str, balls: int) -> str:
    """The file of a model that never comes to an end: balls in a box."""
    file = Path(folder) / f"balls{balls}.drbt"
    file.write_text(world_text(gas(balls, friction=0.0)))
    return str(file)


def _played(model: str, seconds: float) -> tuple[Array, Array, Array]:
    """Intervals between frames, times for seeking, and work (ms)."""
    with animating(model) as server:
        page = Page(server)
        page.ask("play")
        page.frames(SETTLING)
        before = worked(server.process)
        came = page.frames(seconds)
        work = 1e3 * (worked(server.process) - before) / (60 * (seconds + SETTLING))
        page.ask("pause")
        end = float(came[-1, 1])
        sought = [_seek(page, share * end) for share in np.linspace(0.9, 0.05, 20)]
        page.close()
    return 1e3 * np.diff(came[:, 0]), np.array(sought), np.array([work])


def _seek(page: Page, goal: float) -> float:
    """How long it takes until what was sought is shown (ms)."""
    began = time.perf_counter()
    page.ask("seek", time=goal)
    came, shown = page.frame()
    while abs(shown - goal) > 1e-9:
        came, shown = page.frame()
    return 1e3 * (came - began)


def _crowded(model: str, seconds: float, pages: int) -> Array:
    """Intervals of the first page, while others watch (ms)."""
    with animating(model) as server:
        first = Page(server)
        first.frame()
        context = multiprocessing.get_context("spawn")
        crowd = context.Process(target=_watch, args=(server.address, pages - 1), daemon=True)
        crowd.start()
        first.ask("play")
        time.sleep(SETTLING)
        came = first.frames(seconds)
        first.close()
        crowd.kill()
    return 1e3 * np.diff(came[:, 0])


def _watch(address: str, pages: int) -> None:
    """What so many pages do: they read."""

    async def read() -> None:
        where, origin = address.replace("http", "ws") + "live", Origin(address.rstrip("/"))
        async with connect_async(where, origin=origin, max_size=None) as socket:
            async for _ in socket:
                pass

    async def all_of_them() -> None:
        await asyncio.gather(*(read() for _ in range(pages)))

    asyncio.run(all_of_them())


def _ticking(model: str, seconds: float) -> Array:
    """By how much frames are away from the time they show, where ticks are 1 ms long (ms)."""
    with animating(model, "--tick", "0.001") as server:
        page = Page(server)
        page.ask("play")
        came = page.frames(seconds)
        page.close()
    late = 1e3 * (came[:, 0] - came[:, 1])
    return np.asarray(late - np.median(late))


def main(arguments: list[str]) -> int:
    """Measure and print ``pace`` and ``memory``, or the one that is named.

    ``--keep`` also writes what was measured into ``ANIMATE.md``; ``--minutes N`` is for memory.
    """
    quick = "--quick" in arguments
    minutes = (
        float(arguments[arguments.index("--minutes") + 1]) if "--minutes" in arguments else MINUTES
    )
    asked = {
        "pace": lambda: pace(quick),
        "memory": lambda: memory(0.2 if quick else minutes),
    }
    named = [name for name in asked if name in arguments] or list(asked)
    tables = {name: asked[name]() for name in named}
    _print(tables)
    if "--keep" in arguments:
        PAGE.write_text(renewed(PAGE.read_text("utf-8"), tables), encoding="utf-8")
    met = (requirement.met for table in tables.values() for requirement in table.requirements)
    return 0 if all(met) else 1


def _print(tables: Mapping[str, Table]) -> None:
    console = Console()
    console.width = max(console.width, 110)
    for table in tables.values():
        console.print(rich_table(table))


def renewed(page: str, tables: Mapping[str, Table]) -> str:
    """The page with some of its sections measured again."""
    heading, *parts = page.rstrip("\n").split("\n## ")
    known = {part.split(":")[0]: "## " + part.rstrip("\n") for part in parts}
    known |= {name: section(name, plain_table(table)) for name, table in tables.items()}
    return "\n\n".join([heading.rstrip("\n"), *known.values()]) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
