"""``dyverse check``: everything that is wrong with a model, with its place."""

from __future__ import annotations

import typer

from dyverse.cli.reported import AsJson, ModelArgument, print_json, reported


@reported
def check(model: ModelArgument, as_json: AsJson = False) -> None:
    """Check a model and report all its problems; exit code 2 if there are any."""
    from dyverse.cli.opened import opened

    found = opened(model)
    if as_json:
        print_json({"problems": []} | ({"notes": list(found.notes)} if found.notes else {}))
    else:
        typer.echo(f"{model}: no problems found ({found.summary})")
