"""``dyverse map``: the behaviour of a model over a grid of parameters."""

from __future__ import annotations

from typing import Annotated

import typer

from dyverse.cli.arguments.declared import (
    AsJson,
    Bad,
    Box,
    EvidenceUntil,
    JournalFile,
    ModelArgument,
    Scheduler,
    Set,
    Starts,
    Workers,
)
from dyverse.cli.terminal.reported import reported

Over = Annotated[
    list[str],
    typer.Option(
        metavar="NAME=LO:HI:N",
        help="N values from LO to HI, or NAME=V1,V2,…; give it twice for a map in the plane.",
    ),
]
Border = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=WIDTH", help="Enclose the borders along NAME to this width; repeatable."
    ),
]
Csv = Annotated[str | None, typer.Option(metavar="FILE", help="Write the map as CSV.")]
Plot = Annotated[
    str | None, typer.Option(metavar="FILE", help="Draw the map: a .png, .svg or .pdf file.")
]


@reported
def map(  # noqa: A001 - the name of the command
    model: ModelArgument,
    over: Over,
    settings: Set = None,
    until: EvidenceUntil = None,
    border: Border = None,
    box: Box = None,
    starts: Starts = None,
    bad: Bad = None,
    csv: Csv = None,
    plot: Plot = None,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    journal: JournalFile = None,
    as_json: AsJson = False,
) -> None:
    """Classify the run at each point of a grid of parameters, and enclose the borders.

    Ctrl-C and a kill keep what is done: the same command goes on from there.
    """
    from dyverse.cli.work.mapping import Order, map_model

    order = Order(
        over=tuple(over),
        settings=tuple(settings or ()),
        until=until,
        borders=tuple(border or ()),
        box=tuple(box or ()),
        starts=starts,
        bad=tuple(bad or ()),
        csv=csv,
        plot=plot,
        workers=workers,
        scheduler=scheduler,
        journal=journal,
    )
    raise typer.Exit(map_model(model, order, as_json=as_json))
