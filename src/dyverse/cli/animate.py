"""``dyverse animate``: a model live in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from dyverse.cli.arguments.declared import AsJson, Set, Trust
from dyverse.cli.terminal.reported import reported
from dyverse.errors import DyverseError

if TYPE_CHECKING:
    from dyverse.animation.serving.beginning import Begun

Model = Annotated[
    str | None,
    typer.Argument(
        metavar="[MODEL]", help="A file of model text, or example:NAME; else a gallery."
    ),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="N", help="The port to serve on, or 0; else 8765 or a free one."),
]
Host = Annotated[
    str,
    typer.Option(
        metavar="H",
        help="The address to serve on. Others than this machine's own can be reached from outside; "
        "pages there need the token that is printed.",
    ),
]
Tick = Annotated[
    float | None,
    typer.Option(metavar="T", help="Sampled time: edges are taken only every T seconds."),
]
Speed = Annotated[
    float, typer.Option(metavar="X", help="Play so many times as fast as real time, 0.01 to 100.")
]
Solver = Annotated[
    str,
    typer.Option(metavar="NAME", help="The engine: native (compiled C), reference, or cvode."),
]
Html = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="Write a replay that opens in any browser, from disk, and end."
    ),
]
Until = Annotated[
    float | None,
    typer.Option(
        metavar="T",
        help="When a replay stops (s); else the model's horizon, the end of its properties, or 10.",
    ),
]
WORK = "dyverse.cli.page.playing"  # what the stage's process imports besides
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")]


@reported
def animate(
    model: Model = None,
    settings: Set = None,
    port: Port = None,
    host: Host = "127.0.0.1",
    tick: Tick = None,
    speed: Speed = 1.0,
    solver: Solver = "native",
    html: Html = None,
    until: Until = None,
    no_browser: NoBrowser = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Play a model live in the browser. Ctrl-C ends it."""
    with _ready(wanted=html is None) as ready:
        try:
            from dyverse.cli.page.animating import animate_model
            from dyverse.cli.page.ordering import Order
        except ModuleNotFoundError as error:
            what = f"{error.name} is missing: install it with pip install 'dyverse[animate]'"
            raise DyverseError(what) from None

        order = Order(
            settings=tuple(settings or ()),
            port=port,
            host=host,
            tick=tick,
            speed=speed,
            solver=solver,
            browser=not no_browser,
            html=html,
            until=until,
            trust=trust,
        )
        animate_model(model, order, ready, as_json=as_json)


@contextmanager
def _ready(*, wanted: bool) -> Iterator[Begun | None]:
    """A process for the stage, if one is wanted: it gets ready while we do."""
    from dyverse.animation.serving.beginning import begun

    ready = begun(WORK) if wanted else None
    try:
        yield ready
    finally:
        if ready is not None:
            ready.end()
