"""Options that several commands have: the same word means the same."""

from __future__ import annotations

from typing import Annotated

import typer

ModelArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="A file of model text or of witnesses, or example:NAME."),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, nothing else.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set a parameter, an input without formula, or a start such as ball1.vx; an input may "
        "have several numbers, u=1:2:3, each for an equal part of the time, or from a time on, "
        "u=1:2@0.5:3@2; with :linear behind them they are joined by straight lines; repeatable.",
    ),
]
Trust = Annotated[
    bool,
    typer.Option("--trust", help="Let the code of FMUs run: it can do all that you can."),
]
EvidenceUntil = Annotated[
    float | None,
    typer.Option(metavar="T", help="How long to look for evidence (s); else the model's horizon."),
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
Workers = Annotated[int, typer.Option(metavar="N", help="Search on so many processes.")]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Search on the Dask cluster of this scheduler."),
]
JournalFile = Annotated[
    str | None,
    typer.Option(
        "--journal",
        metavar="FILE",
        help="Keep the journal here; else it is in the cache until the search is done.",
    ),
]
Range = Annotated[
    list[str] | None,
    typer.Option(
        "--range",
        metavar="NAME=LO:HI",
        help="Leave a parameter, port or start open in a range, besides those of the model; "
        "NAME=LO:HI:N for a port that is constant in N pieces, N:linear for straight lines, "
        "N:switching with open times; repeatable.",
    ),
]
Claim = Annotated[
    str | None,
    typer.Option(
        "--property", metavar="NAME", help="The property that is meant, if there are several."
    ),
]
Until = Annotated[
    float | None,
    typer.Option(
        metavar="T", help="How long to look (s); else the property's end, or the model's."
    ),
]
Seconds = Annotated[
    float | None, typer.Option("--time", metavar="S", help="Give up after so many seconds.")
]
Report = Annotated[str | None, typer.Option(metavar="FILE", help="Write a one-file web page.")]
