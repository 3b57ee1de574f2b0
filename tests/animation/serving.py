"""A server in a thread, and bytes sent to it by hand."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection

from starlette.types import ASGIApp

from dyverse.animation.serving.server import server


@contextmanager
def serving(app: ASGIApp, listening: socket.socket) -> Iterator[int]:
    """The port on which ``app`` is served."""
    running = server(app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not running.started:
            time.sleep(0.01)
        yield int(listening.getsockname()[1])
    finally:
        running.should_exit = True
        thread.join(10)
        assert not thread.is_alive()


@dataclass(frozen=True)
class Answer:
    """What a server has answered."""

    status: int
    headers: Message
    body: bytes


def get(port: int, path: str = "/", **headers: str) -> Answer:
    """The answer to a request; ``host`` among the headers replaces the true one."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.putrequest("GET", path, skip_host="host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        found = connection.getresponse()
        with found:
            body = b"" if found.status == 101 else found.read()
            return Answer(found.status, found.headers, body)


def upgraded(port: int, path: str = "/live", **headers: str) -> int:
    """The status with which the server answers to the opening of a WebSocket: 101 if it lets in."""
    more = {"host": f"127.0.0.1:{port}", "origin": f"http://127.0.0.1:{port}"} | headers
    key = {"sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13"}
    found = get(port, path, connection="Upgrade", upgrade="websocket", **key, **more)
    return found.status
