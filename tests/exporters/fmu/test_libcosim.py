"""A second importer: libcosim, which stands on FMI Library, follows our FMUs, too.

It comes from PyPI (``pip install libcosimpy``) and is not among what the tests need.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_text
from tests.exporters.fmu.building import fmu

fmpy = pytest.importorskip("fmpy")
MISSING = "libcosim is not here: pip install libcosimpy"
execution: Any = pytest.importorskip("libcosimpy.CosimExecution", reason=MISSING)
slaves: Any = pytest.importorskip("libcosimpy.CosimSlave", reason=MISSING)
observers: Any = pytest.importorskip("libcosimpy.CosimObserver", reason=MISSING)

STEP = 10_000_000  # ns


@pytest.mark.parametrize("name", ["bouncing-ball", "racket", "thermostat", "brake"])
def test_libcosim_ends_where_we_do(name: str, tmp_path: Path) -> None:
    model, found, place = fmu(example_text(name), tmp_path)
    about: Any = fmpy.read_model_description(str(place))
    references = {v.name: v.valueReference for v in about.modelVariables}
    own = execution.CosimExecution.from_step_size(STEP)
    slave = own.add_local_slave(slaves.CosimLocalSlave(str(place), "one"))
    observer = observers.CosimObserver.create_last_value()
    assert own.add_observer(observer)
    assert own.step(round(found.horizon * 1e9 / STEP))
    run = simulate(model.automaton(), until=found.horizon, options=Options(solver="native"))
    made = observer.last_real_values(slave, [references[s.name] for s in found.states])
    assert made == pytest.approx(run.end.values.tolist(), rel=1e-9, abs=1e-9)
