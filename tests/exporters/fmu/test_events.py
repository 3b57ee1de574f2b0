"""FMI 3.0: events that end a step, points inside a step; and building from sources."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyverse.exporters.fmu.archive import Format
from dyverse.simulation.options import Options
from dyverse.simulation.simulate import simulate
from dyverse.text.examples import example_names, example_text
from tests.exporters.fmu.building import fmu

fmpy = pytest.importorskip("fmpy")
fmi3: Any = pytest.importorskip("fmpy.fmi3")

NATIVE = Options(solver="native")
QUICK = ("racket", "relay", "bouncing-ball", "belt")
EXAMPLES = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.long)
    for name in example_names()
    if name not in ("balls-4", "two-tanks")  # the last ends by itself
]
REBUILT = [("fmu3" if i % 2 else "fmu2", name) for i, name in enumerate(example_names())]


@pytest.mark.parametrize("name", EXAMPLES)
def test_with_event_mode_steps_end_at_events(name: str, tmp_path: Path) -> None:
    """At any communication step, at the same times to 1e-9 s, and at no other."""
    model, found, place = fmu(example_text(name), tmp_path, "fmu3", ("counts",))
    run = simulate(model.automaton(), until=found.horizon, options=NATIVE)
    times = [event.time for event in run.events if event.kind != "graze" and event.time > 0]
    for parts in (1, 9, 250):
        made: Any = fmpy.simulate_fmu(
            str(place),
            fmi_type="CoSimulation",
            stop_time=run.end.time,
            output_interval=found.horizon / parts,
            output=["events"],
            use_event_mode=True,
            early_return_allowed=True,
            record_events=True,
        )
        errors = [np.min(np.abs(made["time"] - time)) for time in times]
        assert max(errors, default=0.0) < 1e-9
        assert made["events"][-1] == len(run.events)


class Stepper:
    """One instance for Co-Simulation that shows points inside of steps."""

    def __init__(self, place: Path, folder: Path, *, early: bool, stop: bool = False) -> None:
        fmpy.extract(str(place), str(folder))
        found: Any = fmpy.read_model_description(str(place))
        self.of = {v.name: v.valueReference for v in found.modelVariables}
        self.seen: list[tuple[float, float]] = []
        self.fmu = fmi3.FMU3Slave(
            guid=found.guid,
            unzipDirectory=str(folder),
            modelIdentifier=found.coSimulation.modelIdentifier,
            instanceName="one",
        )

        def show(*told: Any) -> None:
            (height,) = self.fmu.getFloat64([self.of["ball.y"]])
            self.seen.append((told[1], height))
            if stop:
                told[6][0] = True
                told[7][0] = told[1]

        self.fmu.instantiate(earlyReturnAllowed=early, intermediateUpdate=show)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()


@pytest.fixture(scope="module")
def ball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An FMU of the bouncing ball."""
    return fmu(example_text("bouncing-ball"), tmp_path_factory.mktemp("ball"), "fmu3")[2]


def test_points_inside_a_step_are_shown(ball: Path, tmp_path: Path) -> None:
    one = Stepper(ball, tmp_path, early=False)
    one.fmu.doStep(0.0, 10.0)
    impacts = [time for time, height in one.seen if height < 0.1 + 1e-9]
    assert impacts[0] == pytest.approx(2.0192751, abs=1e-6)
    assert len(impacts) == 4  # by 10 s
    assert one.seen[-1][0] == 10.0


def test_a_step_ends_early_where_the_tool_says_so(ball: Path, tmp_path: Path) -> None:
    one = Stepper(ball, tmp_path, early=True, stop=True)
    *_, early, last = one.fmu.doStep(0.0, 10.0)
    assert bool(early)
    assert last == pytest.approx(2.0192751, abs=1e-6)
    assert len(one.seen) == 1


@pytest.mark.long
@pytest.mark.parametrize(("to", "name"), REBUILT)
def test_an_importer_builds_it_from_its_sources(to: Format, name: str, tmp_path: Path) -> None:
    build: Any = pytest.importorskip("fmpy.build")
    if shutil.which("cmake") is None:
        pytest.skip("there is no cmake here")
    _, found, place = fmu(example_text(name), tmp_path, to)
    folder, end = tmp_path / "open", min(found.horizon, 1.0)
    fmpy.extract(str(place), str(folder))
    shutil.rmtree(folder / "binaries")
    (tmp_path / "build").mkdir()
    build.build_platform_binary(str(folder), build_dir=str(tmp_path / "build"))
    made: Any = fmpy.simulate_fmu(str(folder), stop_time=end)
    assert made["time"][-1] == pytest.approx(end)
