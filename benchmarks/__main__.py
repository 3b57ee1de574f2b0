"""``python -m benchmarks [NAME …] [--quick | --keep]``: measure, print, and keep what was found.

A whole run writes ``results.json`` and ``RESULTS.md`` beside this file. A quick run, or a run of
some benchmarks only, just prints; with ``--keep`` the latter takes the place of what is kept of
them, and says when it was measured. The exit code is 1 if a requirement is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from rich.console import Console

from benchmarks import (
    chain,
    enumerate,  # noqa: A004
    event,
    export,
    gas,
    initial,
    native,
    network,
    omega,
    parse,
    piles,
    session,
    simulate,
    solids,
    solve,
)
from benchmarks.results import kept, renewed, results, write
from benchmarks.table import Table, rich_table

BENCHMARKS: dict[str, Callable[[bool], Table]] = {
    "enumerate": enumerate.measure,
    "initial": initial.measure,
    "event": event.measure,
    "simulate": simulate.measure,
    "solve": solve.measure,
    "native": native.measure,
    "network": network.measure,
    "parse": parse.measure,
    "omega": omega.measure,
    "piles": piles.measure,
    "session": session.measure,
    "gas": gas.measure,
    "export": export.measure,
    "chain": chain.measure,
    "solids": solids.measure,
}


def main(arguments: list[str]) -> int:
    """Run the benchmarks that were asked for."""
    chosen = _parser().parse_args(arguments)
    console = Console()
    if not console.is_terminal:
        console.width = 160
    tables = {}
    for name in chosen.names or BENCHMARKS:
        tables[name] = BENCHMARKS[name](chosen.quick)
        console.print(rich_table(tables[name]))
    if not chosen.names and not chosen.quick:
        write(results(tables))
    elif chosen.keep:
        write(renewed(kept(), tables))
    missed = [r for table in tables.values() for r in table.requirements if not r.met]
    return 1 if missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", type=_name, help=", ".join(BENCHMARKS))
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--quick", action="store_true", help="smaller and fewer; keeps nothing")
    extent.add_argument("--keep", action="store_true", help="keep what NAME … found")
    return parser


def _name(text: str) -> str:
    if text not in BENCHMARKS:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(BENCHMARKS)}")
    return text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
