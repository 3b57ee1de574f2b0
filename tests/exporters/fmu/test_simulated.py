"""FMPy finds nothing wrong with our FMUs, and follows them to where our own runs end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.automaton.run import Run
from dyverse.exporters.fmu.archive import Format
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_names, example_text
from tests.exporters.fmu.building import fmu

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")

NATIVE = Options(solver="native")
QUICK = ("bouncing-ball", "brake", "newtons-cradle", "relay", "robot", "thermostat")
NAMES = [
    name
    for name in example_names()
    if name not in ("balls-3", "balls-4", "two-tanks")  # the last ends before its horizon
]
EXAMPLES = [
    pytest.param(to, name, marks=() if name in quick else pytest.mark.long)
    for to, quick in (("fmu2", QUICK), ("fmu3", ("brake", "newtons-cradle")))
    for name in NAMES
]


# These make much of an error, in any engine: a thrown die 3e4 (see test_tolerance), a slider that
# comes to rest between two stops, and a bird that jams. CVode may make more steps there, of which
# FMPy allows 500 between two outputs, and some tolerances are finer. For the bird a rounding error
# is enough: bird.y one unit in the last place higher moves its end by 1e-9 in our own engine.
FINER = {"dice": (24, 1e-12), "slider-crank": (8, 1e-9), "woodpecker": (8, 1e-11)}
ROUNDED = {"woodpecker": 1e-8}


def _simulated(
    place: Path,
    kind: str,
    until: float,
    step: float,
    names: Sequence[str],
    tolerance: float = 1e-9,
) -> Any:
    return fmpy.simulate_fmu(
        str(place),
        fmi_type=kind,
        stop_time=until,
        output_interval=step,
        step_size=step,
        relative_tolerance=tolerance,
        solver="CVode",
        output=list(names),
    )


def _last(found: Any, names: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([found[name][-1] for name in names])


def _clear_events(run: Run) -> list[float]:
    """Times of events that have at least a hundredth of a second to themselves."""
    times = [event.time for event in run.events if event.kind != "graze" and event.time > 0]
    rooms = zip([0.0, *times], times, [*times[1:], run.end.time], strict=False)
    return [time for before, time, after in rooms if min(time - before, after - time) > 1e-2]


@pytest.mark.parametrize(("to", "name"), EXAMPLES)
def test_an_importer_follows_us(to: Format, name: str, tmp_path: Path) -> None:
    model, found, place = fmu(example_text(name), tmp_path, to)
    assert validation.validate_fmu(str(place)) == []
    run = simulate(model.automaton(), until=found.horizon, options=NATIVE)
    names, end = [state.name for state in found.states], run.end.values
    near = ROUNDED.get(name, 1e-9)
    for parts in (7, 50, 333):
        made = _simulated(place, "CoSimulation", found.horizon, found.horizon / parts, names)
        assert _last(made, names) == pytest.approx(end, rel=near, abs=near)
    parts, tolerance = FINER.get(name, (1, 1e-9))
    step = min(found.horizon / 50, 0.2) / parts
    made = _simulated(place, "ModelExchange", found.horizon, step, names, tolerance)
    assert made["time"][-1] == pytest.approx(found.horizon)
    assert _last(made, names) == pytest.approx(end, rel=1e-5, abs=1e-5)
    for time in _clear_events(run):
        assert np.min(np.abs(made["time"] - time)) < 1e-6
