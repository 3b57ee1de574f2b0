"""``dyverse abstract``: the long-term behaviours of a model as formal languages."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from dyverse.cli.simulate import Set
from dyverse.cli.terminal.reported import AsJson, ModelArgument, reported

Until = Annotated[
    float | None,
    typer.Option(metavar="T", help="How long to look for evidence (s); else the model's horizon."),
]
Rules = Annotated[
    Literal["complete", "paper"],
    typer.Option(help="The edges of a surface of discontinuity: with crossings, or as printed."),
]
Box = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=LO:HI",
        help="Look for all behaviours in this box, one option for each variable.",
    ),
]
Starts = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Follow runs from so many random places as well; 24 if there is a box."
    ),
]
Bad = Annotated[
    list[str] | None,
    typer.Option(metavar="BEHAVIOUR", help="Exit with code 1 if the run behaves so; repeatable."),
]
Dot = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write a Graphviz drawing of the automaton.")
]
Hoa = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the automaton in the Hanoi format.")
]


@reported
def abstract(
    model: ModelArgument,
    settings: Set = None,
    until: Until = None,
    rules: Rules = "complete",
    box: Box = None,
    starts: Starts = None,
    bad: Bad = None,
    dot: Dot = None,
    hoa: Hoa = None,
    as_json: AsJson = False,
) -> None:
    """Find equilibria and periodic orbits, and the language of the words of runs for each."""
    from dyverse.cli.work.abstracting import Order, abstract_model

    order = Order(
        settings=tuple(settings or ()),
        until=until,
        rules=rules,
        box=tuple(box or ()),
        starts=starts,
        bad=tuple(bad or ()),
        dot=dot,
        hoa=hoa,
    )
    raise typer.Exit(abstract_model(model, order, as_json=as_json))
