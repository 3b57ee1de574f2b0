"""``dyverse falsify``: search for a run that breaks a property."""

from __future__ import annotations

from typing import Annotated

import typer

from dyverse.cli.arguments.declared import (
    AsJson,
    Claim,
    JournalFile,
    ModelArgument,
    Range,
    Report,
    Scheduler,
    Seconds,
    Set,
    Until,
    Workers,
)
from dyverse.cli.terminal.reported import reported

NeverName = Annotated[
    str | None,
    typer.Option(
        "--never",
        metavar="BEHAVIOUR",
        help="Instead of a property: no run may behave so in the long run (see abstract).",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Follow a run for so many events (impacts, mode changes); else 100."
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Same seed, same answer.")]
MethodName = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        help="shooting (the default), or paper: the published algorithms, for comparison.",
    ),
]
Runs = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Give up after so many runs of the search, or questions to the solver."
    ),
]

Witnesses = Annotated[
    int,
    typer.Option(
        metavar="N", help="Go on for so many witnesses that have little in common, if there are."
    ),
]
WitnessOut = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the witnesses with model, settings, seed and versions to one file, which every "
        "command takes for a MODEL.",
    ),
]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="FILE", help="Look first where witnesses of this file are."),
]
Prove = Annotated[
    bool,
    typer.Option(
        "--prove",
        help="Try to prove the answer: that nothing is found, or that a box around a witness "
        "breaks the property.",
    ),
]


@reported
def falsify(
    model: ModelArgument,
    ranges: Range = None,
    claim: Claim = None,
    never: NeverName = None,
    settings: Set = None,
    until: Until = None,
    depth: Depth = None,
    seed: Seed = 0,
    method: MethodName = "shooting",
    seconds: Seconds = None,
    runs: Runs = None,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    journal: JournalFile = None,
    report: Report = None,
    witnesses: Witnesses = 1,
    witness: WitnessOut = None,
    starts: From = None,
    prove: Prove = False,
    as_json: AsJson = False,
) -> None:
    """Search starts and parameters for a run that breaks a property.

    Ctrl-C and a kill keep what was found out: the same command goes on from there.
    """
    from dyverse.cli.work.falsifying import Order, falsify_model

    order = Order(
        ranges=tuple(ranges or ()),
        claim=claim,
        never=never,
        settings=tuple(settings or ()),
        until=until,
        depth=depth,
        seed=seed,
        method=method,
        seconds=seconds,
        runs=runs,
        workers=workers,
        scheduler=scheduler,
        journal=journal,
        report=report,
        witnesses=witnesses,
        witness=witness,
        starts=starts,
        prove=prove,
    )
    raise typer.Exit(falsify_model(model, order, as_json=as_json))
