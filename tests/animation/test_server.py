"""The server as a page meets it: a real process behind real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from dyverse.animation.playable import Playable
from dyverse.animation.serving.guarding import Names
from dyverse.animation.serving.process import Setup
from dyverse.animation.serving.server import BACKLOG, Animator, Gallery, Post, bound
from dyverse.generation.model import parse_model
from tests.animation.plays import ball, example
from tests.animation.serving import get, serving

WAIT = 180.0  # s, for a process to begin on a busy machine


def opened(request: Mapping[str, Any]) -> Playable:
    match request:
        case {"text": "loop"}:
            while True:
                pass
        case {"text": "die"}:
            os.kill(os.getpid(), signal.SIGKILL)
        case {"text": "eat"}:
            return Playable(name="eaten", model=ball().model, text="x" * 2**33)
        case {"example": name}:
            return example(name)
    return Playable(name="text", model=parse_model(request["text"]), text=request["text"])


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A page that has been built."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>dyverse</title>")
    (tmp_path / "assets" / "a.js").write_text("1")
    (tmp_path / "ball.png").write_bytes(b"png")
    return tmp_path


@pytest.fixture
def port(static: Path) -> Iterator[int]:
    """A server that plays a ball."""
    entry = {"name": "ball", "title": "ball", "sentence": "", "picture": "picture/ball"}
    gallery = Gallery((entry,), lambda name: static / "ball.png" if name == "ball" else None)
    animator = Animator(Setup(opened=opened, patience=3.0), gallery)
    try:
        animator.stage.open(ball())
        listening = bound("127.0.0.1", 0)
        names = Names("127.0.0.1", listening.getsockname()[1])
        with serving(animator.app(names=names, token=None, static=static), listening) as found:
            yield found
    finally:
        animator.stage.close()


class Page:
    """A page on a socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._count = socket, 0

    def ask(self, do: str, **more: object) -> int:
        self._count += 1
        self._socket.send(json.dumps({"v": 1, "id": self._count, "do": do, **more}))
        return self._count

    def next(self, say: str) -> dict[str, Any]:
        """The next message of that kind; ``re`` is an answer, ``frame`` a frame."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            data = self._socket.recv(timeout=WAIT)
            if isinstance(data, bytes):
                if say == "frame" and data[0] == 1:
                    return {"time": struct.unpack_from("<d", data, 8)[0], "bytes": data}
                continue
            found: dict[str, Any] = json.loads(data)
            if found.get("say", "re") == say:
                return found
        raise TimeoutError(say)


def page(port: int) -> ClientConnection:
    origin: Any = f"http://127.0.0.1:{port}"
    return connect(f"ws://127.0.0.1:{port}/live", origin=origin, max_size=None)


def read_on(socket: ClientConnection, requests: int = 0) -> None:
    """Ask for nothing so many times, then read as long as there is something."""
    for number in range(requests):
        socket.send(json.dumps({"id": number, "do": "pause"}))
    while True:
        socket.recv(timeout=WAIT)


def test_pages_pictures_and_the_gallery_are_served(port: int) -> None:
    assert b"dyverse" in get(port).body
    assert get(port, "/assets/a.js").body == b"1"
    assert json.loads(get(port, "/gallery.json").body)[0]["name"] == "ball"
    assert get(port, "/picture/ball").body == b"png"
    for path in ("/picture/other", "/assets/../index.html", "/assets/%2e%2e/index.html", "/etc"):
        assert get(port, path).status == 404


def test_a_model_is_played_to_two_pages_and_one_that_comes_back(port: int) -> None:
    with page(port) as one, page(port) as two:
        first, second = Page(one), Page(two)
        assert first.next("model")["name"] == second.next("model")["name"] == "ball.drbt"
        first.ask("play")
        times = [first.next("frame")["time"] for _ in range(40)]
        assert times == sorted(times)
        assert times[-1] > 0.4
        assert second.next("events")["events"] == []
        assert second.next("events")["events"][0]["kind"] == "impact"
    with page(port) as again:
        third = Page(again)
        assert third.next("model")["id"] == 1
        assert third.next("events")["events"][0]["kind"] == "impact"
        assert third.next("status")["playing"]


def test_another_model_is_opened_and_a_wrong_one_keeps_it(port: int) -> None:
    with page(port) as socket:
        seen = Page(socket)
        seen.next("model")
        seen.ask("open", example="thermostat")
        assert seen.next("model")["name"] == "thermostat"
        wrong = seen.ask("open", text="body { }")
        answer = seen.next("re")
        while answer["re"] != wrong:
            answer = seen.next("re")
        assert not answer["ok"]
        assert answer["problems"][0]["line"] == 1
        seen.ask("play")
        assert seen.next("re")["ok"]


@pytest.mark.parametrize("text", ["loop", "die"])
def test_a_model_that_runs_away_or_dies_does_not_stop_the_server(port: int, text: str) -> None:
    with page(port) as socket:
        seen = Page(socket)
        seen.next("model")
        seen.ask("open", text=text)
        assert get(port).status == 200
        assert "stopped" in seen.next("note")["text"]
        seen.ask("play")
        assert seen.next("re")["ok"]
        assert seen.next("frame")["time"] >= 0


def test_a_model_that_wants_too_much_memory_is_refused(port: int) -> None:
    with page(port) as socket:
        seen = Page(socket)
        seen.next("model")
        seen.ask("open", text="eat")
        answer = seen.next("re")
        assert not answer["ok"]
        assert "memory" in answer["problems"][0]["message"]


@pytest.mark.parametrize(
    "data", ["no json", "[1]", "3", b"\x00\x01", '"' + "x" * 2**20 + '"', "[" * 9999]
)
def test_what_is_no_request_ends_the_connection_and_nothing_else(
    port: int, data: str | bytes
) -> None:
    with page(port) as socket, page(port) as other:
        socket.send(data)
        with pytest.raises(ConnectionClosed):
            read_on(socket)
        assert Page(other).next("model")


def test_a_large_text_for_a_stage_that_is_busy_holds_up_nobody(port: int) -> None:
    """More than a pipe holds is sent while the stage does not read it."""
    with page(port) as socket:
        seen = Page(socket)
        seen.next("model")
        seen.ask("open", text="loop")
        for _ in range(4):
            seen.ask("check", text="#" + "x" * 900_000)
        assert get(port).status == 200
        assert "stopped" in seen.next("note")["text"]
        seen.ask("play")
        assert seen.next("frame")["time"] >= 0


def test_a_page_that_does_not_read_gets_fewer_frames_and_then_nothing() -> None:
    """Of frames only the newest waits; what cannot be left out is kept up to a limit."""

    class Closed:
        """The end of a socket of a page that reads nothing until it is told to."""

        def __init__(self) -> None:
            self.sent: list[bytes] = []
            self.reads = asyncio.Event()
            self.why = ""

        async def send_bytes(self, data: bytes) -> None:
            await self.reads.wait()
            self.sent.append(data)

        async def send_text(self, data: str) -> None:
            await self.send_bytes(data.encode())

        async def close(self, code: int, reason: str) -> None:
            self.why = reason

    async def slow() -> tuple[Closed, int]:
        socket = Closed()
        post = Post(socket)
        carrying = asyncio.create_task(post.carry())
        for number in range(1000):
            post.put(f"{number}".encode(), frame=True)
            await asyncio.sleep(0)
        waiting = len(post.queue)
        socket.reads.set()
        await asyncio.sleep(0.01)
        post.put("x" * (BACKLOG + 1), frame=False)
        await asyncio.wait_for(carrying, WAIT)
        return socket, waiting

    with ThreadPoolExecutor() as pool:  # a browser's tests leave a loop in this thread
        socket, waiting = pool.submit(asyncio.run, slow()).result()
    assert waiting == 0
    assert socket.sent == [b"0", b"999"]
    assert "does not read" in socket.why


def test_too_many_requests_end_the_connection(port: int) -> None:
    with page(port) as socket, pytest.raises(ConnectionClosed):
        read_on(socket, 5000)


def test_frames_are_sent_at_once() -> None:
    """Without TCP_NODELAY a frame waits until the page has acknowledged the one before."""

    async def sends_at_once() -> bool:
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            made = writer.get_extra_info("socket")
            found.set_result(bool(made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
            writer.close()

        async with await asyncio.start_server(met, sock=bound("127.0.0.1", 0)) as listening:
            port = listening.sockets[0].getsockname()[1]
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return await found

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, sends_at_once()).result()
