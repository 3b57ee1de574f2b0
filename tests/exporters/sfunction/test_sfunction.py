"""S-functions behind a stand-in of Simulink's interface: they end where our own runs do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from dyverse.exporters.c.folder import write_files
from dyverse.exporters.c.model import Exported
from dyverse.exporters.c.sfunction import block_name, sfunction
from dyverse.simulation.choice import Seeded
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text
from tests.exporters.c.building import compile_c, in_c
from tests.exporters.c.test_choices import WALK

HERE = Path(__file__).parent
FLAGS = ("-std=c99", "-O0", "-I.", "-Wall", "-Wextra", "-Werror")


def _block(found: Exported, folder: Path) -> Path:
    sources = folder / "sources"
    write_files(str(sources), sfunction(found))
    for name in ("simstruc.h", "cg_sfun.h"):
        shutil.copy(HERE / name, sources)
    answer = compile_c(sources, [f"{block_name(found)}.c", "unit.c"], "block", FLAGS)
    assert answer.returncode == 0, answer.stderr
    return sources / "block"


def _run(block: Path, *arguments: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(block), *map(repr, arguments)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("name", "until"),
    [
        ("bouncing-ball", 12.0),
        ("thermostat", 20.0),
        pytest.param("racket", 3.5, marks=pytest.mark.long),
        pytest.param("brake", 0.6, marks=pytest.mark.long),
        pytest.param("stick-or-slide", 1.0, marks=pytest.mark.long),
        pytest.param("robot", 24.0, marks=pytest.mark.long),
    ],
)
def test_a_block_ends_where_our_run_does(name: str, until: float, tmp_path: Path) -> None:
    model, found = in_c(example_text(name))
    ours = simulate(model.automaton(), until=until, options=Options(solver="native"))
    made = _run(_block(found, tmp_path), until, until / 2000)
    time, resets, *outputs = map(float, made.stdout.split())
    assert time == pytest.approx(until)
    assert np.array(outputs[: len(found.states)]) == pytest.approx(ours.end.values, abs=1e-6)
    events = (event.time for event in ours.events if event.kind != "graze")
    times = {round(time, 9) for time in events if 0 < time < until - 1e-6}
    assert resets >= len(times)


def test_the_dialog_sets_all_settings_or_none(tmp_path: Path) -> None:
    _, found = in_c(example_text("bouncing-ball"))
    block = _block(found, tmp_path)
    own = [setting.value for setting in found.settings]
    names = [setting.name for setting in found.settings]
    plain, same = _run(block, 1.0, 0.01), _run(block, 1.0, 0.01, *own)
    assert plain.stdout == same.stdout
    assert "a number for each setting" in _run(block, 1.0, 0.01, 1.0).stderr
    own[names.index("e")] = 2.0
    assert "settings that cannot be" in _run(block, 1.0, 0.01, *own).stderr


def test_the_last_number_of_the_dialog_is_the_seed(tmp_path: Path) -> None:
    model, found = in_c(WALK)
    block, until = _block(found, tmp_path), 4.05
    for seed in (3, 8):
        options = Options(solver="native", choice=Seeded(seed))
        ours = simulate(model.automaton(), until=until, options=options)
        made = _run(block, until, until / 2000, float(seed))
        outputs = [float(text) for text in made.stdout.split()[2:]]
        assert outputs == pytest.approx(ours.end.values, abs=1e-6)
