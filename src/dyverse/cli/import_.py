"""``dyverse import``: a file of another program as a model text."""

from __future__ import annotations

from typing import Annotated

import typer

from dyverse.cli.arguments.declared import AsJson, Trust
from dyverse.cli.terminal.reported import reported

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="An FMU of FMI 2.0 or 3.0, or a robot: URDF or MJCF (.urdf, .xml)."
    ),
]
Output = Annotated[
    str, typer.Option("--output", "-o", metavar="MODEL", help="Where to ('-': standard output).")
]

Start = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="JOINT=VALUE",
        help="Where a joint of a robot begins (rad, m), if not where the file says; repeatable.",
    ),
]

Free = Annotated[
    bool, typer.Option("--free", help="Let the base of a URDF robot move, which else stands still.")
]


@reported
def import_(
    file: File,
    output: Output,
    start: Start = None,
    free: Free = False,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Write a model text for a file of another program, and say what of it was dropped."""
    from dyverse.cli.work.importing import Wishes, import_file

    import_file(file, output, Wishes(start or [], free, trust), as_json=as_json)
