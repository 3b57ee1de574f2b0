"""``dyverse abstract``: the long-term behaviours of a model as formal languages."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from dyverse.cli.arguments.declared import (
    AsJson,
    Bad,
    Box,
    EvidenceUntil,
    ModelArgument,
    Set,
    Starts,
)
from dyverse.cli.terminal.reported import reported

Rules = Annotated[
    Literal["complete", "paper"],
    typer.Option(help="The edges of a surface of discontinuity: with crossings, or as printed."),
]
Dot = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write a Graphviz drawing of the automaton.")
]
Hoa = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the automaton in the Hanoi format.")
]
Proved = Annotated[
    bool,
    typer.Option("--prove", help="Prove equilibria and orbits: that there is one, and stability."),
]


@reported
def abstract(
    model: ModelArgument,
    settings: Set = None,
    until: EvidenceUntil = None,
    rules: Rules = "complete",
    box: Box = None,
    starts: Starts = None,
    bad: Bad = None,
    dot: Dot = None,
    hoa: Hoa = None,
    prove: Proved = False,
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
        prove=prove,
    )
    raise typer.Exit(abstract_model(model, order, as_json=as_json))
