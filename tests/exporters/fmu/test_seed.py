"""A seed is a parameter of an FMU: an importer that sets it gets the run that `simulate` draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dyverse.exporters.fmu.archive import Format
from dyverse.simulation.choice import Seeded
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from tests.exporters.c.test_choices import WALK
from tests.exporters.fmu.building import fmu

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")

UNTIL = 6.05  # s, not at an event


@pytest.mark.parametrize("to", ["fmu2", "fmu3"])
def test_an_importer_sets_the_seed(to: Format, tmp_path: Path) -> None:
    model, found, place = fmu(WALK, tmp_path, to)
    assert validation.validate_fmu(str(place)) == []
    names = [state.name for state in found.states]
    for seed in (3, 2**31 - 1):
        options = Options(solver="native", choice=Seeded(seed))
        end = simulate(model.automaton(), until=UNTIL, options=options).end.values
        for way in ("CoSimulation", "ModelExchange"):
            made: Any = fmpy.simulate_fmu(
                str(place),
                fmi_type=way,
                stop_time=UNTIL,
                output_interval=UNTIL / 10,
                start_values={"seed": seed},
                output=names,
            )
            assert [made[name][-1] for name in names] == pytest.approx(end, abs=1e-6), way
