"""``dyverse examples``: the models that ship with dyverse."""

from __future__ import annotations

from dyverse.cli.arguments.declared import AsJson
from dyverse.cli.terminal.reported import print_json, reported


@reported
def examples(as_json: AsJson = False) -> None:
    """List the examples; use one as MODEL with example:NAME (balls-N exists for any N)."""
    from dyverse.text.examples import example_description, example_names

    rows = [{"name": name, "description": example_description(name)} for name in example_names()]
    if as_json:
        print_json({"examples": rows})
        return
    from dyverse.cli.terminal.tables import print_table

    print_table(("name", "what it shows"), [tuple(row.values()) for row in rows])
