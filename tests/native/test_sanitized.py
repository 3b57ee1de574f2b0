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
from tests.native.test_random_solids import scene as solids
from dyverse.generation.model import parse_model
from tests.native.test_joints import MECHANISMS
from tests.simulation.test_impact_poisson import rod
from tests.simulation.test_resistance import scattered
from tests.simulation.test_switching import ROLLS, SPIN
FLAGS = {flags!r}
models = [scenes.drop(), scenes.slide(), scenes.stack(12), scenes.three_balls(), stribeck(),
          rubbing_spheres(), scenes.interception_game(), *(scene(seed) for seed in range(6)),
          *(solids(seed) for seed in (2, 22)), rod(), rod(mu=0.3, u=-0.6),
          *(parse_model(scattered(seed)).world for seed in (3,))]
engine.native_model = lambda world, numbers: native_model(world, numbers, FLAGS)
for model in models:
    engine.simulate_native(generate(model), until=0.8)
for text in (SPIN, ROLLS):
    made = parse_model(text).automaton()
    first = engine.simulate_native(made, until=1.0).end
    for until in (1.5, 2.5):
        first = engine.simulate_native(made, first, until=until).end
for text, until in MECHANISMS.values():
    engine.simulate_native(generate(parse_model(text).world), until=until)
print("clean")
"""


def test_the_runtime_compiles_without_a_warning(tmp_path: Path) -> None:
    assert warnings_of(SOURCES / "runtime.c", tmp_path) == ""


def test_nothing_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    assert_clean(SCENES.format(flags=SANITIZE), tmp_path)
