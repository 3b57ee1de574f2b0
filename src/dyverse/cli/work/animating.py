"""The work of ``dyverse animate``: open the model, serve the page, and say where."""

from __future__ import annotations

import ipaddress
import math
import secrets
import webbrowser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from dyverse.animation.asked import Request
from dyverse.animation.beginning import Begun
from dyverse.animation.built import built_page, replay_page
from dyverse.animation.guarding import Names
from dyverse.animation.pacing import FASTEST, SLOWEST
from dyverse.animation.playable import Playable
from dyverse.animation.process import Setup
from dyverse.animation.replay import run_html
from dyverse.animation.searching import Say
from dyverse.animation.server import Animator, Gallery, bound, server
from dyverse.cli.arguments.opened import Opened, opened
from dyverse.cli.arguments.outputs import check_outputs
from dyverse.cli.arguments.settings import in_pieces, parse_settings
from dyverse.cli.arguments.source import EXAMPLE
from dyverse.cli.terminal.reported import print_json, say
from dyverse.cli.work.simulating import DEFAULT_UNTIL
from dyverse.errors import ModelError, Problem
from dyverse.exporters.atomic import write_lines
from dyverse.flow.follow import Options as FollowOptions
from dyverse.flow.step import Accuracy
from dyverse.generation.model import parse_model
from dyverse.simulation.simulate import Options, check_solver, simulate
from dyverse.text.examples import (
    example_description,
    example_names,
    example_scene,
    example_text,
)
from dyverse.uppaal.files.named import is_uppaal
from dyverse.uppaal.files.reading import parse_document
from dyverse.uppaal.loading.load import model_of

PORT = 8765

