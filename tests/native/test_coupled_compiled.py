"""The C of bodies with automata: without warnings, clean under the sanitizers, or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyverse.native.coupled.library import RUNTIME, coupled_library
from dyverse.simulation.simulate import NoNativeEngineWarning, Options, simulate
from tests.native.coupled_models import random_model
from tests.native.sanitizing import QUICK, assert_clean, warnings_of

SUBJECTS = """
from dyverse.native.coupled import engine
from dyverse.native.coupled.model import coupled_model
from dyverse.simulation.choice import Seeded
from dyverse.simulation.native import native_options
from dyverse.simulation.options import Options
from dyverse.generation.model import parse_model
from tests.native.coupled_models import example_models, random_model
from tests.simulation.test_switching import BRAKED
FLAGS = {flags!r}
engine.coupled_model = lambda automaton: coupled_model(automaton, FLAGS)
for automaton in (example_models()["racket/model"][0], random_model(3)):
    engine.simulate_coupled(automaton, until=1.2)
    drawn = Options(tick=0.05, choice=Seeded(1))
    engine.simulate_coupled(automaton, until=0.5, options=native_options(drawn))
automaton = parse_model(BRAKED).automaton()
state = None
for until in (1.0, 3.0, 6.0):
    state = engine.simulate_coupled(automaton, state, until=until).end
print("clean")
"""


def test_the_runtime_compiles_without_a_warning(tmp_path: Path) -> None:
    assert warnings_of(RUNTIME.folder / f"{RUNTIME.unit}.c", tmp_path) == ""


def test_nothing_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    assert_clean(SUBJECTS.format(flags=QUICK), tmp_path)


def test_without_a_compiler_the_reference_engine_runs_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path))
    monkeypatch.setenv("CC", "no-such-compiler")
    coupled_library.cache_clear()
    automaton = random_model(100)
    with pytest.warns(NoNativeEngineWarning, match="no C compiler: 'no-such-compiler' not found"):
        run = simulate(automaton, until=0.3, options=Options(solver="native"))
    assert run.final == simulate(automaton, until=0.3).final
