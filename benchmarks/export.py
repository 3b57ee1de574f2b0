"""What does a step of Co-Simulation cost, on top of what the run costs?

Examples as FMUs of FMI 2.0, compiled with a loop in C that plays the importer
(``export_loop.c``): a hundred communication steps, after each of which all states are read, against
our own engine that goes to the same points without FMI, and against the same run in one piece.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from benchmarks.table import Cell, Requirement, Table
from dyverse.cli.arguments.opened import opened
from dyverse.cli.work.exporting_code import exported_model, model_name
from dyverse.exporters.c.folder import write_files
from dyverse.exporters.fmu import fmi2
from dyverse.exporters.fmu.archive import interface_files
from dyverse.native.compile import compiler
from dyverse.text.examples import example_names

EXAMPLES = tuple(name for name in example_names() if name != "balls-4")  # as balls-3, and larger
STEPS = 100
LIMIT = 2.0  # times our own engine
LOOP = Path(__file__).with_name("export_loop.c")


def measure(quick: bool) -> Table:
    """One row per example."""
    rows = [_row(name, 2 if quick else 20) for name in (EXAMPLES[:2] if quick else EXAMPLES)]
    columns = ("example", "states", "in one piece µs", "engine in steps µs", "FMU in steps µs")
    return Table(
        question="Co-Simulation in 100 communication steps against our own engine",
        columns=(*columns, "FMU over engine", "FMU over one piece"),
        rows=tuple(rows),
        requirements=tuple(
            Requirement(text=f"{row[0]}, FMU over engine", value=float(row[5]), limit=LIMIT)
            for row in rows
        ),
        remarks=(
            "processor time of one run, the best of up to 20 measured, by turns in one process",
            "over the horizon of each example, with all its events",
        ),
    )


def _row(name: str, repeat: int) -> tuple[Cell, ...]:
    model = f"example:{name}"
    made = exported_model(opened(model), model_name(model), (), frozenset())
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "sources"
        files = {**made.sources, **interface_files(), LOOP.name: LOOP.read_text("utf-8")}
        write_files(str(sources), files)
        command = [*compiler().command, "-std=c99", "-O2", "-I.", *fmi2.UNITS, LOOP.name]
        subprocess.run([*command, "-o", "loop", "-lm"], cwd=sources, check=True)
        loop = [str(sources / "loop"), str(STEPS), str(repeat)]
        told = subprocess.run(loop, capture_output=True, text=True, check=True).stdout
    whole, own, steps = (1e6 * float(text) for text in told.split())
    return (name, len(made.states), whole, own, steps, steps / own, steps / whole)
