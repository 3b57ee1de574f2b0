"""Who may talk to the animator's server: checks of Host, Origin and token, and headers for pages.

A page of another site that the same browser shows may try to reach a server on this machine: by a
WebSocket, which browsers let cross sites, or under a name of its own that it lets point here. The
first is known by its Origin, the second by its Host.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from ipaddress import ip_address
from socket import gethostname
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ALL = ("0.0.0.0", "::")  # to serve on every address of the machine
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src blob:; font-src 'self'; connect-src 'self' {sockets}; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
OPEN = ("/assets/", "/favicon")  # the page's own code, the same for everyone


@dataclass(frozen=True, slots=True)
class Names:
    """By what a server on ``host`` may be called."""

    host: str
    port: int

    def known(self, called: str) -> bool:
        """Whether ``called``, with its port, is one of them.

        On all addresses any number will do: what someone lets point here is a name.
        """
        name, _, port = called.lower().rpartition(":")
        if port != str(self.port):
            return False
        own = self.host.lower()
        wanted = {own, f"[{own}]", *LOOPBACK}
        return name in wanted or (
            own in ALL and (name == gethostname().lower() or _is_number(name))
        )


def _is_number(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class Guard:
    """Lets in who may come, and sends everyone else away."""

    def __init__(self, app: ASGIApp, *, names: Names, token: str | None) -> None:
        self._app, self._names, self._token = app, names, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at the request before anybody else does."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif (reason := self._refusal(scope)) is not None:
            await _refuse(scope, receive, send, reason)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, _with_headers(send, self._host(scope)))

    def _refusal(self, scope: Scope) -> str | None:
        host, origin = self._host(scope), _header(scope, b"origin")
        if not self._names.known(host):
            return "this server is not known by that name"
        if origin and urlsplit(origin).netloc.lower() != host:
            return "pages of other sites are not let in"
        if scope["type"] == "websocket" and not origin:
            return None if self._has_token(scope) else "the token is missing or wrong"
        if scope["path"].startswith(OPEN) or self._has_token(scope):
            return None
        return "the token is missing or wrong; use the address that was printed"

    def _host(self, scope: Scope) -> str:
        return _header(scope, b"host").lower()

    def _has_token(self, scope: Scope) -> bool:
        if self._token is None:
            return True
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self._token.encode())


def _header(scope: Scope, name: bytes) -> str:
    found = [value for key, value in scope["headers"] if key == name]
    return found[0].decode("latin-1") if len(found) == 1 else ""


def _with_headers(send: Send, host: str) -> Send:
    policy = POLICY.format(sockets=f"ws://{host} wss://{host}")
    own = {
        b"content-security-policy": policy.encode("latin-1"),
        b"x-content-type-options": b"nosniff",
        b"referrer-policy": b"no-referrer",
        b"cross-origin-opener-policy": b"same-origin",
        b"cross-origin-resource-policy": b"same-origin",
    }

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *own.items()]
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    head = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 403, "headers": head})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})
