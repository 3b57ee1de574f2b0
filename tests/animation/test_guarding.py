"""Who is let in: by Host, by Origin, by token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from dyverse.animation.serving.guarding import Guard, Names
from dyverse.animation.serving.server import bound
from tests.animation.serving import get, serving, upgraded


async def greet(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close()


def guarded(host: str = "127.0.0.1", token: str | None = None) -> Iterator[int]:
    routes = [
        Route("/", lambda _: PlainTextResponse("page")),
        Route("/assets/a.js", lambda _: PlainTextResponse("code")),
        WebSocketRoute("/live", greet),
    ]
    listening = bound("127.0.0.1", 0)
    names = Names(host, listening.getsockname()[1])
    with serving(Guard(Starlette(routes=routes), names=names, token=token), listening) as port:
        yield port


@pytest.fixture(scope="module")
def here() -> Iterator[int]:
    """A server for this machine only."""
    yield from guarded()


@pytest.fixture(scope="module")
def open_to_all() -> Iterator[int]:
    """A server that others can reach."""
    yield from guarded("0.0.0.0", "secret")


def test_the_own_page_is_let_in_with_a_strict_policy(here: int) -> None:
    found = get(here)
    assert (found.status, found.body) == (200, b"page")
    policy = found.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert found.headers["x-content-type-options"] == "nosniff"
    assert upgraded(here) == 101


@pytest.mark.parametrize(
    "host", ["evil.example:{}", "evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil:{}"]
)
def test_another_name_for_this_machine_is_refused(here: int, host: str) -> None:
    name = host.format(here)
    assert get(here, host=name).status == 403
    assert upgraded(here, host=name, origin=f"http://{name}") == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:1", "null", "https://127.0.0.1", "file://"]
)
def test_pages_of_other_sites_are_refused(here: int, origin: str) -> None:
    assert upgraded(here, origin=origin) == 403
    assert get(here, origin=origin).status == 403


@pytest.mark.parametrize("name", ["[::1]:{}", "localhost:{}", "LOCALHOST:{}"])
def test_all_names_of_the_loopback_are_known(here: int, name: str) -> None:
    assert get(here, host=name.format(here)).status == 200


def test_others_need_the_token(open_to_all: int) -> None:
    for path in ("/", "/?token=", "/?token=wrong", "/?token=secre"):
        assert get(open_to_all, path).status == 403
    assert get(open_to_all, "/?token=secret").status == 200
    assert get(open_to_all, "/assets/a.js").status == 200
    assert upgraded(open_to_all) == 403
    assert upgraded(open_to_all, "/live?token=secret") == 101
    assert upgraded(open_to_all, "/live?token=secret", origin="http://evil.example") == 403


def test_who_serves_all_addresses_is_called_by_any_number_but_by_no_other_name(
    open_to_all: int,
) -> None:
    """A name that someone lets point here is no number."""
    path = "/?token=secret"
    for name in ("192.168.1.7:{}", "[fe80::1]:{}"):
        assert get(open_to_all, path, host=name.format(open_to_all)).status == 200
    assert get(open_to_all, path, host=f"evil.example:{open_to_all}").status == 403
    assert get(open_to_all, path, host="192.168.1.7:1").status == 403
