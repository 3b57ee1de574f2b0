"""The C by itself under valgrind: nothing read before it is written, nothing lost."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dyverse.bodies.build import always
from dyverse.bodies.read import parse_world
from dyverse.bodies.world import World
from dyverse.generation.automaton import generate
from dyverse.native.engine import simulate_native
from tests import scenes
from tests.native.driver import program, runtime
from tests.native.test_engine import rubbing_spheres, stribeck
from tests.native.test_joints import MECHANISMS
from tests.native.test_properties import on_springs

FLAGS = ("-std=c99", "-O1", "-g", "-fno-math-errno")
WATCH = [
    *("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"),
    *("--show-leak-kinds=all", "--errors-for-leak-kinds=all", "--track-origins=yes"),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    return runtime(tmp_path_factory.mktemp("runtime"), FLAGS)


@pytest.mark.parametrize(
    ("model", "until"),
    [
        (scenes.drop(), 19.0),
        (rubbing_spheres(), 1.0),
        (stribeck(), 1.0),
        (scenes.stack(12), 0.02),
        *((parse_world(MECHANISMS[name][0]), 0.6) for name in ("ropes", "limited", "stopped")),
        (on_springs(always("strong", "normal_force[a,floor] < 30 and energy > 1")), 0.3),
    ],
    ids=["drop", "rubbing", "stribeck", "stack", "ropes", "limited", "stopped", "springs"],
)
def test_a_run_is_clean_and_the_same_as_in_this_process(
    model: World, until: float, base: Path, tmp_path: Path
) -> None:
    automaton = generate(model)
    driver = program(tmp_path, automaton, base, until=until, flags=FLAGS)
    watched = subprocess.run([*WATCH, str(driver)], capture_output=True, text=True, check=False)
    assert watched.stderr == ""
    assert watched.returncode == 0
    _, events, *values = watched.stdout.split()
    run = simulate_native(automaton, until=until)
    assert int(events) == len(run.events)
    assert [float(value) for value in values] == pytest.approx(run.end.values, abs=1e-7)
