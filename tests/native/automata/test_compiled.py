"""Compiling automata: once for all settings, kept, clean under the sanitizers, and not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dyverse.native.automata import model as models
from dyverse.native.automata.library import RUNTIME, automaton_library
from dyverse.native.automata.model import automaton_model
from dyverse.native.header import headers
from dyverse.simulation.simulate import NoNativeEngineWarning, Options, simulate
from tests.catalogue import bouncing_ball, thermostat
from tests.native.sanitizing import QUICK, assert_clean, warnings_of

NATIVE = Options(solver="native")

SUBJECTS = """
from dyverse.native.automata import engine, many
from dyverse.native.automata.model import automaton_model
from dyverse.automaton.network.writing import network
from tests.catalogue import bouncing_ball
from tests.native.automata.models import models
from dyverse.simulation.choice import Latest, Priority, Seeded
from dyverse.simulation.native import native_options
from dyverse.simulation.options import Options
from tests.automaton.network.test_network import with_procedure
from tests.native.automata.test_agreement import called
from tests.native.automata.test_networks import clocks, lamp, swap
from tests.simulation.test_switching import written
FLAGS = {flags!r}
engine.automaton_model = lambda automaton: automaton_model(automaton, (), FLAGS)
many.automaton_model = lambda automaton, watched: automaton_model(automaton, watched, FLAGS)
names = ["belt", "bouncing-ball-floor", "robot", "two-tanks", "catalogue ball on equality",
         "catalogue square root"]
for name in names:
    automaton, until = models()[name]
    engine.simulate_automaton(automaton, until=min(until, 15.0))
lamps = network(*(lamp(i) for i in range(5)), shared=clocks(5))
for automaton in (swap(), lamps):
    engine.simulate_automaton(automaton, until=4.0)
rates = {{"x": "v", "v": "-sign(x + v)", "z": "floor(t) - sign(z) + abs(v)"}}
state = None
for until in (0.5, 1.5, 3.0):
    state = engine.simulate_automaton(written(rates, {{"x": 1}}), state, until=until).end
for choice in (Priority(), Seeded(1), Seeded(2, wait=0.7), Latest()):
    for tick in (None, 0.3):
        options = native_options(Options(choice=choice, tick=tick))
        engine.simulate_automaton(lamps, until=3.0, options=options)
        engine.simulate_automaton(models()["robot"][0], until=5.0, options=options)
ends = native_options(Options(tick=0.3, invariant="endpoints"))
engine.simulate_automaton(models()["robot"][0], until=5.0, options=ends)
for automaton in (called(), with_procedure(3), with_procedure(2001)):
    engine.simulate_automaton(automaton, until=2.0)
formula = bouncing_ball().edges[0].guard
many.simulate_many_automata(bouncing_ball(), {{"e": [0.5, 0.8]}}, until=4.0, watched=[formula])
print("clean")
"""


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DYVERSE_CACHE", str(tmp_path / "cache"))
    forget()
    return tmp_path / "cache"


def forget() -> None:
    for remembered in (automaton_library, models._known, models._made):
        remembered.cache_clear()


def test_one_library_serves_all_settings(empty: Path) -> None:
    for k in (0.1, 0.2, 0.3):
        parameters = tuple((dict(thermostat().parameters) | {"k": k}).items())
        simulate(replace(thermostat(), parameters=parameters), until=5.0, options=NATIVE)
    backwards = replace(thermostat(), parameters=thermostat().parameters[::-1])
    simulate(backwards, until=5.0, options=NATIVE)
    assert len(list(empty.glob("model-*.so"))) == 1


def test_what_is_compiled_is_kept(empty: Path) -> None:
    simulate(thermostat(), until=5.0, options=NATIVE)
    (first,) = empty.glob("model-*.so")
    stamp = first.stat().st_ino
    forget()
    simulate(thermostat(), until=5.0, options=NATIVE)
    assert first.stat().st_ino == stamp


def test_a_broken_file_is_built_again(empty: Path) -> None:
    automaton_model(thermostat())
    (path,) = empty.glob("model-*.so")
    path.unlink()
    path.write_bytes(b"no library")
    forget()
    version = headers().integer_const("DA_VERSION")
    assert automaton_model(thermostat()).library.da_version() == version


def test_without_a_compiler_the_reference_engine_runs_and_says_so(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.warns(NoNativeEngineWarning, match="no C compiler: 'no-such-compiler' not found"):
        run = simulate(bouncing_ball(), until=6.0, options=NATIVE)
    assert run.final == simulate(bouncing_ball(), until=6.0).final


def test_the_runtime_compiles_without_a_warning(tmp_path: Path) -> None:
    assert warnings_of(RUNTIME.folder / f"{RUNTIME.unit}.c", tmp_path) == ""


def test_nothing_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    assert_clean(SUBJECTS.format(flags=QUICK), tmp_path)
