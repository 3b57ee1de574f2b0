"""``dyverse simulate``: one run of a model, event by event."""

from __future__ import annotations

from typing import Annotated

import typer

from dyverse.cli.arguments.declared import AsJson, ModelArgument, Set, Trust
from dyverse.cli.terminal.reported import reported

Until = Annotated[
    float | None,
    typer.Option(
        metavar="T",
        help="When to stop (s); else the model's horizon, the end of its properties, or 10.",
    ),
]
Solver = Annotated[
    str,
    typer.Option(metavar="NAME", help="The engine: native (compiled C), reference, or cvode."),
]
Csv = Annotated[str | None, typer.Option(metavar="FILE", help="Write all signals as CSV.")]
Parquet = Annotated[str | None, typer.Option(metavar="FILE", help="Write all signals as Parquet.")]
Plot = Annotated[
    str | None, typer.Option(metavar="FILE", help="Draw the run: a .png, .svg or .pdf file.")
]
Rtol = Annotated[
    float, typer.Option(metavar="X", help="Relative error that a step of the integrator may make.")
]
MaxEvents = Annotated[int, typer.Option(metavar="N", help="Stop after so many events.")]
Tick = Annotated[
    float | None,
    typer.Option(metavar="T", help="Sampled time: edges are taken only every T seconds."),
]
Choose = Annotated[
    str,
    typer.Option(
        metavar="HOW",
        help="Which enabled edge is taken, and when: priority, latest, seed:N, seed:N:P with the "
        "probability P to wait, or ask.",
    ),
]
Escape = Annotated[
    float | None,
    typer.Option(
        metavar="T",
        help="In a network, jumps of one place to itself within T seconds end in rest (Zeno).",
    ),
]
AllEvents = Annotated[bool, typer.Option("--all-events", help="Show all events, however many.")]


@reported
def simulate(
    model: ModelArgument,
    until: Until = None,
    settings: Set = None,
    solver: Solver = "native",
    csv: Csv = None,
    parquet: Parquet = None,
    plot: Plot = None,
    rtol: Rtol = 1e-10,
    max_events: MaxEvents = 100_000,
    tick: Tick = None,
    choice: Choose = "priority",
    escape: Escape = None,
    all_events: AllEvents = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a model exactly, event by event. Ctrl-C stops it and keeps what was computed."""
    from dyverse.cli.work.simulating import Files, Order, simulate_model

    order = Order(
        until=until,
        settings=tuple(settings or ()),
        solver=solver,
        rtol=rtol,
        max_events=max_events,
        files=Files(csv=csv, parquet=parquet, plot=plot),
        tick=tick,
        choice=choice,
        escape=escape,
        trust=trust,
    )
    code = simulate_model(model, order, as_json=as_json, all_events=all_events)
    raise typer.Exit(code)
