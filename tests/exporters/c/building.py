"""Exported sources on disk, compiled and run with the system's compiler."""

from __future__ import annotations

import csv
import ctypes
import io
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dyverse.exporters.c.folder import write_files
from dyverse.exporters.c.model import Exported, exported
from dyverse.generation.model import Model, parse_model
from dyverse.native.compile import compiler
from dyverse.native.errors import NativeError

QUICK = ("-std=c99", "-O0")


@dataclass(frozen=True, slots=True)
class Table:
    """What the program wrote, and how it ended."""

    names: tuple[str, ...]
    rows: NDArray[np.float64]
    code: int
    said: str


def in_c(text: str, outputs: tuple[str, ...] = (), **given: float) -> tuple[Model, Exported]:
    """A model text, and its model in C."""
    model = parse_model(text)
    automaton, horizon = model.automaton(given), model.until(given, 10.0)
    return model, exported(
        "model",
        automaton,
        world=model.world,
        described=model.described,
        given=given,
        horizon=horizon,
        outputs=frozenset(outputs),
    )


def written(found: Exported, folder: Path) -> Path:
    """Its sources in a new folder."""
    place = folder / "sources"
    write_files(str(place), dict(found.sources))
    return place


def compile_c(
    sources: Path, units: list[str], output: str, flags: tuple[str, ...] = QUICK
) -> subprocess.CompletedProcess[str]:
    """Compile some of the sources; what the compiler has to say."""
    try:
        command = [*compiler().command, *flags, *units, "-o", output, "-lm"]
    except NativeError as error:
        pytest.skip(str(error))
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=sources)


def program(found: Exported, folder: Path, flags: tuple[str, ...] = QUICK) -> Path:
    """The program that writes a run as CSV."""
    sources = written(found, folder)
    answer = compile_c(sources, ["unit.c", "runtime/model/main.c"], "run", flags)
    assert answer.returncode == 0, answer.stderr
    return sources / "run"


def shared(found: Exported, folder: Path) -> ctypes.CDLL:
    """The model as a library of this process."""
    sources = written(found, folder)
    answer = compile_c(sources, ["unit.c"], "model.so", (*QUICK, "-fPIC", "-shared"))
    assert answer.returncode == 0, answer.stderr
    return ctypes.CDLL(str(sources / "model.so"))


def table(run: Path, *arguments: str) -> Table:
    """What the program writes when called so."""
    answer = subprocess.run(
        [str(run), *arguments], capture_output=True, text=True, check=False, timeout=300
    )
    names, *rows = csv.reader(io.StringIO(answer.stdout))
    numbers = np.array([[float(entry) for entry in row] for row in rows]).reshape(-1, len(names))
    return Table(tuple(names), numbers, answer.returncode, answer.stderr)
