"""The animator's server: pages, pictures, and one WebSocket for each page that has come.

Requests go to the stage, and what the stage says goes to the pages. A page that reads too slowly
gets fewer frames; one that does not read at all is sent away.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from dyverse.animation.said import Json, Said
from dyverse.animation.serving.beginning import Begun
from dyverse.animation.serving.guarding import Guard, Names
from dyverse.animation.serving.process import Setup, StageProcess

LONGEST = 2**20  # bytes of a message from a page
GUESTS = 64
RATE, BURST = 200.0, 400.0  # messages a second from one page, and at once
BACKLOG = 32 * 2**20  # bytes that a page has not read yet


class Sends(Protocol):
    """The server's end of a WebSocket."""

    async def send_text(self, data: str) -> None:
        """Send text, when the page has read enough."""

    async def send_bytes(self, data: bytes) -> None:
        """Send bytes, when the page has read enough."""

    async def close(self, code: int, reason: str) -> None:
        """Send the page away."""


@dataclass(eq=False)
class Post:
    """What one page is to be sent: messages in order, and the newest frame."""

    socket: Sends
    queue: deque[str | bytes] = field(default_factory=deque)
    frame: bytes | None = None
    size: int = 0
    more: asyncio.Event = field(default_factory=asyncio.Event)
    overflow: bool = False

    def put(self, data: str | bytes, *, frame: bool) -> None:
        """Something to send; an older frame that has not been sent is forgotten."""
        if frame and isinstance(data, bytes):
            self.frame = data
        else:
            self.queue.append(data)
            self.size += len(data)
            self.overflow = self.overflow or self.size > BACKLOG
        self.more.set()

    async def carry(self) -> None:
        """Send, until the page has gone or does not read."""
        while not self.overflow:
            await self.more.wait()
            self.more.clear()
            while self.queue and not self.overflow:
                data = self.queue.popleft()
                self.size -= len(data)
                await self._send(data)
            if self.frame is not None:
                frame, self.frame = self.frame, None
                await self._send(frame)
        await self.socket.close(1008, "the page does not read what it is sent")

    async def _send(self, data: str | bytes) -> None:
        if isinstance(data, str):
            await self.socket.send_text(data)
        else:
            await self.socket.send_bytes(data)


@dataclass(frozen=True, slots=True)
class Gallery:
    """The examples for the empty page, and their pictures."""

    entries: tuple[Mapping[str, Json], ...] = ()
    picture: Callable[[str], Path | None] = lambda name: None


class Animator:
    """The application: a stage and the pages that watch it."""

    def __init__(self, setup: Setup, gallery: Gallery, ready: Begun | None = None) -> None:
        self._setup, self._gallery = setup, gallery
        self._posts: dict[int, Post] = {}
        self._numbers = itertools.count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.stage = StageProcess(setup, self._hear, ready)

    def app(self, *, names: Names, token: str | None, static: Path) -> ASGIApp:
        """What a server runs; the page is in the folder ``static``."""
        routes = [
            Route("/", lambda _: FileResponse(static / "index.html")),
            Route("/gallery.json", lambda _: JSONResponse(self._gallery.entries)),
            Route("/picture/{name}", self._picture),
            Mount("/assets", StaticFiles(directory=static / "assets", check_dir=False)),
            WebSocketRoute("/live", self._live),
        ]
        return Guard(Starlette(routes=routes), names=names, token=token)

    def _picture(self, request: HttpRequest) -> Response:
        found = self._gallery.picture(request.path_params["name"])
        return PlainTextResponse("no picture", 404) if found is None else FileResponse(found)

    def _hear(self, said: list[Said]) -> None:
        """In the thread that listens to the stage."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._deliver, said)

    def _deliver(self, said: list[Said]) -> None:
        for item in said:
            for number in item.to:
                if number in self._posts:
                    self._posts[number].put(item.data, frame=item.frame)

    async def _live(self, socket: WebSocket) -> None:
        """One page, as long as it stays."""
        self._loop = asyncio.get_running_loop()
        if len(self._posts) >= GUESTS:
            await socket.close(1013, f"there are {GUESTS} pages already")
            return
        await socket.accept()
        number, post = next(self._numbers), Post(socket)
        self._posts[number] = post
        self.stage.join(number)
        carrying = asyncio.create_task(post.carry())
        try:
            await self._listen(socket, number)
        finally:
            carrying.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await carrying
            del self._posts[number]
            self.stage.leave(number)

    async def _listen(self, socket: WebSocket, number: int) -> None:
        allowed, last = BURST, time.monotonic()
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            now = time.monotonic()
            allowed, last = min(BURST, allowed + RATE * (now - last)), now
            allowed -= 1
            request = _parsed(message.get("text"))
            if request is None or allowed < 0:
                why = "too many messages" if allowed < 0 else "a message is a JSON object"
                await socket.close(1008, why)
                return
            if not self.stage.ask(number, request):
                await socket.close(1013, "the model is far behind with what was asked")
                return


def _parsed(text: object) -> dict[str, object] | None:
    """A request, if that is what it is."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; with port 0, on one that is free.

    Only where the protocol is named does asyncio send at once (TCP_NODELAY): else a frame waits up
    to 40 ms for the page to acknowledge the one before.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen()
    except OSError:
        found.close()
        raise
    return found


def server(app: ASGIApp) -> uvicorn.Server:
    """A server for one socket or several: ``run(sockets=…)`` serves until it is stopped."""
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
        server_header=False,
        date_header=False,
    )
    return uvicorn.Server(config)
