"""A C program that runs one scene by itself, as an exported model would: no Python around it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from dyverse.generation.automaton import RigidBodyAutomaton
from dyverse.native.compile import SOURCES, compiler
from dyverse.native.model import NativeModel, native_model

MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "dyverse.h"
{tables}
static const double numbers[] = {{{numbers}}};
static const double start[] = {{{start}}};

int main(void) {{
    dv_structure s = {{{fields}}};
    dv_options o;
    dv_engine *e;
    dv_defaults(&o);
    if (dv_create(&s, &o, &e) != DV_OK) return 2;
    double *x = malloc({size} * sizeof(double));
    dv_set_numbers(e, numbers);
    dv_set_state(e, 0.0, start);
    dv_keep_log(e, 1);
    dv_code code = dv_run(e, {half!r});
    void *saved = malloc(dv_saved_size(e));
    dv_save(e, saved);
    dv_restore(e, saved);
    code = dv_run(e, {until!r});
    double *log = malloc(((size_t)dv_log_used(e) + 1) * sizeof(double));
    dv_take_log(e, log);
    long counts[DV_COUNTS];
    dv_counts(e, counts);
    dv_get_state(e, x);
    printf("%d %ld", (int)code, counts[DV_N_EVENTS]);
    for (int i = 0; i < {size}; i++) printf(" %.17g", x[i]);
    printf("\\n");
    free(saved);
    free(x);
    free(log);
    dv_destroy(e);
    return 0;
}}
"""


def runtime(folder: Path, flags: tuple[str, ...]) -> Path:
    """The runtime as an object file."""
    target = folder / "runtime.o"
    command = [*compiler().command, *flags, "-c", str(SOURCES / "runtime.c"), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    return target


def program(
    folder: Path,
    automaton: RigidBodyAutomaton,
    base: Path,
    *,
    until: float,
    flags: tuple[str, ...],
) -> Path:
    """The driver of one scene: it prints how the run ended, its events and its state."""
    model = native_model(automaton.world, automaton.scene)
    (folder / "main.c").write_text(_text(automaton, model, until), encoding="utf-8")
    (folder / "model.c").write_text(model.code.source, encoding="utf-8")
    sources = [str(folder / "main.c"), str(folder / "model.c"), str(base)]
    target = folder / "driver"
    command = [*compiler().command, *flags, f"-I{SOURCES}", *sources, "-o", str(target), "-lm"]
    subprocess.run(command, check=True, capture_output=True)
    return target


def _text(automaton: RigidBodyAutomaton, model: NativeModel, until: float) -> str:
    structure, start = model.structure, automaton.start().values
    tables = "".join(
        f"static const int {name}[] = {{{_list(table)}}};\n"
        for name, table in structure.tables.items()
    )
    counts = structure.counts | {"properties": structure.properties}
    fields = counts | {name: name for name in structure.tables}
    return MAIN.format(
        tables=tables,
        numbers=_list(model.numbers(automaton.scene)),
        start=_list(start),
        fields=", ".join(f".{name} = {given}" for name, given in fields.items()),
        size=start.size,
        half=until / 2,
        until=until,
    )


def _list(numbers: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> str:
    return ", ".join(map(repr, numbers.tolist()))
