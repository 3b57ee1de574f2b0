"""``dyverse export``: a model in the format of another program."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from dyverse.cli.arguments.declared import AsJson, ModelArgument, Set
from dyverse.cli.terminal.reported import reported

To = Annotated[
    Literal["c", "dot", "fmu2", "fmu3", "hoa", "json", "sfunction", "tck", "uppaal"],
    typer.Option(
        "--to", help="C, Graphviz, FMI 2.0 or 3.0, HOA, JSON, S-function, TChecker, or UPPAAL."
    ),
]
Output = Annotated[
    str, typer.Option("--output", "-o", metavar="FILE", help="Where to ('-': standard output).")
]
Outputs = Annotated[
    str,
    typer.Option(
        metavar="GROUPS",
        help="C, FMI: more outputs than state and energy: counts, locations, gaps, forces, or all.",
    ),
]
Profile = Annotated[
    Literal["stub", "smc"],
    typer.Option(help="UPPAAL: timed automata for checking, or rates for statistical checking."),
]
Unit = Annotated[float, typer.Option(metavar="S", help="Timed automata: seconds per unit of time.")]
Bound = Annotated[
    list[str] | None,
    typer.Option(
        "--bound",
        metavar="SIGNAL=LO:HI",
        help="Timed automata: established times between signals of hybrid objects; repeatable.",
    ),
]
Establish = Annotated[
    float | None,
    typer.Option(
        metavar="T",
        help="Timed automata: establish the other bounds for all runs to T (s), or 'inf'.",
    ),
]
Rule = Annotated[
    Literal["must", "may"],
    typer.Option(help="For all runs in which enabled jumps must be made, or may be, as in UPPAAL."),
]
Observe = Annotated[
    float | None,
    typer.Option(metavar="T", help="Timed automata: observe what is left in a run to T (s)."),
]


@reported
def export(
    model: ModelArgument,
    to: To,
    output: Output,
    profile: Profile = "stub",
    unit: Unit = 1.0,
    bounds: Bound = None,
    establish: Establish = None,
    rule: Rule = "must",
    observe: Observe = None,
    outputs: Outputs = "",
    settings: Set = None,
    as_json: AsJson = False,
) -> None:
    """Write a model for C compilers, FMI tools, Graphviz, UPPAAL, TChecker and others."""
    from dyverse.cli.work.bounding import Wishes
    from dyverse.cli.work.exporting import Order, export_model

    order = Order(
        to=to,
        output=output,
        profile=profile,
        unit=unit,
        wishes=Wishes(said=tuple(bounds or ()), establish=establish, rule=rule, observe=observe),
        settings=tuple(settings or ()),
        outputs=outputs,
    )
    export_model(model, order, as_json=as_json)