NOT_FROM_PAGES = "pages cannot make FMUs run: write a file, and open it with --trust"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to serve, and how."""

    settings: tuple[str, ...] = ()
    port: int | None = None
    host: str = "127.0.0.1"
    tick: float | None = None
    speed: float = 1.0
    solver: str = "native"
    browser: bool = True
    html: str | None = None
    until: float | None = None
    ready: Begun | None = None  # a process for the stage, if there is one already
    trust: bool = False

    def check(self) -> None:
        """Refuse numbers that make no sense, and solvers that are not there."""
        check_solver(self.solver)
        problems = {
            "--port": (0 <= (self.port or 0) < 2**16, "must be a port, 0 to 65535"),
            "--tick": (
                self.tick is None or 0 < self.tick < math.inf,
                "must be a finite time over 0",
            ),
            "--until": (
                self.until is None or 0 <= self.until < math.inf,
                "must be a finite time, 0 or later",
            ),
            "--speed": (
                SLOWEST <= self.speed <= FASTEST,
                f"must lie between {SLOWEST:g} and {FASTEST:g}",
            ),
        }
        for option, (fine, wish) in problems.items():
            if not fine:
                raise ModelError([Problem(wish)], file=option)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def animate_model(model: str | None, order: Order, *, as_json: bool) -> None:
    """Serve until stopped."""
    order.check()
    if order.html is not None:
        _write_replay(model, order.html, order, as_json=as_json)
        return
    static = built_page()
    with _listening(order) as listening:
        _serve(model, order, listening, static, as_json=as_json)


def _write_replay(model: str | None, html: str, order: Order, *, as_json: bool) -> None:
    """One file with the page and a run of the model in it."""
    if model is None:
        raise ModelError([Problem("needs a model to write a replay of")], file="--html")
    check_outputs(model, {"--html": html})
    replay_page()  # refused at once, if it is not there
    play, until, step = playable(model, order)
    options = _options(order, step)
    run = simulate(play.model.automaton(play.settings), until=until, options=options)
    write_lines(html, [run_html(run, play)])
    if as_json:
        print_json({"html": html, "time": run.end.time, "stop": str(run.stop)})
    else:
        say(f"wrote {html}")


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
    model: str | None, order: Order, listening: socket, static: Path, *, as_json: bool
) -> None:
    play, step = None, math.inf
    if model is not None:
        play, _, step = playable(model, order)
    options = _options(order, step)
    token = None if order.is_local else secrets.token_urlsafe(24)
    port = listening.getsockname()[1]
    setup = Setup(opened=open_requested, options=options, speed=order.speed, searches=SEARCHES)
    animator = Animator(setup, gallery(), order.ready)
    try:
        app = animator.app(names=Names(order.host, port), token=token, static=static)
        if play is not None:
            animator.stage.open(play)
        _announce(_address(order, port, token), order, as_json=as_json)
        server(app).run(sockets=[listening])
    finally:
        animator.stage.close()


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


def _options(order: Order, step: float) -> Options:
    follow = FollowOptions(accuracy=Accuracy(longest_step=step))
    return Options(solver=order.solver, tick=order.tick, follow=follow)


def playable(model: str, order: Order) -> tuple[Playable, float, float]:
    """What to play, until when (s), and the longest step (s) that misses no piece of an input."""
    found = opened(model, "trust" if order.trust else "run")
    wish = found.until(order.until)
    end = found.model.until({}, DEFAULT_UNTIL) if wish is None else wish
    found, texts, step = in_pieces(found, found.set(order.settings), end)
    settings = parse_settings(found.world, texts, more=found.model.settable())
    is_example = model.startswith(EXAMPLE)
    play = Playable(
        name=model.removeprefix(EXAMPLE) if is_example else Path(model).name,
        model=found.model,
        text=found.source,
        path=None if is_example or found.file else str(Path(model).resolve()),
        example=model.removeprefix(EXAMPLE) if is_example else None,
        settings=settings,
        notes=found.notes,
    )
    until = found.model.until(settings, DEFAULT_UNTIL) if wish is None else wish
    return play, until, step


def open_requested(request: Request) -> Playable:
    """The model that a page asks for: an example, or text. Files are never read for a page."""
    match request:
        case {"example": str(name)}:
            text = example_text(name)
            made = parse_model(text, file=f"{EXAMPLE}{name}")
            return Playable(name=name, model=made, text=text, example=name)
        case {"text": str(text)}:
            name = str(request.get("name") or "model.drbt")[:80]
            return _read(text, name)
        case _:
            raise ModelError([Problem("there is no example and no text to open")])


def _read(text: str, name: str) -> Playable:
    """The model that a text from a page describes; what it is written in is told by its name."""
    if not is_uppaal(name):
        model = parse_model(text, file=name)
        if model.foreign:
            problems = [Problem(NOT_FROM_PAGES, item.span) for item in model.foreign]
            raise ModelError(problems, source=text, file=name)
        return Playable(name=name, model=model, text=text)
    found = Opened(name, model_of(parse_document(text, file=name)), text)
    return Playable(name=name, model=found.model, text=text, notes=found.notes)


def falsify_requested(play: Playable, request: Request, say: Say) -> None:
    """Look for a run that breaks a property."""
    from dyverse.cli.work.searching import falsify_played  # in a process that searches, only

    falsify_played(play, request, say)


def map_requested(play: Playable, request: Request, say: Say) -> None:
    """What becomes of runs over a grid."""
    from dyverse.cli.work.searching import map_played

    map_played(play, request, say)


def prove_requested(play: Playable, request: Request, say: Say) -> None:
    """Divide ranges into what is safe, unsafe and open."""
    from dyverse.cli.work.dividing import prove_played

    prove_played(play, request, say)


# By what a page calls them.
SEARCHES = {"falsify": falsify_requested, "map": map_requested, "prove": prove_requested}


def gallery() -> Gallery:
    """The examples with their sentences and pictures."""
    return Gallery(tuple(_entries()), example_scene)


def _entries() -> Iterator[Mapping[str, str | None]]:
    for name in example_names():
        picture = f"picture/{name}" if example_scene(name) else None
        title = name.replace("-", " ")
        sentence = example_description(name)
        yield {"name": name, "title": title, "sentence": sentence, "picture": picture}
