"""Random calls of FMI in any order, under the sanitizers: nothing crashes, leaks or overflows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dyverse.exporters.c.folder import write_files
from dyverse.exporters.fmu.archive import interface_files
from dyverse.exporters.fmu.fmi2 import UNITS
from dyverse.text.examples import example_text
from tests.exporters.c.building import compile_c, in_c

SANITIZE = ("-std=c99", "-O0", "-g", "-I.", "-fsanitize=address,undefined")
STRICT = ("-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
GROUPS = ("counts", "locations", "gaps", "forces")


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("racket", 3_000),
        pytest.param("racket", 100_000, marks=pytest.mark.long),
        pytest.param("bouncing-ball", 100_000, marks=pytest.mark.long),
        pytest.param("relay", 100_000, marks=pytest.mark.long),
        pytest.param("stick-or-slide", 100_000, marks=pytest.mark.long),
        pytest.param("robot", 100_000, marks=pytest.mark.long),
    ],
)
def test_no_order_of_calls_does_harm(name: str, calls: int, tmp_path: Path) -> None:
    _, found = in_c(example_text(name), GROUPS)
    sources = tmp_path / "sources"
    write_files(str(sources), {**found.sources, **interface_files()})
    shutil.copy(Path(__file__).with_name("fuzz2.c"), sources)
    answer = compile_c(sources, [*UNITS, "fuzz2.c"], "fuzz", (*SANITIZE, *STRICT))
    if answer.returncode != 0:
        pytest.skip("this compiler has no sanitizers")
    made = subprocess.run(
        [str(sources / "fuzz"), str(calls), "1"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr[-3000:]
    assert "complaints" in made.stdout
