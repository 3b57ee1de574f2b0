"""``dyverse check``: everything that is wrong with a model, with its place."""

from __future__ import annotations

from dyverse.cli.arguments.declared import AsJson, ModelArgument
from dyverse.cli.terminal.reported import print_json, print_text, reported
from dyverse.errors import visible


@reported
def check(model: ModelArgument, as_json: AsJson = False) -> None:
    """Check a model and report all its problems; exit code 2 if there are any."""
    from dyverse.cli.arguments.opened import opened

    found = opened(model, "look")
    if as_json:
        print_json({"problems": []} | ({"notes": list(found.notes)} if found.notes else {}))
    else:
        print_text([visible(f"{model}: no problems found ({found.summary})"), "\n"])
