"""Random calls of FMI in any order, under the sanitizers: nothing crashes, leaks or overflows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dyverse.exporters.c.folder import write_files
from dyverse.exporters.fmu import fmi2, fmi3
from dyverse.exporters.fmu.archive import interface_files
from dyverse.text.examples import example_text
from tests.exporters.c.building import compile_c, in_c

SANITIZE = ("-std=c99", "-O0", "-g", "-I.", "-fsanitize=address,undefined")
STRICT = ("-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
GROUPS = ("counts", "locations", "gaps", "forces")


LONG = ("racket", "bouncing-ball", "relay", "stick-or-slide", "robot")


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize(
    ("name", "calls"),
    [("racket", 3_000), *(pytest.param(n, 100_000, marks=pytest.mark.long) for n in LONG)],
)
def test_no_order_of_calls_does_harm(name: str, calls: int, version: str, tmp_path: Path) -> None:
    _, found = in_c(example_text(name), GROUPS)
    sources, program = tmp_path / "sources", f"fuzz{version}.c"
    write_files(str(sources), {**found.sources, **interface_files()})
    for file in (program, "fuzz.h"):
        shutil.copy(Path(__file__).with_name(file), sources)
    units = fmi2.UNITS if version == "2" else fmi3.UNITS
    answer = compile_c(sources, [*units, program], "fuzz", (*SANITIZE, *STRICT))
    assert "fuzz" not in answer.stderr, answer.stderr
    if answer.returncode != 0:
        pytest.skip("this compiler has no sanitizers")
    made = subprocess.run(
        [str(sources / "fuzz"), str(calls), "1"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr[-3000:]
    assert "complaints" in made.stdout
