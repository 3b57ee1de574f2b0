"""Does the animator keep its pace, as a page sees it?

A server is started as a command, and pages are clients of its WebSocket. What is measured is when
frames arrive; what a browser then draws is another matter.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from websockets.asyncio.client import connect as connect_async
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.machine import commit, machine
from benchmarks.results import plain_table, section
from benchmarks.session import gas
from benchmarks.table import Cell, Requirement, Table, rich_table
from dyverse.automaton.interface import Array
from dyverse.bodies.describe import world_text

COMMAND = "from dyverse.cli.start import run; run()"
PAGE = Path(__file__).with_name("ANIMATE.md")
PAGES = 50
WAIT = 60.0  # s
SETTLING = 1.0  # s


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and when its command was given."""

    address: str
    process: int
    began: float


@contextmanager
def animating(model: str, *options: str) -> Iterator[Server]:
    """The command, as long as someone needs it."""
    began = time.perf_counter()
    arguments = ("animate", model, "--no-browser", "--port", "0", "--json", *options)
    command = [sys.executable, "-c", COMMAND, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "}\n")
            address = json.loads("".join(lines) + "}")["address"]
            yield Server(address, process.pid, began)
        finally:
            process.terminate()


class Page:
    """A client that reads what a page would."""

    def __init__(self, server: Server) -> None:
        address = server.address.replace("http", "ws") + "live"
        origin = Origin(server.address.rstrip("/"))
        self._socket: ClientConnection = connect(address, origin=origin, max_size=None, legacy=True)
        self._count = 0

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def ask(self, do: str, **more: object) -> None:
        """Ask for something; the answer is not waited for."""
        self._count += 1
        self._socket.send(json.dumps({"v": 1, "id": self._count, "do": do, **more}))

    def frame(self) -> tuple[float, float]:
        """When the next frame came, and the time of the model in it (s)."""
        while True:
            data = self._socket.recv(timeout=WAIT)
            if isinstance(data, bytes) and data[0] == 1:
                return time.perf_counter(), struct.unpack_from("<d", data, 8)[0]

    def frames(self, seconds: float) -> Array:
        """All frames of so long: (n, 2), when they came and their times; first it may settle."""
        begin = self.frame()[0] + SETTLING
        found = [self.frame()]
        while found[-1][0] < begin + seconds:
            found.append(self.frame())
        rows = np.array(found)
        return np.asarray(rows[rows[:, 0] >= begin])


def measure(quick: bool) -> Table:
    """Intervals, seeking, many pages, ticks, memory."""
    seconds = 3.0 if quick else 20.0
    sizes = (20,) if quick else (20, 100)
    pages, limits = 5 if quick else PAGES, {20: 20.0, 100: 35.0}
    rows: list[tuple[Cell, ...]] = []
    needed: list[Requirement] = []

    def take(what: str, values: Array, limit: float | None = None) -> None:
        row = [float(np.percentile(values, share)) for share in (50, 95, 99)]
        rows.append((what, *row, float(values.max())))
        if limit is not None:
            needed.append(Requirement(text=f"{what}, 95 %", value=row[1], limit=limit))

    with tempfile.TemporaryDirectory() as folder:
        for balls in sizes:
            intervals, sought, first, worked = _played(_boxed(folder, balls), seconds)
            take(f"{balls} balls: ms between frames", intervals, limits[balls])
            take(f"{balls} balls: ms of processor for a frame, all processes", worked)
            take(f"{balls} balls: ms for a seek", sought, 50.0)
            take(f"{balls} balls: ms from the command to the first frame", first)
        crowd = _crowded(_boxed(folder, 20), seconds, pages)
        take(f"20 balls, {pages} pages: ms between frames of the first", crowd, 20.0)
        grown, size = _grown(_boxed(folder, 20), seconds)
        late = _ticking(_boxed(folder, 1), seconds)
    take("ticks of 1 ms: ms that a frame is away from its time", np.abs(late))
    rows.append(("100 times as fast: MB of the stage, and what was added", size, grown, 0.0, 0.0))
    return Table(
        question="the animator's pace, as a page sees it",
        columns=("what", "median", "95 %", "99 %", "most"),
        rows=tuple(rows),
        requirements=tuple(needed),
        remarks=(
            "times of the clock: they count on a machine that does nothing else",
            f"each for {seconds:g} s; the last row has the size in the first column, then the rest",
        ),
    )


def _boxed(folder: str, balls: int) -> str:
    """The file of a model that never comes to an end: balls in a box."""
    file = Path(folder) / f"balls{balls}.drbt"
    file.write_text(world_text(gas(balls, friction=0.0)))
    return str(file)


def _played(model: str, seconds: float) -> tuple[Array, Array, Array, Array]:
    """Intervals between frames, times for seeking, until the first frame, and work (ms)."""
    with animating(model) as server:
        page = Page(server)
        first = 1e3 * (page.frame()[0] - server.began)
        page.ask("play")
        page.frames(SETTLING)
        before = _worked(server.process)
        came = page.frames(seconds)
        worked = 1e3 * (_worked(server.process) - before) / (60 * (seconds + SETTLING))
        page.ask("pause")
        end = float(came[-1, 1])
        sought = [_seek(page, share * end) for share in np.linspace(0.9, 0.05, 20)]
        page.close()
    return 1e3 * np.diff(came[:, 0]), np.array(sought), np.array([first]), np.array([worked])


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


def _grown(model: str, seconds: float) -> tuple[float, float]:
    """What the server and its stage grew by after a first while, and their size before (MB)."""
    with animating(model, "--speed", "100") as server:
        page = Page(server)
        page.ask("subscribe", signals=["b0.y"])
        page.ask("play")
        page.frames(seconds / 2)
        before = _size(server.process)
        page.frames(seconds)
        after = _size(server.process)
        page.close()
    return after - before, before


def _family(process: int) -> Iterator[Path]:
    """What is told of a process and of those that it has started."""
    folder = Path(f"/proc/{process}")
    if folder.is_dir():
        yield folder
        for child in (folder / "task" / str(process) / "children").read_text().split():
            yield from _family(int(child))


def _size(process: int) -> float:
    """Their resident memory (MB)."""
    pages = (int((folder / "statm").read_text().split()[1]) for folder in _family(process))
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _worked(process: int) -> float:
    """Their processor time (s)."""
    told = ((folder / "stat").read_text().rpartition(")")[2].split() for folder in _family(process))
    return sum(int(fields[11]) + int(fields[12]) for fields in told) / os.sysconf("SC_CLK_TCK")


def main(arguments: list[str]) -> int:
    """Measure and print; with ``--keep`` also write ``ANIMATE.md``."""
    table = measure("--quick" in arguments)
    console = Console()
    console.width = max(console.width, 110)
    console.print(rich_table(table))
    if "--keep" in arguments:
        PAGE.write_text(_page(table), encoding="utf-8")
    return 0 if all(requirement.met for requirement in table.requirements) else 1


def _page(table: Table) -> str:
    facts = machine()
    told = f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}, {facts['python']}"
    lines = ["# The animator's pace", "", "Written by `python -m benchmarks.animate --keep`.", ""]
    drawn = section("animate", plain_table(table))
    return "\n".join([*lines, f"{told}, commit {commit()}", "", drawn, ""])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
