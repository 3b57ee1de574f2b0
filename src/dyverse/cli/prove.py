"""``dyverse prove``: divide ranges into what is safe, what is unsafe, and what is open."""

from __future__ import annotations

from typing import Annotated

import typer

from dyverse.cli.arguments.declared import (
    AsJson,
    Claim,
    JournalFile,
    Range,
    Report,
    Scheduler,
    Seconds,
    Set,
    Until,
    Workers,
)
from dyverse.cli.terminal.reported import reported

Model = Annotated[
    str | None,
    typer.Argument(
        metavar="MODEL", help="A file of model text, or example:NAME; not needed with --check."
    ),
]
Finest = Annotated[
    int, typer.Option(metavar="N", help="Halve a part of the ranges at most so often.")
]
CertificateFile = Annotated[
    str | None,
    typer.Option("--certificate", metavar="FILE", help="Write a certificate of the proof."),
]
CheckFile = Annotated[
    str | None,
    typer.Option(
        "--check",
        metavar="FILE",
        help="Check a certificate instead, by code that knows nothing of the prover; "
        "with MODEL, also that it is about that text.",
    ),
]
Plot = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Draw the ranges, for one or two unknowns (png, svg, pdf)."),
]


@reported
def prove(
    model: Model = None,
    ranges: Range = None,
    claim: Claim = None,
    settings: Set = None,
    until: Until = None,
    finest: Finest = 16,
    seconds: Seconds = None,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    journal: JournalFile = None,
    certificate: CertificateFile = None,
    check: CheckFile = None,
    report: Report = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Prove for all numbers in the ranges that a property holds, or that it does not.

    Ctrl-C and a kill keep what was found out: the same command goes on from there.
    """
    from dyverse.cli.work.proving import Order, check_certificate, prove_model

    if check is not None:
        raise typer.Exit(check_certificate(check, model, as_json=as_json))
    if model is None:
        raise typer.BadParameter("name a model, or a certificate with --check")
    order = Order(
        ranges=tuple(ranges or ()),
        claim=claim,
        settings=tuple(settings or ()),
        until=until,
        finest=finest,
        seconds=seconds,
        workers=workers,
        scheduler=scheduler,
        journal=journal,
        certificate=certificate,
        report=report,
        plot=plot,
    )
    raise typer.Exit(prove_model(model, order, as_json=as_json))
