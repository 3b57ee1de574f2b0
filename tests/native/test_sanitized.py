"""The C under the sanitizers and with all warnings, in a process of its own."""

from __future__ import annotations

from pathlib import Path

from dyverse.native.compile import SOURCES
from tests.native.sanitizing import SANITIZE, assert_clean, warnings_of

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
    assert warnings_of(SOURCES / "runtime.c", tmp_path) == ""


def test_nothing_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    assert_clean(SCENES.format(flags=SANITIZE), tmp_path)
