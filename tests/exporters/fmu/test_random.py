"""Random models, bodies alone and with automata: our engine, Co-Simulation and Model Exchange."""

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
SEEDS = [
    pytest.param(kind, seed, marks=() if seed < 3 else pytest.mark.long)
    for kind in ("bodies", "both")
    for seed in range(50)
]


@pytest.mark.parametrize(("kind", "seed"), SEEDS)
def test_three_ways_to_the_same_end(kind: str, seed: int, tmp_path: Path) -> None:
    model = Model(scene(seed)) if kind == "bodies" else parse_model(random_text(seed))
    automaton = generate(model.world) if kind == "bodies" else model.automaton()
    found = exported("model", automaton, world=model.world, described=model.described)
    place = tmp_path / "model.fmu"
    write_archive(place, archive(found, "fmu2" if seed % 2 else "fmu3", flags=QUICK).files)
    run = simulate(automaton, until=UNTIL, options=Options(solver="native"))
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
