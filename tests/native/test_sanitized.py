"""The C under the sanitizers and with all warnings, in a process of its own."""

from __future__ import annotations

from pathlib import Path

from dyverse.native.compile import SOURCES
from tests.native.sanitizing import QUICK, SANITIZE, assert_clean, warnings_of

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

# Heaps that jam or whose contacts part and close at once, functions of functions that jump, ropes
# and limits that are hit, and balls that roll and spin to rest.
NEWER = """
from benchmarks.piles import pile
from dyverse.generation.automaton import generate
from dyverse.generation.model import parse_model
from dyverse.generation.tolerances import DEFAULT, Tolerances
from dyverse.native import engine
from dyverse.native.model import native_model
from dyverse.text.examples import example_text
from tests.native.test_random_mechanisms import mechanism
from tests.simulation.test_clusters import saved
from tests.simulation.test_functions_of_jumps import BODY, FUNCTIONS, STEPS
from tests.simulation.test_resistance import RHO, SPUN, ball
FLAGS = {flags!r}
engine.native_model = lambda world, numbers: native_model(world, numbers, FLAGS)
heaps = [("wedged", pile(20, seed=1), Tolerances(heap=1e-6)), ("parting", pile(10), DEFAULT)]
for name, model, tolerances in heaps:
    start = saved(name)
    automaton = generate(model, tolerances=tolerances)
    assert engine.simulate_native(automaton, start, until=start.time + 1e-5).stop == "horizon"
law = f"friction 0.5  rolling {{RHO}}  spinning {{SPUN}}"
spun = ball("velocity (0.6, 0, 0.8)  spin (8, 3, -6)", law)
nested = [BODY.format(rate=f.replace("U", f"({{STEPS}})")) for f in FUNCTIONS]
rest = example_text("rolling-to-rest")
for text, until in ((spun, 4.0), (rest, 4.0), (nested[-1], 4.0), (nested[-2], 4.0),
                    *((mechanism(seed), 0.25) for seed in (9, 18))):
    automaton = generate(parse_model(text).world)
    assert engine.simulate_native(automaton, until=until).stop == "horizon"
print("clean")
"""


def test_the_runtime_compiles_without_a_warning(tmp_path: Path) -> None:
    assert warnings_of(SOURCES / "runtime.c", tmp_path) == ""


def test_nothing_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    assert_clean(SCENES.format(flags=SANITIZE), tmp_path)


def test_nothing_is_found_in_jams_joints_and_nested_jumps(tmp_path: Path) -> None:
    assert_clean(NEWER.format(flags=QUICK), tmp_path)
