"""Random models, bodies, automata and both: our engine, Co-Simulation and Model Exchange."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dyverse.exporters.c.folder import write_archive
from dyverse.exporters.c.model import exported
from dyverse.exporters.fmu.archive import archive
from dyverse.generation.automaton import generate
from dyverse.generation.model import Model, parse_model
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.exporters.fmu.building import QUICK
from tests.native.coupled_models import random_text
from tests.native.test_random import scene

fmpy = pytest.importorskip("fmpy")

UNTIL = 1.0  # s
MANY = 20  # impacts, each of which makes more of CVode's error: see test_tolerance
COUNTS = {"bodies": 40, "automata": 20, "both": 40}
SEEDS = [
    pytest.param(kind, seed, marks=() if seed < 2 else pytest.mark.long)
    for kind, count in COUNTS.items()
    for seed in range(count)
]
AUTOMATA = """
channel tick {{ broadcast }}
automaton swing {{
  real x = {0:.3f}, v = {1:.3f}
  clock c
  int n = 0 in [0, 99]
  location free {{ x' = v  v' = -{2:.3f}*x + 3*pump.y }}
  location held {{ x' = v  v' = -{3:.3f}*v - 20*x*abs(x)  invariant c <= {4:.3f} }}
  initial free
  edge free -> held {{
    when x >= {5:.3f} and v > 0  do v := -0.7*v, c := 0, n := n + 1  sync tick!
  }}
  edge held -> free {{ when c >= {4:.3f} }}
}}
automaton pump {{
  real y
  location fill {{ y' = {6:.3f} - y }}
  location drain {{ y' = -{7:.3f}*y  invariant y >= 0.1 }}
  initial fill
  edge fill -> drain {{ when y > 0.2  sync tick? }}
  edge drain -> fill {{ when y <= 0.1 }}
}}
system swing || pump
"""
LEAST = (-0.5, 3, 20, 0.5, 0.05, 0.05, 0.5, 2)
MOST = (0, 6, 200, 3, 0.2, 0.15, 3, 9)


def _model(kind: str, seed: int) -> Model:
    if kind == "bodies":
        return Model(scene(seed))
    if kind == "both":
        return parse_model(random_text(seed))
    draws = np.random.default_rng(seed).uniform(LEAST, MOST)
    return parse_model(AUTOMATA.format(*draws.tolist()))


@pytest.mark.parametrize(("kind", "seed"), SEEDS)
def test_three_ways_to_the_same_end(kind: str, seed: int, tmp_path: Path) -> None:
    model = _model(kind, seed)
    automaton = generate(model.world) if kind == "bodies" else model.automaton()
    found = exported("model", automaton, world=model.world, described=model.described)
    place = tmp_path / "model.fmu"
    write_archive(place, archive(found, "fmu2" if seed % 2 else "fmu3", flags=QUICK).files)
    run = simulate(automaton, until=UNTIL, options=Options(solver="native"))
    assert kind != "automata" or run.events
    end = run.end.values
    names = [state.name for state in found.states]
    tolerance = 1e-11 if len(run.events) < MANY else 1e-13
    for way, step, near in (("CoSimulation", 7, 1e-7), ("ModelExchange", 20, 1e-5)):
        made = fmpy.simulate_fmu(
            str(place),
            fmi_type=way,
            stop_time=UNTIL,
            output_interval=UNTIL / step,
            step_size=UNTIL / step,
            relative_tolerance=tolerance,
            output=names,
        )
        assert np.array([made[name][-1] for name in names]) == pytest.approx(end, abs=near)
