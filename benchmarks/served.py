"""The animator's command as a benchmark starts it, and a client that reads what a page would."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from dyverse.automaton.interface import Array

COMMAND = "from dyverse.cli.start import run; run()"
ANNOUNCED = "animating at "
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
    """The command as people give it, as long as someone needs it."""
    began = time.perf_counter()
    arguments = ("animate", model, "--no-browser", "--port", "0", *options)
    command = [sys.executable, "-c", COMMAND, *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            address = next(line.split()[2] for line in process.stderr if ANNOUNCED in line)
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


def family(process: int) -> Iterator[Path]:
    """What is told of a process and of those that it has started."""
    folder = Path(f"/proc/{process}")
    if folder.is_dir():
        yield folder
        for child in (folder / "task" / str(process) / "children").read_text().split():
            yield from family(int(child))


def size(process: int) -> float:
    """Their resident memory (MB)."""
    pages = (int((folder / "statm").read_text().split()[1]) for folder in family(process))
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


def worked(process: int) -> float:
    """Their processor time (s)."""
    told = ((folder / "stat").read_text().rpartition(")")[2].split() for folder in family(process))
    return sum(int(fields[11]) + int(fields[12]) for fields in told) / os.sysconf("SC_CLK_TCK")
