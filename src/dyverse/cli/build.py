"""``dyverse build``: the hybrid automaton of a model, counted and written down."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from dyverse.cli.arguments.declared import AsJson, ModelArgument
from dyverse.cli.terminal.reported import reported

Rules = Annotated[
    Literal["complete", "paper"],
    typer.Option(help="The rules for edges: as printed in the paper, or with its hole closed."),
]
Graph = Annotated[
    Literal["complete", "feasible"],
    typer.Option(help="Combinations of contacts: all of them, or those that geometry allows."),
]
Display = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write a listing for people ('-': standard output)."),
]
Dot = Annotated[str | None, typer.Option(metavar="FILE", help="Write a Graphviz drawing.")]
ModelJson = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the automaton itself as JSON.")
]


@reported
def build(
    model: ModelArgument,
    rules: Rules = "complete",
    graph: Graph = "complete",
    display: Display = None,
    dot: Dot = None,
    model_json: ModelJson = None,
    as_json: AsJson = False,
) -> None:
    """Build the hybrid automaton of a model: locations, computation nodes and edges."""
    from dyverse.cli.work.building import Order, build_model

    order = Order(rules=rules, graph=graph, display=display, dot=dot, model_json=model_json)
    build_model(model, order, as_json=as_json)
