"""The C under the sanitizers and with all warnings, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dyverse.native.compile import SOURCES, compiler
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

SCENES = """
from dyverse.generation.automaton import generate
from dyverse.native import engine
from dyverse.native.model import native_model
from tests import scenes
from tests.native.test_engine import rubbing_spheres, stribeck
from tests.native.test_random import scene
FLAGS = {flags!r}
models = [scenes.drop(), scenes.slide(), scenes.stack(12), scenes.three_balls(), stribeck(),
          rubbing_spheres(), scenes.interception_game(), *(scene(seed) for seed in range(8))]
engine.native_model = lambda world, numbers: native_model(world, numbers, FLAGS)
for model in models:
    engine.simulate_native(generate(model), until=0.8)
print("clean")
"""


def test_the_runtime_compiles_without_a_warning(tmp_path: Path) -> None:
    command = [*compiler().command, *WARNINGS, "-c", str(SOURCES / "runtime.c")]
    answer = subprocess.run(
        [*command, "-o", str(tmp_path / "runtime.o")], capture_output=True, text=True, check=False
    )
    assert answer.stderr == ""


def test_nothing_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    library = _sanitizer(tmp_path)
    environment = {
        **os.environ,
        "LD_PRELOAD": library,
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter itself leaks
        "DYVERSE_CACHE": str(tmp_path),
    }
    answer = subprocess.run(
        [sys.executable, "-c", SCENES.format(flags=SANITIZE)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        timeout=300,
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
