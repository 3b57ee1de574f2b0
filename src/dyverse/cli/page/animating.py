"""The work of ``dyverse animate``: serve the page, say where, and let the model be read and played.

Little is imported here: the page is served before there is a model.
"""

from __future__ import annotations

import secrets
import webbrowser
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from socket import socket

from uvicorn import Server

from dyverse.animation.said import Json
from dyverse.animation.serving.beginning import Begun
from dyverse.animation.serving.built import built_page
from dyverse.animation.serving.guarding import Names
from dyverse.animation.serving.process import Setup
from dyverse.animation.serving.server import Animator, Gallery, bound, server
from dyverse.cli.arguments.source import source_of
from dyverse.cli.page.ordering import SEARCHES, First, Order, open_requested
from dyverse.cli.terminal.reported import print_json, say
from dyverse.errors import ModelError, Problem
from dyverse.text.examples import (
    SCENE,
    example_description,
    example_names,
    example_scene,
)

PORT = 8765


def animate_model(
    model: str | None, order: Order, ready: Begun | None = None, *, as_json: bool
) -> None:
    """Serve until stopped; a process for the stage may be ``ready`` already."""
    order.check()
    if order.html is not None:
        from dyverse.cli.page.replaying import write_replay

        write_replay(model, order.html, order, as_json=as_json)
        return
    static = built_page()
    with _listening(order) as listening:
        _serve(model, order, listening, static, ready, as_json=as_json)


def _listening(order: Order) -> socket:
    """A socket on the port that is wanted, or on one that is free."""
    if order.port is not None:
        try:
            return bound(order.host, order.port)
        except OSError as error:
            raise ModelError(
                [Problem(f"cannot be served on: {error.strerror}")], file="--port"
            ) from None
    try:
        return bound(order.host, PORT)
    except OSError:
        return bound(order.host, 0)


def _serve(
    model: str | None,
    order: Order,
    listening: socket,
    static: Path,
    ready: Begun | None,
    *,
    as_json: bool,
) -> None:
    """Serve the page, while the model is read elsewhere; what is wrong with it ends that."""
    first = None if model is None else First(source_of(model), order)
    token = None if order.is_local else secrets.token_urlsafe(24)
    port = listening.getsockname()[1]
    setup = Setup(
        opened=open_requested,
        first=first,
        solver=order.solver,
        tick=order.tick,
        speed=order.speed,
        searches=SEARCHES,
    )
    animator = Animator(setup, gallery(), ready)
    try:
        app = animator.app(names=Names(order.host, port), token=token, static=static)
        if as_json:
            animator.stage.first.result()  # there is one object to print: an address or problems
        _announce(_address(order, port, token), order, as_json=as_json)
        serving = server(app)
        animator.stage.first.add_done_callback(lambda found: _stop_if_wrong(serving, found))
        serving.run(sockets=[listening])
        if animator.stage.first.done():
            animator.stage.first.result()
    finally:
        animator.stage.close()


def _stop_if_wrong(serving: Server, first: Future[None]) -> None:
    if first.exception() is not None:
        serving.should_exit = True


def _address(order: Order, port: int, token: str | None) -> str:
    host = f"[{order.host}]" if ":" in order.host else order.host
    return f"http://{host}:{port}/" + (f"?token={token}" if token else "")


def _announce(address: str, order: Order, *, as_json: bool) -> None:
    if not order.is_local:
        say(f"warning: who can reach {order.host} and knows the token can use this server")
    if as_json:
        print_json({"address": address})
    else:
        say(f"animating at {address} (Ctrl-C ends it)")
    if order.browser:
        webbrowser.open(address)


def gallery() -> Gallery:
    """The examples with their sentences and pictures."""
    return Gallery(tuple(_entries()), example_scene)


def _entries() -> Iterator[Mapping[str, Json]]:
    for name in example_names():
        drawn = example_scene(name)
        yield {
            "name": name,
            "title": name.replace("-", " "),
            "sentence": example_description(name),
            "picture": f"picture/{name}" if drawn else None,
            "scene": drawn is not None and drawn.name == SCENE,
        }
