"""The C with all warnings, and a script under the sanitizers in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dyverse.native.compile import compiler
from dyverse.native.errors import NativeError

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
SANITIZE = (
    "-std=c99",
    "-O1",
    "-g",
    "-fPIC",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)
QUICK = tuple("-O0" if flag == "-O1" else flag for flag in SANITIZE)  # compiled in half the time


def warnings_of(unit: Path, folder: Path) -> str:
    """What the compiler has to say about a unit."""
    command = [*compiler().command, *WARNINGS, "-c", str(unit), "-o", str(folder / "unit.o")]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def assert_clean(script: str, folder: Path) -> None:
    """Run ``script``, which ends by printing ``clean``, with the sanitizers on guard."""
    environment = {
        **os.environ,
        "LD_PRELOAD": _sanitizer(folder),
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself leaks
        "DYVERSE_CACHE": str(folder),
    }
    answer = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        timeout=1200,
    )
    assert answer.stdout == "clean\n", answer.stderr[-3000:]


def _sanitizer(folder: Path) -> str:
    """The sanitizer's library, to be loaded before all others; skips if there is none."""
    try:
        command = compiler().command
    except NativeError as error:
        pytest.skip(str(error))
    trial = folder / "trial.c"
    trial.write_text("int main(void) { return 0; }")
    compile_it = [*command, *SANITIZE, str(trial), "-o", str(folder / "trial")]
    if subprocess.run(compile_it, capture_output=True, check=False).returncode != 0:
        pytest.skip("this compiler has no sanitizers")
    asked = subprocess.run(
        [*command, "-print-file-name=libasan.so"], capture_output=True, text=True, check=False
    )
    if not Path(asked.stdout.strip()).is_absolute():
        pytest.skip("the sanitizer's library is not found")
    return asked.stdout.strip()
