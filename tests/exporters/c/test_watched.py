"""Runs of exported models that look at slopes, under the sanitizers and under valgrind."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dyverse.exporters.c.quantities import GROUPS
from dyverse.simulation.simulate import Options, simulate
from dyverse.text.examples import example_text
from tests.exporters.c.building import compile_c, in_c, written
from tests.exporters.c.test_slopes import BOX, LEG, RESISTED
from tests.native.sanitizing import QUICK
from tests.native.test_joints import MECHANISMS
from tests.native.test_valgrind import WATCH

TEXTS = {
    "leg": LEG,
    "resisted": RESISTED,
    "hammer": f"{MECHANISMS['hammer'][0]}\nhorizon 1.56\n",
    "box": f"{BOX}horizon 0.2\n",
    **{name: example_text(name) for name in ("racket", "four-bar", "rolling-to-rest")},
}
NAMES = [pytest.param(name, marks=() if name == "hammer" else pytest.mark.long) for name in TEXTS]
OPEN = ("box",)  # four corners share a load: there are no formulas for how they do


def built(name: str, folder: Path, flags: tuple[str, ...]) -> Path | None:
    """The program; None where the compiler does not know the flags."""
    sources = written(in_c(TEXTS[name], GROUPS)[1], folder)
    shutil.copy(Path(__file__).with_name("slopes.c"), sources)
    answer = compile_c(sources, ["unit.c", "slopes.c"], "slopes", (*flags, "-I."))
    assert "slopes.c" not in answer.stderr, answer.stderr
    return sources / "slopes" if answer.returncode == 0 else None


def assert_clean_run(name: str, command: list[str]) -> None:
    """Nothing is found, formulas are where they should be, and the run is that of the engine."""
    made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert made.stderr == ""
    assert made.returncode == 0
    code, looks, known, *values = made.stdout.split()
    assert code == "0"
    assert int(known) == int(looks) or (name in OPEN and 0 < int(known) < int(looks))
    model = in_c(TEXTS[name])[0]
    run = simulate(model.automaton(), until=model.until({}, 10.0), options=Options(solver="native"))
    assert [float(value) for value in values] == pytest.approx(run.end.values, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_by_the_sanitizers(name: str, tmp_path: Path) -> None:
    program = built(name, tmp_path, QUICK)
    if program is None:
        pytest.skip("this compiler has no sanitizers")
    assert_clean_run(name, [str(program)])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_by_valgrind(name: str, tmp_path: Path) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    program = built(name, tmp_path, ("-std=c99", "-O1", "-g"))
    assert program is not None
    assert_clean_run(name, [*WATCH, str(program)])
