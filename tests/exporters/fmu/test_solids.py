"""Joints, turned and moved bodies in FMUs: a tool that integrates ends where our run does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.exporters.fmu.archive import Format
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.exporters.c.test_model import PENDULUM, WORKSHOP
from tests.exporters.fmu.building import fmu

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")


@pytest.mark.parametrize(("to", "name"), [("fmu2", "pendulum"), ("fmu3", "workshop")])
def test_solids_end_where_ours_do(to: Format, name: str, tmp_path: Path) -> None:
    model, found, place = fmu(PENDULUM if name == "pendulum" else WORKSHOP, tmp_path, to)
    assert validation.validate_fmu(str(place)) == []
    run = simulate(model.automaton(), until=found.horizon, options=Options(solver="native"))
    assert len(run.events) > 1
    names = [state.name for state in found.states]
    assert all(s.unit == "rad" for s in found.states if s.name.endswith(".angle"))
    for way, near in (("CoSimulation", 1e-9), ("ModelExchange", 1e-6)):
        made: Any = fmpy.simulate_fmu(
            str(place),
            fmi_type=way,
            stop_time=found.horizon,
            output_interval=0.02,
            relative_tolerance=1e-10,
            output=names,
        )
        last = np.array([made[name][-1] for name in names])
        assert last == pytest.approx(run.end.values, abs=near), way
